/** A script that cannot be parsed. */

import type { Position } from "./ast";

export class SyntaxFault extends Error {
  /**
   * `message` in bash's words without a place: "syntax error near unexpected token `fi'".
   * `incomplete`: more input could mend it, as the REPL wants to know.
   */
  constructor(
    message: string,
    readonly position: Position,
    readonly incomplete = false,
  ) {
    super(message);
    this.name = "SyntaxFault";
  }
}

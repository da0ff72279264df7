/** A script, or an arithmetic expression, that cannot be parsed. */

import type { Position } from "./ast";

export class SyntaxFault extends Error {
  /**
   * `message` in bash's words without a place: "syntax error near unexpected token `fi'".
   * `incomplete`: more input could mend it, as the REPL wants to know.
   * `detail`: what bash says in a second message, where it does: mostly the line at fault.
   */
  constructor(
    message: string,
    readonly position: Position,
    readonly incomplete = false,
    readonly detail?: string,
    /** Where bash ends differently than by status 2: in an array's words, in `[[ … ]]`, in `$(…)`, at too many documents. */
    public within?: "array" | "conditional" | "substitution" | "documents",
  ) {
    super(message);
    this.name = "SyntaxFault";
  }
}

/** A fault in an arithmetic expression, found when it is evaluated; the message is what bash prints behind the expression. */
export class ArithmeticFault extends Error {
  /** `token`: what is left of the expression from the token at fault. */
  constructor(
    reason: string,
    readonly token: string,
  ) {
    super(`${reason} (error token is "${token}")`);
    this.name = "ArithmeticFault";
  }
}

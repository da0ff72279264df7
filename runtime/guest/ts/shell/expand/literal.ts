/** Lists that a text spells: `declare a="(1 2)"`. */

import type { ArrayLiteral } from "../syntax/ast";
import { Parser } from "../syntax/parser";

/** The list, if the text is one. */
export function literalOf(text: string): ArrayLiteral | undefined {
  if (!/^\([^]*\)$/.test(text)) return undefined;
  const command = new Parser(`a=${text}`).next()?.[0]?.command.first.commands[0];
  const value = command?.kind === "simple" ? command.assignments[0]?.value : undefined;
  return value?.kind === "array" ? value : undefined;
}

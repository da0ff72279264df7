/** Commands with a body, told by their head: for `set -x` and BASH_COMMAND. */

import type { Command } from "../syntax/ast";
import { unparse } from "../syntax/unparse";

const BODIED = /^(for|select|case)$/;

/** `for i in a b`, `case $x in`; other commands are told as they are. */
export function headOf(command: Command): string {
  const text = unparse(command);
  return BODIED.test(command.kind) ? text.slice(0, text.indexOf("\n")).replace(/;$/, "") : text;
}

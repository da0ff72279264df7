/** What `set -x` prints. */

import { quoteTrace } from "../expand/quote";
import type { Shell } from "./shell";

function write(shell: Shell, text: string): void {
  const prompt = shell.variables.get("PS4") ?? "+ ";
  const depth = prompt.slice(0, 1).repeat(shell.level) + prompt;
  void shell.stderr.write(`${depth}${text}\n`);
}

export function traceWords(shell: Shell, words: readonly string[]): void {
  write(shell, words.map(quoteTrace).join(" "));
}

export function traceAssignment(shell: Shell, name: string, append: boolean, value: string): void {
  write(shell, `${name}${append ? "+" : ""}=${value === "" ? "" : quoteTrace(value)}`);
}

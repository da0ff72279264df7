/** What `set -x` prints. */

import { expandPrompt } from "../expand/prompt";
import type { Item } from "../expand/assign";
import { quoteTrace, quoteValue } from "../expand/quote";
import { unitsOf } from "../expand/units";
import { Writer } from "../io/writer";
import type { Command } from "../syntax/ast";
import { headOf } from "./heads";
import type { Shell } from "./shell";

/** A line behind PS4, whose first character tells by repetition how deep the command is. */
export function trace(shell: Shell, text: string): void {
  const prompt = promptOf(shell);
  void output(shell).write(`${prompt.slice(0, 1).repeat(shell.traceDepth)}${prompt}${text}\n`);
}

/** stderr, or the descriptor that BASH_XTRACEFD names. */
function output(shell: Shell): Writer {
  const chosen = shell.variables.get("BASH_XTRACEFD");
  const { descriptors } = shell.context;
  return chosen && descriptors.has(Number(chosen)) ? new Writer(descriptors.get(Number(chosen))) : shell.stderr;
}

/** PS4 expanded; as it stands where that would have to wait for a command. */
function promptOf(shell: Shell): string {
  const prompt = shell.variables.get("PS4") ?? "";
  if (!/[$`\\]/.test(prompt)) return prompt;
  const { status } = shell;
  shell.tracing = false;
  const expanded = expandPrompt(shell, prompt);
  shell.tracing = true;
  shell.status = status;
  return typeof expanded === "string" ? expanded : prompt;
}

export function traceWords(shell: Shell, words: readonly string[]): void {
  const arrays = shell.declared ?? [];
  for (const { name, append, items = [] } of arrays) trace(shell, `${name}${append ? "+" : ""}=(${items.map((item) => traceItem(shell, item)).join(" ")})`);
  const isArray = (word: string): boolean => arrays.some(({ name, append }) => word === `${name}${append ? "+" : ""}=(`);
  trace(shell, words.map((word) => (isArray(word) ? word.replace(/\+?=\($/, "") : quoteTrace(unitsOf(shell, word)))).join(" "));
}

function traceItem(shell: Shell, item: Item): string {
  if (typeof item === "string") return quoteValue(unitsOf(shell, item));
  const key = item.key.kind === "index" ? item.key.text.source : item.key.joined;
  return `[${quoteValue(key)}]${item.append ? "+" : ""}=${quoteValue(unitsOf(shell, item.text))}`;
}

/** The head of a compound command. */
export function traceHead(shell: Shell, command: Command): void {
  if (shell.tracing) trace(shell, headOf(command).trimEnd());
}

export function traceAssignment(shell: Shell, name: string, append: boolean, value: string): void {
  trace(shell, `${name}${append ? "+" : ""}=${value === "" ? "" : quoteTrace(unitsOf(shell, value))}`);
}

/** Functions that `export -f` gives to the shells that a script starts: as variables of their environment, under names of bash's. */

import type { Maybe } from "../io/maybe";
import { print } from "../builtins/builtin";
import { Parser } from "../syntax/parser";
import { SyntaxFault } from "../syntax/errors";
import type { Command } from "../syntax/ast";
import { unparseFunction } from "../syntax/unparse";
import { compileList } from "./list";
import type { Shell } from "./shell";

const PREFIX = "BASH_FUNC_";
const CARRIER = /^BASH_FUNC_(.+)%%$/;

function carrierOf(name: string): string {
  return `BASH_FUNC_${name}%%`;
}

/** `export -f NAME…`, or with `on` false `export -nf`; without names those that are exported are shown. */
export function exportFunctions(shell: Shell, names: readonly string[], builtin: string, on: boolean): Maybe<number> {
  if (names.length === 0) return print(shell, builtin, exportedNames(shell).map((name) => shown(shell, name)).join(""));
  let status = 0;
  for (const name of names) {
    const definition = shell.functions.get(name);
    if (!definition) {
      shell.warn(`${builtin}: ${name}: not a function`);
      status = 1;
    } else if (on && /[=/]/.test(name)) {
      shell.warn(`${builtin}: ${name}: cannot export`);
      status = 1;
    } else if (on) shell.export(carrierOf(name), carried(name, definition.body));
    else unexport(shell, name);
  }
  return status;
}

export function unexport(shell: Shell, name: string): void {
  shell.variables.replace(carrierOf(name), undefined);
}

/** A function that is exported stays so with another body. */
export function exportAgain(shell: Shell, name: string, body: Command): void {
  if (shell.variables.own(carrierOf(name))) shell.export(carrierOf(name), carried(name, body));
}

/** As bash writes it: the first command stands behind the brace. */
function carried(name: string, body: Command): string {
  return unparseFunction(name, body).slice(name.length + 1).replace(/^\(\) \n\{ \n {4}/, "() {  ");
}

/** Of all functions that are exported. */
export function exportedNames(shell: Shell): string[] {
  return [...shell.variables.exported.keys()].flatMap((name) => CARRIER.exec(name)?.[1] ?? []);
}

function shown(shell: Shell, name: string): string {
  const definition = shell.functions.get(name);
  return definition ? `${unparseFunction(name, definition.body)}\ndeclare -fx ${name}\n` : "";
}

/** Defines the functions that an environment carries. */
export function importFunctions(shell: Shell, env: ReadonlyMap<string, string>): void {
  env.forEach((text, key) => {
    if (!key.startsWith(PREFIX)) return; // each shell that starts comes by here with all of its environment
    const name = CARRIER.exec(key)?.[1];
    if (name !== undefined && text.startsWith("() {")) define(shell, name, text);
  });
}

/** The text must be one definition and nothing else. */
function define(shell: Shell, name: string, text: string): void {
  try {
    const parser = new Parser(`${name} ${text}`);
    const list = parser.next();
    const [command] = list?.length === 1 ? list[0]!.command.first.commands : [];
    if (command?.kind === "function" && parser.next() === undefined) void compileList(list!)(shell);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    shell.warn(`error importing function definition for \`${name}'`);
  }
}

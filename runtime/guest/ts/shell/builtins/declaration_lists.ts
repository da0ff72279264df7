/** Variables and functions as `declare`, `export` and the like show them. */

import { attributeLetters, compoundText, declaration } from "../expand/declaration";
import { quoteValue } from "../expand/quote";
import { unitsOf } from "../expand/units";
import { each, then, type Maybe } from "../io/maybe";
import { AssociativeArray, IndexedArray } from "../run/arrays";
import { exportedNames } from "../run/exported_functions";
import type { Shell } from "../run/shell";
import type { Variable } from "../run/variables";
import { unparseFunction } from "../syntax/unparse";
import { print } from "./builtin";
import { ATTRIBUTES } from "./declaration_flags";

export function printDeclarations(shell: Shell, operands: readonly string[], flags: ReadonlySet<string>, name: string): Maybe<number> {
  if (operands.length === 0 && name === "local") return listLocals(shell, name);
  if (operands.length === 0) return listWith(shell, name, (variable) => matchesFlags(variable, flags));
  let status = 0;
  const one = (operand: string): Maybe<void> => {
    const variable = name === "local" && !shell.variables.isLocal(operand) ? undefined : (shell.variables.own(operand) ?? shell.variables.find(operand));
    if (variable) return then(print(shell, name, `${declaration(shell, operand, variable)}\n`), (printed) => void (status ||= printed));
    shell.warn(`${name}: ${operand}: not found`);
    status = 1;
  };
  return then(each(operands, one), () => status);
}

function matchesFlags(variable: Variable, flags: ReadonlySet<string>): boolean {
  const kinds = { a: variable.value instanceof IndexedArray, A: variable.value instanceof AssociativeArray };
  const has = (bits = 0): boolean => (variable.bits & bits) === bits;
  return [...flags].every((letter) => (letter in kinds ? kinds[letter as "a" | "A"] : has(ATTRIBUTES[letter])));
}

export function listWith(shell: Shell, name: string, wanted: (variable: Variable) => boolean): Maybe<number> {
  const shown = shell.variables.names().filter((each) => wanted(shell.variables.own(each)!));
  return print(shell, name, shown.map((each) => `${declaration(shell, each, shell.variables.own(each)!)}\n`).join(""));
}

/** What `export` and `readonly` list; in POSIX mode with their own names in front. */
export function listGiven(shell: Shell, name: string, bit: number, flags: ReadonlySet<string>): Maybe<number> {
  const kinds = new Set([...flags].filter((flag) => flag === "a" || flag === "A"));
  const wanted = (variable: Variable): boolean => (variable.bits & bit) !== 0 && matchesFlags(variable, kinds);
  if (!shell.options.has("posix")) return listWith(shell, name, wanted);
  const line = (each: string, variable: Variable): string => {
    const [kind] = /^[aA]/.exec(attributeLetters(variable)) ?? [];
    return `${declaration(shell, each, variable, kind ? `${name} -${kind}` : name)}\n`;
  };
  const variables = shell.variables.names().map((each) => [each, shell.variables.own(each)!] as const);
  return print(shell, name, variables.filter(([, variable]) => wanted(variable)).map(([each, variable]) => line(each, variable)).join(""));
}

export function listAll(shell: Shell, flags: ReadonlySet<string>, name: string): Maybe<number> {
  if (flags.size > 0) return listWith(shell, name, (variable) => matchesFlags(variable, flags));
  const lines = shell.variables.names().map((each) => {
    const { value } = shell.variables.own(each)!;
    return value === undefined ? "" : `${each}=${typeof value === "string" ? quoteValue(unitsOf(shell, value)) : compoundText(shell, value)}\n`;
  });
  return print(shell, name, lines.join(""));
}

export function listLocals(shell: Shell, name: string): Maybe<number> {
  const lines = shell.variables.localNames().map((each) => `${declaration(shell, each, shell.variables.own(each)!)}\n`);
  return print(shell, name, lines.join(""));
}

export function listFunctions(shell: Shell, operands: readonly string[], flags: ReadonlySet<string>, name: string): Maybe<number> {
  const exported = new Set(exportedNames(shell));
  const attributes = (each: string): string => (shell.fixedFunctions.has(each) ? "r" : "") + (exported.has(each) ? "x" : "");
  const all = [...shell.functions.keys()].sort();
  const listed = (each: string): boolean => (!flags.has("x") || exported.has(each)) && (!flags.has("r") || shell.fixedFunctions.has(each));
  const names = operands.length > 0 ? operands : all.filter(listed);
  const detailed = ["p", "r", "x"].some((letter) => flags.has(letter));
  let status = 0;
  let text = "";
  for (const each of names) {
    const known = shell.functions.get(each);
    if (!known) status = 1;
    else if (flags.has("F")) text += operands.length > 0 && !detailed ? `${each}${shell.options.has("extdebug") ? ` ${known.line} ${known.source ?? shell.name}` : ""}\n` : `declare -f${attributes(each)} ${each}\n`;
    else text += `${unparseFunction(each, known.body)}\n${detailed && attributes(each) !== "" ? `declare -f${attributes(each)} ${each}\n` : ""}`;
  }
  return then(print(shell, name, text), () => status);
}

/** let, umask, ulimit, times, caller, help, history and others that need few words. */

import { evaluateText } from "../expand/arithmetic";
import { then, type Maybe } from "../io/maybe";
import { native } from "../../bridge/native";
import { ExpressionFault } from "../expand/errors";
import { ShellError } from "../run/errors";
import type { Shell } from "../run/shell";
import { type Builtin, print, readOptions, refuse } from "./builtin";

export const evaluateLet: Builtin = (shell, args, name) => {
  if (args.length === 0) refuse(name, "expression expected");
  let value: Maybe<number | bigint> = 0;
  for (const arg of args) value = then(value, () => computed(shell, arg, name));
  return then(value, (last) => (Number(last) === 0 ? 1 : 0));
};

function computed(shell: Shell, text: string, name: string): number | bigint {
  try {
    return evaluateText(shell, text);
  } catch (error) {
    if (error instanceof ExpressionFault) error.message = `${name}: ${error.message}`;
    throw error;
  }
}

export const umask: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args, "pS", "umask [-p] [-S] [mode]");
  const [mode] = operands;
  if (mode !== undefined) {
    if (/^\d/.test(mode) && !/^[0-7]{1,4}$/.test(mode)) refuse(name, `${mode}: octal number out of range`);
    shell.context.umask = /^[0-7]/.test(mode) ? Number.parseInt(mode, 8) & 0o777 : symbolic(shell.context.umask, mode, name);
    if (!options.has("S")) return 0;
  }
  const octal = shell.context.umask.toString(8).padStart(4, "0");
  const text = options.has("S") ? words(shell.context.umask) : octal;
  return print(shell, name, `${options.has("p") ? `umask ${options.has("S") ? "-S " : ""}` : ""}${text}\n`);
};

function words(mask: number): string {
  const bits = (shift: number): string => ["r", "w", "x"].filter((_, at) => ((~mask >> shift) & (4 >> at)) !== 0).join("");
  return `u=${bits(6)},g=${bits(3)},o=${bits(0)}`;
}

const WHO: Readonly<Record<string, number>> = { u: 0o700, g: 0o070, o: 0o007, a: 0o777 };
const BITS: Readonly<Record<string, number>> = { r: 0o444, w: 0o222, x: 0o111 };

function symbolic(mask: number, mode: string, name: string): number {
  let allowed = ~mask & 0o777;
  for (const clause of mode.split(",")) {
    const [, who, operator, letters] = /^([ugoa]*)([-+=])([rwx]*)$/.exec(clause) ?? refuse(name, symbolFault(clause));
    const people = [...(who || "a")].reduce((sum, letter) => sum | WHO[letter]!, 0);
    const bits = [...letters!].reduce((sum, letter) => sum | BITS[letter]!, 0) & people;
    allowed = operator === "+" ? allowed | bits : operator === "-" ? allowed & ~bits : (allowed & ~people) | bits;
  }
  return ~allowed & 0o777;
}

function symbolFault(clause: string): string {
  const at = /^[ugoa]*([-+=][rwx]*)?/.exec(clause)!;
  return `\`${clause.charAt(at[0].length)}': invalid symbolic mode ${at[1] === undefined ? "operator" : "character"}`;
}

export const times: Builtin = (shell, _args, name) => {
  const seconds = (native.clock.monotonic() - shell.session.started) / 1000;
  const text = `${Math.floor(seconds / 60)}m${(seconds % 60).toFixed(3)}s`;
  return print(shell, name, `${text} 0m0.000s\n0m0.000s 0m0.000s\n`);
};

export const caller: Builtin = (shell, args, name) => {
  const [word = ""] = args;
  if (word !== "" && !/^\d+$/.test(word)) throw new ShellError(`${name}: ${word}: invalid number\n${name}: usage: caller [expr]`, 2);
  const frames = [...shell.calls].reverse();
  const frame = frames[Number(word)];
  // Text that is no file is no frame.
  const inFile = shell.source === "";
  if (!frame) return word === "" && inFile ? print(shell, name, "0 NULL\n") : 1;
  const outer = frames[Number(word) + 1];
  if (!outer && !inFile) return word === "" ? print(shell, name, `${frame.line} NULL\n`) : 1;
  const source = outer?.source ?? shell.name;
  return print(shell, name, word === "" ? `${frame.line} ${source}\n` : `${frame.line} ${outer?.name ?? "main"} ${source}\n`);
};

export const quiet: Builtin = () => 0;

export const unsupported: Builtin = (_shell, _args, name) => refuse(name, "not supported in the sandbox", 2);

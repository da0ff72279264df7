/** pushd, popd, dirs. */

import { quoteNamed } from "../expand/quote";
import { describeErrno } from "../io/errors";
import type { Maybe } from "../io/maybe";
import { ShellError } from "../run/errors";
import type { Shell } from "../run/shell";
import { type Builtin, print, refuse } from "./builtin";
import { changeDirectory } from "./cd";

const USAGE: Readonly<Record<string, string>> = {
  dirs: "dirs [-clpv] [+N] [-N]",
  popd: "popd [-n] [+N | -N]",
  pushd: "pushd [-n] [+N | -N | dir]",
};

function misused(name: string, message: string): never {
  throw new ShellError(`${name}: ${message}\n${name}: usage: ${USAGE[name]}`, 2);
}

function all(shell: Shell): string[] {
  return [shell.here, ...shell.directories];
}

function shown(shell: Shell, long: boolean): string[] {
  const home = shell.variables.get("HOME");
  const short = (path: string): string => (home && home !== "/" && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path);
  return long ? all(shell) : all(shell).map(short);
}

function enter(shell: Shell, path: string, name: string): void {
  try {
    changeDirectory(shell, path);
  } catch (error) {
    refuse(name, `${quoteNamed(path)}: ${describeErrno(error)}`);
  }
}

/** The place that `+N` or `-N` means; undefined for other words. */
function place(shell: Shell, word: string, name: string): number | undefined {
  const [, sign, digits] = /^([-+])(\d+)$/.exec(word) ?? [];
  if (sign === undefined) return undefined;
  const length = all(shell).length;
  const index = sign === "+" ? Number(digits) : length - 1 - Number(digits);
  if (index >= 0 && index < length) return index;
  if (length === 1) refuse(name, "directory stack empty");
  return refuse(name, `${name === "dirs" ? digits : word}: directory stack index out of range`);
}

/** The operand of pushd or popd, and whether `-n` leaves the shell where it is. */
function readOperand(args: readonly string[], name: string): { word: string | undefined; stays: boolean } {
  let index = 0;
  while (args[index] === "-n") index += 1;
  const stays = index > 0;
  const [word] = args.slice(args[index] === "--" ? index + 1 : index);
  if (args[index] !== "--" && word !== undefined && /^-(?!\d+$)./.test(word)) misused(name, `${word}: invalid number`);
  return { word, stays };
}

function show(shell: Shell, name: string): Maybe<number> {
  return print(shell, name, `${shown(shell, false).join(" ")}\n`);
}

export const pushd: Builtin = (shell, args, name) => {
  const { word, stays } = readOperand(args, name);
  const [here, ...stack] = all(shell) as [string, ...string[]];
  if (word === undefined) {
    if (stays) return 0;
    const [next, ...rest] = stack;
    if (next === undefined) refuse(name, "no other directory");
    enter(shell, next, name);
    shell.directories = [here, ...rest];
    return show(shell, name);
  }
  if (args[args.length - 1] !== word) refuse(name, "too many arguments");
  const index = place(shell, word, name);
  if (index === undefined) {
    if (!stays) enter(shell, word, name);
    shell.directories = [stays ? word : here, ...stack];
    return show(shell, name);
  }
  const rotated = [...all(shell).slice(index), ...all(shell).slice(0, index)];
  if (!stays) enter(shell, rotated[0]!, name);
  shell.directories = rotated.slice(1);
  return stays ? 0 : show(shell, name);
};

export const popd: Builtin = (shell, args, name) => {
  const { word, stays } = readOperand(args, name);
  const [next, ...rest] = shell.directories;
  const index = word === undefined ? 0 : (place(shell, word, name) ?? misused(name, `${word}: invalid argument`));
  if (next === undefined) refuse(name, "directory stack empty");
  if (index === 0 && !stays) enter(shell, next, name);
  shell.directories = index <= 1 ? rest : shell.directories.filter((_, at) => at !== index - 1);
  return show(shell, name);
};

export const dirs: Builtin = (shell, args, name) => {
  for (const arg of args) {
    if (!/^(-[clpv]|[-+]\d+)$/.test(arg)) misused(name, `${arg}: invalid ${/^[-+]/.test(arg) ? "number" : "option"}`);
  }
  if (args.includes("-c")) {
    shell.directories = [];
    return 0;
  }
  const entries = shown(shell, args.includes("-l"));
  const word = args.find((arg) => /\d$/.test(arg));
  const first = word === undefined ? undefined : place(shell, word, name)!;
  const wanted = entries.map((entry, index) => [index, entry] as const).filter(([index]) => first === undefined || index === first);
  if (args.includes("-v")) return print(shell, name, wanted.map(([index, entry]) => `${String(index).padStart(2)}  ${entry}\n`).join(""));
  return print(shell, name, `${wanted.map(([, entry]) => entry).join(args.includes("-p") ? "\n" : " ")}\n`);
};

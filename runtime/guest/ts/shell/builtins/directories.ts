/** pushd, popd, dirs. */

import { IndexedArray } from "../run/arrays";
import type { Shell } from "../run/shell";
import { describeErrno } from "../io/errors";
import { then, type Maybe } from "../io/maybe";
import { Variable } from "../run/variables";
import { type Builtin, print, refuse } from "./builtin";
import { changeDirectory } from "./cd";

/** Directories behind the present one. */
const stacks = new WeakMap<Shell, string[]>();

function stackOf(shell: Shell): string[] {
  let stack = stacks.get(shell);
  if (!stack) {
    stack = [...(shell.parent ? (stacks.get(shell.parent) ?? []) : [])];
    stacks.set(shell, stack);
  }
  return stack;
}

function all(shell: Shell): string[] {
  return [shell.here, ...stackOf(shell)];
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
    refuse(name, `${path}: ${describeErrno(error)}`);
  }
}

/** The place that `+N` or `-N` means; undefined for other words. */
function place(shell: Shell, word: string, name: string): number | undefined {
  const [, sign, digits] = /^([-+])(\d+)$/.exec(word) ?? [];
  if (sign === undefined) return undefined;
  const length = all(shell).length;
  const index = sign === "+" ? Number(digits) : length - 1 - Number(digits);
  if (index < 0 || index >= length) refuse(name, `${word}: directory stack index out of range`);
  return index;
}

function show(shell: Shell, name: string): Maybe<number> {
  shell.variables.replace("DIRSTACK", new Variable(new IndexedArray(all(shell))));
  return print(shell, name, `${shown(shell, false).join(" ")}\n`);
}

export const pushd: Builtin = (shell, args, name) => {
  const silent = args.includes("-n");
  const [word] = args.filter((arg) => arg !== "-n");
  const stack = stackOf(shell);
  const here = all(shell)[0]!;
  if (word === undefined) {
    if (silent) return 0;
    const [next] = stack;
    if (next === undefined) refuse(name, "no other directory");
    enter(shell, next, name);
    stack[0] = here;
    return show(shell, name);
  }
  const index = place(shell, word, name);
  if (index === undefined) {
    if (silent) stack.unshift(word);
    else {
      enter(shell, word, name);
      stack.unshift(here);
    }
    return show(shell, name);
  }
  const rotated = [...all(shell).slice(index), ...all(shell).slice(0, index)];
  if (!silent) enter(shell, rotated[0]!, name);
  stack.splice(0, stack.length, ...rotated.slice(1));
  return silent ? 0 : show(shell, name);
};

export const popd: Builtin = (shell, args, name) => {
  const [word] = args.filter((arg) => arg !== "-n");
  const stack = stackOf(shell);
  if (stack.length === 0) refuse(name, "directory stack empty");
  const index = word === undefined ? 0 : (place(shell, word, name) ?? refuse(name, `${word}: invalid argument`));
  if (index === 0 && !args.includes("-n")) enter(shell, stack.shift()!, name);
  else stack.splice(Math.max(0, index - 1), 1);
  return show(shell, name);
};

export const dirs: Builtin = (shell, args, name) => {
  if (args.includes("-c")) {
    stackOf(shell).length = 0;
    return 0;
  }
  const entries = shown(shell, args.includes("-l"));
  const word = args.find((arg) => /^[-+]\d+$/.test(arg));
  if (word !== undefined) return print(shell, name, `${entries[place(shell, word, name)!]}\n`);
  if (args.includes("-v")) return print(shell, name, entries.map((entry, index) => `${String(index).padStart(2)}  ${entry}\n`).join(""));
  return then(0, () => print(shell, name, `${entries.join(args.includes("-p") ? "\n" : " ")}\n`));
};

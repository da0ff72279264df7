import { demand, X_OK } from "../../vfs/access";
import { findDirectory, pathOf } from "../../vfs/walk";
import { quoteNamed } from "../expand/quote";
import { describeErrno } from "../io/errors";
import type { Maybe } from "../io/maybe";
import type { Shell } from "../run/shell";
import { type Builtin, print, readOptions, refuse } from "./builtin";

/** The path that `..` and `.` name by the letters alone, as `cd -L` has it. */
export function logical(from: string, path: string): string {
  const names: string[] = [];
  for (const name of (path.startsWith("/") ? path : `${from}/${path}`).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

/** Moves the shell to a directory; throws Errno. */
export function changeDirectory(shell: Shell, path: string, physical = false): void {
  const old = shell.here;
  const target = physical ? path : logical(old, path);
  const directory = findDirectory(shell.context, target);
  demand(shell.context, directory, X_OK);
  shell.context.cwd = pathOf(directory);
  shell.here = physical ? shell.context.cwd : target;
  try {
    shell.export("OLDPWD", old);
  } finally {
    shell.variables.set("PWD", shell.here);
  }
}

function destination(shell: Shell, operands: readonly string[]): [path: string, shown: boolean] {
  if (operands.length > 1) refuse("cd", "too many arguments");
  const [word] = operands;
  if (word === undefined) return [shell.variables.get("HOME") ?? refuse("cd", "HOME not set"), false];
  if (word === "-") return [shell.variables.get("OLDPWD") ?? refuse("cd", "OLDPWD not set"), true];
  return [word, false];
}

export const cd: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args, "LPe@", "cd [-L|[-P [-e]] [-@]] [dir]");
  const [path, shown] = destination(shell, operands);
  if (path === "") return shown ? print(shell, name, "\n") : 0;
  const physical = options.has("P");
  try {
    return changeTo(shell, name, path, physical, shown);
  } catch (error) {
    const named = shell.options.has("cdable_vars") ? shell.variables.get(path) : undefined;
    if (named === undefined) throw error;
    return changeTo(shell, name, named, physical, true);
  }
};

function changeTo(shell: Shell, name: string, path: string, physical: boolean, shown: boolean): Maybe<number> {
  const folders = /^(\/|\.\.?(\/|$))/.test(path) ? [""] : [...(shell.variables.get("CDPATH") ?? "").split(":"), ""];
  for (const [index, folder] of folders.entries()) {
    try {
      changeDirectory(shell, folder === "" ? path : `${folder}/${path}`, physical);
      return shown || folder !== "" ? print(shell, name, `${shell.here}\n`) : 0;
    } catch (error) {
      if (index + 1 === folders.length) refuse(name, `${quoteNamed(path)}: ${describeErrno(error)}`);
    }
  }
  return 1;
}

export const pwd: Builtin = (shell, args, name) => {
  const { options } = readOptions(name, args, "LP", "pwd [-LP]");
  return print(shell, name, `${options.has("P") ? shell.context.cwd : shell.here}\n`);
};

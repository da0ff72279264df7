/** exit, return, break, continue, `:`, true, false, eval, source, exec, shift. */

import { O_RDONLY } from "../../vfs/flags";
import { open } from "../../vfs/open";
import { OpenDirectory } from "../../vfs/openfile";
import { exists } from "../../vfs/meta";
import { describeErrno } from "../io/errors";
import { then, type Maybe } from "../io/maybe";
import { Reader } from "../io/reader";
import { excusing } from "../run/code";
import { Break, Continue, Exit, Return } from "../run/control";
import { ScriptFault, ShellError } from "../run/errors";
import { lookUp, runCommand } from "../run/launch";
import { leaveProcess } from "../run/life";
import { undoing } from "../run/undoing";
import { runSource } from "../run/program";
import type { Shell } from "../run/shell";
import { type Builtin, readOptions, refuse } from "./builtin";
import { deafen, runTrap } from "../run/results";

export const colon: Builtin = () => 0;
export const no: Builtin = () => 1;

/** The status that an argument gives, or the last one. */
function statusOf(shell: Shell, args: readonly string[], name: string, fallback = shell.status): number {
  const [word] = args[0] === "--" ? args.slice(1) : args;
  if (word === undefined) return fallback;
  if (!/^\s*[-+]?\d+\s*$/.test(word)) {
    shell.warn(`${name}: ${word}: numeric argument required`);
    return 2;
  }
  return Number(BigInt.asUintN(8, BigInt(word.trim())));
}

/** More than one argument ends the command line. */
function refuseMore(args: readonly string[], name: string): void {
  if (args.length > (args[0] === "--" ? 2 : 1)) throw new ScriptFault(`${name}: too many arguments`);
}

export const exit: Builtin = (shell, args, name) => {
  refuseMore(args, name);
  return leaveProcess(shell, statusOf(shell, args, name, shell.leavingWith), true);
};

export const logout: Builtin = (_shell, _args, name) => refuse(name, "not login shell: use `exit'");

export const leave: Builtin = (shell, args, name) => {
  refuseMore(args, name);
  if (shell.calls.length === 0) refuse(name, "can only `return' from a function or sourced script", 2);
  throw new Return(statusOf(shell, args, name, shell.beforeTrap));
};

function levels(shell: Shell, args: readonly string[], name: string): number | undefined {
  if (shell.loops === 0) {
    if (!shell.options.has("posix")) shell.warn(`${name}: only meaningful in a \`for', \`while', or \`until' loop`);
    return undefined;
  }
  const [word = "1"] = args;
  if (!/^[-+]?\d+$/.test(word)) throw new ShellError(`${name}: ${word}: numeric argument required`, 128, true);
  refuseMore(args, name);
  if (Number(word) < 1) {
    shell.warn(`${name}: ${word}: loop count out of range`);
    throw new Break(shell.loops, 1);
  }
  return Math.min(Number(word), shell.loops);
}

export const breakLoop: Builtin = (shell, args, name) => {
  const count = levels(shell, args, name);
  if (count === undefined) return 0;
  throw new Break(count);
};

export const continueLoop: Builtin = (shell, args, name) => {
  const count = levels(shell, args, name);
  if (count === undefined) return 0;
  throw new Continue(count);
};

export const evaluate: Builtin = (shell, args, name) => {
  const { operands } = readOptions(name, args, "", "eval [arg ...]");
  const source = operands.join(" ");
  if (source === "") return 0;
  const { traps } = shell;
  const status = excusing(shell, () => runSource(shell, source, { line: shell.line, by: name }));
  return status === 0 ? 0 : then(status, (late) => deafen(shell, traps, late));
};

export const source: Builtin = (shell, args, name) => {
  const { operands } = readOptions(name, args, "", `${name} filename [arguments]`);
  const [path, ...rest] = operands;
  if (path === undefined) throw new ShellError(`${name}: filename argument required\n${name}: usage: ${name} filename [arguments]`, 2);
  return then(readSource(shell, located(shell, path), path, name), (text) => {
    const { positional, line } = shell;
    if (rest.length > 0) shell.positional = rest;
    const before = shell.parametersSet;
    shell.calls.push({ name: "source", line, source: path });
    const restore = (): void => {
      shell.calls.pop();
      shell.line = line;
      // Parameters that the script gave itself by `set` stay.
      if (rest.length > 0 && shell.parametersSet === before) shell.positional = positional;
    };
    const { traps } = shell;
    return then(returning(() => undoing(() => excusing(shell, () => runSource(shell, text)), restore, shell)), (status) => {
      deafen(shell, traps, status);
      const action = shell.traps.get("RETURN");
      return action ? then(runTrap(shell, action, "return trap"), () => status) : status;
    });
  });
};

/** Runs sourced text: `return` ends it. */
function returning(work: () => Maybe<number>): Maybe<number> {
  const thrown = (error: unknown): number => {
    if (error instanceof Return) return error.status;
    throw error;
  };
  try {
    const status = work();
    return typeof status === "number" ? status : status.catch(thrown);
  } catch (error) {
    return thrown(error);
  }
}

/** A name without a slash is looked for in PATH, then here. */
function located(shell: Shell, path: string): string {
  if (path.includes("/") || !shell.options.has("sourcepath")) return path;
  for (const folder of (shell.variables.get("PATH") ?? "").split(":")) {
    const there = `${folder || "."}/${path}`;
    if (!/^\/(usr\/)?bin$/.test(folder) && exists(shell.context, there)) return there;
  }
  return path;
}

function readSource(shell: Shell, path: string, shown: string, name: string): Maybe<string> {
  try {
    const file = open(shell.context, path, O_RDONLY, 0);
    if (file instanceof OpenDirectory) refuse(name, `${shown}: is a directory`);
    return new Reader(file).text();
  } catch (error) {
    if (error instanceof ShellError) throw error;
    throw new ShellError(`${shown}: ${describeErrno(error)}`);
  }
}

export const exec: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args, "cla:", "exec [-cl] [-a name] [command [argument ...]] [redirection ...]");
  if (operands.length === 0) return 0;
  const called = (options.has("l") ? "-" : "") + (options.get("a") ?? operands[0]!);
  if (options.has("c")) for (const each of shell.variables.exported.keys()) shell.variables.declare(each).exported = false;
  shell.variables.changed();
  const fails = lookUp(shell, operands[0]!).kind === "refused";
  return then(runCommand(shell, operands, { builtin: name, called }), (status) => {
    if (fails) return shell.options.has("execfail") && !shell.parent ? status : leaveProcess(shell, status, true);
    shell.setTrap("EXIT", undefined);
    throw new Exit(status);
  });
};

export const shift: Builtin = (shell, args, name) => {
  const [word = "1"] = args;
  if (!/^[-+]?\d+$/.test(word)) refuse(name, `${word}: numeric argument required`);
  refuseMore(args, name);
  const count = Number(word);
  if (count < 0) refuse(name, `${word}: shift count out of range`);
  if (count > shell.positional.length) {
    if (shell.options.has("shift_verbose") || shell.options.has("posix")) refuse(name, `${word}: shift count out of range`);
    return 1;
  }
  shell.positional = shell.positional.slice(count);
  return 0;
};

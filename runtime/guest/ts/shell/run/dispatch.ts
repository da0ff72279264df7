/** From a command's words to what runs it: a function, a builtin or a command. */

import { Errno } from "../../vfs/errors";
import { type Builtin, builtins } from "../builtins/table";
import { describeErrno } from "../io/errors";
import type { Maybe } from "../io/maybe";
import { Exit } from "./control";
import { isCommandFault, NameFault, UsageFault } from "./errors";
import { callFunction } from "./functions";
import { runCommand } from "./launch";
import type { Shell } from "./shell";
import { undoing } from "./undoing";

/** POSIX's special builtins. */
export const SPECIAL: ReadonlySet<string> = new Set([
  ".", ":", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return", "set", "shift", "source", "times", "trap", "unset",
]);
/** What a special builtin ends with that was called wrongly; in POSIX mode the shell ends with it. */
const USAGE_STATUS = 2;
/** In POSIX mode a file that is not there ends the shell as well. */
const SOURCES: ReadonlySet<string> = new Set([".", "source"]);

export function builtinOf(shell: Shell, name: string): Builtin | undefined {
  const builtin = builtins.get(name);
  return builtin === undefined || (shell.disabled.size > 0 && shell.disabled.has(name)) ? undefined : builtin;
}

/** What process substitutions opened for a command stays open for all that it runs. */
export function dispatch(shell: Shell, name: string, words: string[], line: number): Maybe<number> {
  const { borrowed } = shell;
  if (borrowed === undefined) return perform(shell, name, words, line);
  shell.borrowed = undefined;
  return undoing(() => perform(shell, name, words, line), () => (shell.borrowed = borrowed));
}

/** `words` loses its first, the name, where it is a function's or a builtin's. */
function perform(shell: Shell, name: string, words: string[], line: number): Maybe<number> {
  const definition = shell.functions.size > 0 ? shell.functions.get(name) : undefined;
  if (definition !== undefined) {
    words.shift();
    return callFunction(shell, name, definition, words, line);
  }
  const builtin = builtinOf(shell, name);
  if (builtin === undefined) return runCommand(shell, words);
  words.shift();
  return runBuiltin(shell, builtin, name, words);
}

/** Errors of a builtin are told of; but for fatal ones, they are its status. */
export function runBuiltin(shell: Shell, builtin: Builtin, name: string, args: readonly string[], special = true): Maybe<number> {
  try {
    const status = builtin(shell, args, name);
    return typeof status === "number" ? status : status.catch((error: unknown) => told(shell, error, name, special));
  } catch (error) {
    return told(shell, error, name, special);
  }
}

/** `special`: a special builtin is called as one, not by way of `command`. */
export function told(shell: Shell, error: unknown, name: string, special = true): number {
  if (error instanceof Errno) {
    shell.warn(`${name}: ${describeErrno(error)}`);
    return 1;
  }
  if (!isCommandFault(error)) throw error;
  if (error instanceof UsageFault) shell.say(error.message);
  else if (error instanceof NameFault) shell.warn(`${name}: ${error.message}`);
  else if (error.message !== "") shell.tell(error);
  if (special && shell.options.has("posix") && (error.status === USAGE_STATUS || SOURCES.has(name)) && SPECIAL.has(name)) throw new Exit(error.status);
  return error.status;
}

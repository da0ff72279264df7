/** `local`, `declare` and `typeset` in their plainest form, of which functions are full. */

import type { Maybe } from "../io/maybe";
import type { Simple } from "../syntax/ast";
import type { Code } from "./code";
import { compileGlobal, compileLocals, type Global } from "./declarations";
import { ShellError } from "./errors";
import type { Shell } from "./shell";

/** Builtins that make names local to the function that runs. */
const LOCALS: ReadonlySet<string> = new Set(["local", "declare", "typeset"]);

/** The quick way of such a builtin, if the command is one; `usual` where it is not as plain as that. */
export function compileQuickLocals(name: string, { words }: Simple, usual: Code): Code | undefined {
  if (!LOCALS.has(name)) return undefined;
  const locals = compileLocals(words);
  const inside = locals && quickLocals(locals, usual);
  const global = name === "local" ? undefined : compileGlobal(words);
  return inside && global ? quickGlobal(global, inside, usual) : inside;
}

function quickLocals(locals: (shell: Shell) => Maybe<void>, spelled: Code): Code {
  return (shell) => (shell.variables.insideFunction ? quickly(shell, locals, spelled) : spelled(shell));
}

function quickGlobal(global: Global, inside: Code, spelled: Code): Code {
  return (shell) => (!shell.variables.insideFunction && global.fits(shell) ? quickly(shell, global.assign, spelled) : inside(shell));
}

function quickly(shell: Shell, work: (shell: Shell) => Maybe<void>, spelled: Code): Maybe<number> {
  if (shell.tracing || shell.shadowed || shell.exporting) return spelled(shell);
  try {
    const done = work(shell);
    return done === undefined ? (shell.status = shell.pipeStatus = 0) : (done as Promise<void>).then(() => (shell.status = shell.pipeStatus = 0));
  } catch (error) {
    // What went wrong is told by the builtin.
    if (error instanceof ShellError && !error.fatal) return spelled(shell);
    throw error;
  }
}

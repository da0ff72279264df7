/** How a shell of its own begins: it knows nothing but its environment, and where it is. */

import { type Context, fork as forkContext } from "../../vfs/context";
import { SIGNALS } from "../io/signals";
import { importFunctions } from "./exported_functions";
import { leadsTo } from "./places";
import { Shell } from "./shell";

/** A child that is a shell of its own: it knows only the environment. */
export function spawn(parent: Shell, name: string, env: ReadonlyMap<string, string> = parent.variables.exported): Shell {
  parent.session.demandRoom();
  const child = new Shell(parent.session, forkContext(parent.context), name, parent);
  initialise(child, env);
  child.variables.declare("PPID").value = String(around(parent).pid);
  const ignored = [...parent.traps].filter(([signal, action]) => action === "" && SIGNALS[signal] !== undefined);
  for (const [signal] of ignored) child.setTrap(signal, "");
  child.unheard = new Set(ignored.map(([signal]) => signal));
  return child;
}

/** The shell that runs the command which this process is there for: a shell that it begins has that as its parent. */
function around(process: Shell): Shell {
  let shell = process.parent ?? process;
  while (shell.signals.standsForCommand && shell.parent) shell = shell.parent;
  return shell;
}

/** The variables that a new shell has: bash's own, and the environment. */
export function initialise(shell: Shell, env: ReadonlyMap<string, string>): void {
  shell.variables.start(env);
  shell.here = startingPlace(shell.context, env.get("PWD"));
  if (env.get("PWD") !== shell.here) shell.export("PWD", shell.here);
  importFunctions(shell, env);
}

/** What PWD says, if it is an absolute path to where the shell is. */
function startingPlace(context: Context, said: string | undefined): string {
  const { cwd } = context;
  return said !== undefined && said !== cwd && said.startsWith("/") && leadsTo(context, said, cwd) ? said : cwd;
}

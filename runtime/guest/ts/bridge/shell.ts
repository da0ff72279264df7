/** A run whose script is a shell script: its first process, and what it asks of the run. */

import { type Maybe, then } from "../shell/io/maybe";
import { initialise } from "../shell/run/birth";
import { live } from "../shell/run/life";
import { Session } from "../shell/run/session";
import { Shell } from "../shell/run/shell";
import { type Context, fork } from "../vfs/context";
import { vfs } from "../vfs/vfs";
import type { Run } from "./run";

export type Environment = Readonly<Record<string, string>>;

/** Of a first process: its variables, and where it begins. */
export interface StartingEnvironment {
  readonly variables: ReadonlyMap<string, string>;
  readonly cwd: string;
  /** What it was made of, or the like. */
  env: Environment;
}

/** A shell for a script that begins where the run is; what it asks for is asked of the run that `active` has then. */
export function createShell(active: { readonly run: Run }, env: Environment = active.run.header.env): Shell {
  const shell = newShell(active, environment(env, vfs.cwd), fork(vfs.context));
  const { filename, args } = active.run.header;
  shell.name = filename;
  shell.positional = args;
  return shell;
}

/** A shell that knows of no script yet. */
export function newShell(active: { readonly run: Run }, { variables }: StartingEnvironment, context: Context): Shell {
  const session = new Session({
    timer: (ms, callback) => startTimer(active.run, ms, callback),
    call: (path, json, settle) => active.run.calls.call(path, json, settle),
    describe: (path, settle) => active.run.calls.describe(path, settle),
  });
  const shell = new Shell(session, context, "");
  initialise(shell, variables);
  return shell;
}

let latest: StartingEnvironment | undefined;

/** The environment that was last asked for. */
export function usualEnvironment(): StartingEnvironment | undefined {
  return latest;
}

/** What a first process finds in its environment; one object for runs that have the same. */
export function environment(env: Environment, cwd: string): StartingEnvironment {
  if (latest === undefined || latest.cwd !== cwd || !same(latest.env, env)) {
    latest = { env: { ...env }, cwd, variables: new Map([["SHLVL", "1"], ...Object.entries(env), ["PWD", cwd]]) };
  }
  if (Object.isFrozen(env)) latest.env = env; // the next run's, most likely, and the sooner told
  return latest;
}

/** Whether both have the same variables in the same order. */
function same(left: Environment, right: Environment): boolean {
  if (left === right) return true;
  const names = Object.keys(right);
  let at = 0;
  for (const name in left) {
    if (names[at] !== name || left[name] !== right[name]) return false;
    at += 1;
  }
  return at === names.length;
}

function startTimer(run: Run, ms: number, callback: () => void): () => void {
  const id = ms <= 0 ? run.timers.setImmediate(callback) : run.timers.set(ms, false, callback);
  return () => run.timers.clear(id);
}

/** Runs the script and what it left in the background; its status. */
export function runShell(shell: Shell, source: string): Maybe<number> {
  const status = live(shell, () => shell.runSource(source));
  return then(status, (ended) => {
    shell.context.descriptors.closeAll(); // what is still being written to them ends with a broken pipe
    return then(shell.session.drain(), () => ended);
  });
}

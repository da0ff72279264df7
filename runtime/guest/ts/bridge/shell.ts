/** A run whose script is a shell script: its first process, and what it asks of the run. */

import { type Maybe, then } from "../shell/io/maybe";
import { Session } from "../shell/run/session";
import { Shell } from "../shell/run/shell";
import { fork } from "../vfs/context";
import { vfs } from "../vfs/vfs";
import type { Run } from "./run";

/** The shell that a run's script starts in; what it asks for is asked of the run that `active` has then. */
export function createShell(active: { readonly run: Run }, env: Environment = active.run.header.env): Shell {
  const session = new Session({
    timer: (ms, callback) => startTimer(active.run, ms, callback),
    call: (path, json, settle) => active.run.calls.call(path, json, settle),
    describe: (path, settle) => active.run.calls.describe(path, settle),
  });
  const { filename, args } = active.run.header;
  const shell = new Shell(session, fork(vfs.context), filename);
  shell.initialise(environment(env));
  shell.positional = args;
  return shell;
}

type Environment = Readonly<Record<string, string>>;

let latest: { readonly env: Environment; readonly cwd: string; readonly table: ReadonlyMap<string, string> } | undefined;

/** What the first process finds in its environment; one object for runs that have the same. */
function environment(env: Environment): ReadonlyMap<string, string> {
  const { cwd } = vfs;
  if (latest === undefined || latest.cwd !== cwd || !same(latest.env, env)) {
    latest = { env: { ...env }, cwd, table: new Map([["SHLVL", "1"], ...Object.entries(env), ["PWD", cwd]]) };
  }
  return latest.table;
}

/** Whether both have the same variables in the same order. */
function same(left: Environment, right: Environment): boolean {
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
  const status = shell.live(() => shell.runSource(source));
  return then(status, (ended) => {
    shell.context.descriptors.closeAll(); // what is still being written to them ends with a broken pipe
    return then(shell.session.drain(), () => ended);
  });
}

/** A run whose script is a shell script: its first process, and what it asks of the run. */

import { type Maybe, then } from "../shell/io/maybe";
import { IndexedArray } from "../shell/run/arrays";
import { Session } from "../shell/run/session";
import { Shell } from "../shell/run/shell";
import { Variables } from "../shell/run/variables";
import { vfs } from "../vfs/vfs";
import type { Run } from "./run";

/** What bash sets that is no part of the environment. */
const OWN: Readonly<Record<string, string>> = {
  BASH: "/bin/bash",
  BASH_VERSION: "5.2.15(1)-release",
  HOSTNAME: "sandbox",
  HOSTTYPE: "wasm32",
  IFS: " \t\n",
  MACHTYPE: "wasm32-amla-linux-gnu",
  OPTERR: "1",
  OPTIND: "1",
  OSTYPE: "linux-gnu",
  PS4: "+ ",
};
const VERSION = ["5", "2", "15", "1", "release", "wasm32-amla-linux-gnu"];
const IDS: Readonly<Record<string, string>> = { EUID: "1000", PPID: "1", UID: "1000" };

/** The shell that a run's script starts in. */
export function createShell(run: Run): Shell {
  const session = new Session({
    timer: (ms, callback) => startTimer(run, ms, callback),
    call: (path, json, settle) => run.calls.call(path, json, settle),
    describe: (path, settle) => run.calls.describe(path, settle),
  });
  const shell = new Shell(session, vfs.context, new Variables(), run.header.filename);
  const { variables } = shell;
  for (const [name, value] of Object.entries(OWN)) variables.set(name, value);
  for (const [name, value] of Object.entries(run.header.env)) shell.export(name, value);
  shell.export("PWD", vfs.cwd);
  shell.export("SHLVL", "1");
  shell.export("OLDPWD", "");
  variables.own("OLDPWD")!.value = undefined;
  for (const [name, value] of Object.entries(IDS)) {
    variables.set(name, value);
    variables.own(name)!.readonly = true;
  }
  defineVersion(variables);
  shell.positional = run.header.args;
  return shell;
}

function defineVersion(variables: Variables): void {
  const variable = variables.declare("BASH_VERSINFO");
  variable.value = new IndexedArray(VERSION);
  variable.readonly = true;
}

function startTimer(run: Run, ms: number, callback: () => void): () => void {
  const id = ms <= 0 ? run.timers.setImmediate(callback) : run.timers.set(ms, false, callback);
  return () => run.timers.clear(id);
}

/** Runs the script and what it left in the background; its status. */
export function runShell(shell: Shell, source: string): Maybe<number> {
  const status = shell.live(() => shell.runSource(source));
  return then(status, (ended) => then(shell.session.drain(), () => ended));
}

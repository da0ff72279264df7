/** The runs of a sandbox, one after the other: how each starts and ends. */

import { resetInspect } from "../console/crossing";
import { compileScript } from "../loader/compile";
import type { Limits } from "../vfs/quota";
import { WORKSPACE } from "../vfs/skeleton";
import { vfs } from "../vfs/vfs";
import { maybeCurrent, setCurrent } from "./current";
import { kernel, resetConsole } from "./kernel";
import { native } from "./native";
import * as realms from "./realms";
import { Run, type RunHeader } from "./run";
import { startLine } from "../session/table";
import { runShell } from "./shell";
import { prepareStage, takeStage } from "./stage";
import { type ToolName, table } from "./tools";
import { setZone } from "./zone";

export interface Configuration {
  files: Partial<Limits>;
  tools: ToolName[];
  open: string[];
}

export function configure({ files, tools, open }: Configuration): void {
  vfs.configure(files);
  table.declare(tools, open);
}

/** What the first run of each language makes that later ones use again; for the shell with the environment that is usual. */
const REHEARSALS = {
  javascript: { source: "console.log('a', { b: [1, 'c'] }, await 1); return { d: 'e' };", env: {} },
  shell: {
    source: "x=$(echo a); [ $x = a ] && printf '%s\\n' \"$x\" | cat; for i in 1 2; do y=$((i + 1)); done\n",
    env: { HOME: WORKSPACE, LANG: "C.UTF-8", PATH: "/usr/bin:/bin", PWD: WORKSPACE, TZ: "UTC", USER: "user" },
  },
};

/** Starts the script, once all frames that came with it are read. */
let begin: (() => void) | undefined;

/** Ends a line of a session; undefined while none runs. */
let suspend: (() => void) | undefined;

export function start(id: number, header: RunHeader, source: string): void {
  if (header.line) ({ begin, suspend } = startLine(id, header, source));
  else if (header.language === "shell") startShell(id, header, source);
  else startJavaScript(id, header, source);
}

function startShell(id: number, header: RunHeader, source: string): void {
  const run = new Run(id, undefined, header);
  const stage = takeStage(run);
  setCurrent({
    run,
    input: stage.input,
    get realm() {
      return (lent ??= realms.take(kernel));
    },
  });
  vfs.begin(stage.descriptors, header.cwd);
  begin = () => {
    const shell = stage.takeShell(header);
    run.startShell(
      () => runShell(shell, source),
      () => shell.session.giveUp(),
    );
  };
}

function startJavaScript(id: number, header: RunHeader, source: string): void {
  const realm = (lent = realms.take(kernel));
  const run = new Run(id, realm.realm, header);
  const { input, descriptors } = takeStage(run);
  setCurrent({ run, realm, input });
  setZone(header.env["TZ"]);
  vfs.begin(descriptors, header.cwd);
  resetConsole();
  resetInspect(
    (value) => native.realm.adopt(realm.realm, value),
    () => (realm.require("node:util") as { inspect: never }).inspect,
  );
  begin = () => run.start(() => compileScript(realm.realm, source, header.filename));
}

/** The realm that the run has taken. */
let lent: realms.RunRealm | undefined;

/** Does the next thing that is due; false when all waits for the host. */
export function advance(): boolean {
  if (begin) {
    const first = begin;
    begin = undefined;
    first();
    return true;
  }
  const run = outermost();
  const more = run?.advance() ?? false;
  if (run?.finished) close();
  return more;
}

function outermost(): Run | undefined {
  const active = maybeCurrent();
  return active?.outer ?? active?.run;
}

/** An answer to a call, for the program or the shell around it. */
export function answer(id: number, ok: boolean, payload: Uint8Array): void {
  const active = maybeCurrent();
  if (!active?.run.calls.answer(id, ok, payload)) active?.outer?.calls.answer(id, ok, payload);
}

/** Standard input has arrived, or its end. */
export function takeInput(payload: Uint8Array): void {
  outermost()?.input?.push(payload);
}

/** Ends the run from outside. */
export function stop(exit: number): void {
  outermost()?.finish({ exit });
  close();
}

/** Gets ready for the next run, unless it has begun: the files must stay listed as they were then. */
export function prepare(): void {
  if (maybeCurrent()) return;
  vfs.settle();
  realms.prepare(kernel);
  native.host.tidy();
  prepareStage();
}

/** While the guest is built: makes what all runs share. */
export function bake(): void {
  realms.bake(kernel);
  vfs.settle();
}

/** While the guest is built: a run that leaves nothing behind but what the system realm makes once, when it is needed. */
export function rehearse(language: "javascript" | "shell"): void {
  configure({ files: {}, tools: [], open: [] });
  const { source, env } = REHEARSALS[language];
  start(0, { language, filename: "rehearsal", args: [], env, cwd: WORKSPACE, outputLimit: 0 }, source);
}

/** Keeps the files of a run that is over, and takes its realm back. */
function close(): void {
  if (!maybeCurrent()) return;
  begin = undefined;
  setCurrent(undefined);
  if (suspend) {
    suspend();
    suspend = undefined;
    return;
  }
  if (lent) realms.giveBack(lent);
  lent = undefined;
  vfs.commit();
}

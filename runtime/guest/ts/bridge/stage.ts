/** What a run stands on, whatever its script is: made ahead, when nobody waits, and taken by the next run. */

import type { Shell } from "../shell/run/shell";
import { DescriptorTable } from "../vfs/descriptors";
import { OpenSink, OpenSource } from "../vfs/streams";
import { vfs } from "../vfs/vfs";
import { Input } from "./input";
import { native } from "./native";
import type { Run, RunHeader } from "./run";
import { type StartingEnvironment, environment, newShell, usualEnvironment } from "./shell";

export class Stage {
  /** The run that took it. */
  readonly active = { run: undefined as never as Run };
  readonly input = new Input();
  readonly descriptors = new DescriptorTable();
  private shell: { readonly of: Shell; readonly environment: StartingEnvironment } | undefined;

  constructor() {
    const { active } = this; // not the stage, which would then be kept by what it keeps until garbage is collected
    this.descriptors.set(0, new OpenSource(this.input));
    for (const fd of [1, 2]) {
      this.descriptors.set(fd, new OpenSink({ write: (bytes) => active.run.output.write(fd, bytes) }));
    }
  }

  /** Makes the shell of a run in that environment. */
  prepareShell(environment: StartingEnvironment): void {
    if (this.shell?.environment === environment) return;
    const context = vfs.starting(environment.cwd, this.descriptors.clone());
    this.shell = { of: newShell(this.active, environment, context), environment };
  }

  /** The first process of a shell script's run, which begins now. */
  takeShell({ env, cwd, filename, args }: RunHeader): Shell {
    this.prepareShell(environment(env, cwd));
    const shell = this.shell!.of;
    shell.name = filename;
    shell.positional = args;
    shell.session.started = shell.secondsZero = native.clock.monotonic();
    return shell;
  }
}

let ahead: Stage | undefined;
/** Whether the last run was a shell script: so will the next one be. */
let isShell = false;

/** Gets ready for the next run. */
export function prepareStage(): void {
  ahead ??= new Stage();
  const usual = isShell ? usualEnvironment() : undefined;
  if (usual) ahead.prepareShell(usual);
}

/** Gives a run what it stands on. */
export function takeStage(run: Run): Stage {
  const taken = ahead ?? new Stage();
  ahead = undefined;
  isShell = run.header.language === "shell";
  taken.active.run = run;
  run.input = taken.input;
  return taken;
}

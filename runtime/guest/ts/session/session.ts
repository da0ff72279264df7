/**
 * A session: lines of both languages, one after the other, over one realm, one shell and one set of files. There is one at a
 * time; a line of another one begins anew.
 */

import type { Current } from "../bridge/current";
import { Input } from "../bridge/input";
import { kernel } from "../bridge/kernel";
import { native } from "../bridge/native";
import * as realms from "../bridge/realms";
import type { RunHeader } from "../bridge/run";
import type { Shell } from "../shell/run/shell";
import { DescriptorTable } from "../vfs/descriptors";
import { OpenSink, OpenSource } from "../vfs/streams";
import type { Context } from "../vfs/context";
import { type Process, vfs } from "../vfs/vfs";
import { defineModules } from "./builtin_modules";
import { Environment } from "./environment";
import type { Line } from "./line";
import { forget } from "./remembered";

const UMASK = 0o022;
const STREAMS = [1, 2] as const;

export class Session {
  /** Of the line that runs: one object for all of them, which what the realm has of the system looks at. */
  readonly active: { -readonly [Key in keyof Current]: Current[Key] };
  readonly environment: Environment;
  process: Process;
  shell: Shell | undefined;
  private input: OpenSource | undefined;

  constructor(
    readonly id: number,
    { cwd, env }: RunHeader,
  ) {
    const realm = realms.take(kernel);
    defineModules(realm);
    this.environment = new Environment(env);
    this.active = { run: undefined as never as Line, realm, input: new Input(), environment: this.environment };
    const descriptors = new DescriptorTable();
    descriptors.add(new OpenSource(this.active.input));
    for (const fd of STREAMS) descriptors.add(new OpenSink({ write: (bytes) => this.active.run.output.write(fd, bytes) }));
    this.input = descriptors.get(0) as OpenSource;
    this.process = { cwd, umask: UMASK, descriptors };
  }

  /** Gives the next line's standard input to what reads the present one. */
  renewInput(): void {
    const fresh = new OpenSource(this.active.input);
    for (const table of [this.process.descriptors, this.shell?.context.descriptors]) {
      if (table?.has(0) && table.get(0) === this.input) table.set(0, fresh);
    }
    this.input = fresh;
  }

  /** Its process between lines, for who looks at files. */
  get looking(): Context {
    return { ...vfs.context, ...this.process };
  }

  /** Another process's clocks and randomness from now on. */
  awaken(): void {
    native.realm.seed(this.active.realm.realm);
    if (this.shell) this.shell.secondsZero = native.clock.monotonic();
  }

  close(): void {
    native.realm.dispose(this.active.realm.realm);
  }
}

let present: Session | undefined;

/** The session that a line belongs to. */
export function sessionOf(header: RunHeader): Session {
  const id = header.line!.session;
  if (present?.id === id) {
    if (header.line!.isLoaded) present.awaken();
    return present;
  }
  present?.close();
  forget();
  return (present = new Session(id, header));
}

/** The session that was last used, if it is this one. */
export function known(id: number): Session | undefined {
  return present?.id === id ? present : undefined;
}

/** The one file system of a sandbox, and what a run's start and end do to it. */

import { native } from "../bridge/native";
import { CommandSource } from "./commands";
import type { Context } from "./context";
import { DescriptorTable } from "./descriptors";
import { syscall } from "./errors";
import type { Limits } from "./quota";
import { build, WORKSPACE } from "./skeleton";
import { Restoration } from "./keep";
import { demand, X_OK } from "./access";
import { Volume } from "./volume";
import { findDirectory, pathOf } from "./walk";

/** What of a process is its own. */
export type Process = Pick<Context, "cwd" | "umask" | "descriptors">;

const UMASK = 0o022;

export class Vfs {
  readonly volume = new Volume();
  readonly commands = new CommandSource(this.volume);
  /** The process of the current run. */
  readonly context = this.process("script");
  /** For `sandbox.fs`: modes don't hold the host back. */
  readonly host = this.process("host");
  /** For mounts: may write anywhere. */
  readonly system = this.process("system");
  private dated = false;

  constructor() {
    build(this.volume, this.commands);
  }

  configure(limits: Partial<Limits>): void {
    this.volume.quota.configure(limits);
  }

  /** Bytes and files that count against the limits. */
  usage(): { bytes: number; files: number } {
    const { bytes, files } = this.volume.quota;
    return { bytes, files };
  }

  /** Starts a run: descriptors and cwd, and from here on nothing is lost of what files hold now. */
  begin(descriptors: DescriptorTable, cwd: string): void {
    if (!this.dated) this.date();
    this.volume.journal.begin();
    this.context.cwd = cwd;
    this.context.umask = UMASK;
    this.context.descriptors = descriptors;
  }

  /** A process of a script that begins in `cwd`. */
  starting(cwd: string, descriptors: DescriptorTable): Context {
    return { ...this.context, cwd, umask: UMASK, descriptors };
  }

  /** Starts a line of a session, in the process that the session has. */
  resume(process: Process): void {
    if (!this.dated) this.date();
    this.volume.journal.begin();
    Object.assign(this.context, process);
  }

  /** Ends the line and keeps what it did; what the process has open stays open. */
  suspend(): Process {
    const { cwd, umask, descriptors } = this.context;
    this.volume.journal.end();
    this.context.descriptors = new DescriptorTable();
    return { cwd, umask, descriptors };
  }

  /** Ends a run and keeps what it did. */
  commit(): void {
    this.release();
    this.volume.journal.end();
  }

  /** Gets ready for the next run. */
  settle(): void {
    this.volume.journal.settle();
  }

  /** Puts the files of another guest in, by the list of them. */
  restore(table: Uint8Array): Restoration {
    if (!this.dated) this.date();
    return new Restoration(this.volume, table);
  }

  get cwd(): string {
    return this.context.cwd;
  }

  chdir(path: string): void {
    syscall("chdir", () => (this.context.cwd = this.enterable(path)), this.cwd, path);
  }

  private enterable(path: string): string {
    const directory = findDirectory(this.context, path);
    demand(this.context, directory, X_OK);
    return pathOf(directory);
  }

  private process(actor: Context["actor"]): Context {
    return { volume: this.volume, cwd: WORKSPACE, umask: UMASK, actor, descriptors: new DescriptorTable() };
  }

  private release(): void {
    this.volume.closeAll();
    this.context.descriptors = new DescriptorTable();
  }

  /** The image has no dates; the directories that scripts see first get theirs when the first run starts. */
  private date(): void {
    const now = native.clock.now();
    for (const name of ["workspace", "tmp"]) {
      const node = this.volume.root.entries.get(name)!;
      node.atime = node.mtime = node.ctime = node.birthtime = now;
    }
    this.dated = now > 0;
  }
}

export const vfs = new Vfs();

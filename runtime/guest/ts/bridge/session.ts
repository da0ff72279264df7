/** The runs of a sandbox, one after the other: how each starts and what it can reach. */

import { createConsole } from "../console/console";
import { crossing } from "../console/crossing";
import { consoleKernel } from "../console/kernel";
import { compileScript } from "../loader/compile";
import { vfsKernel } from "../vfs/kernel";
import type { Limits } from "../vfs/quota";
import { type Streams, vfs } from "../vfs/vfs";
import { Input } from "./input";
import { moduleKernel } from "./modules";
import { native } from "./native";
import { processKernel, timerKernel } from "./process_kernel";
import { type RunRealm, prepare, take } from "./realms";
import { Run, type RunHeader } from "./run";
import { type ToolName, ToolTable, toolKernel } from "./tools";

export interface Configuration {
  files: Partial<Limits>;
  tools: ToolName[];
}

class Session {
  run: Run | undefined;
  input = new Input();
  private readonly tools = new ToolTable();
  /** Starts the script, once all frames that came with it are read. */
  private begin: (() => void) | undefined;
  private realm: RunRealm | undefined;
  private kernel: Record<string, unknown> = {};

  configure({ files, tools }: Configuration): void {
    vfs.configure(files);
    this.tools.declare(tools);
  }

  start(id: number, header: RunHeader, source: string): void {
    this.realm = take(this.groups);
    const run = new Run(id, this.realm.realm, header);
    this.run = run;
    this.input = new Input();
    vfs.begin(streams(run, this.input), header.cwd);
    this.kernel = this.kernelOf(run);
    this.begin = () => run.start(() => compileScript(run.realm, source, header.filename)());
  }

  /** Does the next thing that is due; false when all waits for the host. */
  advance(): boolean {
    const { begin } = this;
    this.begin = undefined;
    begin?.();
    const more = this.run?.advance() ?? false;
    if (this.run?.finished) this.close();
    return begin ? true : more;
  }

  /** Ends the run from outside. */
  stop(exit: number): void {
    this.run?.finish({ exit });
    if (this.run) this.close();
  }

  /** Gets ready for the next run. */
  prepare(): void {
    prepare(this.groups);
  }

  readonly require = (name: string): unknown => this.realm?.require(name);

  private readonly groups = (): Record<string, unknown> => this.kernel;

  /** Keeps the files of a run that is over, and lets go of its realm. */
  private close(): void {
    this.run = undefined;
    this.begin = undefined;
    this.kernel = {};
    vfs.commit();
    if (this.realm) native.realm.dispose(this.realm.realm);
    this.realm = undefined;
  }

  private kernelOf(run: Run): Record<string, unknown> {
    const { realm } = run;
    crossing.toUser = (value) => native.realm.adopt(realm, value);
    crossing.inspect = undefined;
    const write = (fd: number, text: string): void => run.output.write(fd, text);
    return {
      vfs: vfsKernel,
      console: { ...consoleKernel, console: createConsole({ write, now: native.clock.monotonic }) },
      timers: timerKernel(run),
      process: processKernel(run, this.input),
      tools: toolKernel(this.tools, run.calls, (json) => native.realm.parse(realm, json)),
      modules: moduleKernel(run.path),
    };
  }
}

function streams(run: Run, stdin: Input): Streams {
  const sink = (fd: number) => ({ write: (bytes: Uint8Array) => run.output.write(fd, bytes.slice()) });
  return { stdin, stdout: sink(1), stderr: sink(2) };
}

export const session = new Session();

/** JavaScript inside a shell's run: what the `js` command runs, one program at a time. */

import { resetInspect } from "../console/crossing";
import { compileScript } from "../loader/compile";
import { Errno } from "../vfs/errors";
import type { Context } from "../vfs/context";
import { O_RDONLY } from "../vfs/flags";
import { type OpenFile, OpenRegular } from "../vfs/openfile";
import { vfs } from "../vfs/vfs";
import { joinedBytes } from "./bytes";
import { current, setCurrent } from "./current";
import { Input } from "./input";
import { kernel, resetConsole } from "./kernel";
import { native } from "./native";
import type { Output } from "./output";
import * as realms from "./realms";
import { type Result, Run, type RunHeader } from "./run";
import { setZone } from "./zone";

export interface Embedded {
  readonly source: string;
  readonly filename: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Of the process that runs it; its descriptors are the program's. */
  readonly context: Context;
}

/** Status of a program whose output nobody reads any more. */
const BROKEN_PIPE = 141;
/** A program with these reads its input at once, so that all of it must be there. */
const READS_AT_ONCE = /\b(?:readFileSync|readSync)\b/;

/** Writes to open files; what does not fit in yet is kept, since a script cannot be made to wait. */
class FileOutput implements Pick<Output, "write" | "flush"> {
  private readonly kept = new Map<number, Uint8Array[]>();

  constructor(
    private readonly context: Context,
    private readonly broken: () => void,
  ) {}

  write(fd: number, data: string | Uint8Array): void {
    const bytes = typeof data === "string" ? native.text.encode(data) : data.slice();
    const waiting = this.kept.get(fd);
    if (waiting) waiting.push(bytes);
    else this.put(fd, [bytes]);
  }

  flush(): void {}

  /** Ends when all is written. */
  async drained(): Promise<void> {
    while (this.kept.size > 0) {
      const [fd] = this.kept.keys();
      await new Promise<void>((wake) => this.context.descriptors.get(fd!).waitWritable(wake));
    }
  }

  private put(fd: number, chunks: Uint8Array[]): void {
    if (!this.context.descriptors.has(fd)) return;
    const file = this.context.descriptors.get(fd);
    try {
      while (chunks.length > 0 && !file.full) file.write(chunks.shift()!, null);
    } catch (error) {
      if (!(error instanceof Errno)) throw error;
      this.kept.delete(fd);
      if (error.code === "EPIPE") this.broken();
      return;
    }
    if (chunks.length === 0) this.kept.delete(fd);
    else {
      this.kept.set(fd, chunks);
      file.waitWritable(() => this.put(fd, chunks));
    }
  }
}

/** Standard input that is an open file of the shell's. */
class FileInput extends Input {
  private waiters = 0;

  constructor(private readonly file: OpenFile) {
    super();
  }

  override read(most: number): Uint8Array | undefined {
    return this.file.take(most)?.slice();
  }

  override wait(wake: () => void): void {
    this.waiters += 1;
    this.file.wait(() => {
      this.waiters -= 1;
      wake();
    });
  }

  override get wanted(): boolean {
    return this.holds && this.waiters > 0;
  }
}

class EmbeddedRun extends Run {
  ended: ((result: Result) => void) | undefined;

  protected override report(result: Result): void {
    this.ended?.(result);
  }

  /** The run around it tells the host what all of it waits for. */
  protected override wait(): void {}

  override leave(code: number): never {
    this.announceExit(code);
    this.finish({ exit: code });
    throw new Error("the program has ended");
  }
}

let last: Promise<unknown> = Promise.resolve();

/** Runs a program after those that run already; its status. */
export function runEmbedded(program: Embedded): Promise<number> {
  const turn = last.then(() => runNow(program));
  last = turn.catch(() => undefined);
  return turn;
}

async function runNow({ source, filename, args, env, context }: Embedded): Promise<number> {
  const around = current();
  const outer = around.run;
  if (READS_AT_ONCE.test(source)) await holdInput(context);
  const realm = realms.take(kernel);
  const header: RunHeader = { filename, args: [...args], env: { ...env }, cwd: context.cwd, outputLimit: 0 };
  const output = new FileOutput(context, () => run.finish({ exit: BROKEN_PIPE }));
  const run: EmbeddedRun = new EmbeddedRun(outer.id, realm.realm, header, output);
  const { cwd, umask, descriptors } = vfs.context;
  const ended = new Promise<Result>((resolve) => (run.ended = resolve));
  const input = (run.input = new FileInput(context.descriptors.get(0)));
  outer.inner = run;
  setCurrent({ run, outer, realm, input });
  setZone(env["TZ"]);
  Object.assign(vfs.context, { cwd: context.cwd, umask: context.umask, descriptors: context.descriptors });
  resetConsole();
  resetInspect(
    (value) => native.realm.adopt(realm.realm, value),
    () => (realm.require("node:util") as { inspect: never }).inspect,
  );
  run.start(() => compileScript(realm.realm, source, filename));
  const result = await ended;
  outer.inner = undefined;
  setCurrent(around);
  Object.assign(vfs.context, { cwd, umask, descriptors });
  realms.giveBack(realm);
  if (result.failure) output.write(2, `${describe(result)}\n`);
  await output.drained();
  return result.exit;
}

/** Puts all of a piped input where it can be read at once. */
async function holdInput(context: Context): Promise<void> {
  const file = context.descriptors.get(0);
  const bytes: Uint8Array[] = [];
  for (;;) {
    const chunk = file.take(64 * 1024);
    if (chunk === undefined) await new Promise<void>((wake) => file.wait(wake));
    else if (chunk.length === 0) break;
    else bytes.push(chunk.slice());
  }
  context.descriptors.set(0, new OpenRegular(context.volume, context.volume.unnamed(joinedBytes(bytes)), O_RDONLY));
}

function describe({ failure }: Result): string {
  const { file, line, column, text } = failure!;
  return file === undefined ? text : `${file}:${line}:${column}: ${text}`;
}

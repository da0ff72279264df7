/** What an awk program touches outside itself: files, commands, its standard streams. */

import { type AwkHandle, AwkMode, AwkState, native } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import { then, type Maybe } from "../shell/io/maybe";
import { Reader } from "../shell/io/reader";
import { Killed } from "../shell/io/signals";
import { Writer } from "../shell/io/writer";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { RegularFile } from "../vfs/inode";
import { createPipe } from "../vfs/pipe";
import { find } from "../vfs/walk";
import { complain } from "./command";
import { close, openReader, openWriter } from "./files";
import { Replacement } from "./sed_edit";

const STDERR = 2;
const FATAL = 2;

interface Stream {
  readonly end: Reader | Writer;
  /** The command at the other end; undefined for a file. */
  readonly partner?: Partner;
}

/** A command that we write to, read from, or both. */
interface Partner {
  readonly status: Maybe<number>;
  /** Streams of ours that lead to it. */
  ends: number;
}

/** Drives one engine of c/awk/: does what it asks for until it is done. */
export class AwkRun {
  private readonly streams = new Map<number, Stream>();
  /** What takes the place of the file that is read, and the number of that. */
  private replaced: { readonly by: Replacement; readonly stream: number } | undefined;

  /** `suffix`: files of the command line are edited in place, with copies if it is not empty. */
  constructor(
    private readonly process: Process,
    private readonly handle: AwkHandle,
    private readonly suffix: string | undefined,
  ) {}

  /** Runs to the end; the status. */
  run(): Maybe<number> {
    for (;;) {
      const state = native.awk.run(this.handle);
      if (state === AwkState.done) return native.awk.status(this.handle);
      if (state === AwkState.memory) {
        complain(this.process, "fatal: memory exhausted (limit: memory): keep less in arrays");
        return FATAL;
      }
      const [mode, stream, text] = native.awk.request(this.handle);
      const done = this.fulfil(state, mode, stream, text);
      if (done instanceof Promise) return done.then(() => this.run());
    }
  }

  /** Closes what the program left open. */
  dispose(): void {
    for (const { end } of this.streams.values()) this.release(end);
    this.streams.clear();
    this.replaced?.by.abandon();
  }

  private fulfil(state: number, mode: number, stream: number, text: Uint8Array): Maybe<void> {
    switch (state) {
      case AwkState.paused:
        return then(this.process.pause(), () => undefined);
      case AwkState.open:
        return this.open(mode, stream, native.text.decode(text));
      case AwkState.read:
        return then((this.streams.get(stream)!.end as Reader).chunk(), (bytes) => native.awk.feed(this.handle, bytes));
      case AwkState.write:
        return this.write(stream, text);
      case AwkState.close:
        return then(this.close(stream), (status) => native.awk.reply(this.handle, status));
      default:
        return then(this.shell(native.text.decode(text)), (status) => native.awk.reply(this.handle, status));
    }
  }

  private open(mode: number, stream: number, name: string): void {
    try {
      this.streams.set(stream, this.opened(mode, stream, name));
      if (mode === AwkMode.operand && this.suffix !== undefined) this.replace(name, stream, this.suffix);
      native.awk.opened(this.handle, undefined, false);
    } catch (error) {
      native.awk.opened(this.handle, describeErrno(error), error instanceof Errno && error.code === "EISDIR" && mode <= AwkMode.readFile);
    }
  }

  private replace(name: string, stream: number, suffix: string): void {
    if (find(this.process.context, name === "-" ? "./-" : name) instanceof RegularFile) {
      this.replaced = { by: new Replacement(this.process, name, { suffix, follow: false }), stream };
    } else complain(this.process, `warning: inplace::begin: \`${name}' is not a regular file`);
  }

  private opened(mode: number, stream: number, name: string): Stream {
    switch (mode) {
      case AwkMode.readCommand: {
        const [read, write] = createPipe();
        return { end: held(new Reader(read)), partner: { status: this.shell(name, { stdout: write }), ends: 1 } };
      }
      case AwkMode.writeCommand: {
        const [read, write] = createPipe();
        return { end: held(new Writer(write)), partner: { status: this.shell(name, { stdin: read }), ends: 1 } };
      }
      case AwkMode.writeBoth: {
        const [stdin, toCommand] = createPipe();
        const [fromCommand, stdout] = createPipe();
        const ends = [held(new Reader(fromCommand)), held(new Writer(toCommand))] as const;
        const partner = { status: this.shell(name, { stdin, stdout }), ends: ends.length };
        this.streams.set(stream - 1, { end: ends[0], partner });
        return { end: ends[1], partner };
      }
      case AwkMode.writeFile:
      case AwkMode.appendFile:
        return { end: name === "-" ? this.process.stdout : openWriter(this.process, name, mode === AwkMode.appendFile) };
      default:
        return { end: name === "/dev/stdin" ? this.process.stdin : openReader(this.process, name) };
    }
  }

  private shell(source: string, setup = {}): Maybe<number> {
    return this.process.shell(source, "sh", [], setup);
  }

  private write(stream: number, bytes: Uint8Array): Maybe<void> {
    const opened = this.streams.get(stream);
    if (!opened) return (stream === STDERR ? this.process.stderr : (this.replaced?.by.writer ?? this.process.stdout)).write(bytes);
    const broken = (error: unknown): void => {
      if (!(error instanceof Killed)) throw error; // a command that reads no more is no fault of the program
    };
    try {
      const written = (opened.end as Writer).write(bytes);
      return written instanceof Promise && opened.partner !== undefined ? written.catch(broken) : written;
    } catch (error) {
      if (opened.partner === undefined) throw error;
      broken(error);
    }
  }

  private close(stream: number): Maybe<number> {
    const { end, partner } = this.streams.get(stream)!;
    this.streams.delete(stream);
    this.release(end);
    if (stream === this.replaced?.stream) this.putInPlace(this.replaced.by);
    if (partner === undefined || (partner.ends -= 1) > 0) return 0;
    return partner.status;
  }

  private putInPlace(replacement: Replacement): void {
    this.replaced = undefined;
    replacement.finish();
  }

  private release(end: Reader | Writer): void {
    if (end !== this.process.stdin && end !== this.process.stdout) close(end);
  }
}

function held<T extends Reader | Writer>(end: T): T {
  end.file.references += 1;
  return end;
}


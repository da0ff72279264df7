/** What a sed script touches outside itself: its input, the files it reads and writes, the files it edits. */

import { native, type SedHandle, SedState } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import { then, type Maybe } from "../shell/io/maybe";
import { Reader } from "../shell/io/reader";
import { Writer } from "../shell/io/writer";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { OpenRegular } from "../vfs/openfile";
import { complain, Failure } from "./command";
import { close, openReader, openWriter } from "./files";
import { Replacement } from "./sed_edit";

const MISSING = 2;
const PANIC = 4;
const EDITED = 1;
const NOTHING = new Uint8Array(0);

/** Drives one engine of c/sed/: does what it asks for until it is done. */
export class SedRun {
  private readonly writers = new Map<number, Writer>();
  private readonly lines = new Map<string, Reader>();
  private next = 0;
  private input: Reader | undefined;
  private edited: Replacement | undefined;
  private status = 0;

  /** `edit`: for files that are edited in place, what is added to the name of a copy. `streams`: whether each file is one of its own, and whether its lines end in NUL. */
  constructor(
    private readonly process: Process,
    private readonly handle: SedHandle,
    private readonly operands: readonly string[],
    private readonly edit: { readonly suffix: string; readonly follow: boolean } | undefined,
    private readonly streams: { readonly separate: boolean; readonly nul: boolean },
  ) {}

  /** Runs to the end; the status. */
  run(): Maybe<number> {
    for (;;) {
      const state = native.sed.run(this.handle);
      if (state === SedState.done) return this.finish();
      if (state === SedState.failed) throw new Failure(native.sed.fault(this.handle), native.sed.status(this.handle));
      if (state === SedState.interrupted) native.host.poll();
      if (state === SedState.memory) throw new Failure("memory exhausted (limit: memory)", PANIC);
      const [stream, text] = native.sed.request(this.handle);
      const done = this.fulfil(state, stream, text);
      if (done instanceof Promise) return done.then(() => this.run());
    }
  }

  /** Closes what is open; an edit that is not finished leaves its file as it was. */
  dispose(): void {
    this.closeInput();
    this.edited?.abandon();
    for (const writer of this.writers.values()) this.release(writer);
    for (const reader of this.lines.values()) this.release(reader);
  }

  private finish(): number {
    if (this.input === this.process.stdin) this.giveBack(native.sed.unused(this.handle));
    this.closeInput();
    this.edited?.finish();
    this.edited = undefined;
    return native.sed.status(this.handle) || this.status;
  }

  private fulfil(state: number, stream: number, text: Uint8Array): Maybe<void> {
    switch (state) {
      case SedState.write:
        return then(this.writer(stream).write(text), () => this.pause());
      case SedState.paused:
        return this.pause();
      case SedState.read:
        return then(this.input!.chunk(), (bytes) => {
          native.sed.feed(this.handle, bytes);
          return this.pause();
        });
      case SedState.open:
        return this.openNext();
      case SedState.line:
        return then(this.line(native.text.decode(text)), (bytes) => native.sed.feed(this.handle, bytes));
      case SedState.copy:
        return this.copy(native.text.decode(text), this.writer(stream));
      default:
        this.create(stream, native.text.decode(text));
    }
  }

  private pause(): Maybe<void> {
    return then(this.process.pause(), () => undefined);
  }

  private writer(stream: number): Writer {
    return stream === EDITED ? this.edited!.writer : (this.writers.get(stream) ?? this.process.stdout);
  }

  private create(stream: number, name: string): void {
    try {
      this.writers.set(stream, name === "/dev/stderr" ? this.process.stderr : openWriter(this.process, name));
    } catch (error) {
      throw new Failure(`couldn't open file ${name}: ${describeErrno(error)}`, PANIC);
    }
  }

  private openNext(): void {
    this.closeInput();
    this.edited?.finish();
    this.edited = undefined;
    if (this.streams.separate) for (const { file } of this.lines.values()) if (file instanceof OpenRegular) file.seek(0, "start");
    const names = this.operands.length > 0 ? this.operands : ["-"];
    while (this.next < names.length) {
      const name = names[this.next++]!;
      if (!this.open(name)) continue;
      native.sed.opened(this.handle, name);
      return;
    }
    native.sed.opened(this.handle, undefined);
  }

  /** False after a message. */
  private open(name: string): boolean {
    try {
      this.edited = this.edit && new Replacement(this.process, name, this.edit);
      this.input = name === "-" && this.edit ? openReader(this.process, "./-") : openReader(this.process, name);
      return true;
    } catch (error) {
      this.tell(name, error);
      return false;
    }
  }

  private tell(name: string, error: unknown): void {
    if (error instanceof Failure) {
      complain(this.process, error.message);
      this.status = error.status;
      return;
    }
    const isFolder = error instanceof Errno && error.code === "EISDIR";
    complain(this.process, `${isFolder ? "couldn't read" : "can't read"} ${name}: ${describeErrno(error)}`);
    this.status = MISSING;
  }

  /** The next line of a file that the command R names. */
  private line(name: string): Maybe<Uint8Array> {
    let reader = this.lines.get(name);
    try {
      reader ??= name === "/dev/stdin" ? this.process.stdin : openReader(this.process, name);
    } catch {
      return NOTHING;
    }
    this.lines.set(name, reader);
    return reader.lineBytes(this.streams.nul ? 0 : undefined);
  }

  /** What the command r names; nothing where it can't be read. */
  private async copy(name: string, writer: Writer): Promise<void> {
    let reader: Reader;
    try {
      reader = name === "/dev/stdin" ? this.process.stdin : openReader(this.process, name === "-" ? "./-" : name);
    } catch {
      return;
    }
    for (let chunk = await reader.chunk(); chunk.length > 0; chunk = await reader.chunk()) await writer.write(chunk);
    this.release(reader);
  }

  private closeInput(): void {
    if (this.input) this.release(this.input);
    this.input = undefined;
  }

  /** What was read but not used is there for the next reader, where that can be. */
  private giveBack(unused: number): void {
    try {
      if (unused > 0) this.process.stdin.file.seek(-unused, "current");
    } catch (error) {
      if (!(error instanceof Errno)) throw error;
    }
  }

  private release(end: Reader | Writer): void {
    if (end !== this.process.stdin && end !== this.process.stdout && end !== this.process.stderr) close(end);
  }
}

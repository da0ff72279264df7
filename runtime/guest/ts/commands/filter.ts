/** Drives a filter of c/filters/ over a command's files. */

import { type FilterHandle, FilterState, native } from "../bridge/native";
import { repeat, then, type Maybe } from "../shell/io/maybe";
import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { Failure } from "./command";
import { eachInput, type Unreadable } from "./files";

const TROUBLE = 2;
const NOTHING = new Uint8Array(0);

export class Filter {
  private readonly handle: FilterHandle;
  private state: number = FilterState.more;

  constructor(
    private readonly process: Process,
    name: string,
    options: Readonly<Record<string, unknown>>,
  ) {
    this.handle = native.filter.create(name, options);
  }

  /** Whether it needs no more input. */
  get done(): boolean {
    return this.state === FilterState.done;
  }

  get report(): unknown {
    return native.filter.report(this.handle);
  }

  /** Sets what differs between files. */
  configure(options: Readonly<Record<string, unknown>>): void {
    native.filter.configure(this.handle, options);
    this.state = FilterState.more;
  }

  feed(bytes: Uint8Array): Maybe<void> {
    return this.take(() => native.filter.feed(this.handle, bytes), () => native.filter.feed(this.handle, NOTHING));
  }

  end(moreFiles = false): Maybe<void> {
    const end = (): number => native.filter.end(this.handle, moreFiles);
    return this.take(end, end);
  }

  /** Feeds a whole stream, or what the filter needs of it. */
  pump(reader: Reader): Maybe<void> {
    if (this.done) return;
    return repeat(() => then(reader.chunk(), (chunk) => chunk.length > 0 && then(this.feed(chunk), () => !this.done && then(this.process.pause(), () => true))));
  }

  /** Feeds a whole stream and ends the file. */
  finish(reader: Reader, moreFiles = false): Maybe<void> {
    return then(this.pump(reader), () => this.end(moreFiles));
  }

  /** Called each time the filter has worked, when its output was handed on. */
  protected settled(): void {}

  /** Writes what a call left, and calls again while there is more. */
  private take(first: () => number, again: () => number): Maybe<void> {
    const written = this.hand(called(first));
    if (this.state !== FilterState.full) return written;
    const more = (): Maybe<boolean> => then(this.process.pause(), () => then(this.hand(called(again)), () => this.state === FilterState.full));
    return then(written, () => repeat(more));
  }

  /** Writes what a call left. */
  private hand(state: number): Maybe<void> {
    if (state === FilterState.interrupted) native.host.poll();
    this.state = state;
    const output = native.filter.output(this.handle);
    const written = output && this.process.stdout.give(output);
    this.settled();
    return written;
  }
}

/** What a filter cannot do comes as a TypeError: it ends the command. */
function called(work: () => number): number {
  try {
    return work();
  } catch (error) {
    if (error instanceof TypeError) throw new Failure(error.message, TROUBLE);
    throw error;
  }
}

/** Runs one filter over all operands in turn; the status tells of files that could not be read. */
export function filterFiles(process: Process, name: string, options: Readonly<Record<string, unknown>>, operands: readonly string[], unreadable?: Unreadable): Maybe<number> {
  const filter = new Filter(process, name, options);
  const last = Math.max(operands.length, 1) - 1;
  return eachInput(process, operands, (reader, _name, index) => (filter.done ? undefined : filter.finish(reader, index < last)), 1, unreadable);
}

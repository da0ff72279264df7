/** A filter of c/filters/ between chunks and a sink: compression and decompression. */

import { type FilterHandle, FilterState, native } from "../bridge/native";
import type { Maybe } from "../shell/io/maybe";

export type Sink = (bytes: Uint8Array) => Maybe<void>;

/** The compressed bytes are not what they should be. */
export class Broken {
  constructor(readonly message: string) {}
}

/** What the filters tell: of the plain bytes their checksum and number; of a stream that is over, what lies behind it. */
export interface CodecReport {
  readonly crc: number;
  readonly size: number;
  readonly unused?: number;
  readonly written?: number;
}

const NOTHING = new Uint8Array(0);

export class Codec {
  private readonly handle: FilterHandle;
  /** Whether the stream is over. */
  done = false;

  constructor(
    name: "inflate" | "deflate",
    options: Readonly<Record<string, unknown>>,
    private readonly sink: Sink,
  ) {
    this.handle = native.filter.create(name, options);
  }

  get report(): CodecReport {
    return native.filter.report(this.handle) as CodecReport;
  }

  feed(bytes: Uint8Array): Promise<void> {
    return this.drain(() => native.filter.feed(this.handle, bytes), () => native.filter.feed(this.handle, NOTHING));
  }

  end(): Promise<void> {
    const end = (): number => native.filter.end(this.handle, false);
    return this.drain(end, end);
  }

  private async drain(first: () => number, again: () => number): Promise<void> {
    for (let next = first; ; next = again) {
      const state = called(next);
      if (state === FilterState.interrupted) native.host.poll();
      const output = native.filter.output(this.handle);
      if (output) await this.sink(output); // also what came before a fault
      if (state instanceof Broken) throw state;
      this.done = state === FilterState.done;
      if (state !== FilterState.full) return;
    }
  }
}

/** A filter's faults come as TypeErrors. */
function called(next: () => number): number | Broken {
  try {
    return next();
  } catch (error) {
    if (error instanceof TypeError) return new Broken(error.message);
    throw error;
  }
}

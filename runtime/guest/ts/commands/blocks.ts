/** The bytes of several files as one stream, without the first ones: what od, hexdump and xxd print. */

import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { close, tryOpen } from "./files";
import type { Filter } from "./filter";

export class Blocks {
  status = 0;
  /** Whether any file could be read. */
  any = false;
  private reader: Reader | undefined;
  private rest: Uint8Array = new Uint8Array(0);
  private readonly names: string[];
  /** Bytes that are still wanted. */
  private most: number;

  /** `wanted`: bytes at most; undefined for all. */
  constructor(
    private readonly process: Process,
    names: readonly string[],
    private readonly wanted: number = Infinity,
  ) {
    this.most = wanted;
    this.names = names.length > 0 ? [...names] : ["-"];
  }

  /** Whether none were asked for. */
  get isNone(): boolean {
    return this.wanted === 0;
  }

  /** Leaves out the first bytes; how many, for there may be fewer. */
  async skip(count: number): Promise<number> {
    const most = this.most;
    this.most = Infinity;
    let left = count;
    while (left > 0 && (this.rest.length > 0 || (await this.more()))) {
      const step = Math.min(left, this.rest.length);
      this.rest = this.rest.subarray(step);
      left -= step;
    }
    this.most = most;
    return count - left;
  }

  /** Gives a filter all bytes that are wanted, and their end. */
  async pump(filter: Filter): Promise<void> {
    if (this.most <= 0) this.reader ??= this.open();
    while (this.most > 0 && (this.rest.length > 0 || (await this.more()))) {
      const chunk = this.rest.subarray(0, Math.min(this.rest.length, this.most));
      this.rest = this.rest.subarray(chunk.length);
      this.most -= chunk.length;
      await filter.feed(chunk);
      await this.process.pause();
    }
    if (this.any) await filter.end();
  }

  /** Reads on to `rest`; false at the end of the last file. */
  private async more(): Promise<boolean> {
    for (;;) {
      this.reader ??= this.open();
      if (!this.reader) return false;
      const chunk = await this.reader.chunk();
      if (chunk.length > 0) {
        this.rest = chunk.slice();
        return true;
      }
      if (this.reader !== this.process.stdin) close(this.reader);
      this.reader = undefined;
    }
  }

  private open(): Reader | undefined {
    for (let name = this.names.shift(); name !== undefined; name = this.names.shift()) {
      const reader = tryOpen(this.process, name);
      this.any ||= reader !== undefined;
      if (reader) return reader;
      this.status = 1;
    }
    return undefined;
  }
}

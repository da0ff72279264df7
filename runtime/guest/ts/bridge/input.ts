/** A run's standard input, as it arrives from the host. */

import { joinedBytes } from "./bytes";
import { native } from "./native";
import type { ByteSource } from "../vfs/streams";

export class Input implements ByteSource {
  private chunks: Uint8Array[] = [];
  private ended = false;
  private waiting: (() => void)[] = [];
  /** Whether the run waits for readers of this; not while `process.stdin` is paused. */
  holds = true;
  /** Whether synchronous reads stand still until more has come. */
  patient = true;

  /** More bytes; an empty chunk is the end. */
  push(chunk: Uint8Array): void {
    if (chunk.length === 0) this.ended = true;
    else this.chunks.push(chunk);
    const woken = this.waiting;
    this.waiting = [];
    for (const wake of woken) wake();
  }

  read(most: number): Uint8Array | undefined {
    const first = this.chunks[0];
    if (first === undefined) return this.ended ? new Uint8Array(0) : undefined;
    if (first.length <= most) this.chunks.shift();
    else this.chunks[0] = first.subarray(most);
    return first.slice(0, most);
  }

  readAll(): Uint8Array | undefined {
    if (!this.ended) return undefined;
    const whole = joinedBytes(this.chunks);
    this.chunks = [];
    return whole;
  }

  /** Stands still, with all else of the run, until more has come; false where that is not to be. */
  block(): boolean {
    return this.patient && !this.ended && native.host.starve();
  }

  wait(wake: () => void): void {
    if (this.ended) wake();
    else this.waiting.push(wake);
  }

  /** Whether the run waits for more because a reader does. */
  get wanted(): boolean {
    return this.holds && this.waiting.length > 0;
  }
}

/** Whole numbers below a bound, at random or from a file of bytes. */

import { native } from "../bridge/native";
import type { Process } from "../shell/process";
import { Failure } from "./command";
import { close, tryOpen } from "./files";
import { quoted } from "./sizes";

export interface Dice {
  /** At least 0 and below `bound`. */
  below(bound: number): number;
}

const BYTES = 6;
const RANGE = 2 ** (8 * BYTES);

/** From the guest's own randomness, 48 bits at a time. */
export class GuestDice implements Dice {
  private readonly view = new DataView(new ArrayBuffer(1000 * BYTES));
  private at = this.view.byteLength;

  below(bound: number): number {
    for (;;) {
      const value = this.word();
      if (value < RANGE - (RANGE % bound)) return value % bound;
    }
  }

  private word(): number {
    if (this.at === this.view.byteLength) {
      native.random.fill(new Uint8Array(this.view.buffer));
      this.at = 0;
    }
    const value = this.view.getUint32(this.at) * 2 ** 16 + this.view.getUint16(this.at + 4);
    this.at += BYTES;
    return value;
  }
}

/**
 * From the bytes of a file, as GNU's tools take them: what a number leaves over of them is used for the next, so that the
 * same file gives the same order.
 */
class SourceDice implements Dice {
  private number = 0n;
  /** The number is one of those from 0 up to this. */
  private most = 0n;
  private at = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly name: string,
  ) {}

  below(bound: number): number {
    const choices = BigInt(bound);
    for (;;) {
      while (this.most < choices - 1n) this.widen();
      const unusable = (this.most + 1n) % choices;
      const usable = this.most - unusable;
      const { number } = this;
      if (number <= usable) {
        this.number = number / choices;
        this.most = (usable + 1n) / choices - 1n;
        return Number(number % choices);
      }
      this.number = number - usable - 1n;
      this.most = unusable - 1n;
    }
  }

  private widen(): void {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new Failure(`${quoted(this.name)}: end of file`);
    this.number = (this.number << 8n) + BigInt(byte);
    this.most = (this.most << 8n) + 255n;
  }
}

/** More than one number takes. */
const BYTES_EACH = 9;
const READ_MOST = 1 << 24;

/** Dice for so many numbers out of a file; undefined after a message where it cannot be opened. */
export async function diceOf(process: Process, name: string, numbers: number): Promise<Dice | undefined> {
  const reader = tryOpen(process, name);
  if (!reader) return undefined;
  const bytes = new Uint8Array(Math.min(BYTES_EACH * (numbers + 1), READ_MOST));
  let length = 0;
  while (length < bytes.length) {
    const chunk = await reader.chunk(bytes.length - length);
    if (chunk.length === 0) break;
    bytes.set(chunk, length);
    length += chunk.length;
  }
  if (reader !== process.stdin) close(reader);
  return new SourceDice(bytes.subarray(0, length), name);
}

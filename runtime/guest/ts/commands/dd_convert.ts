/** What dd does to bytes between reading and writing. */

import type { Operands } from "./dd_operands";

const [NEWLINE, SPACE] = [10, 32];

export type Conversion = (bytes: Uint8Array) => Uint8Array;

function mapped(from: number, to: number, by: number): Conversion {
  return (bytes) => bytes.map((byte) => (byte >= from && byte <= to ? byte + by : byte));
}

function swab(bytes: Uint8Array): Uint8Array {
  const result = bytes.slice();
  for (let at = 0; at + 1 < bytes.length; at += 2) [result[at], result[at + 1]] = [bytes[at + 1]!, bytes[at]!];
  return result;
}

export function conversions({ conversions: wanted }: Operands): Conversion {
  const steps: Conversion[] = [];
  if (wanted.has("swab")) steps.push(swab);
  if (wanted.has("lcase")) steps.push(mapped(65, 90, 32));
  if (wanted.has("ucase")) steps.push(mapped(97, 122, -32));
  return (bytes) => steps.reduce((result, step) => step(result), bytes);
}

/** Lines to records of one length, and back; both keep what is not whole yet. */
export class Records {
  private column = 0;
  private blanks = 0;
  truncated = 0;

  constructor(
    private readonly kind: "block" | "unblock",
    private readonly size: number,
  ) {}

  feed(bytes: Uint8Array): Uint8Array {
    return Uint8Array.from(this.kind === "block" ? this.toRecords(bytes) : this.toLines(bytes));
  }

  end(): Uint8Array {
    if (this.kind === "block") return Uint8Array.from(this.column > 0 ? this.padding() : []);
    return Uint8Array.from(this.column > 0 ? [NEWLINE] : []);
  }

  private padding(): number[] {
    const missing = Math.max(0, this.size - this.column);
    this.column = 0;
    return new Array<number>(missing).fill(SPACE);
  }

  private *toRecords(bytes: Uint8Array): Generator<number> {
    for (const byte of bytes) {
      if (byte === NEWLINE) {
        yield* this.padding();
        continue;
      }
      if (this.column === this.size) this.truncated += 1;
      if (this.column++ < this.size) yield byte;
    }
  }

  private *toLines(bytes: Uint8Array): Generator<number> {
    for (const byte of bytes) {
      if (byte === SPACE) this.blanks += 1;
      else {
        for (; this.blanks > 0; this.blanks -= 1) yield SPACE;
        yield byte;
      }
      if (++this.column < this.size) continue;
      this.column = this.blanks = 0;
      yield NEWLINE;
    }
  }
}

/** gzip between a reader and a sink. */

import { joinedBytes } from "../bridge/bytes";
import type { Process } from "../shell/process";
import type { Reader } from "../shell/io/reader";
import { Broken, Codec, type CodecReport, type Sink } from "./codec";
import { header, type Header, isGzip, readHeader, trailer, TRAILER, word } from "./gzip_format";

export interface Named {
  readonly name: string | undefined;
  readonly time: number;
}

export interface Sizes {
  readonly plain: number;
  readonly packed: number;
  /** Bytes of the packed that are no compressed ones. */
  readonly framing: number;
  readonly crc: number;
}

/** Compresses what it is fed. */
export class Packer {
  private readonly codec: Codec;
  private readonly front: Uint8Array;
  private begun = false;

  constructor(
    private readonly sink: Sink,
    level: number,
    { name, time }: Named,
  ) {
    this.codec = new Codec("deflate", { level }, sink);
    this.front = header(name, time, level);
  }

  async feed(bytes: Uint8Array): Promise<void> {
    await this.begin();
    await this.codec.feed(bytes);
  }

  async end(): Promise<Sizes> {
    await this.begin();
    await this.codec.end();
    const { crc, size, written } = this.codec.report;
    await this.sink(trailer(crc, size));
    const framing = this.front.length + TRAILER;
    return { plain: size, packed: written! + framing, framing, crc };
  }

  private async begin(): Promise<void> {
    if (!this.begun) await this.sink(this.front);
    this.begun = true;
  }
}

export async function compress(process: Process, reader: Reader, sink: Sink, level: number, named: Named): Promise<Sizes> {
  const packer = new Packer(sink, level, named);
  for (let chunk = await reader.chunk(); chunk.length > 0; chunk = await reader.chunk()) {
    await packer.feed(chunk);
    await process.pause();
  }
  return packer.end();
}

/** What was read, and can be looked at before it is taken. */
class Input {
  private held = new Uint8Array(0);
  total = 0;
  constructor(private readonly reader: Reader) {}

  /** At least that many bytes if there are so many. */
  async peek(count: number): Promise<Uint8Array> {
    while (this.held.length < count) if (!(await this.more())) break;
    return this.held;
  }

  take(count: number): void {
    this.held = this.held.subarray(count);
  }

  /** Gives bytes back that were taken last. */
  give(bytes: Uint8Array): void {
    this.held = Uint8Array.from([...bytes, ...this.held]);
  }

  async more(): Promise<boolean> {
    const chunk = await this.reader.chunk();
    this.total += chunk.length;
    this.held = joinedBytes([this.held, chunk]);
    return chunk.length > 0;
  }
}

export interface Unpacked extends Sizes {
  /** Of the first member. */
  readonly header: Header;
  /** Something that is no member follows the last one. */
  readonly garbage: boolean;
}

/** Throws Broken. `passes`: what is no gzip goes through as it is; the result is undefined then. */
export async function decompress(reader: Reader, sink: Sink, passes = false): Promise<Unpacked | undefined> {
  const input = new Input(reader);
  const start = await input.peek(2);
  if (!isGzip(start)) {
    if (!passes) throw new Broken(start.length === 0 ? "unexpected end of file" : "not in gzip format");
    for (let bytes = start; bytes.length > 0; bytes = await input.peek(1)) {
      await sink(bytes);
      input.take(bytes.length);
    }
    return undefined;
  }
  let [first, plain, framing, crc, garbage]: [Header | undefined, number, number, number, boolean] = [undefined, 0, 0, 0, false];
  for (let next = start; next.length > 0; next = await input.peek(2)) {
    if (!isGzip(next)) {
      garbage = next.some((byte) => byte !== 0);
      break;
    }
    const front = await takeHeader(input);
    const report = await member(input, sink);
    first ??= front;
    plain += report.size;
    framing += front.length + TRAILER;
    crc = report.crc;
  }
  return { header: first!, plain, packed: input.total, framing, crc, garbage };
}

async function takeHeader(input: Input): Promise<Header> {
  for (;;) {
    const bytes = await input.peek(1);
    const found = readHeader(bytes);
    if (typeof found === "string") throw new Broken(found);
    if (found) {
      input.take(found.length);
      return found;
    }
    if (!(await input.more())) throw new Broken("unexpected end of file");
  }
}

async function member(input: Input, sink: Sink): Promise<CodecReport> {
  const codec = new Codec("inflate", {}, sink);
  let last = new Uint8Array(0);
  while (!codec.done) {
    const bytes = await input.peek(1);
    if (bytes.length === 0) {
      await codec.end();
      break;
    }
    last = joinedBytes([last, bytes]);
    input.take(bytes.length);
    await codec.feed(bytes);
    last = last.slice(-KEPT);
  }
  const { report } = codec;
  if (report.unused! > 0) input.give(last.subarray(last.length - report.unused!));
  const check = await input.peek(TRAILER);
  if (check.length < TRAILER) throw new Broken("unexpected end of file");
  if (word(check, 0) !== report.crc) throw new Broken("invalid compressed data--crc error");
  if (word(check, 4) !== report.size % 2 ** 32) throw new Broken("invalid compressed data--length error");
  input.take(TRAILER);
  return report;
}

/** The decoder looks ahead no further than a chunk and a bit. */
const KEPT = 128 * 1024;

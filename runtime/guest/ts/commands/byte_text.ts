/** Bytes as strings of U+0000..U+00FF: fast to split, and ordered as bytes are. For commands that know no characters. */

import { native } from "../bridge/native";
import type { Maybe } from "../shell/io/maybe";
import type { Reader } from "../shell/io/reader";
import type { Writer } from "../shell/io/writer";

/** Text of ASCII is its own byte string. */
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** A shell's text as a byte string. */
export function byteText(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  return native.bytes.latin1Decode(native.text.encode(text));
}

/** A byte string as text. */
export function plainText(bytes: string): string {
  if (!BEYOND_ASCII.test(bytes)) return bytes;
  return native.text.decode(native.bytes.latin1Encode(bytes));
}

/** The lines of a stream, without their ends. */
export class LineSource {
  private lines: string[] = [];
  private at = 0;
  private rest = "";
  private over = false;
  /** Whether the last line given had an end. */
  ended = true;

  constructor(
    readonly reader: Reader,
    private readonly end = "\n",
  ) {}

  /** The next line; undefined at the end. */
  next(): Maybe<string | undefined> {
    while (this.at >= this.lines.length) {
      if (this.over) return undefined;
      const chunk = this.reader.chunk();
      if (chunk instanceof Promise) {
        return chunk.then((bytes) => {
          this.take(bytes);
          return this.next();
        });
      }
      this.take(chunk);
    }
    this.ended = this.at < this.lines.length - 1 || !this.over || this.rest === "";
    return this.lines[this.at++];
  }

  /** Whether the end was met: no line follows. */
  get finished(): boolean {
    return this.over && this.at >= this.lines.length;
  }

  private take(chunk: Uint8Array): void {
    this.at = 0;
    if (chunk.length === 0) {
      this.over = true;
      this.lines = this.rest === "" ? [] : [this.rest];
      return;
    }
    this.lines = (this.rest + native.bytes.latin1Decode(chunk)).split(this.end);
    this.rest = this.lines.pop()!;
  }
}

const GATHERED = 32 * 1024;

/** Gathers byte strings and writes them. */
export class ByteWriter {
  private readonly pieces: string[] = [];
  private length = 0;

  constructor(private readonly writer: Writer) {}

  /** Returns a promise where it had to wait: then wait for it. */
  put(bytes: string): Maybe<void> {
    this.pieces.push(bytes);
    if ((this.length += bytes.length) >= GATHERED) return this.flush();
  }

  flush(): Maybe<void> {
    const bytes = native.bytes.latin1Encode(this.pieces.join(""));
    this.pieces.length = this.length = 0;
    return this.writer.write(bytes);
  }
}

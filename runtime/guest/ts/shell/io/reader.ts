/** Reading from an open file, waiting where it has nothing yet. */

import { joinedBytes } from "../../bridge/bytes";
import { native } from "../../bridge/native";
import type { OpenFile } from "../../vfs/openfile";
import { repeat, then, type Maybe } from "./maybe";

const CHUNK = 64 * 1024;
const NEWLINE = 10;

export class Reader {
  constructor(readonly file: OpenFile) {}

  /** The next bytes, empty at the end. They hold until the next read or change: use them at once or copy them. */
  chunk(most = CHUNK): Maybe<Uint8Array> {
    native.host.poll();
    return this.file.take(most) ?? this.later(() => this.chunk(most));
  }

  /** Gives `work` all chunks in turn. */
  pour(work: (chunk: Uint8Array) => Maybe<unknown>): Maybe<void> {
    return repeat(() => then(this.chunk(), (chunk) => chunk.length > 0 && then(work(chunk), () => true)));
  }

  /** The next line with its end (a byte), without one if it is the last and has none, empty at the end. */
  lineBytes(end = NEWLINE): Maybe<Uint8Array> {
    native.host.poll();
    return this.file.takeLine(end) ?? this.later(() => this.lineBytes(end));
  }

  /** The next line as text without its end; undefined at the end. */
  line(end = NEWLINE): Maybe<string | undefined> {
    const bytes = this.lineBytes(end);
    return bytes instanceof Promise ? bytes.then((line) => lineText(line, end)) : lineText(bytes, end);
  }

  /** Everything that is left, as bytes of the caller's own. */
  all(): Maybe<Uint8Array> {
    return this.gather([]);
  }

  private gather(chunks: Uint8Array[]): Maybe<Uint8Array> {
    for (;;) {
      native.host.poll();
      const chunk = this.file.take(CHUNK);
      if (chunk === undefined) return this.later(() => this.gather(chunks));
      if (chunk.length === 0) return chunks.length === 1 ? chunks[0]! : joinedBytes(chunks);
      chunks.push(chunk.slice());
    }
  }

  /** Everything that is left, as text. */
  text(): Maybe<string> {
    const bytes = this.all();
    return bytes instanceof Promise ? bytes.then(native.text.decode) : native.text.decode(bytes);
  }

  private later<T>(again: () => Maybe<T>): Promise<T> {
    return new Promise<void>((wake) => this.file.wait(wake)).then(again);
  }
}

function lineText(bytes: Uint8Array, end: number): string | undefined {
  if (bytes.length === 0) return undefined;
  const last = bytes.length - 1;
  return native.text.decode(bytes[last] === end ? bytes.subarray(0, last) : bytes);
}

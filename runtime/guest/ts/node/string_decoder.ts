import { Buffer } from "node:buffer";
import { coded, invalidType } from "./errors";
import { incompleteTail } from "./utf8_tail";

/** How many bytes at the end of `bytes` wait for more, by encoding. */
const waiting: Record<string, (bytes: Buffer) => number> = {
  utf8: incompleteTail,
  utf16le: (bytes) => {
    const odd = bytes.length % 2;
    const last = bytes[bytes.length - odd - 1] ?? 0;
    const highSurrogate = bytes.length >= 2 && last >= 0xd8 && last <= 0xdb;
    return odd + (highSurrogate ? 2 : 0);
  },
  base64: (bytes) => bytes.length % 3,
  base64url: (bytes) => bytes.length % 3,
};

const names: Record<string, string> = {
  "utf-8": "utf8",
  ucs2: "utf16le",
  "ucs-2": "utf16le",
  "utf-16le": "utf16le",
  binary: "latin1",
};

/** Text of chunks that may cut characters in two. */
export class StringDecoder {
  readonly encoding: string;
  #held: Buffer = Buffer.alloc(0);

  constructor(encoding: string = "utf8") {
    const name = `${encoding ?? "utf8"}`.toLowerCase();
    if (!Buffer.isEncoding(name)) throw coded(TypeError, "ERR_UNKNOWN_ENCODING", `Unknown encoding: ${encoding}`);
    this.encoding = names[name] ?? name;
  }

  write(chunk: string | ArrayBufferView): string {
    if (typeof chunk === "string") return chunk;
    if (!ArrayBuffer.isView(chunk)) {
      throw invalidType("buf", "an instance of Buffer, TypedArray, or DataView", chunk);
    }
    const view = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const bytes = this.#held.length > 0 ? Buffer.concat([this.#held, view]) : view;
    const kept = waiting[this.encoding]?.(bytes) ?? 0;
    this.#held = Buffer.from(bytes.subarray(bytes.length - kept));
    return bytes.toString(this.encoding, 0, bytes.length - kept);
  }

  end(chunk?: string | ArrayBufferView): string {
    const text = chunk === undefined ? "" : this.write(chunk);
    const rest = this.#held;
    this.#held = Buffer.alloc(0);
    return text + rest.toString(this.encoding);
  }

  get lastNeed(): number {
    return this.#held.length;
  }
}

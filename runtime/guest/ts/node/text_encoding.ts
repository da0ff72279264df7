import { kernel } from "amla:kernel";
import { coded, invalidType } from "./errors";
import { incompleteTail } from "./utf8_tail";

/** `TextEncoder` and `TextDecoder` for UTF-8, UTF-16LE and Latin-1. */

const { bytes: native, types } = kernel;

/** What `console` shows in place of an object. */
const SHOWN = Symbol.for("nodejs.util.inspect.custom");

export class TextEncoder {
  get encoding(): string {
    return "utf-8";
  }

  encode(text: unknown = ""): Uint8Array {
    return native.utf8Encode(`${text}`);
  }

  /** Writes whole characters only; `read` counts UTF-16 units. */
  encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
    if (typeof text !== "string") throw invalidType("src", "of type string", text);
    if (types.typedArrayName(target) !== "Uint8Array") throw invalidType("dest", "an instance of Uint8Array", target);
    const bytes = native.utf8Encode(text);
    let written = Math.min(bytes.length, target.length);
    if (written < bytes.length) while (written > 0 && (bytes[written]! & 0xc0) === 0x80) written--;
    native.copy(bytes, 0, target, 0, written);
    const read =
      written === bytes.length ? text.length : native.utf8Decode(bytes.subarray(0, written), false, true).length;
    return { read, written };
  }

  /** Without the class's name, as Node has it. */
  [SHOWN](): object {
    return { encoding: this.encoding };
  }

  get [Symbol.toStringTag](): string {
    return "TextEncoder";
  }
}

const labels = new Map<string, string>();
for (const [name, ...others] of [
  ["utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8"],
  ["utf-16le", "utf-16", "ucs-2", "unicode", "unicodefeff", "iso-10646-ucs-2", "csunicode"],
  ["windows-1252", "latin1", "ascii", "us-ascii", "iso-8859-1", "iso8859-1", "iso88591", "l1", "cp1252", "x-cp1252"],
] as const) {
  for (const label of [name, ...others]) labels.set(label, name);
}

/** What the bytes 80 to 9F mean in windows-1252. */
const HIGH_CONTROLS =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f" +
  "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

interface Options {
  fatal?: boolean;
  ignoreBOM?: boolean;
}

function invalidData(encoding: string): Error {
  const message = `The encoded data was not valid for encoding ${encoding}`;
  return coded(TypeError, "ERR_ENCODING_INVALID_ENCODED_DATA", message);
}

function viewOf(input: unknown): Uint8Array {
  if (input === undefined) return new Uint8Array(0);
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (types.isArrayBuffer(input) || types.isSharedArrayBuffer(input)) return new Uint8Array(input as ArrayBuffer);
  const message = 'The "list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.';
  throw coded(TypeError, "ERR_INVALID_ARG_TYPE", message);
}

function join(head: Uint8Array, tail: Uint8Array): Uint8Array {
  if (head.length === 0) return tail;
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}

export class TextDecoder {
  readonly #encoding: string;
  readonly #fatal: boolean;
  readonly #ignoreBOM: boolean;
  /** Bytes of a character that the next call may complete. */
  #held = new Uint8Array(0);
  #begun = false;

  constructor(label: unknown = "utf-8", options: Options | null = {}) {
    const name = labels.get(`${label}`.trim().toLowerCase());
    if (name === undefined) {
      throw coded(RangeError, "ERR_ENCODING_NOT_SUPPORTED", `The "${label}" encoding is not supported`);
    }
    this.#encoding = name;
    this.#fatal = Boolean(options?.fatal);
    this.#ignoreBOM = Boolean(options?.ignoreBOM);
  }

  get encoding(): string {
    return this.#encoding;
  }
  get fatal(): boolean {
    return this.#fatal;
  }
  get ignoreBOM(): boolean {
    return this.#ignoreBOM;
  }

  [SHOWN](_depth: number, options: object, inspect: (value: object, options: object) => string): string {
    const { encoding, fatal, ignoreBOM } = this;
    return `TextDecoder ${inspect({ encoding, fatal, ignoreBOM }, options)}`;
  }

  decode(input?: unknown, options?: { stream?: boolean }): string {
    const bytes = join(this.#held, viewOf(input));
    const stream = Boolean(options?.stream);
    const kept = stream ? this.#incomplete(bytes) : 0;
    this.#held = bytes.slice(bytes.length - kept);
    const keepBom = this.#ignoreBOM || this.#begun;
    this.#begun = stream && (this.#begun || bytes.length > kept);
    return this.#text(kept ? bytes.subarray(0, bytes.length - kept) : bytes, keepBom);
  }

  #incomplete(bytes: Uint8Array): number {
    if (this.#encoding === "utf-8") return incompleteTail(bytes);
    return this.#encoding === "utf-16le" ? bytes.length % 2 : 0;
  }

  #text(bytes: Uint8Array, keepBom: boolean): string {
    if (this.#encoding === "utf-8") return this.#utf8(bytes, keepBom);
    if (this.#encoding === "windows-1252") {
      return native
        .latin1Decode(bytes)
        .replace(/[\x80-\x9f]/g, (unit: string) => HIGH_CONTROLS[unit.charCodeAt(0) - 0x80]!);
    }
    const text = native.utf16leDecode(bytes);
    const whole = bytes.length % 2 === 0 && text.isWellFormed();
    if (!whole && this.#fatal) throw invalidData(this.#encoding);
    const clean = text.toWellFormed() + (bytes.length % 2 ? "\ufffd" : "");
    return !keepBom && clean.startsWith("\ufeff") ? clean.slice(1) : clean;
  }

  #utf8(bytes: Uint8Array, keepBom: boolean): string {
    try {
      return native.utf8Decode(bytes, this.#fatal, keepBom);
    } catch (error) {
      if (this.#fatal && error instanceof TypeError) throw invalidData(this.#encoding);
      throw error;
    }
  }

  get [Symbol.toStringTag](): string {
    return "TextDecoder";
  }
}

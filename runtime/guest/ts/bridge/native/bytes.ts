/** Bytes, and texts of them (c/native_bytes.c, c/native_bulk.c, c/native_encoding.c, c/filters/native_text.c). */

export interface NativeBytes {
  utf8Encode(text: string): Uint8Array;
  utf8Decode(bytes: Uint8Array, fatal?: boolean, ignoreBOM?: boolean): string;
  utf8Length(text: string): number;
  latin1Encode(text: string): Uint8Array;
  latin1Decode(bytes: Uint8Array): string;
  asciiDecode(bytes: Uint8Array): string;
  hexEncode(bytes: Uint8Array): string;
  hexDecode(text: string): Uint8Array;
  base64Encode(bytes: Uint8Array, url?: boolean): string;
  base64Decode(text: string): Uint8Array;
  utf16leEncode(text: string): Uint8Array;
  utf16leDecode(bytes: Uint8Array): string;
  isAscii(bytes: Uint8Array): boolean;
  isUtf8(bytes: Uint8Array): boolean;
  copy(source: Uint8Array, sourceStart: number, target: Uint8Array, targetStart: number, length: number): number;
  compare(left: Uint8Array, right: Uint8Array): number;
  indexOf(bytes: Uint8Array, wanted: Uint8Array, from?: number): number;
  lastIndexOf(bytes: Uint8Array, wanted: Uint8Array, from?: number): number;
  fill(bytes: Uint8Array, value: Uint8Array | number, from?: number, to?: number): void;
  swap(bytes: Uint8Array, width: number): void;
}

/** Bytes as text without loss: a byte that is no valid UTF-8 is the lone surrogate U+DC00 + byte. */
export interface NativeText {
  decode(bytes: Uint8Array): string;
  encode(text: string): Uint8Array;
  /** The text with what is no ASCII as its bytes. */
  bytes(text: string): string;
  /** The text with each character whole whose bytes have come together in it. */
  whole(text: string): string;
  /** How many characters it has. */
  count(text: string): number;
  /** Characters `from` up to `to`. */
  slice(text: string, from: number, to: number): string;
}

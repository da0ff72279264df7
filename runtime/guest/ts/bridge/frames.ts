/** The kinds of frames between guest and host, and how their payloads are laid out (docs/protocol.md). */

import { native } from "./native";

export const FromHost = {
  configure: 1,
  run: 2,
  result: 3,
  failure: 4,
  wake: 5,
  files: 6,
  input: 7,
  stop: 8,
  prepare: 9,
  ask: 10,
  sites: 11,
} as const;

export const ToHost = {
  stdout: 1,
  stderr: 2,
  call: 3,
  wait: 4,
  done: 5,
  files: 6,
  describe: 7,
  answer: 8,
  sites: 9,
} as const;

/** A header of JSON and the bytes behind it: u32 length of the header, header, bytes. */
export function splitHeader(payload: Uint8Array): [unknown, Uint8Array] {
  const length = u32(payload, 0);
  const header: unknown = JSON.parse(native.bytes.utf8Decode(payload.subarray(4, 4 + length)));
  return [header, payload.subarray(4 + length)];
}

let latest: { readonly text: string; readonly header: unknown } = { text: "null", header: null };

/** As splitHeader; headers with the same text are one object, which nobody can change. */
export function splitKeptHeader(payload: Uint8Array): [unknown, Uint8Array] {
  const end = 4 + u32(payload, 0);
  const text = native.bytes.utf8Decode(payload.subarray(4, end));
  if (text !== latest.text) latest = { text, header: frozen(JSON.parse(text)) };
  return [latest.header, payload.subarray(end)];
}

function frozen(value: unknown): unknown {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/** The head of a frame whose body follows: u32 length of the JSON, JSON. */
export function joinHeader(header: unknown): Uint8Array {
  return prefixed(native.bytes.utf8Encode(JSON.stringify(header)));
}

/** u32 length, then the bytes. */
export function prefixed(bytes: Uint8Array): Uint8Array {
  const framed = new Uint8Array(4 + bytes.length);
  framed.set(lengthOf(bytes));
  framed.set(bytes, 4);
  return framed;
}

/** The length of `bytes` as u32. */
export function lengthOf(bytes: Uint8Array): Uint8Array {
  const field = new Uint8Array(4);
  new DataView(field.buffer).setUint32(0, bytes.length, true);
  return field;
}

export function u32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

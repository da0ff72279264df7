import { Buffer } from "node:buffer";

/** A whole stream or iteration in one value. */

type Source = AsyncIterable<unknown> | Iterable<unknown>;

export async function buffer(source: Source): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of source) parts.push(typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Uint8Array));
  return Buffer.concat(parts);
}

export async function text(source: Source): Promise<string> {
  return (await buffer(source)).toString();
}

export async function json(source: Source): Promise<unknown> {
  return JSON.parse(await text(source));
}

export async function arrayBuffer(source: Source): Promise<ArrayBuffer> {
  return Uint8Array.from(await buffer(source)).buffer;
}

export async function blob(source: Source): Promise<object> {
  const { Blob } = require("amla:blob");
  return new Blob([await buffer(source)]);
}

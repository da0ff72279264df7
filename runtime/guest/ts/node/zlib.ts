import { Buffer } from "node:buffer";
import process from "node:process";
import { Transform } from "node:stream";
import { coded, invalidType, requireFunction } from "./errors";
import { crc32 as checksum } from "./zlib/checksums";
import { type Format, isGzip, pack, unpack } from "./zlib/formats";

/** Compression, of whole contents: streams give theirs at their end. */

interface Options {
  level?: number;
}

type Work = (bytes: Buffer, options: Options) => Buffer;
type Callback = (error: Error | null, result?: Buffer) => void;

const KINDS = "of type string or an instance of Buffer, TypedArray, DataView, or ArrayBuffer";

function bytesOf(value: unknown): Buffer {
  if (typeof value === "string") return Buffer.from(value);
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  throw invalidType("buffer", KINDS, value);
}

const packs = (format: Format): Work => (bytes, { level = -1 }) => pack(format, bytes, level);
const unpacks = (format: Format): Work => (bytes) => unpack(format, bytes);

const works: Record<string, Work> = {
  gzip: packs("gzip"),
  gunzip: unpacks("gzip"),
  deflate: packs("zlib"),
  inflate: unpacks("zlib"),
  deflateRaw: packs("raw"),
  inflateRaw: unpacks("raw"),
  unzip: (bytes) => unpack(isGzip(bytes) ? "gzip" : "zlib", bytes),
};

function later(work: Work): (value: unknown, options: Options | Callback, callback?: Callback) => void {
  return (value, options, callback) => {
    const tell = typeof options === "function" ? options : callback;
    requireFunction("callback", tell);
    const bytes = bytesOf(value);
    process.nextTick(() => {
      let result: Buffer;
      try {
        result = work(bytes, typeof options === "function" ? {} : options);
      } catch (error) {
        tell!(error as Error);
        return;
      }
      tell!(null, result);
    });
  };
}

function stream(work: Work, options: Options = {}): Transform {
  const chunks: Buffer[] = [];
  return new Transform({
    transform(chunk, _encoding, done) {
      chunks.push(bytesOf(chunk));
      done();
    },
    flush(done) {
      try {
        done(null, work(Buffer.concat(chunks), options));
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

function absent(name: string): () => never {
  return () => {
    const message = `zlib.${name}() is not available in the sandbox. It has gzip, deflate and their inverses`;
    throw coded(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", message);
  };
}

const constants = {
  Z_NO_FLUSH: 0, Z_PARTIAL_FLUSH: 1, Z_SYNC_FLUSH: 2, Z_FULL_FLUSH: 3, Z_FINISH: 4, Z_BLOCK: 5,
  Z_OK: 0, Z_STREAM_END: 1, Z_NEED_DICT: 2, Z_ERRNO: -1, Z_STREAM_ERROR: -2, Z_DATA_ERROR: -3, Z_MEM_ERROR: -4, Z_BUF_ERROR: -5,
  Z_NO_COMPRESSION: 0, Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9, Z_DEFAULT_COMPRESSION: -1,
  Z_FILTERED: 1, Z_HUFFMAN_ONLY: 2, Z_RLE: 3, Z_FIXED: 4, Z_DEFAULT_STRATEGY: 0,
};

const zlib: Record<string, unknown> = {
  constants: Object.freeze(constants),
  crc32: (data: unknown, value = 0): number => checksum(bytesOf(data), value),
};

for (const [name, work] of Object.entries(works)) {
  zlib[name] = later(work);
  zlib[`${name}Sync`] = (value: unknown, options: Options = {}): Buffer => work(bytesOf(value), options);
  zlib[`create${name[0]!.toUpperCase()}${name.slice(1)}`] = (options?: Options): Transform => stream(work, options);
}

for (const name of ["brotliCompress", "brotliCompressSync", "brotliDecompress", "brotliDecompressSync", "createBrotliCompress", "createBrotliDecompress"])
  zlib[name] = absent(name);

module.exports = zlib;

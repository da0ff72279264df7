/** `fs.promises`. */

import type { Buffer } from "node:buffer";
import { kernel } from "amla:kernel";
import { toOptions, toPathOrDescriptor } from "./arguments";
import { buffers } from "./bytes";
import { cp } from "./cp";
import { opendir } from "./dir";
import * as files from "./files";
import { constants } from "./flags";
import { impatiently, mapped, Operation, promised } from "./forms";
import { FileHandle } from "./handle";
import * as meta from "./meta";
import * as tree from "./tree";
import { absent } from "./absent";

const { access, chmod, chown, lchown, lstat, lutimes, stat, statfs, utimes } = meta;
const { copyFile, truncate } = files;
const plain: Record<string, Operation> = {
  ...{ access, chmod, chown, lchown, lstat, lutimes, stat, statfs, utimes, copyFile, truncate, cp, opendir },
  ...tree.operations,
};

type Target = unknown;

export const promises = {
  ...mapped(plain, promised as (operation: Operation) => Operation),
  open: promised((path: Target, flags?: unknown, mode?: unknown) => new FileHandle(files.open(path, flags, mode))),
  readFile: async (path: Target, options?: unknown) => whenReady(path, descriptorOf, options),
  writeFile: async (path: Target, data: unknown, options?: unknown) => write(files.writeFile, path, data, options),
  appendFile: async (path: Target, data: unknown, options?: unknown) => write(files.appendFile, path, data, options),
  watch: absent["watch"],
  constants,
};

const readFile = promised(files.readFile);
const writeFile = promised((operation: typeof files.writeFile, path: unknown, data: unknown, options: unknown) =>
  operation(descriptorOf(path), data, options),
);

/** Reads again each time that standard input has moved on, until it has ended. */
async function whenReady(path: Target, target: (path: Target) => unknown, options: unknown): Promise<unknown> {
  demandNotAborted(options);
  for (;;) {
    try {
      return await impatiently(() => readFile(target(path), options));
    } catch (error) {
      if ((error as { code?: string }).code !== "EAGAIN") throw error;
    }
    await new Promise<void>((wake) => kernel.vfs.whenReadable(toPathOrDescriptor(target(path)), wake));
  }
}

async function write(operation: typeof files.writeFile, path: Target, data: unknown, options: unknown): Promise<void> {
  demandNotAborted(options);
  await writeFile(operation, path, isPieces(data) ? await gather(data) : data, options);
}

/** A FileHandle stands for its descriptor. */
function descriptorOf(path: Target): unknown {
  return path instanceof FileHandle ? path.fd : path;
}

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

function isPieces(data: unknown): data is Pieces {
  if (typeof data !== "object" || data === null || ArrayBuffer.isView(data)) return false;
  return Symbol.asyncIterator in data || Symbol.iterator in data;
}

async function gather(pieces: Pieces): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(typeof piece === "string" ? buffers().from(piece) : piece);
  return buffers().concat(parts);
}

function demandNotAborted(options: unknown): void {
  const { signal } = toOptions(options) as { signal?: { aborted: boolean; reason: unknown } };
  if (!signal?.aborted) return;
  const error = new Error("The operation was aborted", { cause: signal.reason });
  throw Object.assign(error, { name: "AbortError", code: "ABORT_ERR" });
}

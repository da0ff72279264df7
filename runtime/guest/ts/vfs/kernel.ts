/**
 * File operations for the modules that scripts import: synchronous, on paths that are strings, flags and modes that are
 * numbers, bytes that are Uint8Arrays. Checking and converting a script's arguments is done above. Whatever leaves as a
 * Uint8Array may be a view of the file: it is copied into the script's realm on the way out.
 */

import { current } from "../bridge/current";
import { native } from "../bridge/native";
import { allocate } from "./content";
import { copyFile, put, take } from "./data";
import { syscall } from "./errors";
import { O_APPEND } from "./flags";
import { kernelMeta } from "./kernel_meta";
import { kernelTree } from "./kernel_tree";
import { open, target } from "./open";
import type { OpenFile } from "./openfile";
import { vfs } from "./vfs";

const { context } = vfs;

/** Runs a read; where it has nothing yet because standard input has not come, stands still until it has. */
function patiently<T>(read: () => T): T {
  for (;;) {
    try {
      return read();
    } catch (error) {
      const early = (error as { code?: string }).code === "EAGAIN";
      if (!early || !current().input.block()) throw error;
    }
  }
}

const opened = (fd: number): OpenFile => context.descriptors.get(fd);

const kernelData = {
  open(path: string, flags: number, mode: number): number {
    return syscall("open", () => context.descriptors.add(open(context, path, flags, mode), 3), path);
  },

  close(fd: number): void {
    syscall("close", () => context.descriptors.close(fd));
  },

  /** Whether reads wait for standard input, with all else of the run; if not they throw EAGAIN while there is none. */
  patience(on: boolean): void {
    current().input.patient = on;
  },

  /** A `position` of null reads at the descriptor's offset. */
  read(fd: number, into: Uint8Array, offset: number, count: number, position: number | null): number {
    return patiently(() => syscall("read", () => opened(fd).read(into, offset, count, position)));
  },

  write(fd: number, data: Uint8Array | string, position: number | null): number {
    return syscall("write", () => opened(fd).write(encoded(data), position));
  },

  /** All of a file, or the rest of a descriptor's; of a stream nothing is taken before it has ended. */
  readFile(from: string | number, flags: number): Uint8Array {
    if (typeof from === "number") return patiently(() => syscall("read", () => opened(from).readAll()));
    const node = syscall("open", () => target(context, from, flags, 0o666), from);
    return patiently(() => syscall("read", () => take(context, node, flags)));
  },

  readText(from: string | number, flags: number): string {
    return native.bytes.utf8Decode(kernelData.readFile(from, flags), false, true);
  },

  writeFile(to: string | number, data: Uint8Array | string, flags: number, mode: number): void {
    if (typeof to === "number") return void kernelData.write(to, data, null);
    const node = syscall("open", () => target(context, to, flags, mode), to);
    syscall("write", () => put(context, node, flags & O_APPEND ? encoded(data) : owned(data), flags));
  },

  /** Calls `wake` once a read of `from` that threw EAGAIN is worth trying again. */
  whenReadable(from: string | number, wake: () => void): void {
    syscall("read", () => (typeof from === "number" ? opened(from) : open(context, from, 0, 0)).wait(wake));
  },

  copyFile(from: string, to: string, exclusive: boolean): void {
    syscall("copyfile", () => copyFile(context, from, to, exclusive), from, to);
  },
};

export const vfsKernel = { ...kernelData, ...kernelTree, ...kernelMeta };
export type VfsKernel = typeof vfsKernel;

function encoded(data: Uint8Array | string): Uint8Array {
  return typeof data === "string" ? native.bytes.utf8Encode(data) : data;
}

/** Bytes that the file system may keep. */
function owned(data: Uint8Array | string): Uint8Array {
  if (typeof data === "string") return native.bytes.utf8Encode(data);
  const copy = allocate(data.length);
  copy.set(data);
  return copy;
}

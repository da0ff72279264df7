/** The part of the kernel's table that is about directories and their entries. */

import { native } from "../bridge/native";
import { syscall } from "./errors";
import { S_IFMT } from "./inode";
import * as tree from "./tree";
import { vfs } from "./vfs";

const { context } = vfs;

export const kernelTree = {
  /** A path of bytes: those that are no UTF-8 are lone surrogates in it. */
  pathOf(bytes: Uint8Array): string {
    return native.text.decode(bytes);
  },

  bytesOf(path: string): Uint8Array {
    return native.text.encode(path);
  },

  /** Sorted names, and beside them the type bits of each entry's mode. `call` is the name that an error gives. */
  readdir(path: string, call: string): { names: string[]; types: number[] } {
    const entries = syscall(call, () => tree.entries(context, path), path);
    return { names: entries.map(({ name }) => name), types: entries.map(({ node }) => node.mode & S_IFMT) };
  },

  mkdir(path: string, mode: number): void {
    syscall("mkdir", () => tree.mkdir(context, path, mode), path);
  },

  /** Returns the first directory that had to be made, if any. */
  mkdirs(path: string, mode: number): string | undefined {
    return syscall("mkdir", () => tree.mkdirs(context, path, mode), path);
  },

  mkdtemp(prefix: string): string {
    return syscall("mkdtemp", () => tree.mkdtemp(context, prefix), `${prefix}XXXXXX`);
  },

  rmdir(path: string): void {
    syscall("rmdir", () => tree.rmdir(context, path), path);
  },

  unlink(path: string): void {
    syscall("unlink", () => tree.unlink(context, path), path);
  },

  /** Removes a file or a whole tree. */
  remove(path: string): void {
    syscall("rm", () => tree.remove(context, path), path);
  },

  rename(from: string, to: string): void {
    syscall("rename", () => tree.rename(context, from, to), from, to);
  },

  link(from: string, to: string): void {
    syscall("link", () => tree.link(context, from, to), from, to);
  },

  symlink(target: string, path: string): void {
    syscall("symlink", () => tree.symlink(context, target, path), target, path);
  },

  readlink(path: string): string {
    return syscall("readlink", () => tree.readlink(context, path), path);
  },

  realpath(path: string): string {
    return syscall("realpath", () => tree.realpath(context, path), path);
  },
};

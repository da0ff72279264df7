/** Operations on directories and their entries. */

import { native } from "../bridge/native";
import { demand, owner, R_OK, W_OK, X_OK } from "./access";
import type { Context } from "./context";
import { fail } from "./errors";
import { Directory, Inode, ROOT, Symlink } from "./inode";
import { NamedPipe } from "./named_pipe";
import { canonical, find, findDirectory, pathOf, Place, walk } from "./walk";

export interface Entry {
  name: string;
  node: Inode;
}

export function entries(context: Context, path: string): Entry[] {
  const directory = findDirectory(context, path);
  demand(context, directory, R_OK);
  return entriesOf(context, directory);
}

export function entriesOf(context: Context, directory: Directory): Entry[] {
  return directory.names(context).map((name) => ({ name, node: directory.lookup(name, context)! }));
}

export function mkdir(context: Context, path: string, mode: number): void {
  const { directory, name, node } = walk(context, path, false);
  if (node) fail("EEXIST");
  demand(context, directory, W_OK);
  context.volume.add(directory, name, new Directory(mode & 0o7777 & ~context.umask, owner(context)));
}

/** Makes a directory and those above it; returns the first one made, as its part of `path`. */
export function mkdirs(context: Context, path: string, mode: number): string | undefined {
  let first: string | undefined;
  for (const prefix of prefixes(path)) {
    const { node } = walk(context, prefix);
    if (node === undefined) {
      mkdir(context, prefix, mode);
      first ??= prefix;
    } else if (!(node instanceof Directory)) fail(prefix.length === path.length ? "EEXIST" : "ENOTDIR");
  }
  return first;
}

export function rmdir(context: Context, path: string): void {
  const place = removable(context, walk(context, path, false));
  if (!(place.node instanceof Directory)) fail("ENOTDIR");
  if (place.node.entries.size > 0) fail("ENOTEMPTY");
  context.volume.remove(place.directory, place.name, place.node);
}

export function unlink(context: Context, path: string): void {
  const place = removable(context, walk(context, path, false));
  if (place.node instanceof Directory) fail("EISDIR");
  context.volume.remove(place.directory, place.name, place.node);
}

/** Removes a file, a link or a whole tree. */
export function remove(context: Context, path: string): void {
  const place = removable(context, walk(context, path, false));
  if (place.node instanceof Directory) demandTree(context, place.node);
  context.volume.remove(place.directory, place.name, place.node);
}

export function rename(context: Context, from: string, to: string): void {
  const source = removable(context, walk(context, from, false));
  const target = walk(context, to, false);
  if (target.node === source.node) return;
  demand(context, target.directory, W_OK);
  if (target.name === "") fail("EBUSY");
  if (target.slash && !(source.node instanceof Directory)) fail("ENOTDIR");
  if (source.node instanceof Directory && contains(source.node, target.directory)) fail("EINVAL");
  if (target.node) demandReplaceable(source.node, target.node);
  context.volume.move(source.directory, source.name, target.directory, target.name, source.node, target.node);
}

export function link(context: Context, from: string, to: string): void {
  const node = find(context, from, false);
  if (node instanceof Directory || node.uid === ROOT) fail("EPERM");
  const { directory, name } = vacant(context, to);
  context.volume.add(directory, name, node);
}

export function symlink(context: Context, target: string, path: string): void {
  if (target === "") fail("ENOENT");
  const { directory, name } = vacant(context, path);
  context.volume.add(directory, name, new Symlink(canonical(target), owner(context)));
}

export function mkfifo(context: Context, path: string, mode: number): void {
  const { directory, name } = vacant(context, path);
  context.volume.add(directory, name, new NamedPipe(mode & 0o7777 & ~context.umask, owner(context)));
}

export function readlink(context: Context, path: string): string {
  const node = find(context, path, false);
  return node instanceof Symlink ? node.target : fail("EINVAL");
}

export function realpath(context: Context, path: string): string {
  const { directory, name, node } = walk(context, path);
  if (node === undefined) fail("ENOENT");
  if (node instanceof Directory) return pathOf(node);
  const parent = pathOf(directory);
  return parent === "/" ? `/${name}` : `${parent}/${name}`;
}

/** Makes a directory whose name is `prefix` and six random letters; returns its path. */
export function mkdtemp(context: Context, prefix: string): string {
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const random = new Uint8Array(6);
  native.random.fill(random);
  const path = prefix + Array.from(random, (byte) => letters[byte % letters.length]).join("");
  mkdir(context, path, 0o700);
  return path;
}

/** `a/b/c` gives `a`, `a/b`, `a/b/c`. */
function prefixes(path: string): string[] {
  const ends = [...path.matchAll(/[^/](?=\/|$)/g)].map((match) => match.index + 1);
  const all = ends.map((end) => path.slice(0, end));
  return all.length === 0 ? [path] : [...all.slice(0, -1), path];
}

function removable(context: Context, place: Place): Place & { node: Inode } {
  const { node } = place;
  if (node === undefined) fail("ENOENT");
  if (place.name === "") fail("EBUSY");
  demand(context, place.directory, W_OK);
  return { ...place, node };
}

function vacant(context: Context, path: string): Place {
  const place = walk(context, path, false);
  if (place.node) fail("EEXIST");
  if (place.slash) fail("ENOENT");
  demand(context, place.directory, W_OK);
  return place;
}

/** Every directory that has something in it must allow taking it out; checked first, so a tree goes whole or stays. */
function demandTree(context: Context, top: Directory): void {
  const pending = [top];
  for (let directory = pending.pop(); directory; directory = pending.pop()) {
    if (directory.entries.size > 0) demand(context, directory, W_OK | X_OK);
    for (const child of directory.entries.values()) if (child instanceof Directory) pending.push(child);
  }
}

function demandReplaceable(source: Inode, target: Inode): void {
  if (target instanceof Directory) {
    if (!(source instanceof Directory)) fail("EISDIR");
    if (target.entries.size > 0) fail("ENOTEMPTY");
  } else if (source instanceof Directory) fail("ENOTDIR");
}

function contains(top: Directory, directory: Directory): boolean {
  for (let at = directory; ; at = at.parent) {
    if (at === top) return true;
    if (at.parent === at) return false;
  }
}

/** From a path to the place it names. */

import { native } from "../bridge/native";
import { demand, X_OK } from "./access";
import type { Context } from "./context";
import { fail } from "./errors";
import { Directory, Inode, Symlink } from "./inode";
import { LINKS_MAX, NAME_MAX, PATH_MAX } from "./limits";

/** Where a path leads: an entry of a directory, which may not exist yet. */
export interface Place {
  directory: Directory;
  /** Empty for the root, which is no one's entry. */
  name: string;
  node: Inode | undefined;
  /** The path ended in a slash, `.` or `..`, so it can only name a directory. */
  slash: boolean;
}

/** Resolves `path`; `follow` says whether a symbolic link at its end is followed. */
export function walk(context: Context, path: string, follow = true): Place {
  const plain = isPlain(checked(path)) ? step(context, startingPlace(context).node, path) : undefined;
  if (plain && !(follow && plain.node instanceof Symlink)) return plain;
  let rest = path.split("/");
  let place = path.startsWith("/") ? directoryPlace(context.volume.root) : startingPlace(context);
  let links = 0;
  for (let index = 0; index < rest.length; index += 1) {
    const name = rest[index]!;
    if (name === "" || name === ".") {
      if (name === ".") enter(context, place.node);
      place.slash = true;
      continue;
    }
    place = step(context, place.node, name);
    const last = index === rest.length - 1;
    if (!(place.node instanceof Symlink) || (last && !follow)) continue;
    if (++links > LINKS_MAX) fail("ELOOP");
    const { target } = place.node;
    rest = [...target.split("/"), ...rest.slice(index + 1)];
    index = -1;
    place = directoryPlace(target.startsWith("/") ? context.volume.root : place.directory);
  }
  if (place.slash && place.node && !(place.node instanceof Directory)) fail("ENOTDIR");
  return place;
}

/** Whether it is the name of an entry, as most paths of scripts are. */
function isPlain(path: string): boolean {
  return !path.includes("/") && path !== "." && path !== "..";
}

function step(context: Context, from: Inode | undefined, name: string): Place {
  const directory = enter(context, from);
  if (name === "..") return directoryPlace(directory.parent);
  const known = named(name);
  return { directory, name: known, node: directory.lookup(known, context), slash: false };
}

/** The node that `path` names. Throws ENOENT when there is none. */
export function find(context: Context, path: string, follow = true): Inode {
  return walk(context, path, follow).node ?? fail("ENOENT");
}

export function findDirectory(context: Context, path: string): Directory {
  const node = find(context, path);
  return node instanceof Directory ? node : fail("ENOTDIR");
}

/** The absolute path of a directory, free of links. */
export function pathOf(directory: Directory): string {
  const names: string[] = [];
  for (let at = directory; at.parent !== at; at = at.parent) names.unshift(at.name);
  return `/${names.join("/")}`;
}

/** A cwd has no links in it, and what lies above it may be closed to the process. */
function startingPlace({ cwd, volume }: Context): Place {
  const sole = cwd.length > 1 && cwd.indexOf("/", 1) < 0 ? volume.root.entries.get(cwd.slice(1)) : undefined;
  if (sole instanceof Directory) return directoryPlace(sole);
  let directory = volume.root;
  for (const name of cwd.split("/")) {
    if (name === "") continue;
    const node = directory.entries.get(name);
    if (!(node instanceof Directory)) fail("ENOENT");
    directory = node;
  }
  return directoryPlace(directory);
}

function directoryPlace(node: Directory): Place {
  return { directory: node.parent, name: node.name, node, slash: true };
}

function enter(context: Context, node: Inode | undefined): Directory {
  if (node === undefined) fail("ENOENT");
  if (!(node instanceof Directory)) fail("ENOTDIR");
  demand(context, node, X_OK);
  return node;
}

function checked(path: string): string {
  if (path === "") fail("ENOENT");
  if (path.length * 3 > PATH_MAX && native.text.encode(path).length > PATH_MAX) fail("ENAMETOOLONG");
  return path;
}

function named(name: string): string {
  if (name.length * 3 > NAME_MAX && native.text.encode(name).length > NAME_MAX) fail("ENAMETOOLONG");
  return canonical(name);
}

/** The one text for its bytes: each that is no UTF-8 is the surrogate that stands for it, and there is no other. */
export function canonical(name: string): string {
  return name.isWellFormed() ? name : native.text.decode(native.text.encode(name));
}

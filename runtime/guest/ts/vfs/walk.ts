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
  /** The path ended in a slash, so it can only name a directory. */
  slash: boolean;
}

/** Resolves `path`; `follow` says whether a symbolic link at its end is followed. */
export function walk(context: Context, path: string, follow = true): Place {
  const rest = components(checked(path)).reverse();
  const slash = endsInSlash(path);
  let links = 0;
  let place = path.startsWith("/") ? directoryPlace(context.volume.root) : startingPlace(context);
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    const directory = enter(context, place.node);
    if (name === "..") {
      place = directoryPlace(directory.parent);
      continue;
    }
    const node = directory.lookup(named(name), context);
    const last = rest.length === 0;
    if (node instanceof Symlink && (!last || follow || slash)) {
      if (++links > LINKS_MAX) fail("ELOOP");
      place = directoryPlace(node.target.startsWith("/") ? context.volume.root : directory);
      rest.push(...components(node.target).reverse());
    } else place = { directory, name, node, slash: false };
  }
  if (slash && place.node && !(place.node instanceof Directory)) fail("ENOTDIR");
  place.slash = slash;
  return place;
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

function startingPlace(context: Context): Place {
  return context.cwd === "/" ? directoryPlace(context.volume.root) : walk(context, context.cwd);
}

function directoryPlace(node: Directory): Place {
  return { directory: node.parent, name: node.name, node, slash: false };
}

function enter(context: Context, node: Inode | undefined): Directory {
  if (node === undefined) fail("ENOENT");
  if (!(node instanceof Directory)) fail("ENOTDIR");
  demand(context, node, X_OK);
  return node;
}

function checked(path: string): string {
  if (path === "") fail("ENOENT");
  if (path.length * 3 > PATH_MAX && native.bytes.utf8Length(path) > PATH_MAX) fail("ENAMETOOLONG");
  return path;
}

function named(name: string): string {
  if (name.length * 3 > NAME_MAX && native.bytes.utf8Length(name) > NAME_MAX) fail("ENAMETOOLONG");
  return name.isWellFormed() ? name : name.toWellFormed();
}

function components(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

function endsInSlash(path: string): boolean {
  return /(^|\/)\.{0,2}$/.test(path);
}

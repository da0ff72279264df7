/** Absolute paths without links and dots, for realpath, readlink and ln. */

import type { Context } from "../vfs/context";
import { Errno, fail } from "../vfs/errors";
import { Directory, type Inode, Symlink } from "../vfs/inode";
import { LINKS_MAX } from "../vfs/limits";
import { find } from "../vfs/walk";
import { joined } from "./paths";

/** What has to be there: all components, all but the last, or none. */
export type Demand = "existing" | "parents" | "missing";

/** How `..` is understood: behind links as they lead, before links as it is written, and links kept altogether. */
export type Links = "physical" | "logical" | "kept";

export function canonical(context: Context, path: string, demand: Demand, links: Links = "physical"): string {
  if (path === "") fail("ENOENT");
  let done = path.startsWith("/") ? "/" : context.cwd;
  let rest = (links === "logical" ? lexical(path) : path).split("/");
  let followed = 0;
  for (let index = 0; index < rest.length; index += 1) {
    const part = rest[index]!;
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (demand !== "missing" && links !== "kept") demandDirectory(context, done, demand);
      done = done.slice(0, done.lastIndexOf("/")) || "/";
      continue;
    }
    const next = joined(done, part);
    const node = lookUp(context, next, demand, rest.slice(index + 1).every((each) => each === "" || each === "."));
    if (!(node instanceof Symlink) || links === "kept") {
      done = next;
      if (node && index < rest.length - 1 && rest.slice(index + 1).some(Boolean) && demand !== "missing") demandDirectory(context, next, demand);
      continue;
    }
    if (++followed > LINKS_MAX) fail("ELOOP");
    if (node.target.startsWith("/")) done = "/";
    rest = [...node.target.split("/"), ...rest.slice(index + 1)];
    index = -1;
  }
  if (path.endsWith("/") && demand === "existing") demandDirectory(context, done, demand);
  return done;
}

function lexical(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return (path.startsWith("/") ? "/" : "") + parts.join("/");
}

function lookUp(context: Context, path: string, demand: Demand, last: boolean): Inode | undefined {
  try {
    return find(context, path, false);
  } catch (error) {
    if (!(error instanceof Errno)) throw error;
    const missing = error.code === "ENOENT" && (demand === "missing" || (demand === "parents" && last));
    if (missing || (demand === "missing" && error.code === "ENOTDIR")) return undefined;
    throw error;
  }
}

function demandDirectory(context: Context, path: string, demand: Demand): void {
  if (path === "/" || demand === "missing") return;
  if (!(find(context, path) instanceof Directory)) fail("ENOTDIR");
}

/** How `path` is written from the directory `from`; both are absolute and without dots. */
export function relativePath(path: string, from: string): string {
  const [there, here] = [parts(path), parts(from)];
  let common = 0;
  while (common < there.length && common < here.length && there[common] === here[common]) common += 1;
  return [...here.slice(common).map(() => ".."), ...there.slice(common)].join("/") || ".";
}

function parts(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

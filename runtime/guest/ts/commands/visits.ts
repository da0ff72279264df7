/** Trees of files, visited from the top down and left again from the bottom up. */

import type { Context } from "../vfs/context";
import { demand, R_OK } from "../vfs/access";
import { Errno } from "../vfs/errors";
import { Directory, type Inode, Symlink } from "../vfs/inode";
import { find } from "../vfs/walk";
import { joined } from "./paths";

export interface Visit {
  readonly path: string;
  /** The entry's name; for the top the path as given. */
  readonly name: string;
  readonly node: Inode;
  /** 0 at the top. */
  readonly depth: number;
  /** Of a directory: before what is in it, when that cannot be read, and behind. Everything else is a "file". */
  readonly stage: "file" | "enter" | "unreadable" | "leave";
  /** Why a directory is unreadable; ELOOP for one that it lies within. */
  readonly error?: Errno;
  /** Set on "enter": what is in the directory is left out; "leave" still comes. */
  skip?: boolean;
}

/** Returns what a symbolic link stands for where links are followed. */
export type Resolve = (path: string, node: Inode, depth: number) => Inode;

export const asIs: Resolve = (_path, node) => node;

/** Follows links; one that leads nowhere stands for itself. */
export function following(context: Context): Resolve {
  return (path, node) => {
    if (!(node instanceof Symlink)) return node;
    try {
      return find(context, path);
    } catch (error) {
      if (error instanceof Errno) return node;
      throw error;
    }
  };
}

interface Frame {
  readonly visit: Visit;
  readonly names: string[];
  at: number;
}

/** Directories come sorted. What changes meanwhile is seen when it is come to. */
export function* visits(context: Context, top: string, node: Inode, resolve: Resolve = asIs): Generator<Visit, void> {
  const frames: Frame[] = [];
  let visit: Visit | undefined = staged(top, top, resolve(top, node, 0), 0);
  while (visit) {
    yield visit;
    if (visit.stage === "enter") {
      const names: string[] | Errno = visit.skip ? [] : namesIn(context, visit, frames);
      if (names instanceof Errno) yield { ...visit, stage: "unreadable", error: names };
      frames.push({ visit, names: names instanceof Errno ? [] : names, at: 0 });
    }
    visit = undefined;
    for (let frame = frames.at(-1); frame && !visit; frame = frames.at(-1)) {
      visit = nextIn(context, frame, resolve);
      if (visit) break;
      frames.pop();
      yield { ...frame.visit, stage: "leave" };
    }
  }
}

function staged(path: string, name: string, node: Inode, depth: number): Visit {
  return { path, name, node, depth, stage: node instanceof Directory ? "enter" : "file" };
}

function namesIn(context: Context, { node }: Visit, frames: readonly Frame[]): string[] | Errno {
  if (frames.some((frame) => frame.visit.node === node)) return new Errno("ELOOP");
  try {
    demand(context, node, R_OK);
    return (node as Directory).names(context);
  } catch (error) {
    if (error instanceof Errno) return error;
    throw error;
  }
}

function nextIn(context: Context, frame: Frame, resolve: Resolve): Visit | undefined {
  const { node, path, depth } = frame.visit;
  while (frame.at < frame.names.length) {
    const name = frame.names[frame.at++]!;
    const child = (node as Directory).lookup(name, context);
    if (child === undefined) continue;
    const childPath = joined(path, name);
    return staged(childPath, name, resolve(childPath, child, depth + 1), depth + 1);
  }
  return undefined;
}

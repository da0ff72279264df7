/** One file of a listing, and the order of them. */

import { compareTexts } from "../shell/expand/characters";
import { textWidth } from "../console/width";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { Directory, type Inode, Symlink } from "../vfs/inode";
import { find } from "../vfs/walk";
import type { LsSettings, Sorting } from "./ls_options";
import { compareMoments, timeOf } from "./moments";
import { compareVersions } from "./versions";

export interface Entry {
  readonly name: string;
  readonly path: string;
  /** What is shown: a link itself, or what it stands for. */
  readonly node: Inode;
  /** What a link stands for, as far as it is there. */
  readonly aim: Inode | undefined;
}

/** An entry; with `follow` a link is shown as what it stands for. */
export function entryOf(process: Process, name: string, path: string, node: Inode, follow: boolean): Entry {
  if (!(node instanceof Symlink)) return { name, path, node, aim: undefined };
  let aim: Inode | undefined;
  try {
    aim = find(process.context, path);
  } catch (error) {
    if (!(error instanceof Errno)) throw error;
  }
  return follow && aim ? { name, path, node: aim, aim: undefined } : { name, path, node, aim };
}

export function leadsToDirectory({ node, aim }: Entry): boolean {
  return node instanceof Directory || aim instanceof Directory;
}

type Order = (left: Entry, right: Entry, settings: LsSettings) => number;

const extension = ({ name }: Entry): string => (name.includes(".") ? name.slice(name.lastIndexOf(".")) : "");

const ORDERS: Readonly<Record<Exclude<Sorting, "none" | "name">, Order>> = {
  size: (left, right) => right.node.size - left.node.size,
  time: (left, right, { which }) => compareMoments(timeOf(right.node, which), timeOf(left.node, which)),
  version: (left, right) => compareVersions(left.name, right.name),
  extension: (left, right) => compareTexts(extension(left), extension(right)),
  width: (left, right) => textWidth(left.name, false) - textWidth(right.name, false),
};

export function sortEntries(entries: Entry[], settings: LsSettings): Entry[] {
  const { sorting, reverse, directoriesFirst } = settings;
  if (sorting !== "none") {
    const order = sorting === "name" ? undefined : ORDERS[sorting];
    entries.sort((left, right) => order?.(left, right, settings) || compareTexts(left.name, right.name));
    if (reverse) entries.reverse();
  }
  if (!directoriesFirst) return entries;
  return [...entries.filter(leadsToDirectory), ...entries.filter((entry) => !leadsToDirectory(entry))];
}

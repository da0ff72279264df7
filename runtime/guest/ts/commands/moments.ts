/** Times of files, to the nanosecond. Nodes have milliseconds as floating-point numbers, too coarse for what touch -d may give. */

import { formatTime } from "../shell/format/time";
import type { Inode } from "../vfs/inode";

/** Whole seconds since 1970, and nanoseconds of that second. */
export interface Moment {
  readonly seconds: number;
  readonly nanosecond: number;
}

type Which = "atime" | "mtime" | "ctime" | "birthtime";

/** What was set, beside the number that it became: it counts only as long as the node still has that number. */
const exact = new WeakMap<Inode, Partial<Record<Which, Moment>>>();

export function momentOfMs(ms: number): Moment {
  const seconds = Math.floor(ms / 1000);
  return { seconds, nanosecond: Math.min(Math.round((ms - seconds * 1000) * 1e6), 999_999_999) };
}

export function msOfMoment({ seconds, nanosecond }: Moment): number {
  return seconds * 1000 + nanosecond / 1e6;
}

export function timeOf(node: Inode, which: Which): Moment {
  const known = exact.get(node)?.[which];
  return known && msOfMoment(known) === node[which] ? known : momentOfMs(node[which]);
}

/** Notes down what was set. */
export function noteTime(node: Inode, which: Which, moment: Moment): void {
  exact.set(node, { ...exact.get(node), [which]: moment });
}

export function compareMoments(left: Moment, right: Moment): number {
  return left.seconds - right.seconds || left.nanosecond - right.nanosecond;
}

let lastKey = "";
let lastText = "";

/** As formatTime; lists of files often have the same second over and over. */
export function formatMoment(format: string, { seconds, nanosecond }: Moment, tz: string | undefined): string {
  if (format.includes("N")) return formatTime(format, seconds, tz, nanosecond);
  const key = `${seconds} ${tz} ${format}`;
  if (key !== lastKey) {
    lastText = formatTime(format, seconds, tz, nanosecond);
    lastKey = key;
  }
  return lastText;
}

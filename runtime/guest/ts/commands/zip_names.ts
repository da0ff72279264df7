/** Names in zip archives. */

import { compilePattern } from "../shell/expand/pattern";
import { localType, momentOf } from "../shell/format/zone";
import type { Process } from "../shell/process";

/** Patterns in which `*` and `?` match slashes too. */
export function nameMatcher(patterns: readonly string[], ignoreCase = false): (name: string) => boolean {
  const compiled = patterns.map((pattern) => compilePattern(pattern, new Set(ignoreCase ? ["nocasematch"] : []), false));
  return (name) => compiled.some((pattern) => pattern.test(name));
}

/** A name that stays where it is put: without a slash in front, and without `..`. */
export function safeName(name: string): string {
  return name.split("/").filter((part, i, parts) => part !== ".." && (part !== "" || i === parts.length - 1)).join("/");
}

/** Seconds since 1970 to those of a clock on the wall, and back. */
export function wallClock(process: Process): { readonly toWall: (time: number) => number; readonly fromWall: (wall: number) => number } {
  const tz = process.env.get("TZ");
  return { toWall: (time) => time + localType(tz, time * 1000).offset / 1000, fromWall: (wall) => momentOf(tz, wall * 1000) / 1000 };
}

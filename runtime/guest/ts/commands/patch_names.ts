/** Which file a patch is for. */

import type { FilePatch } from "./patch_parse";
import { nameFromHeader } from "./header_names";

const EPOCH = /\t(?:1970-01-01 (?:00:00:00|0[0-9]:|1[0-4]:)|1969-12-31 |Thu Jan  ?0?1 00:00:00 1970|Wed Dec 31 \d\d:\d\d:\d\d 1969)/;

export interface Named {
  readonly name: string | undefined;
  /** The header says that the file is not there. */
  readonly absent: boolean;
}

/** The name in a header; `strip` leading components less, all but the last for undefined. */
export function nameOf(header: string | undefined, strip: number | undefined): Named {
  if (header === undefined) return { name: undefined, absent: false };
  const bare = header.startsWith('"') ? nameFromHeader(header) : header.includes("\t") ? header.slice(0, header.indexOf("\t")) : header.replace(/\s.*$/, "");
  if (bare === "/dev/null") return { name: undefined, absent: true };
  return { name: stripped(bare, strip), absent: EPOCH.test(header) };
}

export function stripped(name: string, strip: number | undefined): string | undefined {
  const parts = name.split(/\/+/);
  if (strip === undefined) return parts.at(-1) || undefined;
  return parts.length > strip ? parts.slice(strip).join("/") || undefined : undefined;
}

/** Fewest components, then the shortest last one, then the shortest. */
export function best(names: readonly string[]): string | undefined {
  const rank = (name: string): number[] => [name.split("/").length, name.slice(name.lastIndexOf("/") + 1).length, name.length];
  return [...names].sort((a, b) => rank(a).map((value, i) => value - rank(b)[i]!).find((value) => value !== 0) ?? 0)[0];
}

/** Whether the hunks say that the old file is empty: then the patch makes the file. */
export function createsFile(patch: FilePatch): boolean {
  return patch.hunks.length === 1 && patch.hunks[0]!.oldStart === 1 && patch.hunks[0]!.lines.every(({ mark }) => mark === "+");
}

export function deletesFile(patch: FilePatch): boolean {
  return patch.hunks.length === 1 && patch.hunks[0]!.newStart === 1 && patch.hunks[0]!.lines.every(({ mark }) => mark === "-");
}

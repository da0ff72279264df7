/** What paths of POSIX and of Windows have in common. */

import { invalidType } from "./errors";

export interface ParsedPath {
  root: string;
  dir: string;
  base: string;
  ext: string;
  name: string;
}

/** The components that are left when `.` and `..` are worked out; `..` at the front stays in a relative path. */
export function settle(parts: readonly string[], absolute: boolean): string[] {
  const settled: string[] = [];
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    if (part !== "..") settled.push(part);
    else if (settled.length > 0 && settled.at(-1) !== "..") settled.pop();
    else if (!absolute) settled.push(part);
  }
  return settled;
}

/** A dot at the front or only dots begin no extension. */
export function extensionOf(base: string): string {
  const dot = base.lastIndexOf(".");
  return dot <= 0 || base === ".." ? "" : base.slice(dot);
}

export function dotted(ext: string | undefined): string {
  return !ext || ext.startsWith(".") ? (ext ?? "") : `.${ext}`;
}

export function requireParts(parts: unknown): void {
  if (typeof parts !== "object" || parts === null) throw invalidType("pathObject", "of type object", parts);
}

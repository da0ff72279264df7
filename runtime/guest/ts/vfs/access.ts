/** Who may do what: the classic mode bits, with one user who owns what scripts make and a root who owns the rest. */

import type { Context } from "./context";
import { fail } from "./errors";
import { Inode, ROOT, USER } from "./inode";

export const R_OK = 4;
export const W_OK = 2;
export const X_OK = 1;

export function allowed(context: Context, node: Inode, want: number): boolean {
  if (context.actor === "system") return true;
  if (context.actor === "host") return (want & W_OK) === 0 || node.uid === USER;
  const bits = node.uid === USER ? node.mode >> 6 : node.mode;
  return (bits & want) === want;
}

export function demand(context: Context, node: Inode, want: number): void {
  if (!allowed(context, node, want)) fail("EACCES");
}

/** Modes and times may only be set by the owner. */
export function demandOwner(context: Context, node: Inode): void {
  if (node.uid !== owner(context)) fail("EPERM");
}

/** Whose the files are that a process makes. */
export function owner(context: Context): number {
  return context.actor === "system" ? ROOT : USER;
}

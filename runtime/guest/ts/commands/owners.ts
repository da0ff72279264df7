/** Users and groups, of which the sandbox has two: root, and the user that scripts run as. */

import { ROOT, USER } from "../vfs/inode";

const NAMES: Readonly<Record<number, string>> = { [ROOT]: "root", [USER]: "user" };

export function knownName(id: number): string | undefined {
  return NAMES[id];
}

export function ownerName(id: number): string {
  return NAMES[id] ?? String(id);
}

/** The number that a name or number means; undefined for someone who is not there. */
export function ownerId(text: string): number | undefined {
  const known = Object.entries(NAMES).find(([, name]) => name === text);
  if (known) return Number(known[0]);
  return /^\+?\d+$/.test(text) ? Number(text) : undefined;
}

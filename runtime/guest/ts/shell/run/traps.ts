/** What `trap` set. */

import { SIGNALS } from "../io/signals";

const PSEUDO = new Set(["EXIT", "ERR", "DEBUG", "RETURN"]);
const NAMES = Object.fromEntries(Object.entries(SIGNALS).map(([name, number]) => [number, name]));

/** The canonical name for `15`, `TERM`, `sigterm`, `0`; undefined when there is no such signal. */
export function signalName(text: string): string | undefined {
  if (/^\d+$/.test(text)) return Number(text) === 0 ? "EXIT" : NAMES[Number(text)];
  const upper = text.toUpperCase();
  if (PSEUDO.has(upper)) return upper;
  const bare = upper.replace(/^SIG/, "");
  return bare in SIGNALS ? bare : undefined;
}

export function signalNumber(name: string): number {
  return SIGNALS[name] ?? 0;
}

/** As `trap -p` prints it. */
export function displayName(name: string): string {
  return PSEUDO.has(name) ? name : `SIG${name}`;
}

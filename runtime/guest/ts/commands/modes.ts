/** Permission bits: as text, and the changes that chmod and others take. */

import { S_IFCHR, S_IFDIR, S_IFIFO, S_IFLNK, S_IFMT } from "../vfs/inode";

const TYPES: Readonly<Record<number, string>> = { [S_IFDIR]: "d", [S_IFLNK]: "l", [S_IFCHR]: "c", [S_IFIFO]: "p" };

/** The letter that `ls -l` begins with. */
function typeLetter(mode: number): string {
  return TYPES[mode & S_IFMT] ?? "-";
}

/** `-rwxr-xr-x` */
export function modeText(mode: number): string {
  const letters = [..."rwxrwxrwx"].map((letter, at) => (mode & (0o400 >> at) ? letter : "-"));
  const special = (bit: number, at: number, letter: string): void => {
    if (mode & bit) letters[at] = letters[at] === "x" ? letter : letter.toUpperCase();
  };
  special(0o4000, 2, "s");
  special(0o2000, 5, "s");
  special(0o1000, 8, "t");
  return typeLetter(mode) + letters.join("");
}

/** What a mode argument makes of a file's bits. */
export type ModeChange = (mode: number, isDirectory: boolean, umask: number) => number;

const WHO: Readonly<Record<string, number>> = { u: 0o4700, g: 0o2070, o: 0o1007, a: 0o7777 };
const PERMISSIONS: Readonly<Record<string, number>> = { r: 0o444, w: 0o222, x: 0o111, s: 0o6000, t: 0o1000 };
const CLAUSE = /^([ugoa]*)((?:[-+=](?:[0-7]+|[ugo](?![rwxXst])|[rwxXst]*))+)$/;

/** Reads `644`, `u+x,go=`, …; undefined when it is no mode. */
export function parseMode(text: string): ModeChange | undefined {
  if (/^[0-7]+$/.test(text)) return octalChange(text);
  const changes: ModeChange[] = [];
  for (const clause of text.split(",")) {
    const [, who, actions] = CLAUSE.exec(clause) ?? [];
    if (actions === undefined) return undefined;
    for (const [, operator, what] of actions.matchAll(/([-+=])([^-+=]*)/g)) changes.push(symbolic(who!, operator!, what!));
  }
  return (mode, isDirectory, umask) => changes.reduce((bits, change) => change(bits, isDirectory, umask), mode & 0o7777);
}

/** Directories keep their set-id bits unless five digits are given. */
function octalChange(text: string): ModeChange | undefined {
  const value = Number.parseInt(text, 8);
  if (value > 0o7777) return undefined;
  return (mode, isDirectory) => (isDirectory && text.length < 5 ? value | (mode & 0o6000) : value);
}

function symbolic(who: string, operator: string, what: string): ModeChange {
  const named = [...who].reduce((sum, letter) => sum | WHO[letter]!, 0);
  return (mode, isDirectory, umask) => {
    const scope = named === 0 ? ~umask & 0o7777 : named;
    const bits = bitsOf(what, mode, isDirectory) & scope;
    if (operator === "+") return mode | bits;
    if (operator === "-") return mode & ~bits;
    const kept = isDirectory && !/[st]/.test(what) ? mode & 0o6000 : 0;
    return (mode & ~(named === 0 ? 0o7777 : named)) | bits | kept;
  };
}

function bitsOf(what: string, mode: number, isDirectory: boolean): number {
  if (/^[0-7]+$/.test(what)) return Number.parseInt(what, 8);
  if (/^[ugo]$/.test(what)) return ((mode >> { u: 6, g: 3, o: 0 }[what]!) & 7) * 0o111;
  return [...what].reduce((sum, letter) => {
    if (letter === "X") return sum | (isDirectory || mode & 0o111 ? 0o111 : 0);
    return sum | PERMISSIONS[letter]!;
  }, 0);
}

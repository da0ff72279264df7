/** `~` and `~name` where they stand for a home directory. */

import { native } from "../../bridge/native";
import { Errno } from "../../vfs/errors";
import { readView } from "../../vfs/data";
import type { Part } from "../syntax/ast";
import type { Scope } from "./scope";

interface Tilde {
  readonly kind: "tilde";
  /** The name behind it, or "". */
  readonly login: string;
  /** Whether it stands in an argument that looks like an assignment: in POSIX mode that is text. */
  readonly argument?: boolean;
}

/** A part of a word in which tildes have been found. */
export type Expandable = Part | Tilde;

const LOGIN = /^~([^/:]*)/;

/** Takes a tilde at the start out of the text. */
export function tildeInWord(parts: readonly Part[]): readonly Expandable[] {
  return divide(parts, LOGIN, false);
}

/** Also behind each colon. */
export function tildeInAssignment(parts: readonly Part[]): readonly Expandable[] {
  return divide(parts, LOGIN, true);
}

/** In a word that looks like an assignment, as `dir=~/x`: behind the sign and colons. */
export function tildeInArgument(parts: readonly Part[]): readonly Expandable[] {
  const [first] = parts;
  if (first?.kind !== "literal" || first.quoted) return parts;
  const sign = /^[A-Za-z_]\w*\+?=/.exec(first.text)?.[0];
  if (sign === undefined) return tildeInWord(parts);
  const rest: Part[] = first.text === sign ? [] : [{ ...first, text: first.text.slice(sign.length) }];
  const value = divide([...rest, ...parts.slice(1)], LOGIN, true);
  return [{ ...first, text: sign }, ...value.map((part) => (part.kind === "tilde" ? { ...part, argument: true } : part))];
}

function divide(parts: readonly Part[], login: RegExp, colons: boolean): readonly Expandable[] {
  if (!parts.some((part) => part.kind === "literal" && !part.quoted && part.text.includes("~"))) return parts;
  const divided: Expandable[] = [];
  parts.forEach((part, index) => {
    if (part.kind !== "literal" || part.quoted) divided.push(part);
    else divided.push(...pieces(part.text, index === 0, index === parts.length - 1, login, colons));
  });
  return divided;
}

/** A name counts only if nothing quoted or expanded goes on with it. */
function pieces(text: string, first: boolean, last: boolean, login: RegExp, colons: boolean): Expandable[] {
  const made: Expandable[] = [];
  let at = 0;
  const literal = (end: number): void => {
    if (end > at) made.push({ kind: "literal", text: text.slice(at, end), quoted: false });
  };
  for (let start = first ? 0 : nextColon(text, 0, colons); start >= 0; start = nextColon(text, start, colons)) {
    const match = login.exec(text.slice(start));
    const end = start + (match?.[0].length ?? 0);
    if (!match || (end === text.length && !last)) continue;
    literal(start);
    made.push({ kind: "tilde", login: match[1]! });
    at = end;
  }
  literal(text.length);
  return made;
}

function nextColon(text: string, from: number, colons: boolean): number {
  const colon = colons ? text.indexOf(":", from) : -1;
  return colon < 0 ? -1 : colon + 1;
}

/** The home directory of `login`, the user's own for "", or for a number a place on the stack of pushd. An unknown name stays as it is written. */
export function compileTilde({ login, argument }: Tilde): (scope: Scope) => string {
  const home = compileHome(login);
  return argument ? (scope) => (scope.options.has("posix") ? `~${login}` : home(scope)) : home;
}

function compileHome(login: string): (scope: Scope) => string {
  const written = `~${login}`;
  if (login === "") return (scope) => scope.variables.get("HOME") ?? homeOf(scope, "user") ?? written;
  if (login === "+") return (scope) => scope.variables.get("PWD") ?? written;
  if (login === "-") return (scope) => scope.variables.get("OLDPWD") ?? written;
  if (/^[-+]?\d+$/.test(login)) return (scope) => stacked(scope, login) ?? written;
  return (scope) => homeOf(scope, login) ?? written;
}

function stacked({ here, directories }: Scope, place: string): string | undefined {
  const stack = [here, ...directories];
  return place.startsWith("-") ? stack[stack.length - 1 + Number(place)] : stack[Number(place)];
}

function homeOf({ context }: Scope, login: string): string | undefined {
  try {
    const lines = native.text.decode(readView(context, "/etc/passwd")).split("\n");
    return lines.find((line) => line.startsWith(`${login}:`))?.split(":")[5];
  } catch (error) {
    if (error instanceof Errno) return undefined;
    throw error;
  }
}

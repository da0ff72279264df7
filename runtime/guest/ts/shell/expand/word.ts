/** Words that make one string: nothing in them is split and no path names are looked for. */

import { native } from "../../bridge/native";
import type { Maybe } from "../io/maybe";
import type { Part, Word } from "../syntax/ast";
import { arithmeticText, compileArithmetic } from "./arithmetic";
import { escapePattern } from "./pattern/escape";
import { compileParameterText } from "./parameter";
import { compileTextPhrase } from "./phrase";
import { markRegex } from "./regex";
import type { Scope } from "./scope";
import { compileTilde, type Expandable, tildeInAssignment, tildeInWord } from "./tilde";
import { together } from "./units";

export type Reading = (scope: Scope) => Maybe<string>;

/** What a string is for: its quoted parts stand for themselves also in a pattern, a regular expression or a replacement. */
export type Purpose = "value" | "pattern" | "regex" | "replacement" | "shown";

export const PROTECT: Readonly<Record<Purpose, (text: string) => string>> = {
  value: (text) => text,
  pattern: escapePattern,
  regex: markRegex,
  // A pattern as `set -x` shows it: each character that is quoted has a backslash.
  shown: (text) => text.replace(/[^]/gu, "\\$&"),
  replacement: (text) => text.replace(/[\\&]/g, "\\$&"),
};

/** A reading, or the text itself where it is known already. */
export type Piece = Reading | string;

export function compileString(word: Word, how: Purpose = "value"): Reading {
  return compileParts(tildeInWord(word.parts), false, how);
}

/** The value of an assignment: a tilde also counts behind a colon. */
export function compileAssignment(word: Word): Reading {
  return compileParts(tildeInAssignment(word.parts));
}

export function compileHereDocument(word: Word): Reading {
  return compileParts(word.parts, true);
}

/** `quoted`: as in double quotes, whatever the parts say themselves. */
export function compileParts(parts: readonly Expandable[], quoted = false, how: Purpose = "value"): Reading {
  const phrase = how === "value" ? compileTextPhrase(parts) : undefined;
  if (phrase === undefined) return concatenate(parts.flatMap((part) => piecesOf(part, quoted, how)));
  let usual: Reading | undefined;
  return (scope) =>
    native.shell.text(phrase, scope.variables, scope.positional) ??
    (usual ??= concatenate(parts.flatMap((part) => piecesOf(part, quoted, how))))(scope);
}

function piecesOf(part: Expandable, quoted: boolean, how: Purpose): Piece[] {
  const protect = PROTECT[how];
  switch (part.kind) {
    case "literal":
      return [quoted || part.quoted ? protect(part.text) : part.text];
    case "double":
      return part.parts.flatMap((inner) => piecesOf(inner, true, how));
    case "parameter":
      return [compileParameterText(part, quoted, how)];
    case "arithmetic":
      return [compileNumber(part)];
    case "tilde":
      return [protected_(compileTilde(part), protect)];
    default: {
      const read = compileCommand(part);
      return [quoted && how !== "value" ? protected_(read, protect) : read];
    }
  }
}

export function compileNumber({ expression }: Extract<Part, { kind: "arithmetic" }>): Reading {
  const value = compileArithmetic(expression);
  return (scope) => {
    const result = value(scope);
    return typeof result === "object" ? result.then(arithmeticText) : `${result}`;
  };
}

export function compileCommand(part: Extract<Part, { kind: "command" | "process" }>): Reading {
  return part.kind === "command" ? (scope) => scope.substitute(part) : (scope) => scope.processSubstitution(part);
}

export function protected_(read: Reading, protect: (text: string) => string): Reading {
  return (scope) => {
    const text = read(scope);
    return typeof text === "string" ? protect(text) : text.then(protect);
  };
}

/** One reading for several pieces in a row. */
export function concatenate(all: readonly Piece[]): Reading {
  const pieces = joinConstants(all);
  const [first = "", second] = pieces;
  if (pieces.length < 2) return typeof first === "string" ? () => first : first;
  if (pieces.length > 2) return (scope) => runFrom(scope, pieces, 0, "");
  if (typeof first === "string") return prefixed(first, second as Reading);
  return typeof second === "string" ? suffixed(first, second) : (scope) => runFrom(scope, pieces, 0, "");
}

function prefixed(first: string, rest: Reading): Reading {
  return (scope) => {
    const text = rest(scope);
    return typeof text === "string" ? together(scope, first + text) : text.then((late) => together(scope, first + late));
  };
}

function suffixed(rest: Reading, last: string): Reading {
  return (scope) => {
    const text = rest(scope);
    return typeof text === "string" ? together(scope, text + last) : text.then((late) => together(scope, late + last));
  };
}

function runFrom(scope: Scope, pieces: readonly Piece[], from: number, before: string): Maybe<string> {
  let text = before;
  for (let index = from; index < pieces.length; index += 1) {
    const piece = pieces[index]!;
    if (typeof piece === "string") {
      text += piece;
      continue;
    }
    const value = piece(scope);
    if (typeof value !== "string") {
      const sofar = text;
      return value.then((late) => runFrom(scope, pieces, index + 1, sofar + late));
    }
    text += value;
  }
  return together(scope, text);
}

function joinConstants(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined[joined.length - 1];
    if (typeof piece === "string" && typeof last === "string") joined[joined.length - 1] = last + piece;
    else if (piece !== "") joined.push(piece);
  }
  return joined;
}

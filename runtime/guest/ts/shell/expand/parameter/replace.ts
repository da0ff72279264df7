/** `${x/pattern/replacement}`. */

import { native } from "../../../bridge/native";
import { then } from "../../io/maybe";
import type { Operation, Word } from "../../syntax/ast";
import { widthAt } from "../characters";
import { compilePattern, type Pattern } from "../pattern";
import type { Scope } from "../scope";
import { unitsOf } from "../units";
import { compileParts, compileString, type Reading } from "../word";
import { tildeInWord } from "../tilde";
import type { Change } from "./value";

/** The text that takes the place of a match: always the same, or made of it. */
type Replacement = string | ((match: string) => string);
type Replace = (text: string, pattern: Pattern, replacement: Replacement) => string;
type Where = Extract<Operation, { kind: "replace" }>["where"];

export function compileReplace({ where, pattern: word, replacement }: Extract<Operation, { kind: "replace" }>): Change {
  const source = compileString(word, "pattern");
  const substitute = compileReplacement(replacement);
  return (scope) =>
    then(source(scope), (text) =>
      then(substitute.read(scope), (by) => {
        const anchored = where === "prefix" || where === "suffix";
        if (text === "" && !anchored) return (value: string) => value;
        const pattern = compilePattern(unitsOf(scope, text), scope.options);
        const put = substitute.replacement(scope, by);
        return (value: string) => REPLACE[where](value, pattern, put);
      }),
    );
}

const REPLACE: Readonly<Record<Where, Replace>> = {
  first(text, pattern, replacement) {
    const found = pattern.search(text, 0);
    return found ? text.slice(0, found[0]) + replaced(replacement, text.slice(...found)) + text.slice(found[1]) : text;
  },
  all: (text, pattern, replacement) => (text === "" ? REPLACE.first : replaceAll)(text, pattern, replacement),
  prefix(text, pattern, replacement) {
    const end = pattern.prefix(text, true);
    return end < 0 ? text : replaced(replacement, text.slice(0, end)) + text.slice(end);
  },
  suffix(text, pattern, replacement) {
    const start = pattern.suffix(text, true);
    return start < 0 ? text : text.slice(0, start) + replaced(replacement, text.slice(start));
  },
};

function replaced(replacement: Replacement, match: string): string {
  return typeof replacement === "string" ? replacement : replacement(match);
}

/** Matches between two looks at whether to go on. */
const POLLED = 1024;

/** An empty match is replaced as well, but the character behind it stays. */
function replaceAll(text: string, pattern: Pattern, replacement: Replacement): string {
  const quick = pattern.literal && typeof replacement === "string" ? native.shell.replace(text, pattern.literal, replacement) : undefined;
  if (quick !== undefined) return quick;
  let result = "";
  let at = 0;
  for (let count = 0; at < text.length; count += 1) {
    if (count % POLLED === 0) native.host.poll();
    const found = pattern.search(text, at);
    if (!found) break;
    const [start, end] = found;
    result += text.slice(at, start) + replaced(replacement, text.slice(start, end));
    at = end;
    if (end > start) continue;
    const width = at < text.length ? widthAt(text, at) : 0;
    result += text.slice(at, at + width);
    at += width;
    if (width === 0) break;
  }
  return result + text.slice(at);
}

interface Substitute {
  readonly read: Reading;
  replacement(scope: Scope, by: string): Replacement;
}

/** With `patsub_replacement` an `&` that is not quoted stands for the match. */
function compileReplacement(word: Word | undefined): Substitute {
  if (!word) return { read: () => "", replacement: () => "" };
  const parts = tildeInWord(word.parts);
  const plain = compileParts(parts);
  const marked = compileParts(parts, false, "replacement");
  return {
    read: (scope) => (scope.options.has(OPTION) ? marked(scope) : plain(scope)),
    replacement: (scope, by) => (scope.options.has(OPTION) ? withMatches(by) : by),
  };
}

const OPTION = "patsub_replacement";

/** `by` has a backslash before each `&` and backslash that stands for itself. */
function withMatches(by: string): Replacement {
  if (!/[\\&]/.test(by)) return by;
  // Every second piece is a sign.
  const pieces = by.split(/(\\[\\&]|&)/).map((piece, index) => (index % 2 === 0 ? piece : piece === "&" ? undefined : piece[1]!));
  if (!pieces.includes(undefined)) return pieces.join("");
  return (match) => pieces.map((piece) => piece ?? match).join("");
}

/** `${x^pattern}`, `${x,,}` and their like. */

import { then } from "../../io/maybe";
import type { Operation } from "../../syntax/ast";
import { compileExact } from "../pattern";
import { unitsOf } from "../units";
import { compileString } from "../word";
import type { Change } from "./value";

const upper = (text: string): string => ofLength(text.toUpperCase(), text);
const lower = (text: string): string => ofLength(text.toLowerCase(), text);
const toggle = (text: string): string => (upper(text) === text ? lower(text) : upper(text));

const MODES: Readonly<Record<string, (character: string) => string>> = { "^": upper, ",": lower, "~": toggle };

function ofLength(changed: string, text: string): string {
  return changed.length === text.length ? changed : text;
}

export function compileCase({ mode, pattern: word }: Extract<Operation, { kind: "case" }>): Change {
  const change = MODES[mode[0]!]!;
  const all = mode.length > 1;
  if (!word || word.parts.length === 0) return () => (text) => (all ? eachCharacter(text, change) : firstCharacter(text, change));
  const source = compileString(word, "pattern");
  return (scope) =>
    then(source(scope), (text) => {
      const pattern = compileExact(unitsOf(scope, text), scope.options);
      const chosen = (character: string): string => (pattern.test(character) ? change(character) : character);
      return (value: string) => (all ? eachCharacter(value, chosen) : firstCharacter(value, chosen));
    });
}

export function firstCharacter(text: string, change: (character: string) => string): string {
  if (text === "") return text;
  const first = String.fromCodePoint(text.codePointAt(0)!);
  return change(first) + text.slice(first.length);
}

export function eachCharacter(text: string, change: (character: string) => string): string {
  if (change === upper || change === lower) {
    const whole = change(text);
    if (whole !== text) return whole;
  }
  return Array.from(text, change).join("");
}

export { lower as lowerCase, upper as upperCase };

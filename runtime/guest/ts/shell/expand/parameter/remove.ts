/** `${x#pattern}`, `${x%pattern}` and their doubles. */

import { then } from "../../io/maybe";
import type { Operation } from "../../syntax/ast";
import { compileExact, type Pattern } from "../pattern";
import { unitsOf } from "../units";
import { compileString } from "../word";
import type { Change } from "./value";

export function compileRemove({ side, longest, pattern: word }: Extract<Operation, { kind: "remove" }>): Change {
  const source = compileString(word, "pattern");
  const remove = side === "prefix" ? withoutPrefix : withoutSuffix;
  return (scope) =>
    then(source(scope), (text) => {
      if (text === "") return unchanged;
      const pattern = compileExact(scope.variables.localised ? unitsOf(scope, text) : text, scope.options);
      return (value) => remove(pattern, value, longest);
    });
}

const unchanged = (text: string): string => text;

function withoutPrefix(pattern: Pattern, text: string, longest: boolean): string {
  const end = pattern.prefix(text, longest);
  return end > 0 ? text.slice(end) : text;
}

function withoutSuffix(pattern: Pattern, text: string, longest: boolean): string {
  const start = pattern.suffix(text, longest);
  return start < 0 ? text : text.slice(0, start);
}

/** `${#x}`. */

import { then } from "../../io/maybe";
import type { Parameter } from "../../syntax/ast";
import { countElements } from "../elements";
import { unbound } from "../errors";
import { List, type Value } from "../list";
import type { Scope } from "../scope";
import { countUnits } from "../units";
import { compileSource, isVariable, labelOf, type ValueReading } from "./source";

/** A list that was given, be it empty; not one that was only declared. */
function hasElements({ variables }: Scope, name: string): boolean {
  const value = variables.find(name)?.value;
  return value !== undefined && !(typeof value === "object" && value.bare && value.size === 0);
}

export function compileLength(part: Parameter): ValueReading {
  const { name, subscript } = part;
  if (subscript?.kind === "all") {
    return (scope) => {
      if (scope.options.has("nounset") && !hasElements(scope, name)) unbound(name);
      return String(countElements(scope, name));
    };
  }
  const read = compileSource(part);
  const shown = isVariable(name) ? labelOf(part) : `$${name}`;
  const measure = (scope: Scope, value: Value): string => {
    if (value instanceof List) return String(value.values.length);
    if (value === undefined && scope.options.has("nounset")) unbound(shown);
    return String(value === undefined ? 0 : countUnits(scope, value));
  };
  return (scope) => {
    const value = read(scope);
    return typeof value === "string" ? String(countUnits(scope, value)) : then(value, (late) => measure(scope, late));
  };
}

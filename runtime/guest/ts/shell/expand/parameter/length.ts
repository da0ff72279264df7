/** `${#x}`. */

import { then } from "../../io/maybe";
import type { Parameter } from "../../syntax/ast";
import { countElements, wasGiven } from "../elements";
import { unbound, UnsetFault } from "../errors";
import { List, type Value } from "../list";
import type { Scope } from "../scope";
import { countUnits } from "../units";
import { compileSource, labelOf, type ValueReading } from "./source";

export function compileLength(part: Parameter): ValueReading {
  const { name, subscript } = part;
  if (subscript?.kind === "all") {
    return (scope) => {
      if (scope.options.has("nounset") && !wasGiven(scope, name)) throw new UnsetFault(`${name}: unbound variable`);
      return String(countElements(scope, name));
    };
  }
  const read = compileSource(part);
  const label = subscript ? name : labelOf(part);
  const measure = (scope: Scope, value: Value): string => {
    if (value instanceof List) return String(value.values.length);
    if (value === undefined && scope.options.has("nounset") && !(subscript && wasGiven(scope, name))) unbound(label);
    return String(value === undefined ? 0 : countUnits(scope, value));
  };
  return (scope) => {
    const value = read(scope);
    return typeof value === "string" ? String(countUnits(scope, value)) : then(value, (late) => measure(scope, late));
  };
}

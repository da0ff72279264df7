/** What a parameter holds, before any operation. */

import { then, type Maybe } from "../../io/maybe";
import { ShellError } from "../../run/errors";
import type { Parameter } from "../../syntax/ast";
import { isDigit } from "../../syntax/chars";
import { compileKey } from "../assign";
import { getElement, valuesOf } from "../elements";
import { List, type Value } from "../list";
import { readReference, variableText } from "../references";
import type { Scope } from "../scope";

export type ValueReading = (scope: Scope) => Maybe<Value>;

const NAME = /^[A-Za-z_]\w*$/;

/** Whether it is the name of a variable; `$_` is the shell's own. */
export function isVariable(name: string): boolean {
  return NAME.test(name) && name !== "_";
}

/** As messages name it: `x`, `a[$i]`, `$1`. */
export function labelOf({ name, subscript, indirect }: Parameter): string {
  const index = subscript ? `[${subscript.kind === "all" ? subscript.joined : subscript.text.source}]` : "";
  return `${indirect ? "!" : ""}${name}${index}`;
}

/** The value of the parameter, or of the one that it points to. */
export function compileSource(part: Parameter): ValueReading {
  const direct = compileDirect(part);
  return part.indirect ? compileIndirect(part, direct) : direct;
}

function compileDirect({ name, subscript }: Parameter): ValueReading {
  if (!isVariable(name)) return compileSpecial(name);
  if (subscript === undefined) return (scope) => scope.variables.get(name) ?? variableText(scope, name);
  if (subscript.kind === "all") return (scope) => new List(valuesOf(scope, name), subscript.joined);
  const key = compileKey(subscript);
  return (scope) => {
    const at = key(scope, name);
    return at instanceof Promise ? at.then((late) => getElement(scope, name, late)) : getElement(scope, name, at);
  };
}

function compileSpecial(name: string): ValueReading {
  if (name === "@" || name === "*") return (scope) => new List(scope.positional, name);
  if (name === "#") return (scope) => String(scope.positional.length);
  if (!/^\d+$/.test(name)) return (scope) => scope.special(name);
  const index = Number(name) - 1;
  return index < 0 ? (scope) => scope.name : (scope) => scope.positional[index];
}

function leadsNowhere(scope: Scope, name: string): boolean {
  return isDigit(name.charCodeAt(0)) || scope.variables.find(name) !== undefined;
}

function compileIndirect(part: Parameter, direct: ValueReading): ValueReading {
  const { name, subscript } = part;
  return (scope) => {
    const variable = subscript ? undefined : scope.variables.own(name);
    if (variable?.nameref) return scope.variables.target(name);
    return then(direct(scope), (text) => {
      if (typeof text === "string") return readReference(scope, text);
      if (text instanceof List) return text.values.length === 0 ? undefined : readReference(scope, text.values.join(" "));
      // A position leads nowhere, nor does an array without its first element, which is set.
      if (text === undefined && subscript === undefined && leadsNowhere(scope, name)) return undefined;
      throw new ShellError(`${labelOf({ ...part, indirect: false })}: invalid indirect expansion`);
    });
  };
}

/** Putting values in variables, as their attributes will have it. */

import { NameFault, refuseReadonly } from "../run/errors";
import type { Variable } from "../run/variables";
import { isName } from "../syntax/chars";
import { evaluateText } from "./arithmetic/evaluate";
import { OPERATORS } from "./arithmetic/operators";
import { getElement, type Key, setElement } from "./elements";
import { parseReference, storeReference } from "./references";
import type { Scope } from "./scope";
import { onUnits, together } from "./units";

/** `name=text`, or with `append` `name+=text`. Follows name references. */
export function storeText(scope: Scope, name: string, text: string, append = false): void {
  putText(scope, name, text, append);
  if (scope.exporting) exportText(scope, name);
}

/** Arrays are not exported, and what has its value worked out stays as it is. */
export function exportText({ variables }: Scope, name: string): void {
  if (variables.isDynamic(name)) return;
  if (typeof variables.find(name)?.value !== "string") return;
  variables.declare(variables.target(name)).exported = true;
  variables.changed();
}

function putText(scope: Scope, name: string, text: string, append: boolean): void {
  const { variables } = scope;
  if (!append && variables.assign(name, text)) return;
  const variable = variables.own(name);
  if (variable === undefined || !variable.special) {
    return variables.set(name, append ? together(scope, (variables.get(name) ?? "") + text) : text);
  }
  if (variable.nameref) return storeBehind(scope, name, text, append);
  if (variable.readonly) refuseReadonly(name);
  variables.set(name, dressed(scope, variable, text, append ? variable.scalar : undefined));
}

function storeBehind(scope: Scope, name: string, text: string, append: boolean): void {
  const target = scope.variables.target(name);
  if (target !== name) return storeReference(scope, target, text, append);
  if (!parseReference(text)) throw new NameFault(text);
  scope.variables.declare(name).value = text;
}

/** The variable that is given a whole array: behind name references, but no element. A reference that leads nowhere yet is none any more. */
export function arrayVariable(scope: Scope, name: string): Variable {
  const { variables } = scope;
  const variable = variables.declare(arrayName(scope, name));
  if (variable.readonly) refuseReadonly(name);
  if (variable.nameref) {
    scope.warn(`warning: ${name}: removing nameref attribute`);
    variable.nameref = false;
    variable.value = undefined;
  }
  if (variable.exported) variables.changed();
  return variable;
}

function arrayName({ variables }: Scope, name: string): string {
  const target = variables.target(name);
  if (target !== name && !isName(target)) throw new NameFault(target);
  return target;
}

export function storeElement(scope: Scope, name: string, key: Key, text: string, append = false): void {
  const target = arrayName(scope, name);
  if (!append && scope.variables.put(target, String(key), text)) return;
  const variable = scope.variables.declare(target);
  if (variable.readonly) refuseReadonly(name);
  if (variable.nameref) throw new NameFault("");
  const before = append ? getElement(scope, target, key) : undefined;
  setElement(variable, name, key, dressed(scope, variable, text, append ? (before ?? "") : undefined));
  if (variable.exported) scope.variables.changed();
}

/** The text as the variable's attributes make it; `before` is what it is appended to. */
export function dressed(scope: Scope, variable: Variable, text: string, before: string | undefined): string {
  if (variable.integer) {
    const value = evaluateText(scope, text);
    return before === undefined ? `${value}` : `${OPERATORS["+"]!(evaluateText(scope, before), value)}`;
  }
  const whole = before === undefined ? text : together(scope, before + text);
  return variable.lower || variable.capital || variable.upper ? onUnits(scope, (units) => cased(variable, units))(whole) : whole;
}

function cased({ lower, capital }: Variable, text: string): string {
  if (lower) return text.toLowerCase();
  return capital ? text.charAt(0).toUpperCase() + text.slice(1).toLowerCase() : text.toUpperCase();
}

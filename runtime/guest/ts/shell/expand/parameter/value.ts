/** The value of `${…}` with what its operation does. */

import { then, type Maybe } from "../../io/maybe";
import { ShellError } from "../../run/errors";
import type { Operation, Parameter } from "../../syntax/ast";
import { assignVariable } from "../assign";
import { refused, unbound } from "../errors";
import { elementsOf } from "../elements";
import { List, type Value } from "../list";
import type { Scope } from "../scope";
import { tildeInWord } from "../tilde";
import { onUnits } from "../units";
import { compileParts } from "../word";
import { compileCase } from "./case";
import { isThere } from "./choices";
import { compileLength } from "./length";
import { compileRemove } from "./remove";
import { compileReplace } from "./replace";
import { compileSlice } from "./slice";
import { compileSource, isVariable, labelOf, type ValueReading } from "./source";
import { compileTransform } from "./transform";

/** What an operation does to each text, once its own words are expanded. */
export type Change = (scope: Scope) => Maybe<(text: string) => string>;

type WithWord = Extract<Operation, { word: unknown }>;
type Kind<K extends Operation["kind"]> = K extends WithWord["kind"] ? WithWord : Extract<Operation, { kind: K }>;
type Compiler<K extends Operation["kind"]> = (part: Parameter, operation: Kind<K>) => ValueReading;

const changes =
  <K extends Operation["kind"]>(compile: (operation: Kind<K>) => Change): Compiler<K> =>
  (part, operation) =>
    changed(compileChecked(part), compile(operation));

const COMPILERS: { readonly [K in Exclude<Operation["kind"], "default" | "alternate">]: Compiler<K> } = {
  assign: compileDefaulting,
  error: compileRefusing,
  remove: changes(compileRemove),
  replace: changes(compileReplace),
  case: changes(compileCase),
  slice: (part, operation) => compileSlice(part, operation, compileChecked(part)),
  transform: (part, operation) => compileTransform(part, operation, compileChecked(part)),
  names: ({ name }, { joined }) => (scope) => new List(namesFrom(scope, name), joined, joined === "*" ? "" : undefined),
  keys: ({ name }, { joined }) => (scope) => new List(elementsOf(scope, name).keys.map(String), joined, joined === "*" ? " " : undefined),
  bad: ({ source }) => () => {
    throw new ShellError(`${source}: bad substitution`);
  },
};

/** All but `${x-…}` and `${x+…}`, which see choices.ts. */
export function compileValue(part: Parameter): ValueReading {
  if (part.length) return compileLength(part);
  const { operation } = part;
  if (operation === undefined) return compileChecked(part);
  return (COMPILERS[operation.kind as "assign"] as Compiler<"assign">)(part, operation as Kind<"assign">);
}

/** The parameter's value; with `set -u` it has to be set. */
function compileChecked(part: Parameter): ValueReading {
  const read = compileSource(part);
  const label = labelOf(part);
  const shown = isVariable(part.name) || part.source.startsWith("${") ? label : `$${label}`;
  const check = (scope: Scope, value: Value): Value => {
    if (value === undefined && scope.options.has("nounset")) unbound(shown);
    return value;
  };
  return (scope) => {
    const value = read(scope);
    if (value === undefined) return check(scope, value);
    return value instanceof Promise ? value.then((late) => check(scope, late)) : value;
  };
}

function changed(read: ValueReading, change: Change): ValueReading {
  const apply = (scope: Scope, value: Value): Maybe<Value> => {
    if (value === undefined) return undefined;
    const work = change(scope);
    if (typeof work === "function" && typeof value === "string" && !scope.variables.localised) return work(value);
    return then(work, (late) => {
      const each = onUnits(scope, late);
      return typeof value === "string" ? each(value) : value.map(each);
    });
  };
  return (scope) => {
    const value = read(scope);
    return value instanceof Promise ? value.then((late) => apply(scope, late)) : apply(scope, value);
  };
}

/** `${x=word}`. */
function compileDefaulting(part: Parameter, { word, empty }: Kind<"assign">): ValueReading {
  const read = compileSource(part);
  const text = compileParts(tildeInWord(word.parts));
  const { name, subscript } = part;
  return (scope) =>
    then(read(scope), (value) => {
      if (isThere(scope, value, empty)) return value;
      if (!isVariable(name) || part.indirect) throw new ShellError(`$${labelOf(part)}: cannot assign in this way`);
      return then(text(scope), (result) => then(assignVariable(scope, name, subscript, result, false), () => read(scope)));
    });
}

/** `${x?word}`. */
function compileRefusing(part: Parameter, { word, empty }: Kind<"error">): ValueReading {
  const read = compileSource(part);
  const text = compileParts(tildeInWord(word.parts));
  const usual = empty ? "parameter null or not set" : "parameter not set";
  return (scope) =>
    then(read(scope), (value) => {
      if (isThere(scope, value, empty)) return value;
      return then(text(scope), (message) => refused(labelOf(part), message === "" ? usual : message));
    });
}

function namesFrom(scope: Scope, prefix: string): string[] {
  return scope.variables.names().filter((name) => name.startsWith(prefix) && scope.variables.own(name)?.value !== undefined);
}

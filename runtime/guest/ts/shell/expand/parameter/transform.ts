/** `${x@Q}` and the other letters. */

import { then, type Maybe } from "../../io/maybe";
import type { Operation, Parameter } from "../../syntax/ast";
import { unescape } from "../../syntax/ansi";
import { elementsOf } from "../elements";
import { List, type Value } from "../list";
import { attributeLetters, declaration } from "../declaration";
import { expandPrompt } from "../prompt";
import { quoteDeclared, quoteKey, quoteValue } from "../quote";
import { parseReference } from "../references";
import type { Variable } from "../../run/variables";
import type { Scope } from "../scope";
import { onUnits, unitsOf } from "../units";
import { eachCharacter, firstCharacter, lowerCase, upperCase } from "./case";
import type { ValueReading } from "./source";

type Letter = Extract<Operation, { kind: "transform" }>["operator"];
/** What a letter makes of each text. */
type Transform = (text: string, scope: Scope) => Maybe<string>;

const TRANSFORMS: Readonly<Partial<Record<Letter, Transform>>> = {
  Q: quoteValue,
  E: unescape,
  P: (text, scope) => expandPrompt(scope, text),
  u: (text) => firstCharacter(text, upperCase),
  U: (text) => eachCharacter(text, upperCase),
  L: (text) => eachCharacter(text, lowerCase),
  K: quoteValue,
  k: quoteValue,
};

export function compileTransform(part: Parameter, { operator }: { operator: Letter }, read: ValueReading): ValueReading {
  // An array that has elements is set, whether or not there is one at 0.
  const told: ValueReading = (scope) => (part.subscript === undefined && hasElements(subject(scope, part)) ? undefined : read(scope));
  if (operator === "a") return (scope) => then(told(scope), (value) => attributes(scope, part, value));
  if (operator === "A") return (scope) => then(told(scope), (value) => assignments(scope, part, value));
  if (part.subscript?.kind === "all" && (operator === "K" || operator === "k")) return compilePairs(part, operator, part.subscript.joined);
  const transform = ON_UNITS.includes(operator) ? onUnitsOf(TRANSFORMS[operator]!) : TRANSFORMS[operator]!;
  return (scope) =>
    then(read(scope), (value) => {
      if (value === undefined) return undefined;
      if (typeof value === "string") return transform(value, scope);
      return then(mapAll(scope, value.values, transform), (values) => new List(values, value.joined));
    });
}

/** Those that look at characters. */
const ON_UNITS: readonly Letter[] = ["Q", "u", "U", "L", "K", "k"];

function onUnitsOf(transform: Transform): Transform {
  return (text, scope) => onUnits(scope, (units) => transform(units, scope) as string)(text);
}

function mapAll(scope: Scope, values: readonly string[], transform: Transform): Maybe<string[]> {
  const results = values.map((value) => transform(value, scope));
  return results.some((result) => result instanceof Promise) ? Promise.all(results) : (results as string[]);
}

/** Keys and values: `@K` as one text that can be read again, `@k` as fields of their own. */
function compilePairs({ name }: Parameter, operator: "K" | "k", joined: "@" | "*"): ValueReading {
  return (scope) => {
    const known = scope.variables.find(name)?.value;
    if (typeof known === "string") return quoteValue(unitsOf(scope, known));
    const { keys, values } = elementsOf(scope, name);
    if (keys.length === 0) return new List([], joined);
    if (operator === "k") return new List(keys.flatMap((key, index) => [String(key), values[index]!]), joined);
    const pairs = keys.map((key, index) => `${typeof key === "number" ? key : quoteKey(unitsOf(scope, key))} ${quoteDeclared(unitsOf(scope, values[index]!))}`);
    return pairs.join(" ") + (typeof keys[0] === "string" ? " " : "");
  };
}

/** The name of what the parameter is about, behind `${!name}` of what that names. */
function subjectName(scope: Scope, { name, indirect }: Parameter): string {
  const text = indirect ? (scope.variables.get(name) ?? "") : name;
  return (indirect && parseReference(text)?.name) || text;
}

/** Behind `${!name}` only what is set. */
function subject(scope: Scope, part: Parameter): Variable | undefined {
  const variable = scope.variables.find(subjectName(scope, part));
  return part.indirect && variable && !isSet(variable) ? undefined : variable;
}

function isSet({ value }: Variable): boolean {
  return typeof value === "object" ? value.size > 0 || !value.bare : value !== undefined;
}

function hasElements(variable: Variable | undefined): boolean {
  const value = variable?.value;
  return typeof value === "object" && value.size > 0 && value.get(0 as never) === undefined;
}

function attributes(scope: Scope, part: Parameter, value: Value): Value {
  const { subscript } = part;
  const variable = subject(scope, part);
  const letters = variable ? attributeLetters(variable) : "";
  if (!(value instanceof List) || !(subscript || variable)) return letters;
  // What has no attributes is no value here, and what is not set is one.
  if (value.values.length === 0 && variable && !isSet(variable) && letters !== "") return letters;
  return new List(letters === "" ? [] : value.values.map(() => letters), value.joined);
}

function assignments(scope: Scope, part: Parameter, value: Value): Value {
  const name = subjectName(scope, part);
  const variable = subject(scope, part);
  const target = scope.variables.target(name);
  if ((name === "@" || name === "*") && value instanceof List) {
    return `set -- ${value.values.map((each) => quoteValue(unitsOf(scope, each))).join(" ")}`;
  }
  if (!variable) return undefined;
  if (value instanceof List && typeof variable.value === "object") return declaration(scope, target, variable);
  const letters = attributeLetters(variable);
  const first = value instanceof List ? value.values[0] : value;
  const text = `${target}=${quoteValue(unitsOf(scope, first ?? ""))}`;
  if (first === undefined) return letters === "" ? undefined : `declare -${letters} ${target}`;
  return letters === "" ? text : `declare -${letters} ${text}`;
}

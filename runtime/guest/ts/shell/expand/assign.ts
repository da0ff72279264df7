/** Assignments to variables, elements and whole arrays. */

import { each, then, type Maybe } from "../io/maybe";
import { AssociativeArray, IndexedArray } from "../run/arrays";
import { NameFault, ShellError } from "../run/errors";
import type { Variable } from "../run/variables";
import type { ArrayElement, ArrayLiteral, Part, Subscript, Word } from "../syntax/ast";
import { compileIndex } from "./arithmetic";
import { deleteElement, elementsOf, getElement, indexed, isAssociative, type Key, setElement } from "./elements";
import { isBraced } from "./braces";
import { badSubscript } from "./errors";
import { compileFields } from "./fields";
import { givenReference, keyOfGiven } from "./references";
import type { Scope } from "./scope";
import { arrayVariable, dressed, storeElement, storeText } from "./store";
import { compileAssignment, compileParts, compileString, type Reading } from "./word";

export { elementsOf, valuesOf } from "./elements";
export { storeElement } from "./store";

/** `name=value`, `name[subscript]=value`, or with `append` `+=`, as the variable's attributes will have it. */
export function assignVariable(
  scope: Scope,
  name: string,
  subscript: Subscript | undefined,
  value: string,
  append: boolean,
): Maybe<void> {
  if (subscript === undefined) return storeText(scope, name, value, append);
  return then(keyOf(scope, name, subscript), (key) => storeElement(scope, name, key, value, append));
}

/** The variable or element that a text names, as `read` and `printf -v` take it. */
export function assignReference(scope: Scope, reference: string, value: string, append = false): Maybe<void> {
  const parsed = givenReference(scope, reference);
  if (!parsed) throw new NameFault(reference);
  const { name, subscript } = parsed;
  if (subscript === undefined) return storeText(scope, name, value, append);
  return then(keyOfGiven(scope, name, subscript), (key) => storeElement(scope, name, key, value, append));
}

/** Whether the variable or element that a text names is set: `test -v`. */
export function isSet(scope: Scope, reference: string): Maybe<boolean> {
  if (/^\d+$/.test(reference)) return Number(reference) <= scope.positional.length;
  const parsed = givenReference(scope, reference);
  if (!parsed) return false;
  const { name, subscript } = parsed;
  if (subscript === undefined) return scope.variables.get(name) !== undefined;
  if ((subscript === "@" || subscript === "*") && !isAssociative(scope, name)) return elementsOf(scope, name).keys.length > 0;
  return then(keyOfGiven(scope, name, subscript), (key) => getElement(scope, name, key) !== undefined);
}

/** `unset 'name[subscript]'`. */
export function unsetElement(scope: Scope, reference: string): Maybe<void> {
  const parsed = givenReference(scope, reference);
  if (!parsed?.subscript) throw new NameFault(reference);
  const { name, subscript } = parsed;
  const variable = scope.variables.find(name);
  if (variable?.readonly) throw new ShellError(`${name}: cannot unset: readonly variable`);
  if ((subscript === "@" || subscript === "*") && !isAssociative(scope, name)) return unsetAll(scope, name);
  return then(keyOfGiven(scope, name, subscript), (key) => deleteElement(scope, name, key));
}

/** `unset 'a[@]'`: an array stays, without elements. */
function unsetAll({ variables }: Scope, name: string): void {
  const known = variables.find(name)?.value;
  if (known === undefined) return;
  if (!(known instanceof IndexedArray)) throw new ShellError(`${name}: not an array variable`);
  variables.declare(variables.target(name)).value = new IndexedArray();
}

type KeyReading = (scope: Scope, name: string) => Maybe<Key>;

const keys = new WeakMap<Subscript, KeyReading>();

/** The element that a subscript in a script names. */
export function keyOf(scope: Scope, name: string, subscript: Subscript): Maybe<Key> {
  let read = keys.get(subscript);
  if (read === undefined) keys.set(subscript, (read = compileKey(subscript)));
  return read(scope, name);
}

export function compileKey(subscript: Subscript): KeyReading {
  if (subscript.kind === "all") {
    return (scope, name) => (isAssociative(scope, name) ? subscript.joined : badSubscript(`${name}[${subscript.joined}]`));
  }
  const text = compileString(subscript.text);
  const index = compileIndex(subscript);
  return (scope, name) => (isAssociative(scope, name) ? text(scope) : index(scope, name));
}

// --- whole arrays --------------------------------------------------------------------------

/** What an element of a literal comes to: a value for the next index, or one for a key. */
export type Item =
  | string
  | {
      readonly key: Subscript;
      readonly append: boolean;
      readonly text: string;
      /** Where braces make several words of the element as it is written: those, but for an associative array. */
      readonly words?: readonly string[] | undefined;
    };

type Items = (scope: Scope, items: Item[]) => Maybe<void>;

const literals = new WeakMap<ArrayLiteral, Items>();
const pairs = new WeakMap<ArrayLiteral, Items>();

/** `name=(…)` or `name+=(…)`. An associative array stays one; a pair of words without brackets is then a key and a value. */
export function assignArray(scope: Scope, name: string, literal: ArrayLiteral, append: boolean): Maybe<void> {
  return then(expandArray(scope, literal, isAssociative(scope, name)), (items) => storeArray(scope, name, items, append));
}

/**
 * The words of a literal, expanded: for `local a=("${a[@]}")`, which reads the variable before there is a new one. For an
 * associative array each word is one text, which is neither split nor a pattern.
 */
export function expandArray(scope: Scope, literal: ArrayLiteral, associative: boolean): Maybe<readonly Item[]> {
  const known = associative ? pairs : literals;
  let expand = known.get(literal);
  if (expand === undefined) known.set(literal, (expand = associative ? compilePairs(literal) : compileLiteral(literal)));
  const items: Item[] = [];
  return then(expand(scope, items), () => items);
}

/** An array of texts, as `mapfile` and `read -a` make it. */
export function assignValues(scope: Scope, name: string, values: readonly string[]): void {
  const variable = arrayVariable(scope, name);
  variable.value = new IndexedArray(values.map((text) => dressed(scope, variable, text, undefined)));
}

function compileLiteral({ elements }: ArrayLiteral): Items {
  if (elements.every(({ key }) => key === undefined)) return compileFields(elements.map(({ value }) => value)) as Items;
  const steps = elements.map(elementItems);
  return (scope, items) => each(steps, (step) => step(scope, items));
}

function compilePairs({ elements }: ArrayLiteral): Items {
  const steps = elements.map((element) => (element.key ? elementItems(element) : oneText(element.value)));
  return (scope, items) => each(steps, (step) => step(scope, items));
}

function oneText({ parts }: Word): Items {
  const text = compileParts(parts);
  return (scope, items) => then(text(scope), (result) => void items.push(result));
}

function elementItems({ key, append, value }: ArrayElement): Items {
  if (!key) return compileFields([value]) as Items;
  const text: Reading = compileAssignment(value);
  const words = bracedWords(key, append, value);
  return (scope, items) =>
    then(text(scope), (result) =>
      then(words?.(scope), (several) => {
        items.push({ key, append, text: result, words: several });
      }),
    );
}

function bracedWords(key: Subscript, append: boolean, value: Word): ((scope: Scope) => Maybe<readonly string[] | undefined>) | undefined {
  if (key.kind === "all") return undefined;
  const literal = (text: string): Part => ({ kind: "literal", text, quoted: false });
  const word = { ...value, parts: [literal("["), ...key.text.parts, literal(append ? "]+=" : "]="), ...value.parts] };
  if (!isBraced(word)) return undefined;
  const fields = compileFields([word]);
  return (scope) => {
    if (!scope.options.has("braceexpand")) return undefined;
    const words: string[] = [];
    return then(fields(scope, words), () => words);
  };
}

/** Makes what `expandArray` gave the variable's elements. */
export function storeArray(scope: Scope, name: string, given: readonly Item[], append: boolean): Maybe<void> {
  const variable = arrayVariable(scope, name);
  const associative = variable.value instanceof AssociativeArray;
  const items = associative ? given : given.flatMap((item): readonly Item[] => (typeof item === "string" ? [item] : (item.words ?? [item])));
  if (!append) variable.value = associative ? new AssociativeArray() : new IndexedArray();
  else if (typeof variable.value === "object") variable.value.bare = false;
  const keyed = items.some((item) => typeof item !== "string");
  if (associative && !keyed) return fillPairs(scope, name, variable, items as readonly string[]);
  if (!keyed) return pushAll(scope, variable, items as readonly string[]);
  let next = associative ? 0 : indexed(variable).end;
  const put = (key: Key, text: string, before?: string): void => {
    if (key === "" || (!associative && Number(key) < -indexed(variable).end)) return scope.report(`[${key}]=${text}: bad array subscript`);
    next = Number(setElement(variable, name, key, dressed(scope, variable, text, before))) + 1;
  };
  return each(items, (item) => {
    if (typeof item !== "string") {
      const { key, text } = item;
      if (!associative && key.kind === "all") return scope.report(`[${key.joined}]=${text}: cannot assign to non-numeric index`);
      if (key.kind === "index" && key.text.source === "") return scope.report(`[]=${text}: bad array subscript`);
      return then(keyOf(scope, name, item.key), (place) => put(place, text, item.append ? (getElement(scope, name, place) ?? "") : undefined));
    }
    if (associative) return scope.report(`${name}: ${item}: must use subscript when assigning associative array`);
    put(next, item);
  });
}

function pushAll(scope: Scope, variable: Variable, texts: readonly string[]): void {
  const array = indexed(variable);
  for (const text of texts) array.push(variable.special ? dressed(scope, variable, text, undefined) : text);
}

function fillPairs(scope: Scope, name: string, variable: Variable, texts: readonly string[]): void {
  for (let index = 0; index < texts.length; index += 2) {
    if (texts[index] === "") scope.report('"": bad array subscript');
    else setElement(variable, name, texts[index]!, dressed(scope, variable, texts[index + 1] ?? "", undefined));
  }
}

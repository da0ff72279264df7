/** Variables named by texts: `${!name}`, name references, `unset 'a[1]'`, `printf -v`, `test -v`. */

import { then, type Maybe } from "../io/maybe";
import { NameFault, ShellError } from "../run/errors";
import type { Subscript, Word } from "../syntax/ast";
import { CLOSE_BRACKET, isName, OPEN_BRACKET } from "../syntax/chars";
import { SyntaxFault } from "../syntax/errors";
import { Reader } from "../syntax/reader";
import { readSubscript } from "../syntax/subscripts";
import { evaluateText } from "./arithmetic/evaluate";
import { getElement, isAssociative, type Key, valuesOf } from "./elements";
import { arrayIndex, badSubscript, subscriptFault } from "./errors";
import { List, type Value } from "./list";
import type { Scope } from "./scope";
import { SETTINGS } from "./settings";
import { storeElement, storeText } from "./store";
import { compileString, type Reading } from "./word";

interface Reference {
  readonly name: string;
  /** Between the brackets. */
  readonly subscript: string | undefined;
}

/** Undefined for a text that names no variable. */
export function parseReference(text: string): Reference | undefined {
  const open = text.indexOf("[");
  const name = open < 0 ? text : text.slice(0, open);
  if (!isName(name) || (open >= 0 && (text.length === open + 2 || subscriptEnd(text, open) !== text.length))) return undefined;
  return { name, subscript: open < 0 ? undefined : text.slice(open + 1, -1) };
}

const SPELLED = /^([A-Za-z_]\w*)\[([^]+)\]$/;

/** `assoc_expand_once`: the key of an associative array is what stands between the outermost brackets. */
function onceExpanded(scope: Scope, text: string): Reference | undefined {
  if (!scope.options.has("assoc_expand_once")) return undefined;
  const [, name, subscript] = SPELLED.exec(text) ?? [];
  return name !== undefined && isAssociative(scope, name) ? { name, subscript } : undefined;
}

/** The variable or element that a builtin is given by its text. */
export function givenReference(scope: Scope, text: string): Reference | undefined {
  return onceExpanded(scope, text) ?? parseReference(text);
}

/** The element that such a text names. */
export function keyOfGiven(scope: Scope, name: string, subscript: string): Maybe<Key> {
  return scope.options.has("assoc_expand_once") && isAssociative(scope, name) ? subscript : keyOfText(scope, name, subscript);
}

const PLAIN = /^[^$`\\'"]*$/;

/** Behind the bracket that closes the one at `open`, as the shell reads a word; -1 where none does. */
export function subscriptEnd(text: string, open: number): number {
  if (PLAIN.test(text)) return plainEnd(text, open);
  const reader = new Reader(text.slice(open), SETTINGS);
  try {
    readSubscript(reader);
    return open + reader.pos;
  } catch (error) {
    if (error instanceof SyntaxFault) return -1;
    throw error;
  }
}

/** Behind the subscript that a declaration is given; under `assoc_expand_once` a key of an associative array ends at the first bracket. */
export function givenEnd(scope: Scope, text: string, name: string): number {
  const once = scope.options.has("assoc_expand_once") && isAssociative(scope, name);
  return once ? text.indexOf("]", name.length + 2) + 1 || -1 : subscriptEnd(text, name.length);
}

function plainEnd(text: string, open: number): number {
  const close = text.indexOf("]", open);
  const inner = text.indexOf("[", open + 1);
  if (close < 0 || inner < 0 || inner > close) return close < 0 ? -1 : close + 1;
  for (let index = open, depth = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACKET && (depth -= 1) === 0) return index + 1;
  }
  return -1;
}

const START = /^[A-Za-z_]\w*(?=\[)/;

interface Spelled {
  readonly name: string;
  readonly key: Reading;
}

/** `a[$k]` as a script spells it. */
function spelled({ source }: Word): Spelled | undefined {
  const name = START.exec(source)?.[0];
  if (name === undefined || subscriptEnd(source, name.length) !== source.length) return undefined;
  const subscript = readSubscript(new Reader(source.slice(name.length), SETTINGS));
  return subscript.kind === "all" ? undefined : { name, key: compileString(subscript.text) };
}

/** `a[$k]` as a script spells it: what the subscript comes to is the key, and is not expanded again. Undefined for other words. */
export function compileSpelled(word: Word): Reading | undefined {
  const element = spelled(word);
  if (!element) return undefined;
  const { name, key } = element;
  const kept = (scope: Scope, text: string): boolean => /^\w*$/.test(text) || scope.options.has("assoc_expand_once") || !isAssociative(scope, name);
  return (scope) => then(key(scope), (text) => `${name}[${kept(scope, text) ? text : `'${text.replaceAll("'", "'\\''")}'`}]`);
}

/** An operand of `[[ a[$k] -gt 1 ]]`: of an associative array the element's text, whatever its key is. */
export function compileElement(word: Word): Reading | undefined {
  const element = spelled(word);
  if (!element) return undefined;
  const { name, key } = element;
  const usual = compileString(word);
  return (scope) => (isAssociative(scope, name) ? then(key(scope), (text) => getElement(scope, name, text) ?? "") : usual(scope));
}

/** The element that a text between brackets names: it is expanded as in a script. */
export function keyOfText(scope: Scope, name: string, subscript: string): Maybe<Key> {
  const finish = (text: string): Key => {
    if (!isAssociative(scope, name)) return indexOf(scope, name, text);
    return text === "" ? badSubscript(`${name}[${subscript}]`) : text;
  };
  if (PLAIN.test(subscript)) return finish(subscript);
  const parsed = subscriptOf(name, subscript);
  return parsed.kind === "all" ? finish(parsed.joined) : then(compileString(parsed.text)(scope), finish);
}

/** What cannot be read as a subscript makes no name. */
function subscriptOf(name: string, text: string): Subscript {
  try {
    return readSubscript(new Reader(`[${text}]`, SETTINGS));
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    throw new NameFault(`${name}[${text}]`);
  }
}

function indexOf(scope: Scope, name: string, text: string): number {
  if (text === "") badSubscript(`${name}[${text}]`);
  try {
    return arrayIndex(name, evaluateText(scope, text));
  } catch (error) {
    throw subscriptFault(error);
  }
}

/** What is behind a name that is not set itself: an element that it refers to. */
export function variableText(scope: Scope, name: string): string | undefined {
  if (!scope.variables.own(name)?.nameref) return undefined;
  const target = parseReference(scope.variables.reached(name) ?? "");
  if (target?.subscript === undefined) return undefined;
  if (target.subscript === "@" || target.subscript === "*") return valuesOf(scope, target.name).join(" ");
  return getElement(scope, target.name, now(keyOfText(scope, target.name, target.subscript)));
}

/** `target` is where a name reference leads. */
export function storeReference(scope: Scope, target: string, text: string, append: boolean): void {
  const reference = parseReference(target);
  if (!reference) throw new NameFault(target);
  const { name, subscript } = reference;
  if (subscript === undefined) return storeText(scope, name, text, append);
  if (subscript === "@" || subscript === "*") badSubscript(target);
  storeElement(scope, name, now(keyOfText(scope, name, subscript)), text, append);
}

function now<T>(value: Maybe<T>): T {
  if (value instanceof Promise) throw new ShellError("a command in a name reference's subscript cannot be waited for");
  return value;
}

/** What `${!…}` reads: `text` is a variable, an element, a whole array, a position or a special parameter. */
export function readReference(scope: Scope, text: string): Maybe<Value> {
  if (text === "@" || text === "*") return new List(scope.positional, text);
  if (/^\d+$/.test(text)) return Number(text) === 0 ? scope.name : scope.positional[Number(text) - 1];
  if (text === "#") return String(scope.positional.length);
  if (/^[?$!_-]$/.test(text)) return scope.special(text);
  const reference = parseReference(text);
  if (!reference) throw new ShellError(`${text}: invalid variable name`);
  const { name, subscript } = reference;
  if (subscript === undefined) return scope.variables.get(name) ?? variableText(scope, name);
  if (subscript === "@" || subscript === "*") return new List(valuesOf(scope, name), subscript);
  return then(keyOfText(scope, name, subscript), (key) => getElement(scope, name, key));
}

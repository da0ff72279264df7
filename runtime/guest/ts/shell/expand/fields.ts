/** Words that make fields: all expansions in bash's order. */

import { native } from "../../bridge/native";
import { eachPolled } from "../../bridge/poll";
import type { Maybe } from "../io/maybe";
import type { Part, Word } from "../syntax/ast";
import { plainInteger } from "./arithmetic/numbers";
import { expandBraces } from "./braces";
import { Collector } from "./collector";
import { compileEmits } from "./emits";
import { separators, TEXT } from "./ifs";
import { isMultiple } from "./parameter";
import type { Scope } from "./scope";
import { type Expandable, tildeInArgument } from "./tilde";
import { unitsOf } from "./units";
import { compileParts, type Reading } from "./word";

/** Adds the fields of words to a list. */
export type Fields = (scope: Scope, fields: string[]) => Maybe<void>;

/** A field that is always the same, or work. */
type Step = string | Fields;

/** Without one of these a word's own text is no pattern, whatever is between; a bracket has to be closed. */
const MAGIC = /[*?]|\[[^]*\]|[@!+]\(/;

export function compileFields(words: readonly Word[]): Fields {
  const steps = words.flatMap(compileBraced);
  const [only] = steps;
  if (steps.length === 1 && typeof only === "function") return only;
  if (steps.length === 1 && typeof only === "string") {
    return (_scope, fields) => {
      fields.push(only);
    };
  }
  return (scope, fields) => runSteps(scope, fields, steps, 0);
}

/** Unquoted, one of these may mean something: a pattern, braces, a home directory. */
const MEANING = /[*?[(~{]/;

/** The fields that the words always are; undefined when they depend on anything. */
export function constantFields(words: readonly Word[]): readonly string[] | undefined {
  const plain = words.map(plainField);
  return plain.every((field) => field !== undefined) ? plain : foundConstant(words);
}

/** The text of a word that is one literal and nothing else. */
function plainField({ parts }: Word): string | undefined {
  const [part] = parts;
  return parts.length === 1 && part!.kind === "literal" && (part!.quoted || !MEANING.test(part!.text)) ? part!.text : undefined;
}

function foundConstant(words: readonly Word[]): readonly string[] | undefined {
  const steps = words.flatMap(compileBraced);
  return steps.every((step) => typeof step === "string") ? steps : undefined;
}

/** Braces are looked at beforehand, but mean nothing after `set +B`. */
function compileBraced(word: Word): Step[] {
  const items = expandBraces(word);
  const [only] = items;
  if (items.length === 1 && typeof only !== "function") return compileWord(only!);
  const braced = items.flatMap((item) => (typeof item === "function" ? [item] : compileWord(item)));
  const plain = compileWord(word.parts);
  return [(scope, fields) => runSteps(scope, fields, scope.options.has("braceexpand") ? braced : plain, 0)];
}

function runSteps(scope: Scope, fields: string[], steps: readonly Step[], from: number): Maybe<void> {
  for (let index = from; index < steps.length; index += 1) {
    const step = steps[index]!;
    if (typeof step === "string") {
      fields.push(step);
      continue;
    }
    const waiting = step(scope, fields);
    if (waiting !== undefined) return waiting.then(() => runSteps(scope, fields, steps, index + 1));
  }
}

function compileWord(written: readonly Part[]): Step[] {
  const parts = tildeInArgument(written);
  if (!MAGIC.test(parts.map(ownText).join(""))) {
    const constant = constantText(parts);
    if (constant !== undefined) return [constant];
    if (parts.length === 0) return [];
    if (parts.every(isSingle)) return [pushed(compileParts(parts))];
  }
  const [part] = parts;
  if (parts.length === 1 && isSplit(part!)) return [splitOne(compileParts([part!]))];
  const emit = compileEmits(parts, "word");
  return [
    (scope, fields) => {
      const collector = new Collector(scope, fields);
      const waiting = emit(scope, collector);
      if (waiting !== undefined) return waiting.then(() => collector.finish());
      collector.finish();
    },
  ];
}

/** What of a part might belong to a pattern; something else stands for what does not. */
function ownText(part: Expandable): string {
  return part.kind === "literal" && !part.quoted ? part.text : ".";
}

/** The text of a word that is always the same field, and no pattern. */
function constantText(parts: readonly Expandable[]): string | undefined {
  let text = "";
  let quoted = false;
  for (const part of parts) {
    if (part.kind === "literal") {
      text += part.text;
      quoted ||= part.quoted;
    } else if (part.kind === "double") {
      const inner = constantText(part.parts.map((each) => (each.kind === "literal" ? { ...each, quoted: true } : each)));
      if (inner === undefined && part.parts.length > 0) return undefined;
      text += inner ?? "";
      quoted = true;
    } else return undefined;
  }
  return quoted || text !== "" ? text : undefined;
}

/** Whether the part is exactly one piece of one field, whatever it expands to (and be it no pattern). */
function isSingle(part: Expandable): boolean {
  if (part.kind === "literal") return true;
  return part.kind === "process" || (part.kind === "double" && !part.parts.some(isMultiple));
}

function isSplit(part: Expandable): boolean {
  return part.kind === "command" || part.kind === "arithmetic" || (part.kind === "parameter" && isPlain(part));
}

/** A parameter that gives one text, to be split. */
function isPlain(part: Extract<Part, { kind: "parameter" }>): boolean {
  const listed = part.subscript?.kind === "all" || part.name === "@" || part.name === "*";
  return !listed && !part.indirect && (part.operation === undefined || part.length);
}

function pushed(read: Reading): Fields {
  return (scope, fields) => {
    const text = read(scope);
    if (typeof text !== "string") {
      return text.then((late) => {
        fields.push(late);
      });
    }
    fields.push(text);
  };
}

/** A lone unquoted expansion. */
function splitOne(read: Reading): Fields {
  const split = (scope: Scope, fields: string[], text: string): void => {
    if (text === "") return;
    if (isWhole(scope, text)) fields.push(text);
    else if (!splitPlainly(scope, fields, text)) {
      const collector = new Collector(scope, fields);
      collector.split(text);
      collector.finish();
    }
  };
  return (scope, fields) => {
    const text = read(scope);
    if (typeof text !== "string") return text.then((late) => split(scope, fields, late));
    split(scope, fields, text);
  };
}

/** False, with nothing done, where it takes more than to look for blanks. */
function splitPlainly(scope: Scope, fields: string[], text: string): boolean {
  if (!separators(scope).blanks) return false;
  const words = native.shell.split(text);
  if (words === undefined) native.host.poll();
  else eachPolled(words, (word) => fields.push(word));
  return words !== undefined;
}

const UNPLAIN = /[ \t\n*?[(]/;

/** Whether a text needs neither splitting nor path names. */
function isWhole(scope: Scope, text: string): boolean {
  const ifs = separators(scope);
  if (ifs.blanks) return plainInteger(text) !== undefined || !UNPLAIN.test(text);
  const units = unitsOf(scope, text);
  for (let index = 0; index < units.length; index += 1) {
    const unit = units.charCodeAt(index);
    // `*`, `?`, `[` and `(` may make a pattern.
    if (unit === 42 || unit === 63 || unit === 91 || unit === 40 || ifs.kind(unit) !== TEXT) return false;
  }
  return true;
}

/** Words that make fields: all expansions in bash's order. */

import type { Maybe } from "../io/maybe";
import type { Part, Word } from "../syntax/ast";
import { plainInteger } from "./arithmetic/numbers";
import { expandBraces } from "./braces";
import { Collector } from "./collector";
import { separators, TEXT } from "./ifs";
import { compileParameterFields, isMultiple } from "./parameter";
import type { Scope } from "./scope";
import { compileTilde, type Expandable, tildeInArgument } from "./tilde";
import { compileCommand, compileNumber, compileParts, type Reading } from "./word";

/** Adds the fields of words to a list. */
export type Fields = (scope: Scope, fields: string[]) => Maybe<void>;
/** Adds a part of a word to the field at hand. */
export type Emit = (scope: Scope, collector: Collector) => Maybe<void>;

/** A field that is always the same, or work. */
type Step = string | Fields;

/** Without one of these a word's own text is no pattern, whatever is between; a bracket has to be closed. */
const MAGIC = /[*?]|\[[^]*\]|[@!+]\(/;

export function compileFields(words: readonly Word[]): Fields {
  const steps = words.flatMap(expandBraces).flatMap((item) => (typeof item === "function" ? [item] : compileWord(item)));
  const [only] = steps;
  if (steps.length === 1 && typeof only === "function") return only;
  return (scope, fields) => runSteps(scope, fields, steps, 0);
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
    else {
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

const UNPLAIN = /[ \t\n*?[(]/;

/** Whether a text needs neither splitting nor path names. */
function isWhole(scope: Scope, text: string): boolean {
  const ifs = separators(scope);
  if (ifs.blanks) return plainInteger(text) !== undefined || !UNPLAIN.test(text);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // `*`, `?`, `[` and `(` may make a pattern.
    if (unit === 42 || unit === 63 || unit === 91 || unit === 40 || ifs.kind(unit) !== TEXT) return false;
  }
  return true;
}

/** Where a part stands: in a word, in a word inside `${…}`, whose own text is split as well, or in double quotes. */
export type Place = "word" | "nested" | "quoted";

export function compileEmits(parts: readonly Expandable[], place: Place): Emit {
  const emits = parts.map((part) => compileEmit(part, place));
  const [only] = emits;
  if (emits.length === 1) return only!;
  return (scope, collector) => runEmits(scope, collector, emits, 0);
}

function runEmits(scope: Scope, collector: Collector, emits: readonly Emit[], from: number): Maybe<void> {
  for (let index = from; index < emits.length; index += 1) {
    const waiting = emits[index]!(scope, collector);
    if (waiting !== undefined) return waiting.then(() => runEmits(scope, collector, emits, index + 1));
  }
}

function compileEmit(part: Expandable, place: Place): Emit {
  const quoted = place === "quoted";
  switch (part.kind) {
    case "literal":
      return compileLiteral(part.text, part.quoted ? "quoted" : place);
    case "tilde":
      return emitted(compileTilde(part.login), true);
    case "double":
      return compileDouble(part.parts);
    case "parameter":
      return compileParameterFields(part, quoted);
    case "arithmetic":
      return emitted(compileNumber(part), quoted);
    default:
      return emitted(compileCommand(part), quoted || part.kind === "process");
  }
}

function compileLiteral(text: string, place: Place): Emit {
  if (place === "quoted") return (_, collector) => collector.quoted(text);
  return place === "word" ? (_, collector) => collector.literal(text) : (_, collector) => collector.split(text);
}

function emitted(read: Reading, quoted: boolean): Emit {
  const add = (collector: Collector, text: string): void => (quoted ? collector.quoted(text) : collector.split(text));
  return (scope, collector) => {
    const text = read(scope);
    if (typeof text !== "string") return text.then((late) => add(collector, late));
    add(collector, text);
  };
}

/** Where a list in the quotes turns out empty and there is nothing else, there is no field. */
function compileDouble(parts: readonly Part[]): Emit {
  if (!parts.some(isMultiple)) return emitted(compileParts(parts, true), true);
  const emits = groupSingles(parts);
  return (scope, collector) => runEmits(scope, collector, emits, 0);
}

function groupSingles(parts: readonly Part[]): Emit[] {
  const emits: Emit[] = [];
  let singles: Part[] = [];
  const flush = (): void => {
    if (singles.length > 0) emits.push(unlessEmpty(compileParts(singles, true)));
    singles = [];
  };
  for (const part of parts) {
    if (!isMultiple(part)) singles.push(part);
    else {
      flush();
      emits.push(compileEmit(part, "quoted"));
    }
  }
  flush();
  return emits;
}

function unlessEmpty(read: Reading): Emit {
  return (scope, collector) => {
    const text = read(scope);
    if (typeof text !== "string") return text.then((late) => (late === "" ? undefined : collector.quoted(late)));
    if (text !== "") collector.quoted(text);
  };
}

/** The parts of words that make several fields, or perhaps none. */

import type { Maybe } from "../io/maybe";
import type { Part } from "../syntax/ast";
import type { Collector } from "./collector";
import { compileParameterFields, isMultiple } from "./parameter";
import type { Scope } from "./scope";
import { compileTilde, type Expandable } from "./tilde";
import { compileCommand, compileNumber, compileParts, type Reading } from "./word";

/** Adds a part of a word to the field at hand. */
export type Emit = (scope: Scope, collector: Collector) => Maybe<void>;

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
      return emitted(compileTilde(part), true);
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

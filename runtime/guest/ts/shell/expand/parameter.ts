/** `$name` and `${…}`, as one string or as parts of fields. */

import { then, type Maybe } from "../io/maybe";
import type { Parameter, Part } from "../syntax/ast";
import type { Collector } from "./collector";
import { compileEmits, type Emit } from "./emits";
import { separators } from "./ifs";
import { joinedText, List, type Value } from "./list";
import { unbound } from "./errors";
import { compileChoice } from "./parameter/choices";
import { compileValue } from "./parameter/value";
import { isVariable } from "./parameter/source";
import { variableText } from "./references";
import type { Scope } from "./scope";
import { tildeInWord } from "./tilde";
import { compileParts, PROTECT, protected_, type Purpose, type Reading } from "./word";

/** As one string. `quoted`: it stands in double quotes. */
export function compileParameterText(part: Parameter, quoted: boolean, how: Purpose): Reading {
  const read = compileText(part, quoted, how);
  return quoted && how !== "value" && !compileChoice(part) ? protected_(read, PROTECT[how]) : read;
}

function compileText(part: Parameter, quoted: boolean, how: Purpose): Reading {
  if (isBare(part)) return bare(part.name);
  const choice = compileChoice(part);
  if (!choice) return joined(compileValue(part));
  const word = compileParts(tildeInWord(choice.word.parts), quoted, how);
  const protect = quoted ? PROTECT[how] : PROTECT.value;
  return (scope) =>
    then(choice.read(scope), (value) => (choice.takesWord(scope, value) ? word(scope) : protect(joinedText(scope, choice.other(value)))));
}

/** `$name` and no more. */
function isBare(part: Parameter): boolean {
  return isVariable(part.name) && !part.operation && !part.subscript && !part.indirect && !part.length;
}

function bare(name: string): (scope: Scope) => string {
  return (scope) => scope.variables.get(name) ?? variableText(scope, name) ?? missing(scope, name);
}

function missing(scope: Scope, name: string): string {
  return scope.options.has("nounset") ? unbound(name) : "";
}

function joined(read: (scope: Scope) => Maybe<Value>): Reading {
  return (scope) => {
    const value = read(scope);
    if (typeof value === "string") return value;
    return value instanceof Promise ? value.then((late) => joinedText(scope, late)) : joinedText(scope, value);
  };
}

/** As parts of fields. */
export function compileParameterFields(part: Parameter, quoted: boolean): Emit {
  const choice = compileChoice(part);
  if (!choice) {
    const read = compileValue(part);
    return (scope, collector) => {
      const value = read(scope);
      if (value instanceof Promise) return value.then((late) => add(scope, collector, late, quoted));
      add(scope, collector, value, quoted);
    };
  }
  const { word, read } = choice;
  const emit: Emit = word.parts.length === 0 ? empty(quoted) : compileEmits(tildeInWord(word.parts), quoted ? "quoted" : "nested");
  // In quotes it is a field even where it is a list without values.
  const demanded = quoted && word.parts.some(containsMultiple);
  return (scope, collector) =>
    then(read(scope), (value) => {
      if (choice.takesWord(scope, value)) {
        if (demanded) collector.quoted("");
        return emit(scope, collector);
      }
      add(scope, collector, choice.other(value), quoted);
    });
}

function empty(quoted: boolean): Emit {
  return (_scope, collector) => {
    if (quoted) collector.quoted("");
  };
}

function add(scope: Scope, collector: Collector, value: Value, quoted: boolean): void {
  if (value instanceof List) {
    if (!quoted && value.glue !== undefined && separators(scope).empty) collector.split(value.values.join(value.glue));
    else if (!quoted) collector.splitList(value.values);
    else if (value.joined === "@") collector.quotedList(value.values);
    else collector.quoted(joinedText(scope, value));
  } else if (quoted) collector.quoted(value ?? "");
  else collector.split(value ?? "");
}

/** Whether the part may be several fields though it stands in double quotes. */
export function isMultiple(part: Part): boolean {
  if (part.kind !== "parameter" || part.length) return false;
  const { operation, subscript } = part;
  if (part.name === "@" || (subscript?.kind === "all" && subscript.joined === "@") || part.indirect) return true;
  return operation !== undefined && "word" in operation && operation.word.parts.some(containsMultiple);
}

function containsMultiple(part: Part): boolean {
  return part.kind === "double" ? part.parts.some(containsMultiple) : isMultiple(part);
}

/**
 * What `tool NAME --param value` calls the tool with, when some of its words are not known. As the command itself reads them
 * (ts/shell/builtins/tool_arguments.ts): what is piped in, under `--json`, under the options.
 */

import { readArguments } from "../../shell/builtins/tool_arguments";
import { type Parameter, Parameters } from "../../shell/builtins/tool_schema";
import { ArgumentFault, typedValue } from "../../shell/builtins/tool_values";
import { UNKNOWN, type Value } from "../value";
import { type Field, plainText } from "./fields";

type Entries = Map<string, Value>;

export interface Passed {
  readonly argument: Value | undefined;
  readonly fault?: string;
}

/** `piped`: what the command finds on its standard input, undefined if that is not known. */
export function passedBy(fields: readonly Field[], parameters: Parameters | undefined, piped: string | undefined): Passed {
  try {
    const words = fields.map(plainText);
    const known = parameters ?? (isJsonOnly(words) ? NONE : undefined);
    if (!known) return { argument: undefined };
    if (piped !== undefined && words.every((each) => each !== undefined)) return { argument: fromJson(JSON.parse(readArguments(words, known, piped))) };
    return { argument: new Options(known).read(fields, piped) };
  } catch (error) {
    if (error instanceof ArgumentFault) return { argument: undefined, fault: error.message };
    throw error;
  }
}

const NONE = new Parameters({});

function isJsonOnly(words: readonly (string | undefined)[]): boolean {
  return words.every((word, at) => word?.startsWith("--json=") || (at % 2 === 0 ? word === "--json" : word !== undefined));
}

function fromJson(value: unknown): Value {
  if (Array.isArray(value)) return { kind: "array", items: value.map(fromJson), open: false };
  if (typeof value !== "object" || value === null) return { kind: "literal", value: value as string };
  return { kind: "object", entries: new Map(Object.entries(value).map(([key, item]) => [key, fromJson(item)])), open: false };
}

/** One kind of source of arguments. */
class Layer {
  entries: Entries = new Map();
  open = false;

  set(key: string, value: Value): void {
    this.entries.set(key, value);
  }

  /** Anything in it may be something else. */
  blur(): void {
    this.open = true;
    for (const key of this.entries.keys()) this.entries.set(key, UNKNOWN);
  }

  json(text: string | undefined): void {
    if (text === undefined) return this.blur();
    const value = fromJson(JSON.parse(readArguments(["--json", text], NONE, "")));
    if (value.kind === "object") for (const [key, item] of value.entries) this.set(key, item);
  }
}

class Options {
  private readonly base = new Layer();
  private readonly values = new Layer();
  /** Words before may have taken the place of others: what does not fit cannot be told of. */
  private isLoose = false;
  /** Whether the word before may have been an option, or an option's value may have been no word: then this one is a value. */
  private mayBeValue = false;
  /** Whether the option that is read now may be none. */
  private isDoubtful = false;
  private rest: Field[] = [];

  constructor(private readonly parameters: Parameters) {}

  read(fields: readonly Field[], piped: string | undefined): Value {
    const input = new Layer();
    if (piped === undefined) input.blur();
    else if (piped.trim() !== "") input.json(piped);
    this.rest = [...fields];
    for (let field = this.rest.shift(); field; field = this.rest.shift()) this.option(field);
    const whole = new Layer();
    for (const layer of [input, this.base, this.values]) {
      if (layer.open) whole.blur();
      for (const [key, value] of layer.entries) whole.set(key, value);
    }
    return { kind: "object", entries: whole.entries, open: whole.open };
  }

  private option(field: Field): void {
    const text = field.kind === "text" ? field.text : field.prefix;
    const [, name, attached] = /^--([^=]+)(?:(=)[^]*)?$/.exec(text) ?? [];
    this.isDoubtful = this.mayBeValue && (attached !== undefined || !this.isFollowedByValue());
    this.mayBeValue = false;
    if (field.kind === "many" || (field.kind === "one" && attached === undefined)) this.loosen(true);
    if (field.kind !== "text" && attached === undefined) return;
    if (name === undefined) return this.refuse(`unexpected argument '${text}': parameters are written --name value`);
    const value = attached === undefined ? undefined : behind(field, name.length + 3);
    if (name === "json") this.json(plainText(value ?? this.next()));
    else this.parameter(name, value);
  }

  /** Whether what follows can be nothing but a value: were this word one itself, the command would refuse the next. */
  private isFollowedByValue(): boolean {
    const word = plainText(this.rest[0]);
    return word !== undefined && !word.startsWith("--");
  }

  private json(text: string | undefined): void {
    if (this.isDoubtful) this.base.blur();
    else this.base.json(text);
  }

  /** The next word as a value; undefined if there may be none. */
  private next(): Field | undefined {
    const field = this.rest.shift();
    if (field === undefined) return this.refuse("a value is missing");
    if (field.kind === "many") this.loosen(true);
    return field;
  }

  /** `attached`: what stands behind `=`. */
  private parameter(name: string, attached: Field | undefined): void {
    const found = this.found(name);
    if (!found) return this.loosen();
    const { path, kind, negated } = found;
    const { types } = kind;
    const following = this.rest[0];
    if (negated) return this.store(path, { kind: "literal", value: false }, false);
    if (attached === undefined && types.has("boolean")) {
      if (following && following.kind !== "text") {
        this.rest.shift();
        this.loosen(true);
        return this.store(path, UNKNOWN, false);
      }
      const word = plainText(following);
      if (!/^(?:true|false)$/.test(word ?? "") && (types.size === 1 || word === undefined || word.startsWith("--"))) {
        return this.store(path, { kind: "literal", value: true }, false);
      }
    }
    const word = attached ?? this.next();
    const text = plainText(word);
    if (text === undefined) return this.store(path, partOf(word, types), types.has("array"));
    const isList = types.has("array") && !/^\s*\[/.test(text);
    const value = this.typed(text, isList ? kind.items : kind, `--${name}`);
    this.store(path, isList ? { kind: "array", items: [value], open: false } : value, isList);
  }

  private found(name: string): Parameter | undefined {
    try {
      return this.parameters.find(name);
    } catch (error) {
      if (this.isLoose && error instanceof ArgumentFault) return undefined;
      throw error;
    }
  }

  private typed(text: string, kind: Parameter["kind"], where: string): Value {
    try {
      return fromJson(typedValue(text, kind, where));
    } catch (error) {
      if (this.isLoose && error instanceof ArgumentFault) return UNKNOWN;
      throw error;
    }
  }

  /** `isList`: the value, a list, goes on with what was given of it before. */
  private store(path: readonly string[], value: Value, isList: boolean): void {
    const [key, ...below] = path;
    const before = this.values.entries.get(key!);
    if (this.isDoubtful && !before) return;
    const isSure = !this.isDoubtful && (!this.isLoose || (below.length === 0 && !isList));
    this.values.set(key!, isSure ? put(before, below, value, isList) : UNKNOWN);
  }

  /** Any number of words may stand here: values so far may be given anew, and others besides. The last may want a value. */
  private loosen(mayWantValue = false): void {
    this.isLoose = true;
    this.mayBeValue ||= mayWantValue;
    this.base.blur();
    this.values.blur();
  }

  private refuse(reason: string): undefined {
    if (!this.isLoose) throw new ArgumentFault(reason);
  }
}

/** A word without the first characters, which are known. */
function behind(field: Field, length: number): Field {
  return field.kind === "text" ? { kind: "text", text: field.text.slice(length) } : { ...field, prefix: field.prefix.slice(length) };
}

/** What is known of the value that a word becomes which is not known altogether: one word stays a text where it can be nothing else. */
function partOf(word: Field | undefined, types: ReadonlySet<string>): Value {
  if (word?.kind !== "one" || types.size !== 1 || !types.has("string")) return UNKNOWN;
  return { kind: "text", prefix: word.prefix, suffix: word.suffix };
}

function put(before: Value | undefined, path: readonly string[], value: Value, isList: boolean): Value {
  const [key, ...below] = path;
  if (key === undefined) return isList && before ? appended(before, value) : value;
  if (before && before.kind !== "object") return UNKNOWN;
  const entries = new Map(before?.entries);
  entries.set(key, put(entries.get(key), below, value, isList));
  return { kind: "object", entries, open: before?.open ?? false };
}

function appended(before: Value, more: Value): Value {
  if (before.kind !== "array" || before.open || more.kind !== "array") return UNKNOWN;
  return { kind: "array", items: [...before.items, ...more.items], open: more.open };
}

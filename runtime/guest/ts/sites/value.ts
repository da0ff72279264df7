/** What is known of a value without running the script. */

export type Primitive = string | number | boolean | bigint | null | undefined;

/** A path into arguments: keys and indexes. */
export type Path = readonly (string | number)[];

export type Value =
  | { readonly kind: "literal"; readonly value: Primitive }
  /** A text that begins and ends so, with anything between. */
  | { readonly kind: "text"; readonly prefix: string; readonly suffix: string }
  /** A plain object; `open`: it may have further keys. An entry may turn out to be undefined, which JSON leaves out. */
  | { readonly kind: "object"; readonly entries: ReadonlyMap<string, Value>; readonly open: boolean }
  /** An array; `open`: further elements may follow. */
  | { readonly kind: "array"; readonly items: readonly Value[]; readonly open: boolean }
  /** `thing`: what it is besides, if it is no data. */
  | { readonly kind: "unknown"; readonly thing?: object };

export const UNKNOWN: Value = { kind: "unknown" };
export const UNDEFINED: Value = { kind: "literal", value: undefined };

/** More characters, or values, than these are not followed. */
const LONGEST = 65_536;
const MOST = 10_000;
/** As deep as tools take arguments. */
const DEEPEST = 64;

export function literal(value: Primitive): Value {
  return typeof value === "string" && value.length > LONGEST ? UNKNOWN : { kind: "literal", value };
}

function text(prefix: string, suffix: string): Value {
  return { kind: "text", prefix: prefix.slice(0, LONGEST), suffix: suffix.slice(-LONGEST) };
}

/** Two values as texts, one behind the other. */
export function joined(first: Value, second: Value): Value {
  const [before, after] = [ends(first), ends(second)];
  if (first.kind !== "literal") return text(before.prefix, second.kind === "literal" ? before.suffix + after.suffix : after.suffix);
  return second.kind === "literal" ? literal(before.prefix + after.prefix) : text(before.prefix + after.prefix, after.suffix);
}

interface Ends {
  readonly prefix: string;
  readonly suffix: string;
}

const UNKNOWN_ENDS: Ends = { prefix: "", suffix: "" };

/** How the text begins and ends that a value becomes where texts are joined. */
function ends(value: Value): Ends {
  if (value.kind === "text") return value;
  return value.kind === "literal" ? { prefix: String(value.value), suffix: String(value.value) } : UNKNOWN_ENDS;
}

export function isText(value: Value): boolean {
  return value.kind === "text" || (value.kind === "literal" && typeof value.value === "string");
}

/** What two texts have in common: their beginning, and behind that their end. */
function common(one: Ends, other: Ends): Value {
  const least = Math.min(...[one, other].map((each) => (each.prefix === each.suffix ? each.prefix.length : each.prefix.length + each.suffix.length)));
  let [before, after] = [0, 0];
  while (before < least && one.prefix[before] !== undefined && one.prefix[before] === other.prefix[before]) before += 1;
  while (after < least - before && one.suffix.at(-1 - after) !== undefined && one.suffix.at(-1 - after) === other.suffix.at(-1 - after)) after += 1;
  return text(one.prefix.slice(0, before), one.suffix.slice(one.suffix.length - after));
}

/** What holds of a value that is one of two. */
export function join(one: Value, other: Value): Value {
  return new Joining().of(one, other);
}

class Joining {
  private count = 0;

  of(one: Value, other: Value): Value {
    if (one === other) return one;
    if (++this.count > MOST) return UNKNOWN;
    if (one.kind === "literal" && other.kind === "literal" && Object.is(one.value, other.value)) return one;
    if (isText(one) && isText(other)) return common(ends(one), ends(other));
    if (one.kind === "object" && other.kind === "object") return this.objects(one.entries, one.open || other.open, other.entries);
    if (one.kind === "array" && other.kind === "array" && one.items.length === other.items.length) {
      return { kind: "array", items: one.items.map((item, at) => this.of(item, other.items[at]!)), open: one.open || other.open };
    }
    return UNKNOWN;
  }

  private objects(one: ReadonlyMap<string, Value>, open: boolean, other: ReadonlyMap<string, Value>): Value {
    const entries = new Map<string, Value>();
    for (const key of new Set([...one.keys(), ...other.keys()])) {
      const [a, b] = [one.get(key), other.get(key)];
      entries.set(key, a && b ? this.of(a, b) : UNKNOWN);
    }
    return { kind: "object", entries, open };
  }
}

/** A value as JSON text, and the paths at which it is not known; a placeholder stands at those within arrays. */
interface Encoded {
  readonly json: string;
  readonly open: readonly Path[];
  /** Of the open paths those at which there is a text: how it begins, and how it ends. */
  readonly texts: readonly (readonly [Path, string, string])[];
}

/** JSON that a tool would never be given. */
export class Unfit {
  constructor(readonly reason: string) {}
}

/** Throws Unfit for what the encoder of calls refuses. */
export function encode(value: Value): Encoded {
  return new Encoding().result(value);
}

class Encoding {
  private readonly open: Path[] = [];
  private readonly texts: [Path, string, string][] = [];
  private count = 0;

  result(value: Value): Encoded {
    const json = this.write(value, []);
    if (json !== undefined) return { json, open: this.open, texts: this.texts };
    return { json: "{}", open: [[]], texts: [] };
  }

  /** Undefined where nothing is known, and the path is open. */
  private write(value: Value, path: Path): string | undefined {
    if (++this.count > MOST || path.length > DEEPEST || value.kind === "unknown") return this.unknown(path);
    if (value.kind === "text") {
      this.texts.push([path, value.prefix, value.suffix]);
      return this.unknown(path);
    }
    if (value.kind === "literal") return scalar(value.value, path);
    if (value.open) this.open.push(path);
    if (value.kind === "array") {
      return `[${value.items.map((item, at) => this.write(nullFor(item), [...path, at]) ?? "null").join(",")}]`;
    }
    const members: string[] = [];
    for (const [key, item] of value.entries) {
      if (item.kind === "literal" && item.value === undefined) continue;
      const json = this.write(item, [...path, key]);
      if (json !== undefined) members.push(`${JSON.stringify(key)}:${json}`);
    }
    return `{${members.join(",")}}`;
  }

  private unknown(path: Path): undefined {
    this.open.push(path);
    return undefined;
  }
}

/** What is undefined in an array is null in JSON. */
function nullFor(value: Value): Value {
  return value.kind === "literal" && value.value === undefined ? { kind: "literal", value: null } : value;
}

function scalar(value: Primitive, path: Path): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "number") return String(value);
  if (!Number.isFinite(value)) throw new Unfit(`argument '${path.join(".")}' is ${value}, which JSON cannot carry`);
  return Object.is(value, -0) ? "-0.0" : String(value);
}

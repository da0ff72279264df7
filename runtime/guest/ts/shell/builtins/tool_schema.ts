/** A tool's parameters as options name them. What its schema says of one is found out once, not at each call. */

import { ArgumentFault } from "./tool_values";

export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly description?: string;
  readonly default?: unknown;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** What values a schema lets through. */
export class Kind {
  readonly types: ReadonlySet<string>;
  readonly isNumeric: boolean;
  readonly isFlag: boolean;
  readonly isList: boolean;
  private readonly simple: readonly Schema[];
  private element: Kind | undefined;

  /** Of no schema: any value. */
  constructor(
    schema: Schema | undefined,
    private readonly root: Schema,
  ) {
    this.simple = alternatives(schema, root);
    this.types = new Set(this.simple.flatMap(({ type, enum: values, const: only }) => type ?? (values ?? (only === undefined ? [] : [only])).map(typeOf)));
    this.isNumeric = this.types.has("integer") || this.types.has("number");
    this.isFlag = this.types.has("boolean");
    this.isList = this.types.has("array");
  }

  /** Of an array's elements. */
  get items(): Kind {
    return (this.element ??= new Kind(this.simple.find(({ items }) => items)?.items, this.root));
  }
}

/** What an option stands for. */
export interface Parameter {
  /** Where its value goes: keys of nested objects. */
  readonly path: readonly string[];
  readonly kind: Kind;
  /** `--no-verbose`. */
  readonly negated: boolean;
}

export class Parameters {
  /** By the option as it was written, `--` included. */
  private readonly known = new Map<string, Parameter>();

  constructor(private readonly root: Schema) {}

  /** The parameter of an option that was found before. */
  found(option: string): Parameter | undefined {
    return this.known.get(option);
  }

  /** The parameter that an option's name means: as it is, with `-` for `_`, nested by dots, or `no-` before a flag. */
  find(written: string): Parameter {
    const option = `--${written}`;
    const known = this.known.get(option) ?? this.declared(written);
    if (known === undefined) return this.undeclared(written);
    this.known.set(option, known);
    return known;
  }

  private declared(written: string): Parameter | undefined {
    const own = lookUp(written, this.root);
    if (own) return { path: own.path, kind: new Kind(own.schema, this.root), negated: false };
    const negated = /^no-(.+)$/.exec(written)?.[1];
    const flag = negated === undefined ? undefined : lookUp(negated, this.root);
    const kind = flag && new Kind(flag.schema, this.root);
    return kind?.types.has("boolean") ? { path: flag!.path, kind, negated: true } : undefined;
  }

  private undeclared(written: string): Parameter {
    const { additionalProperties, properties = {} } = this.root;
    if (additionalProperties !== false && additionalProperties !== undefined) return { path: [written], kind: new Kind(undefined, this.root), negated: false };
    const names = Object.keys(properties);
    const near = nearest(written, names);
    throw new ArgumentFault(`no parameter --${written}${near ? `; did you mean --${near}?` : names.length > 0 ? `; there are ${names.map((name) => `--${name}`).join(", ")}` : ": the tool takes none"}`);
  }
}

/** The schema behind a `$ref` into the same document. */
function resolved(schema: Schema | undefined, root: Schema): Schema | undefined {
  let at = schema;
  for (let links = 0; at?.$ref !== undefined && links < 16; links += 1) {
    const [, place, key] = /^#\/(\$defs|definitions)\/(.+)$/.exec(at.$ref) ?? [];
    at = place === undefined ? undefined : root[place as "$defs" | "definitions"]?.[key!];
  }
  return at;
}

/** All simple schemas that a value may fit. */
function alternatives(schema: Schema | undefined, root: Schema): Schema[] {
  const known = resolved(schema, root);
  if (!known) return [];
  const nested = [...(known.anyOf ?? []), ...(known.oneOf ?? [])];
  return nested.length > 0 ? nested.flatMap((each) => alternatives(each, root)) : [known];
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function lookUp(written: string, root: Schema): { path: string[]; schema: Schema | undefined } | undefined {
  const whole = member(root, written);
  if (whole) return { path: [whole], schema: root.properties![whole]! };
  const path: string[] = [];
  let at: Schema | undefined = root;
  for (const step of written.split(".")) {
    const name: string | undefined = at && member(resolved(at, root)!, step);
    if (name === undefined) return undefined;
    path.push(name);
    at = alternatives(resolved(at, root)!.properties![name], root).find(({ properties }) => properties) ?? resolved(at, root)!.properties![name];
  }
  return { path, schema: at };
}

function member({ properties = {} }: Schema, written: string): string | undefined {
  if (Object.hasOwn(properties, written)) return written;
  const snake = written.replaceAll("-", "_");
  if (Object.hasOwn(properties, snake)) return snake;
  const camel = written.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return Object.hasOwn(properties, camel) ? camel : undefined;
}

function nearest(wanted: string, names: readonly string[]): string | undefined {
  const bare = wanted.toLowerCase().replace(/[-_]/g, "");
  return names.find((name) => {
    const other = name.toLowerCase().replace(/[-_]/g, "");
    return other === bare || other.startsWith(bare) || bare.startsWith(other) || distance(bare, other) <= 2;
  });
}

function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      next[j] = Math.min(row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1), row[j]! + 1, next[j - 1]! + 1);
    }
    row = next;
  }
  return row[to.length]!;
}

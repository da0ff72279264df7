/** From `--name value` words to the JSON object that a tool is called with. */

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

/** Words that make no arguments. */
export class ArgumentFault {
  constructor(readonly message: string) {}
}

type Values = Record<string, unknown>;

/** Options over `--json` over what was piped; throws ArgumentFault. */
export function readArguments(words: readonly string[], schema: Schema, piped: string): string {
  const values: Values = Object.create(null) as Values;
  const given = new Set<string>();
  let base: Values = {};
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (!word.startsWith("--") || word === "--") throw new ArgumentFault(`unexpected argument '${word}': parameters are written --name value`);
    const [, name, attached] = /^--([^=]+)(?:=([^]*))?$/.exec(word)!;
    if (name === "json") base = { ...base, ...object(attached ?? rest.shift(), "--json") };
    else place(values, given, name!, attached, rest, schema);
  }
  return JSON.stringify({ ...(piped.trim() === "" ? {} : object(piped, "standard input")), ...base, ...values });
}

function object(text: string | undefined, where: string): Values {
  if (text === undefined) throw new ArgumentFault(`${where} needs a JSON object`);
  const value = parsed(text, where);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ArgumentFault(`${where} must be a JSON object`);
  return value as Values;
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

function typesOf(schema: Schema | undefined, root: Schema): Set<string> {
  return new Set(alternatives(schema, root).flatMap(({ type, enum: values, const: only }) => type ?? (values ?? (only === undefined ? [] : [only])).map(typeOf)));
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function place(values: Values, given: Set<string>, written: string, attached: string | undefined, rest: string[], root: Schema): void {
  const { path, schema, negated } = find(written, root);
  const types = typesOf(schema, root);
  if (negated) return store(values, path, false);
  const flag = attached === undefined && types.has("boolean") && !/^(true|false)$/.test(rest[0] ?? "");
  if (flag && (types.size === 1 || rest[0] === undefined || rest[0].startsWith("--"))) return store(values, path, true);
  const text = attached ?? rest.shift();
  if (text === undefined) throw new ArgumentFault(`--${written} needs a value`);
  const key = path.join(".");
  if (types.has("array") && !/^\s*\[/.test(text)) {
    const items = alternatives(schema, root).find(({ items: each }) => each)?.items;
    const before = given.has(key) ? (look(values, path) as unknown[]) : [];
    given.add(key);
    return store(values, path, [...before, typed(text, items, root, written)]);
  }
  store(values, path, typed(text, schema, root, written));
}

/** The parameter that an option's name means: as it is, with `-` for `_`, nested by dots, or `no-` before a flag. */
function find(written: string, root: Schema): { path: string[]; schema: Schema | undefined; negated: boolean } {
  const own = lookUp(written, root);
  if (own) return { ...own, negated: false };
  const negated = /^no-(.+)$/.exec(written)?.[1];
  const flag = negated === undefined ? undefined : lookUp(negated, root);
  if (flag && typesOf(flag.schema, root).has("boolean")) return { ...flag, negated: true };
  if (root.additionalProperties !== false && root.additionalProperties !== undefined) return { path: [written], schema: undefined, negated: false };
  const names = Object.keys(root.properties ?? {});
  const near = nearest(written, names);
  throw new ArgumentFault(`no parameter --${written}${near ? `; did you mean --${near}?` : names.length > 0 ? `; there are ${names.map((name) => `--${name}`).join(", ")}` : ": the tool takes none"}`);
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

function look(values: Values, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Values)[key], values);
}

function store(values: Values, path: readonly string[], value: unknown): void {
  let at = values;
  for (const key of path.slice(0, -1)) at = (at[key] ??= Object.create(null)) as Values;
  at[path[path.length - 1]!] = value;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

const TOKEN = /"(?:[^"\\]|\\[^])*"|-?\d[\d.eE+-]*/g;

/** A number, if it is one that a double holds: a tool must not be given another than was written. */
function number(text: string, where: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && (!/^-?\d+$/.test(text) || Number.isSafeInteger(value))) return value;
  throw new ArgumentFault(`${where}: the number ${text.length > 40 ? `${text.slice(0, 40)}...` : text} is too large to be kept exactly; pass it as a string if the tool takes one`);
}

/** The text as the type that the schema wants. */
function typed(text: string, schema: Schema | undefined, root: Schema, written: string): unknown {
  const types = typesOf(schema, root);
  if (types.size === 0) return guessed(text, written);
  if ((types.has("integer") || types.has("number")) && NUMBER.test(text)) return number(text, `--${written}`);
  if (types.has("boolean") && /^(true|false)$/.test(text)) return text === "true";
  if (types.has("null") && text === "null") return null;
  if ((types.has("object") && /^\s*\{/.test(text)) || (types.has("array") && /^\s*\[/.test(text))) return parsed(text, `--${written}`);
  if (types.has("string")) return text;
  throw new ArgumentFault(`--${written} wants ${[...types].join(" or ")}, not '${text}'`);
}

function parsed(text: string, where: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ArgumentFault(`${where} is no JSON: ${(error as Error).message}`);
  }
  for (const [token] of text.matchAll(TOKEN)) if (!token.startsWith('"')) number(token, where);
  return value;
}

/** Without a schema: JSON where the text is such, else the text. */
function guessed(text: string, written: string): unknown {
  if (NUMBER.test(text)) return number(text, `--${written}`);
  if (!/^(true|false|null)$|^\s*[[{]/.test(text)) return text;
  return isJson(text) ? parsed(text, `--${written}`) : text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
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

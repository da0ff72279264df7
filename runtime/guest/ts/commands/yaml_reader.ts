/**
 * YAML to values: block and flow collections, all styles of scalars, anchors, aliases, merge keys, documents. Keys that are
 * collections, directives but %YAML and %TAG, and tags of one's own are refused or passed over.
 */

import { doubleQuoted, plainValue, singleQuoted, taggedValue, type Value } from "./yaml_scalars";

export class YamlFault {
  constructor(
    readonly message: string,
    readonly line: number,
  ) {}
}

const DEEPEST = 200;
/** Values that aliases may stand for together. */
const COPIES_MOST = 100_000;

interface Properties {
  readonly anchor: string | undefined;
  readonly tag: string | undefined;
}

export class YamlReader {
  private readonly lines: readonly string[];
  /** The place that is read next. */
  private row = 0;
  private column = 0;
  private depth = 0;
  private copies = 0;
  private anchors = new Map<string, Value>();

  constructor(text: string) {
    this.lines = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
  }

  *documents(): Generator<Value> {
    let any = false;
    for (;;) {
      while (this.row < this.lines.length && /^(?:%|\.\.\.(?:\s|$))|^\s*(?:#|$)/.test(this.lines[this.row]!)) this.nextLine();
      const explicit = this.row < this.lines.length && /^---(?:\s|$)/.test(this.lines[this.row]!);
      if (this.row >= this.lines.length) {
        if (!any) yield null;
        return;
      }
      if (explicit) this.column = 3;
      any = true;
      this.anchors = new Map();
      yield this.document();
    }
  }

  private document(): Value {
    this.skip();
    const value = this.atDocumentEnd() ? null : this.node(-1, true);
    this.skip();
    if (!this.atDocumentEnd()) this.fault("unexpected content");
    return value;
  }

  private fault(message: string): never {
    throw new YamlFault(message, this.row + 1);
  }

  // --- places

  private get line(): string {
    return this.lines[this.row] ?? "";
  }

  private get rest(): string {
    return this.line.slice(this.column);
  }

  private nextLine(): void {
    this.row += 1;
    this.column = 0;
  }

  private atDocumentEnd(): boolean {
    return this.row >= this.lines.length || (this.column === 0 && /^(?:---|\.\.\.)(?:\s|$)/.test(this.line));
  }

  /** Passes over blanks, comments and line ends; tells whether a line ended. */
  private skip(): boolean {
    let ended = false;
    while (this.row < this.lines.length) {
      if (ended && this.atDocumentEnd()) return true;
      const [blanks] = /^[ \t]*(?:(?<=^|[ \t])#.*)?/.exec(this.column > 0 && /\S/.test(this.line[this.column - 1]!) ? this.rest.replace(/^#/, "\0") : this.rest)!;
      this.column += blanks.length;
      if (this.column < this.line.length) return ended;
      this.nextLine();
      ended = true;
    }
    return true;
  }

  private deeper<T>(work: () => T): T {
    if (++this.depth > DEEPEST) this.fault("too deeply nested");
    const result = work();
    this.depth -= 1;
    return result;
  }

  // --- nodes

  /** A node of a block that is indented by more than `indent`; `fresh`: a collection may begin here. */
  private node(indent: number, fresh: boolean): Value {
    return this.deeper(() => {
      const { row, column } = this;
      const properties = this.properties();
      const ended = this.skipAfter(properties);
      if (fresh && this.row === row && this.column > column && this.keyAhead() !== undefined) {
        this.column = column; // they are the first key's
        return this.mapping(column);
      }
      if (this.atDocumentEnd() || (ended && this.column <= indent && !this.isEntry(indent))) return this.kept(properties, null);
      const value = this.content(indent, fresh || ended, properties);
      return this.kept(properties, value);
    });
  }

  private isEntry(indent: number): boolean {
    return this.column === indent && /^-(?:\s|$)/.test(this.rest);
  }

  private skipAfter({ anchor, tag }: Properties): boolean {
    return anchor !== undefined || tag !== undefined ? this.skip() : this.column === this.line.search(/\S|$/) ? true : this.skip();
  }

  private kept({ anchor, tag }: Properties, value: Value): Value {
    const result = tag === "!!str" && value === null ? "" : value;
    if (anchor !== undefined) this.anchors.set(anchor, result);
    return result;
  }

  private properties(): Properties {
    let [anchor, tag]: [string | undefined, string | undefined] = [undefined, undefined];
    for (;;) {
      const [whole, mark, name] = /^([&!])([^\s,[\]{}]*)[ \t]*/.exec(this.rest) ?? [];
      if (whole === undefined) return { anchor, tag };
      if (mark === "&") anchor = name;
      else tag = `!${name}`;
      this.column += whole.length;
    }
  }

  private content(indent: number, fresh: boolean, { tag }: Properties): Value {
    const { rest } = this;
    if (rest[0] === "|" || rest[0] === ">") return this.block(indent, rest);
    if (fresh && /^-(?:\s|$)/.test(rest)) return this.sequence(this.column);
    if (/^-(?:\s|$)/.test(rest)) this.fault("block sequence entries are not allowed in this context");
    if (/^\?(?:\s|$)/.test(rest)) this.fault("keys written with ? are not supported");
    const key = this.keyAhead();
    if (key !== undefined && fresh) return this.mapping(this.column);
    if (key !== undefined) this.fault("mapping values are not allowed in this context");
    return this.flowNode(indent, tag);
  }

  private sequence(column: number): Value[] {
    const items: Value[] = [];
    while (!this.atDocumentEnd() && this.column === column && /^-(?:\s|$)/.test(this.rest)) {
      this.column += 1;
      const blanks = /^[ \t]*/.exec(this.rest)![0].length;
      this.column += blanks;
      items.push(this.node(column, true));
      this.skip();
    }
    if (!this.atDocumentEnd() && this.column > column) this.fault("did not find expected '-' indicator");
    return items;
  }

  /** The text that a key has, when what follows is one; the place stays. */
  private keyAhead(): string | undefined {
    const { rest } = this;
    const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*:(?=\s|$)/.exec(rest);
    if (quoted) return quoted[0];
    if (/^["'[{]/.test(rest)) return undefined;
    return /^(?:[^\s#:]|:(?=\S)|#(?<=\S#)|[ \t]+(?![#\s])(?!:(?:\s|$)))+?[ \t]*:(?=\s|$)/.exec(rest)?.[0];
  }

  private mapping(column: number): Value {
    const result: Record<string, Value> = {};
    const merged: Value[] = [];
    while (!this.atDocumentEnd() && this.column === column) {
      const properties = this.properties();
      const ahead = this.keyAhead();
      if (ahead === undefined) this.fault(/^-(?:\s|$)/.test(this.rest) ? "block sequence entries are not allowed in this context" : "could not find expected ':'");
      this.column += ahead.length;
      const key = keyText(ahead);
      if (properties.anchor !== undefined) this.anchors.set(properties.anchor, key);
      const value = this.mapped(column);
      if (key === "<<") merged.push(value);
      else define(result, key, value);
      this.skip();
    }
    if (!this.atDocumentEnd() && this.column > column) this.fault("did not find expected key");
    for (const value of merged) this.merge(result, value);
    return result;
  }

  /** A key's value: on the same line no collection of blocks begins; on the next a sequence may stand as far left. */
  private mapped(column: number): Value {
    const blanks = /^[ \t]*/.exec(this.rest)![0].length;
    this.column += blanks;
    if (this.rest === "" || this.rest.startsWith("#")) {
      this.skip();
      if (this.atDocumentEnd() || this.column < column || (this.column === column && !/^-(?:\s|$)/.test(this.rest))) return null;
      if (this.column === column) return this.deeper(() => this.sequence(column));
      return this.node(column, true);
    }
    return this.inlineNode(column);
  }

  /** What stands behind a colon; properties may be all there is on the line. */
  private inlineNode(column: number): Value {
    return this.deeper(() => {
      const properties = this.properties();
      if ((properties.anchor ?? properties.tag) !== undefined && (this.rest === "" || this.rest.startsWith("#"))) {
        this.skip();
        const isDeeper = !this.atDocumentEnd() && (this.column > column || this.isEntry(column));
        return this.kept(properties, isDeeper ? this.content(column - (this.column === column ? 1 : 0), true, properties) : null);
      }
      return this.kept(properties, this.content(column, false, properties));
    });
  }

  private merge(target: Record<string, Value>, source: Value): void {
    for (const each of Array.isArray(source) ? source : [source]) {
      if (each === null || typeof each !== "object" || Array.isArray(each)) this.fault("map merge requires map or sequence of maps as the value");
      for (const [key, value] of Object.entries(each)) if (!Object.hasOwn(target, key)) define(target, key, value);
    }
  }

  // --- scalars over lines

  private block(indent: number, header: string): string {
    const [, style, signs] = /^([|>])([-+\d]*)[ \t]*(?:#.*)?$/.exec(header) ?? [];
    if (style === undefined) this.fault("bad header of a block scalar");
    const given = /\d/.exec(signs!)?.[0];
    this.nextLine();
    const lines: string[] = [];
    let depth = given === undefined ? undefined : Math.max(indent, 0) + Number(given);
    for (; this.row < this.lines.length; this.nextLine()) {
      const { line } = this;
      const blank = /^ *$/.test(line);
      const own = line.length - line.trimStart().length;
      if (!blank && depth === undefined && own > indent) depth = own;
      if (!blank && (own < (depth ?? 0) || own <= indent || /^(?:---|\.\.\.)(?:\s|$)/.test(line))) break;
      lines.push(blank && line.length <= (depth ?? line.length) ? "" : line.slice(depth ?? 0));
    }
    return chomped(style === "|" ? lines.join("\n") : foldedBlock(lines), signs!, lines);
  }

  // --- flow style

  private flowNode(indent: number, tag: string | undefined): Value {
    const [first] = this.rest;
    if (first === "*") return this.alias();
    if (first === "[") return this.flowSequence(indent);
    if (first === "{") return this.flowMapping(indent);
    if (first === '"' || first === "'") {
      const text = first === '"' ? doubleQuoted(this.quoted()) : singleQuoted(this.quoted());
      return tag === undefined ? text : taggedValue(tag, text);
    }
    if (first !== undefined && /[@`%]/.test(first)) this.fault(`found character ${JSON.stringify(first)} that cannot start any token`);
    const text = this.plain(indent, false);
    return tag === undefined ? plainValue(text) : taggedValue(tag, text);
  }

  private alias(): Value {
    const [whole, name] = /^\*([^\s,[\]{}]+)/.exec(this.rest) ?? [];
    if (whole === undefined || !this.anchors.has(name!)) this.fault(`unknown anchor '${name ?? ""}' referenced`);
    this.column += whole.length;
    const value = this.anchors.get(name!)!;
    this.copies += sizeOf(value, COPIES_MOST);
    if (this.copies > COPIES_MOST) this.fault("aliases stand for too much");
    return value;
  }

  /** The inside of a quoted scalar, over lines if need be. */
  private quoted(): string {
    const mark = this.line[this.column]!;
    let text = "";
    for (let at = this.column + 1; ; ) {
      const { line } = this;
      if (at >= line.length) {
        this.nextLine();
        if (this.row >= this.lines.length || this.atDocumentEnd()) this.fault("found unexpected end of stream while scanning a quoted scalar");
        text += "\n";
        at = 0;
        continue;
      }
      const char = line[at]!;
      if (char === mark && mark === "'" && line[at + 1] === "'") {
        text += "''";
        at += 2;
      } else if (char === mark) {
        this.column = at + 1;
        return text;
      } else if (char === "\\" && mark === '"' && at + 1 < line.length) {
        text += char + line[at + 1]!;
        at += 2;
      } else {
        text += char;
        at += 1;
      }
    }
  }

  private plain(indent: number, inFlow: boolean): string {
    const stop = inFlow ? /[ \t]+#.*$|:(?=[\s,[\]{}]|$)|[,[\]{}]/ : /[ \t]+#.*$|:(?=\s|$)/;
    const take = (): [text: string, ends: boolean] => {
      const { rest } = this;
      const at = rest.search(stop);
      const text = at < 0 ? rest : rest.slice(0, at);
      this.column += text.length;
      return [text.trim(), at >= 0];
    };
    let [text, ends] = take();
    while (!ends) {
      const row = this.row;
      this.skip();
      if (this.atDocumentEnd() || (!inFlow && this.column <= indent) || this.row === row) break;
      if (this.row - row > 1 && this.lines.slice(row + 1, this.row).some((line) => /^\s*#/.test(line))) break;
      if (!inFlow && this.keyAhead() !== undefined) this.fault("could not find expected ':'");
      if (inFlow && /^[,[\]{}]|^:(?=[\s,[\]{}]|$)/.test(this.rest)) break;
      const more = take();
      text += (this.row - row > 1 ? "\n".repeat(this.row - row - 1) : " ") + more[0];
      ends = more[1];
    }
    return text;
  }

  private flowSequence(indent: number): Value[] {
    const items: Value[] = [];
    this.column += 1;
    for (;;) {
      this.skipInFlow();
      if (this.rest.startsWith("]")) break;
      const item = this.flowItem(indent);
      this.skipInFlow();
      if (/^:/.test(this.rest)) {
        this.column += 1;
        this.skipInFlow();
        items.push({ [String(item)]: this.flowItem(indent) });
        this.skipInFlow();
      } else items.push(item);
      if (!this.comma("]")) break;
    }
    this.column += 1;
    return items;
  }

  private flowMapping(indent: number): Value {
    const result: Record<string, Value> = {};
    const merged: Value[] = [];
    this.column += 1;
    for (;;) {
      this.skipInFlow();
      if (this.rest.startsWith("}")) break;
      const key = this.flowItem(indent);
      if (key !== null && typeof key === "object") this.fault("keys that are collections are not supported");
      this.skipInFlow();
      let value: Value = null;
      if (this.rest.startsWith(":")) {
        this.column += 1;
        this.skipInFlow();
        value = /^[,}]/.test(this.rest) ? null : this.flowItem(indent);
        this.skipInFlow();
      }
      if (key === "<<") merged.push(value);
      else define(result, key === null ? "null" : String(key), value);
      if (!this.comma("}")) break;
    }
    this.column += 1;
    for (const value of merged) this.merge(result, value);
    return result;
  }

  private flowItem(indent: number): Value {
    return this.deeper(() => {
      const properties = this.properties();
      this.skipInFlow();
      const value = /^[[{"'*]/.test(this.rest) ? this.flowNode(indent, properties.tag) : this.flowScalar(indent, properties);
      return this.kept(properties, value);
    });
  }

  private flowScalar(indent: number, { tag }: Properties): Value {
    const text = this.plain(indent, true);
    return tag === undefined ? plainValue(text) : taggedValue(tag, text);
  }

  private skipInFlow(): void {
    this.skip();
    if (this.row >= this.lines.length) this.fault("found unexpected end of stream in a flow collection");
  }

  private comma(close: string): boolean {
    if (this.rest.startsWith(",")) {
      this.column += 1;
      return true;
    }
    if (!this.rest.startsWith(close)) this.fault(`did not find expected ',' or '${close}'`);
    return false;
  }
}

function keyText(ahead: string): string {
  const text = ahead.replace(/[ \t]*:$/, "");
  if (text.startsWith('"')) return doubleQuoted(text.slice(1, -1));
  if (text.startsWith("'")) return singleQuoted(text.slice(1, -1));
  const value = plainValue(text);
  return value === null && text !== "" ? text : typeof value === "string" ? value : text;
}

/** Also for `__proto__`. */
function define(target: Record<string, Value>, key: string, value: Value): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

function sizeOf(value: Value, most: number): number {
  const pending: Value[] = [value];
  let count = 0;
  for (let next = pending.pop(); next !== undefined && count <= most; next = pending.pop()) {
    count += 1;
    if (next !== null && typeof next === "object") pending.push(...Object.values(next));
  }
  return count;
}

/** Line ends become blanks between lines that are not indented further. */
function foldedBlock(lines: readonly string[]): string {
  let text = "";
  let breaks = 0;
  let before = "";
  for (const line of lines) {
    if (line === "") {
      breaks += 1;
      continue;
    }
    const isIndented = (each: string): boolean => /^[ \t]/.test(each);
    if (before === "") text += "\n".repeat(breaks);
    else if (isIndented(line) || isIndented(before)) text += "\n".repeat(breaks + 1);
    else text += breaks > 0 ? "\n".repeat(breaks) : " ";
    text += line;
    before = line;
    breaks = 0;
  }
  return text + "\n".repeat(breaks);
}

function chomped(text: string, signs: string, lines: readonly string[]): string {
  const bare = text.replace(/\n+$/, "");
  if (signs.includes("-")) return bare;
  if (signs.includes("+")) return lines.length === 0 ? "" : `${text}\n`;
  return bare === "" ? "" : `${bare}\n`;
}

/**
 * YAML to values: block and flow collections, all styles of scalars, anchors, aliases, merge keys, documents. Keys that are
 * collections, directives but %YAML and %TAG, and tags of one's own are refused or passed over. Here are documents and blocks.
 */

import { Anchors, type Properties, propertiesOf } from "./yaml_anchors";
import { FlowReader } from "./yaml_flow";
import { define, keyAhead, keyText, merge } from "./yaml_keys";
import { blockScalar } from "./yaml_lines";
import type { Value } from "./yaml_scalars";
import { YamlSource } from "./yaml_source";

export class YamlReader {
  private readonly source: YamlSource;
  private readonly anchors: Anchors;
  private readonly flow: FlowReader;

  constructor(text: string) {
    this.source = new YamlSource(text);
    this.anchors = new Anchors(this.source);
    this.flow = new FlowReader(this.source, this.anchors);
  }

  *documents(): Generator<Value> {
    const { source } = this;
    let any = false;
    for (;;) {
      while (source.row < source.lines.length && /^(?:%|\.\.\.(?:\s|$))|^\s*(?:#|$)/.test(source.lines[source.row]!)) source.nextLine();
      const explicit = source.row < source.lines.length && /^---(?:\s|$)/.test(source.lines[source.row]!);
      if (source.row >= source.lines.length) {
        if (!any) yield null;
        return;
      }
      if (explicit) source.column = 3;
      any = true;
      this.anchors.forget();
      yield this.document();
    }
  }

  private document(): Value {
    const { source } = this;
    source.skip();
    const value = source.atDocumentEnd() ? null : this.node(-1, true);
    source.skip();
    if (!source.atDocumentEnd()) source.fault("unexpected content");
    return value;
  }

  /** A node of a block that is indented by more than `indent`; `fresh`: a collection may begin here. */
  private node(indent: number, fresh: boolean): Value {
    const { source } = this;
    return source.deeper(() => {
      const { row, column } = source;
      const properties = propertiesOf(source);
      const ended = this.skipAfter(properties);
      if (fresh && source.row === row && source.column > column && keyAhead(source) !== undefined) {
        source.column = column; // they are the first key's
        return this.mapping(column);
      }
      if (source.atDocumentEnd() || (ended && source.column <= indent && !this.isEntry(indent))) return this.anchors.keep(properties, null);
      const value = this.content(indent, fresh || ended, properties);
      return this.anchors.keep(properties, value);
    });
  }

  private isEntry(indent: number): boolean {
    return this.source.column === indent && this.source.atEntry;
  }

  private skipAfter({ anchor, tag }: Properties): boolean {
    const { source } = this;
    const isBare = anchor === undefined && tag === undefined;
    return (isBare && source.column === source.line.search(/\S|$/)) || source.skip();
  }

  private content(indent: number, fresh: boolean, { tag }: Properties): Value {
    const { source } = this;
    const { rest } = source;
    if (rest[0] === "|" || rest[0] === ">") return blockScalar(source, indent, rest);
    if (fresh && source.atEntry) return this.sequence(source.column);
    if (source.atEntry) source.fault("block sequence entries are not allowed in this context");
    if (/^\?(?:\s|$)/.test(rest)) source.fault("keys written with ? are not supported");
    const key = keyAhead(source);
    if (key !== undefined && fresh) return this.mapping(source.column);
    if (key !== undefined) source.fault("mapping values are not allowed in this context");
    return this.flow.node(indent, tag);
  }

  private sequence(column: number): Value[] {
    const { source } = this;
    const items: Value[] = [];
    while (!source.atDocumentEnd() && source.column === column && source.atEntry) {
      source.column += 1;
      source.skipBlanks();
      items.push(this.node(column, true));
      source.skip();
    }
    if (!source.atDocumentEnd() && source.column > column) source.fault("did not find expected '-' indicator");
    return items;
  }

  private mapping(column: number): Value {
    const { source } = this;
    const result: Record<string, Value> = {};
    const merged: Value[] = [];
    while (!source.atDocumentEnd() && source.column === column) {
      const properties = propertiesOf(source);
      const ahead = keyAhead(source);
      if (ahead === undefined) return source.fault(source.atEntry ? "block sequence entries are not allowed in this context" : "could not find expected ':'");
      source.column += ahead.length;
      const key = keyText(ahead);
      this.anchors.set(properties.anchor, key);
      const value = this.mapped(column);
      if (key === "<<") merged.push(value);
      else define(result, key, value);
      source.skip();
    }
    if (!source.atDocumentEnd() && source.column > column) source.fault("did not find expected key");
    for (const value of merged) merge(source, result, value);
    return result;
  }

  /** A key's value: on the same line no collection of blocks begins; on the next a sequence may stand as far left. */
  private mapped(column: number): Value {
    const { source } = this;
    source.skipBlanks();
    if (source.atLineEnd) {
      source.skip();
      if (source.atDocumentEnd() || source.column < column || (source.column === column && !source.atEntry)) return null;
      if (source.column === column) return source.deeper(() => this.sequence(column));
      return this.node(column, true);
    }
    return this.inlineNode(column);
  }

  /** What stands behind a colon; properties may be all there is on the line. */
  private inlineNode(column: number): Value {
    const { source } = this;
    return source.deeper(() => {
      const properties = propertiesOf(source);
      if ((properties.anchor ?? properties.tag) !== undefined && source.atLineEnd) {
        source.skip();
        const isDeeper = !source.atDocumentEnd() && (source.column > column || this.isEntry(column));
        return this.anchors.keep(properties, isDeeper ? this.content(column - (source.column === column ? 1 : 0), true, properties) : null);
      }
      return this.anchors.keep(properties, this.content(column, false, properties));
    });
  }
}

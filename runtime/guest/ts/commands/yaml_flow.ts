/** YAML in flow style: brackets, quotes, and plain scalars. */

import { type Anchors, propertiesOf } from "./yaml_anchors";
import { define, merge } from "./yaml_keys";
import { plainScalar, quotedScalar } from "./yaml_lines";
import { doubleQuoted, singleQuoted, taggedValue, type Value } from "./yaml_scalars";
import type { YamlSource } from "./yaml_source";

export class FlowReader {
  constructor(
    private readonly source: YamlSource,
    private readonly anchors: Anchors,
  ) {}

  node(indent: number, tag: string | undefined): Value {
    const { source } = this;
    const [first] = source.rest;
    if (first === "*") return this.anchors.alias();
    if (first === "[") return this.sequence(indent);
    if (first === "{") return this.mapping(indent);
    if (first === '"' || first === "'") {
      const text = first === '"' ? doubleQuoted(quotedScalar(source)) : singleQuoted(quotedScalar(source));
      return tag === undefined ? text : taggedValue(tag, text);
    }
    if (first !== undefined && /[@`%]/.test(first)) source.fault(`found character ${JSON.stringify(first)} that cannot start any token`);
    return taggedValue(tag, plainScalar(source, indent, false));
  }

  private sequence(indent: number): Value[] {
    const { source } = this;
    const items: Value[] = [];
    source.column += 1;
    for (;;) {
      this.skip();
      if (source.rest.startsWith("]")) break;
      const item = this.item(indent);
      this.skip();
      if (/^:/.test(source.rest)) {
        source.column += 1;
        this.skip();
        items.push({ [String(item)]: this.item(indent) });
        this.skip();
      } else items.push(item);
      if (!this.comma("]")) break;
    }
    source.column += 1;
    return items;
  }

  private mapping(indent: number): Value {
    const { source } = this;
    const result: Record<string, Value> = {};
    const merged: Value[] = [];
    source.column += 1;
    for (;;) {
      this.skip();
      if (source.rest.startsWith("}")) break;
      const key = this.item(indent);
      if (key !== null && typeof key === "object") source.fault("keys that are collections are not supported");
      this.skip();
      const value = this.mapped(indent);
      if (key === "<<") merged.push(value);
      else define(result, key === null ? "null" : String(key), value);
      if (!this.comma("}")) break;
    }
    source.column += 1;
    for (const value of merged) merge(source, result, value);
    return result;
  }

  /** What a key stands for: null where there is no more than the key. */
  private mapped(indent: number): Value {
    const { source } = this;
    if (!source.rest.startsWith(":")) return null;
    source.column += 1;
    this.skip();
    const value = /^[,}]/.test(source.rest) ? null : this.item(indent);
    this.skip();
    return value;
  }

  private item(indent: number): Value {
    const { source } = this;
    return source.deeper(() => {
      const properties = propertiesOf(source);
      this.skip();
      const value = /^[[{"'*]/.test(source.rest) ? this.node(indent, properties.tag) : taggedValue(properties.tag, plainScalar(source, indent, true));
      return this.anchors.keep(properties, value);
    });
  }

  private skip(): void {
    const { source } = this;
    source.skip();
    if (source.row >= source.lines.length) source.fault("found unexpected end of stream in a flow collection");
  }

  private comma(close: string): boolean {
    const { source } = this;
    if (source.rest.startsWith(",")) {
      source.column += 1;
      return true;
    }
    if (!source.rest.startsWith(close)) source.fault(`did not find expected ',' or '${close}'`);
    return false;
  }
}

/** Properties of YAML nodes: tags, and anchors that aliases repeat. */

import type { Value } from "./yaml_scalars";
import type { YamlSource } from "./yaml_source";

/** Values that aliases may stand for together. */
const COPIES_MOST = 100_000;

export interface Properties {
  readonly anchor: string | undefined;
  readonly tag: string | undefined;
}

/** Those that stand here, which are passed over. */
export function propertiesOf(source: YamlSource): Properties {
  let [anchor, tag]: [string | undefined, string | undefined] = [undefined, undefined];
  while (source.next === "&" || source.next === "!") {
    const [whole, mark, name] = /^([&!])([^\s,[\]{}]*)[ \t]*/.exec(source.rest)!;
    if (mark === "&") anchor = name;
    else tag = `!${name}`;
    source.column += whole.length;
  }
  return { anchor, tag };
}

export class Anchors {
  private values = new Map<string, Value>();
  private copies = 0;

  constructor(private readonly source: YamlSource) {}

  /** A document begins, which knows none of those before. */
  forget(): void {
    this.values = new Map();
  }

  set(anchor: string | undefined, value: Value): void {
    if (anchor !== undefined) this.values.set(anchor, value);
  }

  /** The value of a node with these properties. */
  keep({ anchor, tag }: Properties, value: Value): Value {
    const result = tag === "!!str" && value === null ? "" : value;
    this.set(anchor, result);
    return result;
  }

  /** The value behind the alias that stands here. */
  alias(): Value {
    const [whole, name] = /^\*([^\s,[\]{}]+)/.exec(this.source.rest) ?? [];
    if (whole === undefined || !this.values.has(name!)) this.source.fault(`unknown anchor '${name ?? ""}' referenced`);
    this.source.column += whole.length;
    const value = this.values.get(name!)!;
    this.copies += sizeOf(value, COPIES_MOST);
    if (this.copies > COPIES_MOST) this.source.fault("aliases stand for too much");
    return value;
  }
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

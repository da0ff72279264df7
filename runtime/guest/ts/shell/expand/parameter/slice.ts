/** `${x:offset:length}`. */

import { then, type Maybe } from "../../io/maybe";
import { IndexedArray } from "../../run/arrays";
import { isCommandFault } from "../../run/errors";
import { ExpressionFault } from "../errors";
import type { Operation, Parameter } from "../../syntax/ast";
import { compileArithmetic } from "../arithmetic";
import { List, type Value } from "../list";
import type { Scope } from "../scope";
import { countUnits, sliceUnits } from "../units";
import { labelOf, type ValueReading } from "./source";

type Slice = Extract<Operation, { kind: "slice" }>;

/** From where, and how many; undefined: all that follow. */
interface Range {
  readonly offset: number;
  readonly length: number | undefined;
}

export function compileSlice(part: Parameter, { offset, length }: Slice, read: ValueReading): ValueReading {
  const start = compileArithmetic(offset);
  const count = length && compileArithmetic(length);
  const label = labelOf(part);
  const source = length?.text.source ?? "";
  const range = (scope: Scope): Maybe<Range> =>
    then(start(scope), (from) => {
      if (!count) return { offset: Number(from), length: undefined };
      return then(count(scope), (many) => ({ offset: Number(from), length: Number(many) }));
    });
  const cut = (scope: Scope, value: Value, wanted: Range): Value => {
    // What is no array is one text, whatever its subscript.
    if (value instanceof List && part.subscript && isText(scope, part.name)) return sliceText(scope, value.values[0]!, wanted, source);
    if (value instanceof List) return new List(sliceList(scope, part, value, wanted, source), value.joined);
    if (value === undefined) return undefined;
    return sliceText(scope, value, wanted, source);
  };
  return (scope) =>
    then(read(scope), (value) => {
      if (value === undefined) return undefined;
      return then(named(label, () => range(scope)), (wanted) => cut(scope, value, wanted));
    });
}

function isText(scope: Scope, name: string): boolean {
  return typeof scope.variables.find(name)?.value === "string";
}

/** A fault in the numbers is told of with the parameter's name in front. */
function named<T>(label: string, work: () => Maybe<T>): Maybe<T> {
  const rename = (error: unknown): never => {
    if (isCommandFault(error)) error.message = `${label}: ${error.message}`;
    throw error;
  };
  try {
    const result = work();
    return result instanceof Promise ? result.catch(rename) : result;
  } catch (error) {
    return rename(error);
  }
}

function sliceText(scope: Scope, text: string, { offset, length }: Range, source: string): string {
  const size = countUnits(scope, text);
  const from = offset < 0 ? offset + size : offset;
  if (from < 0 || from > size) return "";
  const to = length === undefined ? size : length < 0 ? size + length : from + length;
  if (to < from) throw negative(source);
  return sliceUnits(scope, text, from, to);
}

function negative(source: string): ExpressionFault {
  return new ExpressionFault(`${source}: substring expression < 0`);
}

function sliceList(scope: Scope, part: Parameter, list: List, range: Range, source: string): readonly string[] {
  const { offset, length } = range;
  if (length !== undefined && length < 0) throw negative(source);
  const array = part.subscript ? scope.variables.find(part.name)?.value : undefined;
  if (array instanceof IndexedArray) return sliceArray(array, range);
  const values = part.subscript || part.indirect ? list.values : [scope.name, ...list.values];
  const from = offset < 0 ? offset + values.length : offset;
  if (from < 0) return [];
  return values.slice(from, length === undefined ? undefined : from + length);
}

/** The offset is an index, so gaps in the array count. */
function sliceArray(array: IndexedArray, { offset, length }: Range): readonly string[] {
  const from = offset < 0 ? offset + array.end : offset;
  if (from < 0) return [];
  const keys = array.keys();
  const first = keys.findIndex((key) => key >= from);
  if (first < 0) return [];
  return array.values().slice(first, length === undefined ? undefined : first + length);
}

/** An object about to be printed, and the outcome of looking at it. */

import type { Context } from "./context";
import type { Frame } from "./layout";

export interface Subject {
  value: object;
  /** The name of its class; null without a prototype. */
  name: string | null;
  /** Its `Symbol.toStringTag`, or "". */
  tag: string;
  depth: number;
  /** No inherited properties will be shown. */
  bare: boolean;
}

/** How to print the object: a frame, the properties to show, and entries that come before those. */
export interface Shape extends Frame {
  keys: PropertyKey[];
  entries?: (ctx: Context, value: object, depth: number) => string[];
}

/** The object's shape, or its whole text if there is nothing else to show. */
export type Describe = (ctx: Context, subject: Subject) => Shape | string;

export function braces(open: string, keys: PropertyKey[], entries?: Shape["entries"]): Shape {
  const shape: Shape = { base: "", open: `${open}{`, close: "}", list: false, keys };
  if (entries !== undefined) shape.entries = entries;
  return shape;
}

export function brackets(open: string, keys: PropertyKey[], entries: NonNullable<Shape["entries"]>): Shape {
  return { base: "", open: `${open}[`, close: "]", list: true, keys, entries };
}

/** Nothing but the base to print. */
export function isEmpty(subject: Subject, keys: readonly PropertyKey[]): boolean {
  return subject.bare && keys.length === 0;
}

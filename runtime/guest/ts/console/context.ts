/** What one call of `inspect` carries from value to value: the options, and where it has got to. */

export type Style =
  | "special" | "number" | "bigint" | "boolean" | "undefined" | "null"
  | "string" | "symbol" | "date" | "regexp" | "module";

export type Compare = (a: string, b: string) => number;
export type Stylize = (text: string, style: Style) => string;

/** Options as Node's `util.inspect` names them. */
export interface InspectOptions {
  showHidden?: boolean;
  depth?: number | null;
  colors?: boolean;
  customInspect?: boolean;
  showProxy?: boolean;
  maxArrayLength?: number | null;
  maxStringLength?: number | null;
  breakLength?: number;
  compact?: boolean | number;
  sorted?: boolean | Compare;
  getters?: boolean | "get" | "set";
  numericSeparator?: boolean;
}

export interface Context extends Required<InspectOptions> {
  /** `null` was given as Infinity. */
  maxArrayLength: number;
  maxStringLength: number;
  stylize: Stylize;
  /** Columns that the current value is indented by. */
  indent: number;
  /** Nesting of the object that was entered last. */
  level: number;
  /** Objects being printed, outermost first. */
  open: object[];
  /** Objects met again inside themselves, numbered from 1. */
  circular: Map<object, number> | undefined;
  /** Characters put out so far; past a limit only names of objects are printed. */
  printed: number;
  /** An ArrayBuffer is printed without its bytes (inside a typed array's hidden fields). */
  bareBuffers: boolean;
  /** Options the caller gave that are not Node's; custom inspectors get them. */
  extra: Record<string, unknown>;
  format(value: unknown, depth: number): string;
}

export const defaultOptions: Required<InspectOptions> = {
  showHidden: false,
  depth: 2,
  colors: false,
  customInspect: true,
  showProxy: false,
  maxArrayLength: 100,
  maxStringLength: 10000,
  breakLength: 80,
  compact: 3,
  sorted: false,
  getters: false,
  numericSeparator: false,
};

export const plain: Stylize = (text) => text;

/** Runs `work` with the indentation `columns` deeper. */
export function indented<T>(ctx: Context, columns: number, work: () => T): T {
  ctx.indent += columns;
  const result = work();
  ctx.indent -= columns;
  return result;
}

/** True when objects at this depth are only named. */
export function tooDeep(ctx: Context, depth: number): boolean {
  return ctx.depth !== null && depth > ctx.depth;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count > 1 ? "s" : ""}`;
}

export function more(count: number, noun = "item"): string {
  return `... ${count} more ${noun}${count > 1 ? "s" : ""}`;
}

/** `console.log`'s arguments as one text: the first may be a template with `%s`, `%d`, `%o` and the like. */

import { native } from "../bridge/native";
import type { InspectOptions } from "./context";
import { inspect } from "./inspect";
import { builtins } from "./names";
import { bigintText, numberText } from "./primitive";

const { types } = native;

type Options = InspectOptions | undefined;
type Directive = (value: unknown, options: Options) => string;

const separates = (options: Options): boolean => options?.numericSeparator === true;

function number(convert: (value: unknown) => number): Directive {
  return (value, options) => {
    if (typeof value === "bigint") return bigintText(value, separates(options));
    return numberText(typeof value === "symbol" ? NaN : convert(value), separates(options));
  };
}

/** Whether the object's `toString` is one of the language's own; those say less than `inspect`. */
function hasBuiltinToString(value: object): boolean {
  let target: object | null = value;
  while (target !== null && types.isProxy(target)) target = types.proxyDetails(target)?.[0] as object | null;
  if (target === null || typeof (target as { toString: unknown }).toString !== "function") return true;
  if (Object.hasOwn(target, "toString")) return false;
  let holder: object = target;
  while (!Object.hasOwn(holder, "toString")) holder = Object.getPrototypeOf(holder) as object;
  const constructor: unknown = Object.getOwnPropertyDescriptor(holder, "constructor")?.value;
  return typeof constructor === "function" && builtins.has(constructor.name);
}

function string(value: unknown, options: Options): string {
  if (typeof value === "number") return numberText(value, separates(options));
  if (typeof value === "bigint") return bigintText(value, separates(options));
  if (typeof value !== "object" || value === null || !hasBuiltinToString(value)) return String(value);
  return inspect(value, { ...options, depth: 0, colors: false, compact: 3 });
}

function json(value: unknown): string {
  try {
    return String(JSON.stringify(value));
  } catch (error) {
    if (isCircular(error)) return "[Circular]";
    throw error;
  }
}

function isCircular(error: unknown): boolean {
  return types.isNativeError(error) && (error as Error).name === "TypeError" && /circular/i.test((error as Error).message);
}

const DIRECTIVES: Record<string, Directive | undefined> = {
  __proto__: null as never,
  s: string,
  j: json,
  d: number(Number),
  i: number((value) => parseInt(String(value), 10)),
  f: (value, options) => numberText(typeof value === "symbol" ? NaN : parseFloat(String(value)), separates(options)),
  o: (value, options) => inspect(value, { ...options, showHidden: true, showProxy: true, depth: 4 }),
  O: (value, options) => inspect(value, options),
  c: () => "",
};

/** Fills the template from `values`; returns the text and how many values were used. */
function fill(template: string, values: readonly unknown[], options: Options): [text: string, used: number] {
  let text = "";
  let done = 0;
  let used = 0;
  for (let at = template.indexOf("%"); at >= 0 && at < template.length - 1; at = template.indexOf("%", at + 2)) {
    const letter = template.charAt(at + 1);
    const directive = used < values.length ? DIRECTIVES[letter] : undefined;
    if (letter !== "%" && directive === undefined) continue;
    text += template.slice(done, at) + (directive?.(values[used++], options) ?? "%");
    done = at + 2;
  }
  return [text + template.slice(done), used];
}

function shown(value: unknown, options: Options): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" && options === undefined) return numberText(value, false);
  return inspect(value, options);
}

export function formatWithOptions(options: Options, values: readonly unknown[]): string {
  const [first] = values;
  if (values.length === 1) return shown(first, options);
  let text = "";
  let used = 0;
  if (typeof first === "string") {
    text = first;
    used = 1;
    if (first.includes("%")) {
      const [filled, taken] = fill(first, values.slice(1), options);
      text = filled;
      used += taken;
    }
  }
  for (let index = used; index < values.length; index++) {
    text += `${index > 0 ? " " : ""}${shown(values[index], options)}`;
  }
  return text;
}

export function format(...values: unknown[]): string {
  return formatWithOptions(undefined, values);
}

/** Objects that are not lists: dates, promises, buffers, boxes and plain objects. */

import { native } from "../bridge/native";
import { type Context, indented, more, plain, tooDeep } from "./context";
import { describeError } from "./errors";
import { describeFunction } from "./functions";
import { type OtherKind, unbox } from "./kinds";
import { prefix } from "./names";
import { formatPrimitive } from "./primitive";
import { ownKeys, property } from "./property";
import { braces, type Describe, isEmpty, type Subject } from "./subject";

const { types } = native;

const open = (subject: Subject, fallback: string): string => prefix(subject.name, subject.tag, fallback);

/** An object whose class is `Object`; the class is named only if a tag is. */
export const describePlain: Describe = (ctx, subject) => {
  const keys = ownKeys(ctx, subject.value);
  const isArguments = types.isArgumentsObject(subject.value);
  const start = isArguments ? "[Arguments] " : subject.tag !== "" ? open(subject, "Object") : "";
  return isEmpty(subject, keys) ? `${start}{}` : braces(start, keys);
};

function instance(fallback: string): Describe {
  return (ctx, subject) => {
    const keys = ownKeys(ctx, subject.value);
    const start = open(subject, fallback);
    return isEmpty(subject, keys) ? `${start}{}` : braces(start, keys);
  };
}

/** The class in front of a text that stands for the object, unless it is the usual one. */
function labelled(subject: Subject, usual: string, text: string): string {
  const start = open(subject, usual);
  return start === `${usual} ` ? text : start + text;
}

const regexp: Describe = (ctx, subject) => {
  const source = subject.name === null ? new RegExp(subject.value as RegExp) : subject.value;
  const base = labelled(subject, "RegExp", RegExp.prototype.toString.call(source));
  const keys = ownKeys(ctx, subject.value);
  if (isEmpty(subject, keys) || tooDeep(ctx, subject.depth)) return ctx.stylize(base, "regexp");
  return { ...braces("", keys), base };
};

const date: Describe = (ctx, subject) => {
  const value = subject.value as Date;
  const time = Date.prototype.getTime.call(value);
  const text = Number.isNaN(time) ? "Invalid Date" : Date.prototype.toISOString.call(value);
  const base = labelled(subject, "Date", text);
  const keys = ownKeys(ctx, value);
  return isEmpty(subject, keys) ? ctx.stylize(base, "date") : { ...braces("", keys), base };
};

const hex = (byte: number): string => byte.toString(16).padStart(2, "0");

function bufferEntries(ctx: Context, value: object): string[] {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(value as ArrayBuffer);
  } catch {
    return [ctx.stylize("(detached)", "special")];
  }
  const shown = Math.min(Math.max(0, ctx.maxArrayLength), bytes.length);
  const text = Array.from(bytes.subarray(0, shown), hex).join(" ");
  const rest = bytes.length > shown ? ` ${more(bytes.length - shown, "byte")}` : "";
  return [`${ctx.stylize("[Uint8Contents]", "special")}: <${text}${rest}>`];
}

function buffer(fallback: string): Describe {
  return (ctx, subject) => {
    const start = open(subject, fallback);
    const keys = ownKeys(ctx, subject.value);
    if (!ctx.bareBuffers) return braces(start, ["byteLength", ...keys], bufferEntries);
    const length = ctx.stylize(String((subject.value as ArrayBuffer).byteLength), "number");
    return isEmpty(subject, keys) ? `${start}{ byteLength: ${length} }` : braces(start, ["byteLength", ...keys]);
  };
}

const dataView: Describe = (ctx, subject) =>
  braces(open(subject, "DataView"), ["byteLength", "byteOffset", "buffer", ...ownKeys(ctx, subject.value)]);

const PENDING = 0;
const REJECTED = 2;

function promiseEntries(ctx: Context, value: object, depth: number): string[] {
  const [state, result] = types.promiseDetails(value) ?? [PENDING, undefined];
  if (state === PENDING) return [ctx.stylize("<pending>", "special")];
  const text = indented(ctx, 2, () => ctx.format(result, depth));
  return [state === REJECTED ? `${ctx.stylize("<rejected>", "special")} ${text}` : text];
}

const promise: Describe = (ctx, subject) => braces(open(subject, "Promise"), ownKeys(ctx, subject.value), promiseEntries);

function weak(fallback: string): Describe {
  return (ctx, subject) => braces(open(subject, fallback), ownKeys(ctx, subject.value),
    () => [ctx.stylize("<items unknown>", "special")]);
}

/** A binding that its module has not set yet throws when read. */
function moduleEntry(ctx: Context, value: object, key: PropertyKey, depth: number): string {
  try {
    return property(ctx, value, key, depth, "property");
  } catch {
    const unset = { value: "", enumerable: true };
    return property(ctx, value, key, depth, "property", unset).slice(0, -2) + ctx.stylize("<uninitialized>", "special");
  }
}

const module: Describe = (ctx, subject) => {
  const keys = ownKeys(ctx, subject.value);
  return braces(open(subject, "Module"), [], (_, value, depth) => keys.map((key) => moduleEntry(ctx, value, key, depth)));
};

const boxed: Describe = (ctx, subject) => {
  const { value, name, tag } = subject;
  const { kind, primitive } = unbox(value);
  const keys = ownKeys(ctx, value);
  if (kind === "String") keys.splice(0, (primitive as string).length);
  const other = name === kind ? "" : name === null ? " (null prototype)" : ` (${name})`;
  const text = formatPrimitive(Object.assign(Object.create(ctx) as Context, { stylize: plain }), primitive);
  const base = `[${kind}${other}: ${text}]${tag !== "" && tag !== name ? ` [${tag}]` : ""}`;
  if (!isEmpty(subject, keys)) return { ...braces("", keys), base };
  return ctx.stylize(base, kind.toLowerCase() as Lowercase<typeof kind>);
};

export const others: Record<OtherKind, Describe> = {
  Function: describeFunction,
  RegExp: regexp,
  Date: date,
  Error: describeError,
  ArrayBuffer: buffer("ArrayBuffer"),
  SharedArrayBuffer: buffer("SharedArrayBuffer"),
  DataView: dataView,
  Promise: promise,
  WeakSet: weak("WeakSet"),
  WeakMap: weak("WeakMap"),
  Module: module,
  Boxed: boxed,
  Arguments: instance("Arguments"),
  Object: instance("Object"),
};

/** Errors: the stack with a header that names the class, then causes and the error's own properties. */

import { type Context } from "./context";
import { isError } from "./kinds";
import { prefix } from "./names";
import { ownKeys } from "./property";
import { braces, type Describe, isEmpty } from "./subject";

interface ErrorFields {
  name?: unknown;
  message?: unknown;
  stack?: unknown;
  cause?: unknown;
  errors?: unknown;
}

const HEADERLESS = /^\s*at /;

/** As V8 writes it. An error that carries its own `toString` (Node's errors with codes) names its code in it. */
function headerOf(error: object): string {
  const own: unknown = Object.getOwnPropertyDescriptor(error, "toString")?.value;
  return typeof own === "function" ? String(own.call(error)) : Error.prototype.toString.call(error);
}

/** Frames of the guest itself and of the engine, which tell a script's author nothing. */
const INTERNAL = /\n {4}at [^\n]*\((?:amla:|node:|native\))[^\n]*/g;

/** `Name: message` and the script's frames. The engine's own stacks are frames only, and end in a newline. */
function stackText(error: object): string {
  const { stack } = error as ErrorFields;
  if (!stack) return Error.prototype.toString.call(error);
  const text = String(stack);
  return (HEADERLESS.test(text) ? `${headerOf(error)}\n${text.trimEnd()}` : text).replace(INTERNAL, "");
}

/** Properties that the stack shows already. */
function hideShown(ctx: Context, keys: PropertyKey[], error: ErrorFields, stack: string): void {
  if (ctx.showHidden || keys.length === 0) return;
  for (const name of ["name", "message", "stack"] as const) {
    const index = keys.indexOf(name);
    if (index >= 0 && stack.includes(String(error[name]))) keys.splice(index, 1);
  }
}

/** Causes and collected errors are shown though they are not enumerable. */
function addCauses(keys: PropertyKey[], error: ErrorFields): void {
  if (Object.hasOwn(error, "cause") && !keys.includes("cause")) keys.push("cause");
  if (Array.isArray(Object.getOwnPropertyDescriptor(error, "errors")?.value) && !keys.includes("errors")) keys.push("errors");
}

const CAPITAL_HEAD = /^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n\s+at)/;
const ERROR_HEAD = /^([a-z_A-Z0-9-]*Error)$/;

/** The header with the class's name where the error's `name` tells less. */
function nameClass(stack: string, className: string | null, name: string, tag: string): string {
  const next = stack[name.length];
  const named = name.endsWith("Error") && stack.startsWith(name) && (next === undefined || next === ":" || next === "\n");
  if (className !== null && !named) return stack;
  let length = name.length;
  let fallback = "Error";
  if (className === null) {
    const head = (CAPITAL_HEAD.exec(stack) ?? ERROR_HEAD.exec(stack))?.[1] ?? "";
    length = head.length;
    fallback = head || "Error";
  }
  const wanted = prefix(className, tag, fallback).slice(0, -1);
  if (wanted === name) return stack;
  if (!wanted.includes(name)) return `${wanted} [${name}]${stack.slice(length)}`;
  return length === 0 ? `${wanted}: ${stack}` : wanted + stack.slice(length);
}

const FEWEST_SHARED = 3;

/** The first run of more than three frames that `frames` and `other` share. */
function sharedRun(frames: readonly string[], other: readonly string[]): { offset: number; length: number } {
  for (let offset = 0; offset < frames.length - FEWEST_SHARED; offset++) {
    const start = other.indexOf(frames[offset] ?? "");
    if (start < 0) continue;
    const most = Math.min(frames.length - offset, other.length - start);
    let length = 1;
    while (length < most && frames[offset + length] === other[start + length]) length++;
    if (length > FEWEST_SHARED) return { offset, length };
  }
  return { offset: 0, length: 0 };
}

/** Frames, with those that the cause's stack repeats left out. */
function shortenFrames(ctx: Context, error: ErrorFields, text: string): string[] {
  const frames = text.split("\n");
  if (!isError(error.cause)) return frames;
  const causeStack = stackText(error.cause);
  const start = causeStack.indexOf("\n    at");
  if (start < 0) return frames;
  const { offset, length } = sharedRun(frames, causeStack.slice(start + 1).split("\n"));
  if (length <= FEWEST_SHARED) return frames;
  const note = `    ... ${length - 2} lines matching cause stack trace ...`;
  frames.splice(offset + 1, length - 2, ctx.stylize(note, "undefined"));
  return frames;
}

/** In brackets if there are no frames, which look like a property's text otherwise. */
function withFrames(ctx: Context, error: ErrorFields, stack: string): string {
  const message = typeof error.message === "string" ? error.message : "";
  const messageAt = message === "" ? -1 : stack.indexOf(message);
  const framesAt = stack.indexOf("\n    at", messageAt < 0 ? 0 : messageAt + message.length);
  if (framesAt < 0) return `[${stack}]`;
  return `${stack.slice(0, framesAt)}\n${shortenFrames(ctx, error, stack.slice(framesAt + 1)).join("\n")}`;
}

export const describeError: Describe = (ctx, subject) => {
  const error = subject.value as ErrorFields;
  const keys = ownKeys(ctx, error);
  const name = error.name === undefined || error.name === null ? "Error" : String(error.name);
  const stack = stackText(error);
  hideShown(ctx, keys, error, stack);
  addCauses(keys, error);
  let base = withFrames(ctx, error, nameClass(stack, subject.name, name, subject.tag));
  if (ctx.indent > 0) base = base.replaceAll("\n", `\n${" ".repeat(ctx.indent)}`);
  return isEmpty(subject, keys) ? base : { ...braces("", keys), base };
};

/** An error that nobody caught, as Node's REPL shows it. */

import { native } from "../bridge/native";
import { describeFailure } from "../bridge/failure";
import type { InspectOptions } from "../console/context";
import { inspect } from "../console/inspect";

/** A frame of the line itself: everybody sees that. */
const OWN_FRAME = /^\s*at (?:async )?<line> /;
const FRAME = /^\s+at .*\n?/gm;
const ERROR = /^\[?(?:[A-Z][a-z0-9_]*)*Error/;

export function uncaught(error: unknown, options: InspectOptions): string {
  trim(error, (stack) => stack.split("\n").filter((line) => !OWN_FRAME.test(line)).join("\n"));
  return shown(error, options);
}

/** A line that is no JavaScript: the place, and what is wrong there. */
export function unreadable(error: unknown, source: string, options: InspectOptions): string {
  const { line = 0, column = 1 } = describeFailure(error);
  trim(error, (stack) => stack.replace(FRAME, "").trimEnd());
  const text = source.split("\n")[line - 1];
  return `${text === undefined ? "" : `${text}\n${" ".repeat(column - 1)}^\n\n`}${shown(error, options)}`;
}

function shown(error: unknown, options: InspectOptions): string {
  const text = native.types.isNativeError(error) ? unbracketed(inspect(error, options)) : inspect(error, options);
  const lines = text.split(/(?<=\n)/);
  const at = lines.findIndex((line) => ERROR.test(line));
  if (at < 0) return `Uncaught${lines.length === 1 ? " " : ":\n"}${text}`;
  const fits = lines[at]!.length <= (options.breakLength ?? Infinity);
  lines[at] = `Uncaught${fits ? " " : ":\n"}${lines[at]!}`;
  return lines.join("");
}

function unbracketed(text: string): string {
  return text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
}

/** Takes frames out of an error's stack, if it is one that lets that be done. */
function trim(error: unknown, change: (stack: string) => string): void {
  if (!native.types.isNativeError(error)) return;
  const { stack } = error as Error;
  if (typeof stack !== "string") return;
  const value = change(stack);
  if (value !== stack) Reflect.defineProperty(error as Error, "stack", { value, writable: true, enumerable: false, configurable: true });
}

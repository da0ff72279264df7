/** What is told to the host of an error that ended a script. */

import { inspect } from "../console/inspect";
import { native } from "./native";

export interface Failure {
  name: string;
  message: string;
  /** The first line that a person reads: `TypeError: …`, or `Uncaught { code: 42 }`. */
  text: string;
  code?: string;
  file?: string;
  line?: number;
  column?: number;
  /** Frames of the script's own files, innermost first. */
  stack: string[];
}

/** Characters of a text; the host shows fewer. */
const LONGEST = 20_000;

const FRAME = /^\s*at (?:(.*) \()?([^()]*?):(\d+)(?::(\d+))?\)?$/;
const INTERNAL = /^(?:node|amla):|^<|^native$/;

export function describeFailure(error: unknown): Failure {
  if (!native.types.isNativeError(error) && !isDomException(error)) {
    const shown = shownSafely(error);
    return { name: "Error", message: shown, text: `Uncaught ${shown}`, stack: [] };
  }
  const name = property(error, "name") || "Error";
  const message = property(error, "message");
  const failure: Failure = { name, message, text: message ? `${name}: ${message}` : name, stack: [] };
  const code = property(error, "code");
  if (code) failure.code = code;
  locate(failure, property(error, "stack"));
  return failure;
}

/** Its inspectors and getters are a script's own, and may throw. */
function shownSafely(value: unknown): string {
  for (const options of [{}, { customInspect: false }]) {
    try {
      return inspect(value, options);
    } catch {
      continue;
    }
  }
  return "a value that cannot be shown";
}

/** Keeps the frames that lie in the script's files; the innermost gives file, line and column. */
function locate(failure: Failure, stack: string): void {
  for (const line of stack.split("\n")) {
    const match = FRAME.exec(line);
    if (!match || INTERNAL.test(match[2]!)) continue;
    failure.stack.push(line.trim());
    if (failure.file !== undefined) continue;
    failure.file = match[2]!;
    failure.line = Number(match[3]);
    if (match[4]) failure.column = Number(match[4]);
  }
}

function isDomException(error: unknown): boolean {
  return typeof error === "object" && error !== null && typeof property(error, "stack") === "string" && property(error, "name") !== "";
}

/** A property as text; the getters of a hostile error must not break the report. */
function property(error: unknown, key: string): string {
  try {
    const value = (error as Record<string, unknown>)[key];
    return typeof value === "string" ? value.slice(0, key === "stack" ? undefined : LONGEST) : "";
  } catch {
    return "";
  }
}

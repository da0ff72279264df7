/** What `throws` and `rejects` ask of an error. */

import { kernel } from "amla:kernel";
import { coded, invalidType } from "../errors";
import { AssertionError, type Details } from "./error";
import { inspect } from "./show";

const { isNativeError, isRegExp } = kernel.types;

export type Checker = (...args: never[]) => unknown;

/** Nothing was thrown. */
export const NOTHING = Symbol("nothing");

/** What the call should have thrown: a class, a pattern, a validation function or an object to compare with. */
export type Expected = object | string | undefined | null;

export function fail(details: Details): never {
  if (isNativeError(details.message)) throw details.message;
  throw new AssertionError(details);
}

const kindOf = (check: Checker): string => (check.name === "rejects" || check.name === "doesNotReject" ? "rejection" : "exception");

type Fields = Record<PropertyKey, unknown>;

/** The compared properties of an error, under a name of their own in the message. */
class Comparison {
  constructor(source: Fields, keys: readonly string[], actual?: Fields) {
    for (const key of keys) {
      if (!(key in source)) continue;
      const matched = actual !== undefined && matches(source[key], actual[key]);
      (this as unknown as Fields)[key] = matched ? actual[key] : source[key];
    }
  }
}

function matches(pattern: unknown, text: unknown): boolean {
  return typeof text === "string" && isRegExp(pattern) && (pattern as RegExp).exec(text) !== null;
}

function emptyExpectation(expected: object): Error {
  const message = `The argument 'error' may not be an empty object. Received ${inspect(expected)}`;
  return coded(TypeError, "ERR_INVALID_ARG_VALUE", message);
}

function compareProperties(actual: Fields, expected: Fields, message: string | Error | undefined, check: Checker): void {
  const keys = Object.keys(expected);
  if (isNativeError(expected)) keys.push("name", "message");
  else if (keys.length === 0) throw emptyExpectation(expected);
  const same = (key: string): boolean => matches(expected[key], actual[key])
    || (key in actual && kernel.console.isDeepStrictEqual(actual[key], expected[key]));
  if (keys.every(same)) return;
  if (message) fail({ actual, expected, message, operator: check.name, stackStartFn: check });
  const error = new AssertionError({
    actual: new Comparison(actual, keys),
    expected: new Comparison(expected, keys, actual),
    operator: "deepStrictEqual",
    stackStartFn: check,
  });
  throw Object.assign(error, { actual, expected, operator: check.name });
}

/** Why the error is not what a pattern, class or function wants; undefined if it is. */
function complaint(actual: unknown, expected: Checker | RegExp): string | undefined {
  if (isRegExp(expected)) {
    const text = String(actual);
    if ((expected as RegExp).exec(text) !== null) return undefined;
    return `The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(text)}\n`;
  }
  const test = expected as Checker;
  if (test.prototype !== undefined && actual instanceof test) return undefined;
  if (Object.prototype.isPrototypeOf.call(Error, test)) return wrongClass(actual, test);
  return wrongAnswer(actual, test);
}

function wrongClass(actual: unknown, expected: Checker): string {
  const start = `The error is expected to be an instance of "${expected.name}". Received `;
  if (!isNativeError(actual)) return `${start}"${inspect(actual, { depth: -1 })}"`;
  const { name, message } = actual as Error;
  return `${start}"${name}"${message ? `\n\nError message:\n\n${message}` : ""}`;
}

function wrongAnswer(actual: unknown, test: Checker): string | undefined {
  const answer = Reflect.apply(test, {}, [actual] as never[]) as unknown;
  if (answer === true) return undefined;
  const name = test.name ? `"${test.name}" ` : "";
  const caught = isNativeError(actual) ? `\n\nCaught error:\n\n${String(actual)}` : "";
  return `The ${name}validation function is expected to return "true". Received ${inspect(answer)}${caught}`;
}

function compareError(actual: unknown, expected: object, message: string | Error | undefined, check: Checker): void {
  if (typeof expected !== "function" && !isRegExp(expected)) {
    if (typeof actual === "object" && actual !== null) return compareProperties(actual as Fields, expected as Fields, message, check);
    const error = new AssertionError({ actual, expected, message, operator: "deepStrictEqual", stackStartFn: check });
    throw Object.assign(error, { operator: check.name });
  }
  const text = complaint(actual, expected as Checker | RegExp);
  if (text === undefined) return;
  if (isNativeError(message)) throw message;
  const error = new AssertionError({ actual, expected, message: message || text, operator: check.name, stackStartFn: check });
  throw Object.assign(error, { generatedMessage: !message });
}

function ambiguous(what: string): Error {
  return coded(TypeError, "ERR_AMBIGUOUS_ARGUMENT", `The "error/message" argument is ambiguous. ${what} is identical to the message.`);
}

function checkAmbiguity(actual: unknown, message: string): void {
  const text: unknown = typeof actual === "object" && actual !== null ? (actual as Error).message : undefined;
  if (text === message) throw ambiguous(`The error message "${message}"`);
  if (actual === message) throw ambiguous(`The error "${message}"`);
}

/** `throws` and `rejects`, once it is known what was thrown. */
export function expectError(check: Checker, actual: unknown, error: Expected, message?: string | Error): void {
  let expected = error;
  let text = message;
  if (typeof expected === "string") {
    if (text !== undefined) throw invalidType("error", "of type function or an instance of Error, RegExp, or Object", expected);
    checkAmbiguity(actual, expected);
    [expected, text] = [undefined, expected];
  } else if (expected !== undefined && expected !== null && typeof expected !== "object" && typeof expected !== "function") {
    throw invalidType("error", "of type function or an instance of Error, RegExp, or Object", expected);
  }
  if (actual === NOTHING) missing(check, expected ?? undefined, text);
  if (expected) compareError(actual, expected, text, check);
}

function missing(check: Checker, expected: object | undefined, message: string | Error | undefined): never {
  const name = (expected as { name?: unknown } | undefined)?.name;
  const details = `${name ? ` (${String(name)})` : ""}${message ? `: ${String(message)}` : "."}`;
  fail({ expected, operator: check.name, message: `Missing expected ${kindOf(check)}${details}`, stackStartFn: check });
}

function isWanted(actual: unknown, expected: object): boolean {
  if (isRegExp(expected)) return (expected as RegExp).exec(String(actual)) !== null;
  if (typeof expected !== "function") throw invalidType("expected", "of type function or an instance of RegExp", expected);
  if (expected.prototype !== undefined && actual instanceof expected) return true;
  if (Object.prototype.isPrototypeOf.call(Error, expected)) return false;
  return Reflect.apply(expected, {}, [actual] as never[]) === true;
}

/** `doesNotThrow` and `doesNotReject`. */
export function expectNoError(check: Checker, actual: unknown, error: Expected, message?: string | Error): void {
  if (actual === NOTHING) return;
  const expected = typeof error === "string" ? undefined : error;
  const text = typeof error === "string" ? error : message;
  if (expected && !isWanted(actual, expected)) throw actual;
  const got = (actual as { message?: unknown } | null | undefined)?.message;
  const details = `${text ? `: ${String(text)}` : "."}\nActual message: "${String(actual ? got : actual)}"`;
  fail({ actual, expected, operator: check.name, message: `Got unwanted ${kindOf(check)}${details}`, stackStartFn: check });
}

import { kernel } from "amla:kernel";
import { AssertionError } from "./assert/error";
import { expectError, expectNoError, type Expected, fail as raise, NOTHING } from "./assert/exceptions";
import { inspect } from "./assert/show";
import { coded, invalidType, requireFunction } from "./errors";

type Message = string | Error | undefined;
type Operator = (...args: never[]) => unknown;

const { isDeepEqual, isDeepStrictEqual } = kernel.console;
const { isNativeError, isPromise, isRegExp } = kernel.types;

function check(truth: Operator, args: readonly unknown[]): void {
  const [value, message] = args as [unknown, Message];
  if (value) return;
  if (isNativeError(message)) throw message;
  const none = args.length === 0 ? "No value argument passed to `assert.ok()`" : undefined;
  const text = message ?? none;
  const details = { actual: value, expected: true, operator: "==", message: text, stackStartFn: truth };
  throw Object.assign(new AssertionError(details), { generatedMessage: message === undefined || message === null });
}

function assert(...args: unknown[]): void {
  check(assert, args);
}

function ok(...args: unknown[]): void {
  check(ok, args);
}

function requireTwo(count: number): void {
  if (count < 2) throw coded(TypeError, "ERR_MISSING_ARGS", 'The "actual" and "expected" arguments must be specified');
}

/** An assertion on two values; `operator` is what its error says, if not its name. */
function comparison(name: string, holds: (actual: unknown, expected: unknown) => boolean, operator = name) {
  const assertion = (...args: unknown[]): void => {
    requireTwo(args.length);
    const [actual, expected, message] = args as [unknown, unknown, Message];
    if (!holds(actual, expected)) raise({ actual, expected, message, operator, stackStartFn: assertion });
  };
  Object.defineProperty(assertion, "name", { value: name });
  return assertion;
}

const bothNaN = (a: unknown, b: unknown): boolean => a !== a && b !== b;
const looselyEqual = (a: unknown, b: unknown): boolean => a == b || bothNaN(a, b);

const comparisons = {
  equal: comparison("equal", looselyEqual, "=="),
  notEqual: comparison("notEqual", (a, b) => !looselyEqual(a, b), "!="),
  deepEqual: comparison("deepEqual", isDeepEqual),
  notDeepEqual: comparison("notDeepEqual", (a, b) => !isDeepEqual(a, b)),
  deepStrictEqual: comparison("deepStrictEqual", isDeepStrictEqual),
  notDeepStrictEqual: comparison("notDeepStrictEqual", (a, b) => !isDeepStrictEqual(a, b)),
  strictEqual: comparison("strictEqual", Object.is),
  notStrictEqual: comparison("notStrictEqual", (a, b) => !Object.is(a, b)),
};

function fail(...args: unknown[]): never {
  const [actual, expected, message, operator] = args as [unknown, unknown, Message, string | undefined];
  if (args.length <= 1) {
    const given = actual ?? undefined;
    const error = (): Error => new AssertionError({ message: String(given ?? "Failed"), operator: "fail", stackStartFn: fail });
    if (isNativeError(given)) throw given;
    throw Object.assign(error(), { generatedMessage: given === undefined });
  }
  raise({ actual, expected, message, operator: operator ?? (args.length === 2 ? "!=" : "fail"), stackStartFn: fail });
}

function thrownBy(call: unknown): unknown {
  requireFunction("fn", call);
  try {
    (call as () => unknown)();
  } catch (error) {
    return error;
  }
  return NOTHING;
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  isPromise(value) || (typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"
    && typeof (value as { catch?: unknown }).catch === "function");

function promiseOf(source: unknown): PromiseLike<unknown> {
  if (isThenable(source)) return source;
  if (typeof source !== "function") throw invalidType("promiseFn", "of type function or an instance of Promise", source);
  const result: unknown = (source as () => unknown)();
  if (isThenable(result)) return result;
  const got = invalidType("x", "", result).message.replace(/^.*Received /s, "");
  throw coded(TypeError, "ERR_INVALID_RETURN_VALUE",
    `Expected instance of Promise to be returned from the "promiseFn" function but got ${got}.`);
}

async function rejectionOf(source: unknown): Promise<unknown> {
  const promise = promiseOf(source);
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return NOTHING;
}

const exceptions = {
  throws(call: unknown, error?: Expected, message?: Message): void {
    expectError(exceptions.throws, thrownBy(call), error, message);
  },
  async rejects(source: unknown, error?: Expected, message?: Message): Promise<void> {
    expectError(exceptions.rejects, await rejectionOf(source), error, message);
  },
  doesNotThrow(call: unknown, error?: Expected, message?: Message): void {
    expectNoError(exceptions.doesNotThrow, thrownBy(call), error, message);
  },
  async doesNotReject(source: unknown, error?: Expected, message?: Message): Promise<void> {
    expectNoError(exceptions.doesNotReject, await rejectionOf(source), error, message);
  },
};

function ifError(value: unknown): void {
  if (value === null || value === undefined) return;
  const { message, constructor } = value as Partial<Error>;
  const text = typeof value === "object" && typeof message === "string" ? message || constructor?.name : inspect(value);
  const details = { actual: value, expected: null, operator: "ifError", stackStartFn: ifError };
  throw Object.assign(new AssertionError({ ...details, message: `ifError got unwanted exception: ${text}` }), { generatedMessage: false });
}

function matching(name: string, wanted: boolean, claim: string) {
  const assertion = (string: unknown, pattern: unknown, message?: Message): void => {
    if (!isRegExp(pattern)) throw invalidType("regexp", "an instance of RegExp", pattern);
    if (typeof string === "string" && ((pattern as RegExp).exec(string) !== null) === wanted) return;
    if (isNativeError(message)) throw message;
    const text = typeof string === "string" ? `${claim} ${inspect(pattern)}. Input:\n\n${inspect(string)}\n`
      : `The "string" argument must be of type string. Received type ${typeof string} (${inspect(string)})`;
    const details = { actual: string, expected: pattern, message: message || text, operator: name, stackStartFn: assertion };
    throw Object.assign(new AssertionError(details), { generatedMessage: !message });
  };
  Object.defineProperty(assertion, "name", { value: name });
  return assertion;
}

const members = {
  fail,
  AssertionError,
  ok,
  ...comparisons,
  ...exceptions,
  ifError,
  match: matching("match", true, "The input did not match the regular expression"),
  doesNotMatch: matching("doesNotMatch", false, "The input was expected to not match the regular expression"),
};

function strict(...args: unknown[]): void {
  check(strict, args);
}

const strictMembers = {
  ...members,
  equal: comparisons.strictEqual,
  notEqual: comparisons.notStrictEqual,
  deepEqual: comparisons.deepStrictEqual,
  notDeepEqual: comparisons.notDeepStrictEqual,
};

Object.assign(strict, strictMembers, { strict });
Object.assign(assert, members, { strict });

export default assert;
module.exports = assert;

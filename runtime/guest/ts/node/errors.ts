/**
 * Errors as Node words them: a class of the language, a `code`, and a message that names the argument.
 *
 * Every module bundles its own copy, so nothing here may be compared by identity.
 */

export interface CodedError extends Error {
  code: string;
}

type ErrorClass = new (message: string) => Error;

/** An error of class `Base` that carries `code` and shows it in its text. */
export function coded(Base: ErrorClass, code: string, message: string): CodedError {
  const error = new Base(message) as CodedError;
  const toString = (): string => `${error.name} [${code}]: ${error.message}`;
  Object.defineProperty(error, "toString", { value: toString, configurable: true, writable: true });
  error.code = code;
  return error;
}

const FORMAT_LIMIT = 25;

function quoteText(text: string): string {
  const shown = text.length > FORMAT_LIMIT + 3 ? `${text.slice(0, FORMAT_LIMIT)}...` : text;
  return shown.includes("'") ? JSON.stringify(shown) : `'${shown}'`;
}

/** " Received …" as it ends Node's messages about a wrong type. */
export function received(value: unknown): string {
  if (value == null) return ` Received ${value}`;
  if (typeof value === "function") return ` Received function ${value.name}`;
  if (typeof value === "object") {
    const name = (value as object).constructor?.name;
    return name ? ` Received an instance of ${name}` : " Received [Object: null prototype] {}";
  }
  const text = typeof value === "string" ? quoteText(value) : typeof value === "bigint" ? `${value}n` : String(value);
  return ` Received type ${typeof value} (${text})`;
}

function subject(name: string): string {
  return name.endsWith(" argument") ? `The ${name}` : `The "${name}" ${name.includes(".") ? "property" : "argument"}`;
}

/** `expected` follows "must be": "of type string", "an instance of Buffer". */
export function invalidType(name: string, expected: string, value: unknown): CodedError {
  return coded(TypeError, "ERR_INVALID_ARG_TYPE", `${subject(name)} must be ${expected}.${received(value)}`);
}

export function invalidValue(name: string, value: unknown, reason = "is invalid"): CodedError {
  const kind = name.includes(".") ? "property" : "argument";
  const shown = typeof value === "string" ? `'${value}'` : String(value);
  return coded(TypeError, "ERR_INVALID_ARG_VALUE", `The ${kind} '${name}' ${reason}. Received ${shown}`);
}

function groupDigits(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, "_");
}

function showNumber(value: unknown): string {
  if (typeof value === "bigint")
    return `${value > 2n ** 32n || value < -(2n ** 32n) ? groupDigits(String(value)) : value}n`;
  if (Number.isInteger(value) && Math.abs(value as number) > 2 ** 32) return groupDigits(String(value));
  return typeof value === "string" ? `'${value}'` : String(value);
}

/** `range` follows "It must be". */
export function outOfRange(name: string, range: string, value: unknown): CodedError {
  const message = `The value of "${name}" is out of range. It must be ${range}. Received ${showNumber(value)}`;
  return coded(RangeError, "ERR_OUT_OF_RANGE", message);
}

export function requireString(name: string, value: unknown): asserts value is string {
  if (typeof value !== "string") throw invalidType(name, "of type string", value);
}

export function requireFunction(name: string, value: unknown): asserts value is (...args: never[]) => unknown {
  if (typeof value !== "function") throw invalidType(name, "of type function", value);
}

export function requireInteger(name: string, value: unknown, low: number, high: number): asserts value is number {
  if (typeof value !== "number") throw invalidType(name, "of type number", value);
  if (!Number.isInteger(value)) throw outOfRange(name, "an integer", value);
  if (value < low || value > high) throw outOfRange(name, `>= ${low} && <= ${high}`, value);
}

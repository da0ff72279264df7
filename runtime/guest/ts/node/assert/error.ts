import { invalidType } from "../errors";
import { describe } from "./messages";
import { inspect } from "./show";

export interface Details {
  message?: string | Error | undefined;
  actual?: unknown;
  expected?: unknown;
  operator?: string | undefined;
  /** The stack begins at the caller of this function. */
  stackStartFn?: ((...args: never[]) => unknown) | undefined;
}

const CODE = "ERR_ASSERTION";
const LONGEST_LINES = 10;
const LONGEST_TEXT = 512;

/** A stand-in for an error, without the stack that would drown the message. */
function withoutStack(error: Error): object {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(error) as object) as object, error);
  Object.defineProperty(copy, "message", { value: error.message });
  return copy;
}

function messageOf({ message, operator = "", actual, expected }: Details): string {
  const text = message === undefined || message === null ? undefined : String(message);
  if (!(actual instanceof Error) || !(expected instanceof Error)) return describe(operator, actual, expected, text);
  return describe(operator, withoutStack(actual), withoutStack(expected), text);
}

/** Long texts are cut where the error is printed. */
function cut(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const lines = value.split("\n", LONGEST_LINES + 1);
  if (lines.length > LONGEST_LINES) return `${lines.slice(0, LONGEST_LINES).join("\n")}\n...`;
  return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}...` : value;
}

export class AssertionError extends Error {
  // Only declared: they are made by the constructor, in the order in which Node prints them.
  declare generatedMessage: boolean;
  declare code: string;
  declare actual: unknown;
  declare expected: unknown;
  declare operator: string | undefined;

  constructor(details: Details) {
    if (typeof details !== "object" || details === null) throw invalidType("options", "of type object", details);
    super(messageOf(details));
    this.generatedMessage = !details.message;
    this.code = CODE;
    this.actual = details.actual;
    this.expected = details.expected;
    this.operator = details.operator;
    Object.defineProperties(this, {
      name: { value: "AssertionError", writable: true, configurable: true },
      toString: { value: withCode, writable: true, configurable: true },
    });
    if (details.stackStartFn) captureFrom(this, details.stackStartFn);
  }

  [Symbol.for("nodejs.util.inspect.custom")](_depth: number, options: object): string {
    const { actual, expected } = this;
    this.actual = cut(actual);
    this.expected = cut(expected);
    const text = inspect(this, { ...options, customInspect: false, depth: 0 });
    this.actual = actual;
    this.expected = expected;
    return text;
  }
}

function withCode(this: AssertionError): string {
  return `${this.name} [${this.code}]: ${this.message}`;
}

type Capture = (error: Error, start: (...args: never[]) => unknown) => void;

function captureFrom(error: Error, start: (...args: never[]) => unknown): void {
  const { captureStackTrace } = Error as unknown as { captureStackTrace?: Capture };
  captureStackTrace?.(error, start);
}

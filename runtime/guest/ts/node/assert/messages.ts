/** The message of an AssertionError that was given none. */

import { difference } from "./diff";
import { inspectValue } from "./show";

const TITLES: Record<string, string> = {
  deepStrictEqual: "Expected values to be strictly deep-equal:",
  strictEqual: "Expected values to be strictly equal:",
  sameReference: 'Expected "actual" to be reference-equal to "expected":',
  deepEqual: "Expected values to be loosely deep-equal:",
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  otherReference: 'Expected "actual" not to be reference-equal to "expected":',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  onlyReferenceDiffers: "Values have same structure but are not reference-equal:",
};

/** Two primitives no longer than this together are shown on one line. */
const SHORT = 12;
const LINE = 80;
const MOST_LINES = 50;
const KEPT_LINES = 46;

const isReference = (value: unknown): boolean => (typeof value === "object" && value !== null) || typeof value === "function";

function shorten(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit - 3)}...` : text;
}

/** Long values end in an ellipsis. */
function capped(lines: string[]): string[] {
  return lines.length > MOST_LINES ? [...lines.slice(0, KEPT_LINES), "..."] : lines;
}

/** A caret under the first character that differs, if the two lines agree for a while. */
function mismatchIndicator(actual: string, expected: string): string {
  if (actual.length + expected.length >= LINE) return "";
  let column = 0;
  while (actual[column] === expected[column]) column++;
  return column > 2 ? `\n  ${" ".repeat(column)}^` : "";
}

function unequal(operator: string, actual: unknown, expected: unknown, message: string): string {
  const [left, right] = [inspectValue(actual), inspectValue(expected)];
  if (left === right) return `${TITLES.onlyReferenceDiffers}\n\n${capped(left.split("\n")).join("\n")}\n`;
  const sameType = typeof actual === typeof expected;
  const references = operator === "strictEqual" && sameType && isReference(actual) && isReference(expected);
  const title = message || (TITLES[references ? "sameReference" : operator] as string);
  if (left.includes("\n") || right.includes("\n")) return difference(title, actual, expected);
  if (left.length + right.length > SHORT) {
    return difference(title, actual, expected, references ? "" : mismatchIndicator(left, right));
  }
  const primitives = !isObject(actual) && !isObject(expected);
  const zeros = actual === 0 && expected === 0;
  return primitives && !zeros ? `${title}\n\n${left} !== ${right}\n` : difference(title, actual, expected);
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

function notUnequal(operator: string, actual: unknown): string {
  const title = TITLES[operator === "notStrictEqual" && isReference(actual) ? "otherReference" : operator] as string;
  const lines = capped(inspectValue(actual).split("\n"));
  if (lines.length > 1) return `${title}\n\n${lines.join("\n")}\n`;
  const [line = ""] = lines;
  return `${title}${line.length > 5 ? "\n\n" : " "}${line}`;
}

function loose(operator: string, actual: unknown, expected: unknown): string {
  const left = inspectValue(actual);
  const right = inspectValue(expected);
  if (operator === "notDeepEqual" && left === right) return shorten(`${TITLES.notDeepEqual}\n\n${left}`, 1024);
  const [first, second] = [shorten(left, 512), shorten(right, 512)];
  if (operator === "deepEqual") return `${TITLES.deepEqual}\n\n${first}\n\nshould loosely deep-equal\n\n${second}`;
  if (operator === "notDeepEqual") {
    return `Expected values not to be loosely deep-equal:\n\n${first}\n\nshould not loosely deep-equal\n\n${second}`;
  }
  return `${first} ${operator} ${second}`;
}

/** A script's own `message` stands above the difference of a strict comparison, and alone otherwise. */
export function describe(operator: string, actual: unknown, expected: unknown, message?: string): string {
  if (operator === "deepStrictEqual" || operator === "strictEqual") return unequal(operator, actual, expected, message ?? "");
  if (message !== undefined) return message;
  if (operator === "notDeepStrictEqual" || operator === "notStrictEqual") return notUnequal(operator, actual);
  return loose(operator, actual, expected);
}

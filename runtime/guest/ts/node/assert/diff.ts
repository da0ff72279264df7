/** The difference of two values, line by line, as it stands in an AssertionError's message. */

import { inspectValue } from "./show";

/** Identical lines kept on each side of a change. */
const CONTEXT = 2;
/** A run of identical lines up to this long is shown whole. */
const SHORT_RUN = 5;
/** Identical lines kept at the very end. */
const TAIL = 3;
/** Printed lines after which the rest is left out. */
const MANY = 50;

const SKIPPED = "...";

interface Lines {
  actual: string[];
  expected: string[];
}

/** Takes the identical last lines off both sides and returns them, topmost first. */
function takeTail({ actual, expected }: Lines): string[] {
  const tail: string[] = [];
  while (actual.length > 0 && expected.length > 0 && actual.at(-1) === expected.at(-1)) {
    tail.unshift(actual.pop() as string);
    expected.pop();
  }
  return tail;
}

function shownTail(tail: readonly string[]): { rows: string[]; skipped: boolean } {
  const rows = tail.map((line) => `  ${line}`);
  if (rows.length <= TAIL + 1) return { rows, skipped: false };
  return { rows: [rows[0] as string, SKIPPED, ...rows.slice(-TAIL)], skipped: true };
}

/** Lines that differ at most in a comma at their end count as the same; the one with the comma is shown. */
function sameLine(actual: string, expected: string): string | undefined {
  if (actual === expected || actual === `${expected},`) return actual;
  return expected === `${actual},` ? expected : undefined;
}

/** Gathers rows; a run of identical lines is shortened once it is known how long it is. */
class Rows {
  readonly rows: string[] = [];
  /** Expected lines of a change; they follow all its actual lines. */
  expected: string[] = [];
  printed = 0;
  skipped = false;
  private run: { actual: string; expected: string }[] = [];

  same(line: string, actual: string, expected: string): void {
    this.rows.push(...this.expected);
    this.expected = [];
    this.run.push({ actual, expected });
    if (this.run.length > CONTEXT) return;
    this.rows.push(`  ${line}`);
    this.printed++;
  }

  changed(actual: string | undefined, expected: string | undefined): void {
    this.endRun(actual === undefined ? "expected" : "actual");
    if (actual !== undefined) this.rows.push(`+ ${actual}`);
    if (expected !== undefined) this.expected.push(`- ${expected}`);
    this.printed += Number(actual !== undefined) + Number(expected !== undefined);
  }

  /** A change follows: shows the last identical lines before it, as `side` has them. */
  private endRun(side: "actual" | "expected"): void {
    const hidden = this.run.slice(CONTEXT).map((line) => `  ${line[side]}`);
    const long = this.run.length > SHORT_RUN;
    const kept = long ? hidden.slice(-CONTEXT) : hidden;
    if (long) {
      this.rows.push(SKIPPED);
      this.skipped = true;
    }
    this.rows.push(...kept);
    this.printed += kept.length;
    this.run = [];
  }
}

/** Compares line with line at the same place; `cut` when the rest was left out. */
function compare({ actual, expected }: Lines): { result: Rows; cut: boolean } {
  const result = new Rows();
  const length = Math.max(actual.length, expected.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [actual[index], expected[index]];
    const same = left !== undefined && right !== undefined ? sameLine(left, right) : undefined;
    if (same === undefined) result.changed(left, right);
    else result.same(same, left as string, right as string);
    if (result.printed > MANY && index < length - 2) return { result, cut: true };
  }
  return { result, cut: false };
}

/** `title`, then both values with `+` before what is actual and `-` before what was expected. */
export function difference(title: string, actual: unknown, expected: unknown, indicator = ""): string {
  const lines = { actual: inspectValue(actual).split("\n"), expected: inspectValue(expected).split("\n") };
  const tail = shownTail(takeTail(lines));
  const { result, cut } = compare(lines);
  const rows = cut ? [...result.rows, SKIPPED, ...result.expected, SKIPPED] : [...result.rows, ...result.expected, ...tail.rows];
  const note = cut || result.skipped || tail.skipped ? " ... Lines skipped" : "";
  return `${title}\n+ actual - expected${note}\n\n${rows.join("\n")}${indicator}`;
}

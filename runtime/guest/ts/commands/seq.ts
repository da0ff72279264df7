import { native } from "../bridge/native";
import { type Directive, formatFloat, parseFlags } from "../shell/format/directive";
import { add, compare, type Extended, fromInteger, multiply, parseExtended } from "../shell/format/extended";
import type { Maybe } from "../shell/io/maybe";
import type { Process } from "../shell/process";
import { command, Failure } from "./command";
import { Filter } from "./filter";
import { UsageFault } from "./options";
import { quoted } from "./sizes";

interface Operand {
  readonly text: string;
  readonly value: Extended;
  /** Columns that it takes as it is spelled. */
  readonly width: number;
  /** Digits behind the point; undefined where that can't be said. */
  readonly precision: number | undefined;
}

interface Format {
  readonly before: string;
  readonly directive: Directive;
  readonly after: string;
}

function parseOperand(given: string): Operand {
  const text = given.replace(/^[ \t]*\+?/, "");
  const value = parseExtended(text);
  if (!value) throw new UsageFault(`invalid floating point argument: ${quoted(given)}`);
  if (value.special === "nan") throw new UsageFault(`invalid not-a-number argument: ${quoted(given)}`);
  if (value.special || /[xX]/.test(text)) return { text, value, width: 0, precision: /[.p]/.test(text) ? undefined : 0 };
  const [, sign, whole, point, fraction, exponent] = /^(-?)(\d*)(\.?)(\d*)(?:[eE]([-+]?\d+))?$/.exec(text)!;
  const shift = Number(exponent ?? 0);
  const precision = Math.max(0, fraction!.length - shift);
  const digits = shift >= 0 ? whole!.length + shift : Math.max(whole!.length + shift, 1);
  const width = sign!.length + Math.max(digits, 1) + (precision > 0 ? 1 + precision : 0);
  return { text, value, width: point || exponent ? width : text.length, precision };
}

const FORMAT = /^((?:[^%]|%%)*)%([-+ #0']*)(\d*)(?:\.(\d*))?L?([aAeEfFgG])((?:[^%]|%%)*)$/;

function parseFormat(format: string): Format {
  const match = FORMAT.exec(format);
  if (!match) throw new Failure(formatFault(format));
  const [, before, flags, width, precision, conversion, after] = match;
  const plain = (text: string): string => text.replaceAll("%%", "%");
  return {
    before: plain(before!),
    directive: { ...parseFlags(flags!), width: Number(width), precision: precision === undefined ? undefined : Number(precision), conversion: conversion! },
    after: plain(after!),
  };
}

function formatFault(format: string): string {
  const bare = format.replaceAll("%%", "");
  if (!bare.includes("%")) return `format ${quoted(format)} has no % directive`;
  const directive = /%[-+ #0']*\d*(?:\.\d*)?L?([^])?/.exec(bare)!;
  if (directive[1] === undefined) return `format ${quoted(format)} ends in %`;
  if (!/[aAeEfFgG]/.test(directive[1])) return `format ${quoted(format)} has unknown %${directive[1]} directive`;
  return `format ${quoted(format)} has too many % directives`;
}

/** What numbers are printed by without -f: as many digits behind the point as the first or the step has. */
function usualFormat(first: Operand, step: Operand, last: Operand, equalWidth: boolean): Format {
  const usual = { left: false, plus: false, space: false, alternate: false, zero: false, grouped: false, width: 0, before: "", after: "" };
  const known = first.precision !== undefined && step.precision !== undefined && last.precision !== undefined;
  if (!known) return { before: "", directive: { ...usual, precision: undefined, conversion: "g" }, after: "" };
  const precision = Math.max(first.precision, step.precision);
  const widthOf = ({ width, precision: own }: Operand): number => width - (own! > 0 ? own! + 1 : 0) + (precision > 0 ? precision + 1 : 0);
  const width = equalWidth ? Math.max(widthOf(first), widthOf(last)) : 0;
  return { before: "", directive: { ...usual, zero: equalWidth, width, precision, conversion: "f" }, after: "" };
}

/** A decimal number as c/filters/seq.c takes it: without its point, with `places` digits behind it; undefined if it has no such form. */
function withoutPoint({ text }: Operand, places: number, round: (value: number) => number): number | undefined {
  const [, sign, whole, fraction = ""] = /^(-?)(\d{0,15})(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole === undefined || whole + fraction === "" || fraction.length > MOST_PLACES) return undefined;
  const digits = Number(whole + fraction.slice(0, places).padEnd(places, "0"));
  const rest = Number(fraction.slice(places) || 0);
  if (digits > Number.MAX_SAFE_INTEGER || (sign !== "" && digits + rest === 0)) return undefined;
  return round((sign === "" ? 1 : -1) * (rest > 0 ? digits + 0.5 : digits));
}

const MOST_PLACES = 12;

/** How many places numbers have that a format prints as they are; undefined if it rounds, or writes them otherwise. */
function placesOf({ directive }: Format, least: number, largest: number): number | undefined {
  const { conversion, precision = 6, left, plus, space, alternate, grouped } = directive;
  if (left || plus || space || alternate || grouped) return undefined;
  if (conversion === "f" || conversion === "F") return precision >= least && precision <= MOST_PLACES ? precision : undefined;
  return conversion === "g" && least === 0 && largest < 10 ** Math.min(precision || 1, 15) ? 0 : undefined;
}

/** Prints numbers that need no rounding; undefined if they are not such. */
function printDecimals(process: Process, [first, step, last]: readonly [Operand, Operand, Operand], format: Format, separator: string): Maybe<void> | false {
  const least = Math.max(first.precision ?? Infinity, step.precision ?? Infinity);
  const largest = Math.max(...[first, last].map(({ text }) => Math.abs(Number(text))));
  const places = placesOf(format, least, largest);
  if (places === undefined) return false;
  const exact = (value: number): number => (Number.isInteger(value) ? value : NaN);
  const down = step.text.startsWith("-");
  const endless = (last.value.negative ? -1 : 1) * Number.MAX_SAFE_INTEGER;
  const numbers = {
    first: withoutPoint(first, places, exact),
    step: withoutPoint(step, places, exact),
    last: last.value.special ? endless : withoutPoint(last, places, down ? Math.ceil : Math.floor),
  };
  if (Object.values(numbers).some((number) => number === undefined || Number.isNaN(number))) return false;
  const { before, after, directive } = format;
  const texts = { before: native.text.encode(before), after: native.text.encode(after), separator: native.text.encode(separator) };
  return new Filter(process, "seq", { ...numbers, ...texts, places, width: directive.width, fill: directive.zero ? 48 : 32 }).end();
}

/** Numbers between two pauses. */
const PAUSED = 256;

async function printBig(process: Process, first: bigint, step: bigint, last: bigint | undefined, width: number, separator: string): Promise<void> {
  let [before, count] = ["", 0];
  for (let at = first; last === undefined || at <= last; at += step) {
    const wait = process.stdout.write(before + at.toString().padStart(width, "0"));
    if (wait) await wait;
    before = separator;
    if (++count % PAUSED === 0) await process.pause();
  }
  if (before !== "") await process.stdout.write("\n");
}

const ZERO: Extended = fromInteger(0n);

async function printFloats(process: Process, [first, step, last]: readonly [Operand, Operand, Operand], format: Format, separator: string): Promise<void> {
  const down = compare(step.value, ZERO) < 0;
  const beyond = (value: Extended): boolean => (down ? compare(value, last.value) < 0 : !last.value.special && compare(last.value, value) < 0);
  const show = (value: Extended): string => formatFloat(value, format.directive);
  if (beyond(first.value)) return;
  let value = first.value;
  let shown = show(value);
  await process.stdout.write(format.before + shown + format.after);
  for (let index = 1n; ; index += 1n) {
    value = add(first.value, multiply(fromInteger(index), step.value));
    const next = show(value);
    if (beyond(value)) {
      // A number that is past the last only by rounding prints as the last does: then it belongs to them.
      const printed = parseExtended(next.trim());
      if (!printed || next === shown || compare(printed, last.value) !== 0) break;
      await process.stdout.write(separator + format.before + next + format.after);
      break;
    }
    shown = next;
    const wait = process.stdout.write(separator + format.before + next + format.after);
    if (wait) await wait;
    if (index % BigInt(PAUSED) === 0n) await process.pause();
  }
  await process.stdout.write("\n");
}

/** A negative number is an operand, not an option. */
function rewrite(args: readonly string[]): readonly string[] {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]!;
    if (arg === "--" || !arg.startsWith("-") || arg === "-") return args;
    if (/^-[\d.]/.test(arg)) return [...args.slice(0, at), "--", ...args.slice(at)];
    if (arg === "-s" || arg === "-f" || arg === "--separator" || arg === "--format") at += 1;
  }
  return args;
}

export const seq = command({
  name: "seq",
  usage: ["[OPTION]... LAST", "[OPTION]... FIRST LAST", "[OPTION]... FIRST INCREMENT LAST"],
  about: "Print numbers from FIRST to LAST in steps of INCREMENT; both are 1 where they are left out.",
  options: {
    format: ["-f, --format=FORMAT", "print by a printf directive for floating-point numbers"],
    separator: ["-s, --separator=STRING", "put STRING between numbers, not a newline"],
    width: ["-w, --equal-width", "fill with zeros in front to equal width"],
  },
  inOrder: true,
  rewrite,
  async run(process, options, operands) {
    if (operands.length === 0) throw new UsageFault("missing operand");
    if (operands.length > 3) throw new UsageFault(`extra operand ${quoted(operands[3]!)}`);
    const numbers = operands.map(parseOperand);
    const one = parseOperand("1");
    const [first, step, last] = numbers.length === 1 ? [one, one, numbers[0]!] : numbers.length === 2 ? [numbers[0]!, one, numbers[1]!] : (numbers as [Operand, Operand, Operand]);
    if (compare(step.value, ZERO) === 0) throw new UsageFault(`invalid Zero increment value: ${quoted(operands[1]!)}`);
    const equalWidth = options.has("width");
    const format = options.value("format");
    if (format !== undefined && equalWidth) throw new UsageFault("format string may not be specified when printing equal width strings");
    const separator = options.value("separator") ?? "\n";
    const triple = [first, step, last] as const;
    const layout = format === undefined ? usualFormat(first, step, last, equalWidth) : parseFormat(format);
    const printed = printDecimals(process, triple, layout, separator);
    if (printed !== false) await printed;
    else if (format === undefined && [first, step].every(({ text }) => /^\d+$/.test(text)) && (/^\d+$/.test(last.text) || last.value.special === "inf")) {
      const end = last.value.special ? undefined : BigInt(last.text);
      await printBig(process, BigInt(first.text), BigInt(step.text), end, equalWidth ? Math.max(first.width, last.width) : 0, separator);
    } else await printFloats(process, triple, layout, separator);
    return 0;
  },
});

import { LineSource, plainText } from "./byte_text";
import type { Process } from "../shell/process";
import { choose, themselves } from "./choices";
import { command, complain, Failure } from "./command";
import { parseNumber, type Rounding, scaled, type Scale, showNumber, showWhole } from "./numfmt_number";
import { type Options, UsageFault } from "./options";
import { quoted } from "./sizes";

const TABLE = {
  debug: ["--debug", "ignored"],
  delimiter: ["-d, --delimiter=X", "fields are separated by X, not by blanks"],
  field: ["--field=FIELDS", "convert these fields, as cut writes them; 1 unless told otherwise"],
  format: ["--format=FORMAT", "print by this printf format for %f"],
  from: ["--from=UNIT", "read units: auto, si, iec, iec-i; none unless told otherwise"],
  fromUnit: ["--from-unit=N", "the input counts in N"],
  grouping: ["--grouping", "ignored: this locale has no groups of digits"],
  header: ["--header[=N]", "print the first N lines (1) as they are"],
  invalid: ["--invalid=MODE", "what wrong numbers do: abort (default), fail, warn, ignore"],
  padding: ["--padding=N", "fill to N columns; align to the left when N is negative"],
  round: ["--round=METHOD", "up, down, from-zero (default), towards-zero, nearest"],
  suffix: ["--suffix=SUFFIX", "put SUFFIX behind numbers, and accept it"],
  to: ["--to=UNIT", "print units: si, iec, iec-i"],
  toUnit: ["--to-unit=N", "the output counts in N"],
  zero: ["-z, --zero-terminated", "lines end in a NUL byte"],
} as const;

type Given = Options<typeof TABLE>;

const FROM = themselves("none", "auto", "si", "iec", "iec-i");
const TO = themselves("none", "si", "iec", "iec-i");
const ROUND = themselves("up", "down", "from-zero", "towards-zero", "nearest");
const INVALID = themselves("abort", "fail", "warn", "ignore");

/** Whole numbers, perhaps with a unit: 1000, 1K (1000), 1Ki (1024). */
function unitSize(options: Given, key: "fromUnit" | "toUnit"): bigint {
  const text = options.value(key) ?? "1";
  const parsed = parseNumber(/^[A-Z]/.test(text) ? `1${text}` : text, "auto");
  if (typeof parsed === "string" || parsed.value.numerator <= 0n || parsed.value.denominator !== 1n) throw new Failure(`invalid unit size: ${quoted(text)}`);
  return parsed.value.numerator;
}

function fieldTest(text: string): (field: number) => boolean {
  if (text === "-") return () => true;
  const ranges = text.split(",").map((range) => {
    const [, first, dash, last] = /^(\d*)(-?)(\d*)$/.exec(range) ?? [];
    if (first === undefined || (first === "" && last === "")) throw new UsageFault(`invalid field value ${quoted(range)}`);
    return [Number(first || 1), dash ? Number(last || Infinity) : Number(first)] as const;
  });
  return (field) => ranges.some(([first, last]) => field >= first && field <= last);
}

interface Layout {
  readonly before: string;
  readonly after: string;
  readonly precision: number | undefined;
  readonly padding: number;
  readonly zeros: number;
}

function layoutOf(options: Given): Layout {
  const padding = Number(options.value("padding") ?? 0);
  if (!Number.isInteger(padding) || (padding === 0 && options.has("padding"))) throw new Failure(`invalid padding value ${quoted(options.value("padding")!)}`);
  const format = options.value("format");
  if (format === undefined) return { before: "", after: "", precision: undefined, padding, zeros: 0 };
  const [, before, flags, width, precision, after] = /^((?:[^%]|%%)*)%([ '0-]*)(\d*)(?:\.(\d*))?f((?:[^%]|%%)*)$/.exec(format) ?? [];
  if (before === undefined) {
    const bare = format.replaceAll("%%", "");
    if (!bare.includes("%")) throw new Failure(`format ${quoted(format)} has no % directive`);
    throw new Failure(/%[^]*f[^]*%/.test(bare) ? `format ${quoted(format)} has too many % directives` : `invalid format ${quoted(format)}, directive must be %[0]['][-][N][.][N]f`);
  }
  const plain = (text: string): string => text.replaceAll("%%", "%");
  const columns = Number(width);
  const zeros = flags!.includes("0") && !flags!.includes("-") ? columns : 0;
  return {
    before: plain(before),
    after: plain(after!),
    precision: precision === undefined ? undefined : Number(precision),
    padding: padding || (zeros ? 0 : flags!.includes("-") ? -columns : columns),
    zeros,
  };
}

const BLANK = /[ \t\n]/;

class Converter {
  status = 0;
  private readonly from: Scale;
  private readonly to: Scale;
  private readonly rounding: Rounding;
  private readonly mode: "abort" | "fail" | "warn" | "ignore";
  private readonly layout: Layout;
  private readonly units: readonly [from: bigint, to: bigint];
  /** Whether whole numbers can be shown the quick way. */
  private readonly isPlain: boolean;
  private readonly suffix: string;
  private readonly delimiter: string | undefined;
  private readonly wanted: (field: number) => boolean;

  constructor(
    private readonly process: Process,
    options: Given,
  ) {
    this.from = choose(FROM, options.value("from") ?? "none", "--from");
    this.to = choose(TO, options.value("to") ?? "none", "--to");
    this.rounding = choose(ROUND, options.value("round") ?? "from-zero", "--round");
    this.mode = choose(INVALID, options.value("invalid") ?? "abort", "--invalid");
    if (options.has("grouping") && options.has("format")) throw new Failure("--grouping cannot be combined with --format");
    if (options.has("grouping") && this.to !== "none") throw new Failure("grouping cannot be combined with --to");
    this.layout = layoutOf(options);
    this.units = [unitSize(options, "fromUnit"), unitSize(options, "toUnit")];
    this.isPlain = this.units[0] === 1n && this.units[1] === 1n && this.rounding === "from-zero" && this.layout.precision === undefined;
    this.suffix = options.value("suffix") ?? "";
    this.delimiter = options.value("delimiter");
    if (this.delimiter !== undefined && [...this.delimiter].length > 1) throw new Failure("the delimiter must be a single character");
    this.wanted = fieldTest(options.value("field") ?? "1");
  }

  line(text: string): string {
    if (this.delimiter !== undefined) {
      const fields = this.delimiter === "" ? [text] : text.split(this.delimiter);
      return fields.map((field, index) => (this.wanted(index + 1) ? this.field(field, index + 1) : field)).join(this.delimiter);
    }
    if (!BLANK.test(text)) return this.wanted(1) ? this.field(text, 1) : text;
    const fields = Array.from(text.matchAll(/(?:^|[ \t\n])([ \t\n]*[^ \t\n]*)/g), (match) => match[1]!);
    return fields.map((field, index) => (this.wanted(index + 1) ? this.field(field, index + 1) : field)).join(" ");
  }

  private field(text: string, index: number): string {
    const bare = this.suffix !== "" && text.length > this.suffix.length && text.endsWith(this.suffix) ? text.slice(0, -this.suffix.length) : text;
    const trimmed = BLANK.test(bare) ? bare.replace(/^[ \t\n]+/, "") : bare;
    const plain = this.isPlain && this.to !== "none" ? showWhole(trimmed, this.to) : undefined;
    const parsed = plain ?? this.converted(trimmed);
    if (typeof parsed !== "string") return this.refuse(text, parsed.fault);
    // Where nothing was said, a field keeps the columns that it had.
    const automatic = this.layout.padding === 0 && this.delimiter === undefined && (trimmed !== bare || index > 1) ? text.length : 0;
    return this.show(parsed, automatic);
  }

  private converted(text: string): string | { readonly fault: string } {
    const parsed = parseNumber(text, this.from);
    if (typeof parsed === "string") return { fault: parsed };
    return showNumber(scaled(parsed.value, this.units[0], this.units[1]), parsed.places, this.to, this.rounding, this.layout.precision);
  }

  private show(number: string, automatic: number): string {
    const { before, after, padding, zeros } = this.layout;
    const sign = number.startsWith("-") ? "-" : "";
    const filled = zeros ? sign + number.slice(sign.length).padStart(zeros - sign.length, "0") : number;
    const columns = padding || automatic;
    const whole = filled + this.suffix;
    return before + (columns < 0 ? whole.padEnd(-columns) : whole.padStart(columns)) + after;
  }

  private refuse(text: string, message: string): string {
    if (this.mode === "abort") throw new Failure(message, 2);
    if (this.mode !== "ignore") complain(this.process, message);
    if (this.mode === "fail") this.status = 2;
    return text;
  }
}

export const numfmt = command({
  name: "numfmt",
  usage: "[OPTION]... [NUMBER]...",
  about: "Print numbers, or those on standard input, with units or without: 1000 and 1K, 1024 and 1Ki.",
  options: TABLE,
  async run(process, options, operands) {
    const converter = new Converter(process, options);
    const header = options.has("header") ? Number(options.value("header") ?? 1) : 0;
    if (!Number.isInteger(header) || (options.has("header") && header < 1)) throw new Failure(`invalid header value ${quoted(options.value("header")!)}`);
    const end = options.has("zero") ? "\0" : "\n";
    if (operands.length > 0) {
      for (const text of operands) process.stdout.print(converter.line(text) + end);
      return converter.status;
    }
    const source = new LineSource(process.stdin, end);
    for (let number = 1; ; number += 1) {
      const next = source.next();
      const bytes = next instanceof Promise ? await next : next;
      if (bytes === undefined) return converter.status;
      const text = plainText(bytes);
      process.stdout.print((number <= header ? text : converter.line(text)) + (source.ended ? end : ""));
      if (process.stdout.file.full) await process.stdout.flush();
    }
  },
});

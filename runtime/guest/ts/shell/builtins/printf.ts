import { assignReference } from "../expand/assign";
import { plainInteger } from "../expand/arithmetic/numbers";
import { givenReference } from "../expand/references";
import { quoteWord } from "../expand/quote";
import { unitsOf } from "../expand/units";
import { formatTime } from "../format/time";
import { cutText, type Directive, formatDecimal, formatFloat, formatInteger, formatPlainFloat, formatText } from "../format/directive";
import { type Extended, fromInteger, parseExtended } from "../format/extended";
import { native } from "../../bridge/native";
import { then } from "../io/maybe";
import { ShellError, UsageFault } from "../run/errors";
import type { Shell } from "../run/shell";
import { asciiEscapes, decodeEscapes } from "./escapes";
import { type Conversion, INT_MOST, type Step, stepsOf } from "./printf_format";
import { quickly } from "./printf_quickly";
import { type Builtin, print, readOptions, refuse } from "./builtin";

/** Arguments from which on it pays to look at the whole format first. */
const MANY = 16;
/** Characters that are gathered before they are put aside. */
const PIECE = 4096;

const DASH = 45;

/** Thrown where `%b` met `\c`: the output ends. */
class Stop {}

class Printer {
  status = 0;
  private text = "";
  private readonly pieces: string[] = [];
  /** Characters of the pieces. */
  private before = 0;
  private next = 0;

  constructor(
    private readonly shell: Shell,
    private readonly name: string,
    private readonly args: readonly string[],
  ) {}

  /** Uses the format until the arguments are used up, but at least once. */
  run(format: string): void {
    const steps = stepsOf(this.spelled(format));
    if (this.texts(steps)) return;
    try {
      do {
        const before = this.next;
        this.once(steps);
        if (this.next === before) return;
        if (this.text.length > PIECE) this.setAside();
      } while (this.next < this.args.length);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
    }
  }

  /** Nothing but texts, as `%s\\n`: all pieces are put together at once. */
  private texts(steps: readonly Step[]): boolean {
    const { args, pieces } = this;
    if (args.length < MANY || !steps.every((step) => typeof step === "string" || ("plain" in step && step.plain && step.directive.conversion === "s"))) return false;
    const takes = steps.some((step) => typeof step !== "string");
    if (!takes) return false;
    const count = steps.length;
    for (let next = 0; next < args.length; ) {
      for (let index = 0; index < count; index += 1) {
        const step = steps[index]!;
        pieces.push(typeof step === "string" ? step : (args[next++] ?? ""));
      }
    }
    return true;
  }

  /** A text that grows is copied with each addition: long ones are put together at the end. */
  private setAside(): void {
    this.pieces.push(this.text);
    this.before += this.text.length;
    this.text = "";
  }

  /** All that was printed. */
  result(): string {
    return native.text.whole(this.pieces.join("") + this.text);
  }

  private once(steps: readonly Step[]): void {
    for (let index = 0; index < steps.length; index += 1) {
      const step = steps[index]!;
      if (typeof step === "string") this.text += step;
      else if ("fault" in step) refuse(this.name, step.fault);
      else if (step.plain && step.directive.conversion === "s") this.text += this.args[this.next++] ?? "";
      else this.convert(this.given(step), step.time, step.letter);
    }
  }

  /** The directive with the widths that are arguments. */
  private given({ directive, widthGiven, precisionGiven }: Conversion): Directive {
    if (!widthGiven && !precisionGiven) return directive;
    const columns = widthGiven ? Number(this.integer()) : directive.width;
    const places = precisionGiven ? Number(this.integer()) : directive.precision;
    const left = directive.left || columns < 0;
    return { ...directive, left, width: Math.abs(columns), precision: places !== undefined && places < 0 ? undefined : places };
  }

  private convert(directive: Directive, time: string | undefined, letter: string): void {
    const { conversion } = directive;
    if (directive.width > INT_MOST || (directive.precision ?? 0) > INT_MOST) return void (this.next += 1);
    if (conversion === "d" && this.plainNumber(directive)) return;
    if ("diouxX".includes(conversion)) this.text += formatInteger(this.integer(), directive);
    else if ("eEfFgGaA".includes(conversion)) this.float(directive);
    else if (conversion === "s") this.text += formatText(this.argument() ?? "", directive);
    else if (conversion === "c") this.text += formatText(cutText(this.argument() || "\0", 1), { ...directive, precision: undefined });
    else if (conversion === "b") this.escaped(directive);
    else if (conversion === "q") this.text += formatText(quoteWord(unitsOf(this.shell, this.argument() ?? "")), directive);
    else if (conversion === "Q") this.text += formatText(quoteWord(unitsOf(this.shell, cutText(this.argument() ?? "", directive.precision))), { ...directive, precision: undefined });
    else if (conversion === "T") this.text += formatText(this.time(time ?? ""), directive);
    else if (conversion === "n") this.count(this.argument() ?? "");
    else refuse(this.name, `\`${letter}': invalid format character`);
  }

  /** Stores how many bytes there are so far. */
  private count(name: string): void {
    if (name === "") return;
    if (!/^[A-Za-z_]\w*$/.test(name)) refuse(this.name, `\`${name}': not a valid identifier`);
    this.shell.variables.set(name, String(native.text.encode(this.pieces.join("") + this.text).length));
  }

  /** A number that is spelled as it is printed, but for what comes in front. */
  private plainNumber(directive: Directive): boolean {
    const text = this.args[this.next];
    if (directive.precision !== undefined || text === undefined || plainInteger(text) === undefined) return false;
    this.text += formatDecimal(text, directive);
    this.next += 1;
    return true;
  }

  private spelled(text: string): string {
    return this.shell.variables.bytewise ? asciiEscapes(text) : text;
  }

  private escaped(directive: Directive): void {
    const { text, stopped } = decodeEscapes(this.spelled(this.argument() ?? ""), true);
    this.text += formatText(text, directive);
    if (stopped) throw new Stop();
  }

  private time(format: string): string {
    const argument = this.argument();
    const seconds = argument === undefined || argument === "-1" ? Math.floor(native.clock.now() / 1000) : argument === "-2" ? Math.floor((native.clock.now() - native.clock.monotonic() + this.shell.session.started) / 1000) : Number(argument);
    return formatTime(format === "" ? "%X" : format, seconds, this.shell.variables.get("TZ"));
  }

  private argument(): string | undefined {
    return this.args[this.next++];
  }

  private integer(): bigint {
    const text = this.argument();
    if (text === undefined || text === "") return 0n;
    if (text[0] === "'" || text[0] === '"') return BigInt(this.character(text));
    const match = /^\s*([-+]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)/.exec(text);
    if (!match) return this.invalid(text, 0n);
    const digits = match[2]!;
    const radix = /^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits;
    const value = match[1] === "-" ? -BigInt(radix) : BigInt(radix);
    if (match[0].length < text.length) return this.invalid(text, this.clamped(value, text, false));
    return this.clamped(value, text, true);
  }

  /** Into 64 bits: unsigned values above the signed ones wrap, as strtoumax's do; what is beyond is cut off. */
  private clamped(value: bigint, text: string, told: boolean): bigint {
    if (value === BigInt.asIntN(64, value)) return value;
    if (told) this.shell.warn(`${this.name}: warning: ${text}: Numerical result out of range`);
    return value < 0n ? -(2n ** 63n) : 2n ** 63n - 1n;
  }

  /** The number of the character behind a quotation mark; that of a byte that is none is the byte's. */
  private character(text: string): number {
    const point = unitsOf(this.shell, text).codePointAt(1) ?? 0;
    return point >= 0xdc80 && point <= 0xdcff ? point & 0xff : point;
  }

  private float(directive: Directive): void {
    const text = this.argument();
    const plain = text === undefined ? undefined : formatPlainFloat(text, directive);
    this.text += plain ?? formatFloat(this.extended(text), directive);
  }

  private extended(text: string | undefined): Extended {
    if (text === undefined || text === "") return fromInteger(0n);
    if (text[0] === "'" || text[0] === '"') return fromInteger(BigInt(this.character(text)));
    const whole = parseExtended(text.trimStart());
    if (whole) return whole;
    const [prefix = ""] = /^\s*[-+]?(?:0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*|\d*\.?\d*(?:[eE][-+]?\d+)?)/.exec(text) ?? [];
    return this.invalid(text, parseExtended(prefix.trim()) ?? fromInteger(0n));
  }

  private invalid<T>(text: string, value: T): T {
    const kind = /^0\d/.test(text) ? "octal " : text.startsWith("0x") ? "hex " : "";
    this.shell.warn(`${this.name}: ${text}: invalid ${kind}number`);
    this.status = 1;
    return value;
  }
}

const NO_TARGET: [target: undefined, count: number] = [undefined, 0];
const USAGE = "printf [-v var] format [arguments]";

/** What is in front of the format: the name behind `-v`, and how many words that takes. */
function readTarget(shell: Shell, name: string, args: readonly string[]): [target: string | undefined, count: number] {
  if (args[0]?.charCodeAt(0) !== DASH) return NO_TARGET;
  const { options, operands } = readOptions(name, args, "v:", USAGE);
  const target = options.get("v");
  if (target !== undefined && !givenReference(shell, target)) refuse(name, `\`${target}': not a valid identifier`, 2);
  return [target, args.length - operands.length];
}

export const printf: Builtin = (shell, args, name) => {
  const [target, count] = readTarget(shell, name, args);
  const format = args[count];
  if (format === undefined) throw new UsageFault(name, USAGE);
  const simple = quickly(shell, args, count);
  if (simple !== undefined) return target === undefined ? print(shell, name, simple) : then(assignReference(shell, target, simple), () => 0);
  const printer = new Printer(shell, name, args.slice(count + 1));
  const done = (): number => printer.status;
  try {
    printer.run(format);
  } catch (error) {
    if (!(error instanceof ShellError) || target !== undefined) throw error;
    shell.tell(error);
    printer.status = error.status;
  }
  const text = printer.result();
  if (target !== undefined) return then(assignReference(shell, target, text), done);
  return then(print(shell, name, text), done);
};

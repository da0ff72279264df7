import { assignReference } from "../expand/assign";
import { quoteWord } from "../expand/quote";
import { formatTime } from "../format/time";
import { cutText, type Directive, formatFloat, formatInteger, formatText, parseFlags } from "../format/directive";
import { type Extended, fromInteger, parseExtended } from "../format/extended";
import { native } from "../../bridge/native";
import { then } from "../io/maybe";
import { ShellError, UsageFault } from "../run/errors";
import type { Shell } from "../run/shell";
import { byteCharacter, decodeEscapes, joinBytes } from "./escapes";
import { type Builtin, print, refuse } from "./builtin";

const DIRECTIVE = /%(?:%|([-+ #0']*)(\*|\d+)?(?:\.(\*|-?\d*))?(?:hh|h|ll|l|L|q(?=[diouxXeEfFgGaA])|j|z|t)?(?:\(([^)]*)\)(T)|([a-zA-Z]))?)/y;
const ESCAPE = /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([^]))/uy;
const SIMPLE: Readonly<Record<string, string>> = {
  a: "\x07", b: "\b", e: "\x1b", E: "\x1b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "\\": "\\", '"': '"', "'": "'", "?": "?",
};

/** Characters that are gathered before they are put aside. */
const PIECE = 4096;

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
    try {
      do {
        const before = this.next;
        this.once(format);
        if (this.next === before) return;
        if (this.text.length > PIECE) this.setAside();
      } while (this.next < this.args.length);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
    }
  }

  /** A text that grows is copied with each addition: long ones are put together at the end. */
  private setAside(): void {
    this.pieces.push(this.text);
    this.before += this.text.length;
    this.text = "";
  }

  /** All that was printed. */
  result(): string {
    return joinBytes(this.pieces.join("") + this.text);
  }

  private once(format: string): void {
    let at = 0;
    while (at < format.length) {
      const character = format[at]!;
      if (character === "%") at = this.directive(format, at);
      else if (character === "\\") at = this.escape(format, at);
      else {
        const end = nextSpecial(format, at);
        this.text += format.slice(at, end);
        at = end;
      }
    }
  }

  private escape(format: string, at: number): number {
    ESCAPE.lastIndex = at;
    const match = ESCAPE.exec(format);
    if (!match) {
      this.text += "\\";
      return at + 1;
    }
    const [whole, octal, hex, short, long, simple] = match;
    if (octal !== undefined) this.text += byteCharacter(Number.parseInt(octal, 8) & 255);
    else if (hex !== undefined) this.text += byteCharacter(Number.parseInt(hex, 16));
    else if (short !== undefined || long !== undefined) this.text += String.fromCodePoint(Number.parseInt((short ?? long)!, 16));
    else this.text += SIMPLE[simple!] ?? whole;
    return at + whole.length;
  }

  private directive(format: string, at: number): number {
    DIRECTIVE.lastIndex = at;
    const match = DIRECTIVE.exec(format)!;
    const [whole, flags, width, precision, time, timed, letter] = match;
    if (whole === "%%") {
      this.text += "%";
      return at + 2;
    }
    const conversion = timed ?? letter;
    if (conversion === undefined) {
      if (at + whole.length >= format.length) refuse(this.name, `\`${format.slice(at)}': missing format character`);
      refuse(this.name, `\`${format.charAt(at + whole.length)}': invalid format character`);
    }
    let columns = width === "*" ? Number(this.integer()) : Number(width ?? 0);
    let left = parseFlags(flags!).left;
    if (columns < 0) [columns, left] = [-columns, true];
    let places = precision === undefined ? undefined : precision === "*" ? Number(this.integer()) : Number(precision === "" ? 0 : precision);
    if (places !== undefined && places < 0) places = undefined;
    const directive: Directive = { ...parseFlags(flags!), left, width: columns, precision: places, conversion };
    this.convert(directive, time, format.charAt(at + whole.length - 1));
    return at + whole.length;
  }

  private convert(directive: Directive, time: string | undefined, letter: string): void {
    const { conversion } = directive;
    if ("diouxX".includes(conversion)) this.text += formatInteger(this.integer(), directive);
    else if ("eEfFgGaA".includes(conversion)) this.text += formatFloat(this.float(), directive);
    else if (conversion === "s") this.text += formatText(this.argument() ?? "", directive);
    else if (conversion === "c") this.text += formatText(cutText(this.argument() || "\0", 1), { ...directive, precision: undefined });
    else if (conversion === "b") this.escaped(directive);
    else if (conversion === "q") this.text += formatText(quoteWord(this.argument() ?? ""), directive);
    else if (conversion === "Q") this.text += formatText(quoteWord(cutText(this.argument() ?? "", directive.precision)), { ...directive, precision: undefined });
    else if (conversion === "T") this.text += formatText(this.time(time ?? ""), directive);
    else if (conversion === "n") this.shell.variables.set(this.argument() ?? "", String(this.before + this.text.length));
    else refuse(this.name, `\`${letter}': invalid format character`);
  }

  private escaped(directive: Directive): void {
    const { text, stopped } = decodeEscapes(this.argument() ?? "", true);
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
    if (text[0] === "'" || text[0] === '"') return BigInt(text.codePointAt(1) ?? 0);
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

  private float(): Extended {
    const text = this.argument();
    if (text === undefined || text === "") return fromInteger(0n);
    if (text[0] === "'" || text[0] === '"') return fromInteger(BigInt(text.codePointAt(1) ?? 0));
    const whole = parseExtended(text.trim());
    if (whole) return whole;
    const [prefix = ""] = /^\s*[-+]?(?:0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*|\d*\.?\d*(?:[eE][-+]?\d+)?)/.exec(text) ?? [];
    return this.invalid(text, parseExtended(prefix.trim()) ?? fromInteger(0n));
  }

  private invalid<T>(text: string, value: T): T {
    this.shell.warn(`${this.name}: ${text}: invalid number`);
    this.status = 1;
    return value;
  }
}

function nextSpecial(format: string, from: number): number {
  let at = from + 1;
  while (at < format.length && format[at] !== "%" && format[at] !== "\\") at += 1;
  return at;
}

export const printf: Builtin = (shell, args, name) => {
  let words = args;
  let target: string | undefined;
  if (words[0] !== undefined && /^-v./.test(words[0])) words = ["-v", words[0].slice(2), ...words.slice(1)];
  if (words[0] === "-v") {
    target = words[1] ?? refuse(name, "-v: option requires an argument", 2);
    if (!/^[A-Za-z_]\w*(\[[^]*\])?$/.test(target)) refuse(name, `\`${target}': not a valid identifier`, 2);
    words = words.slice(2);
  } else if (words[0]?.startsWith("-") && words[0] !== "--" && words[0] !== "-" && !words[0].includes("%")) {
    throw new ShellError(`${name}: ${words[0].slice(0, 2)}: invalid option\n${name}: usage: printf [-v var] format [arguments]`, 2);
  }
  if (words[0] === "--") words = words.slice(1);
  const [format, ...rest] = words;
  if (format === undefined) throw new UsageFault(name, "printf [-v var] format [arguments]");
  const printer = new Printer(shell, name, rest);
  const done = (): number => printer.status;
  try {
    printer.run(format);
  } catch (error) {
    if (!(error instanceof ShellError) || target !== undefined) throw error;
    shell.warn(error.message);
    printer.status = error.status;
  }
  const text = printer.result();
  if (target !== undefined) return then(assignReference(shell, target, text), done);
  return then(print(shell, name, text), done);
};

import { native } from "../bridge/native";
import { compareTexts } from "../shell/expand/characters";
import { command, Failure } from "./command";
import { localeFlag, unitsFor } from "./locale";
import { UsageFault } from "./options";
import { quoted } from "./sizes";

const WRONG = 2;
const TROUBLE = 3;

type Value = string | bigint;

/** What a character is: texts are taken apart into these, and flags of expressions say the same. */
interface Locale {
  units(text: string): string;
  readonly flags: number;
}

function syntax(message: string): never {
  throw new Failure(`syntax error: ${message}`, WRONG);
}

function integer(value: Value): bigint | undefined {
  if (typeof value === "bigint") return value;
  return /^-?\d+$/.test(value) ? BigInt(value) : undefined;
}

function demandInteger(value: Value): bigint {
  return integer(value) ?? fail("non-integer argument");
}

function fail(message: string): never {
  throw new Failure(message, WRONG);
}

/** Whether a value counts as false: empty, or a zero. */
function isNull(value: Value): boolean {
  return typeof value === "bigint" ? value === 0n : value === "" || /^-?0+$/.test(value);
}

/** A star or an interval with nothing in front of it stands for itself. */
function literalStart(pattern: string): string {
  const [, anchor, interval, stars, rest] = /^(\^?)(?:\\\{(.*?)\\\}|(\*+))?([^]*)$/.exec(pattern)!;
  if (interval !== undefined) return `${anchor}{${interval}}${rest}`;
  return stars === undefined ? pattern : `${anchor}\\*${stars.length > 1 ? "*" : ""}${rest}`;
}

/** The match at the beginning: how many characters, or what the first group holds. */
function match(text: Value, pattern: Value, locale: Locale): Value {
  const bytes = native.text.encode(String(text));
  let regex: ReturnType<typeof native.regex.create>;
  try {
    regex = native.regex.create(native.text.encode(literalStart(String(pattern))), locale.flags);
  } catch (error) {
    if (error instanceof SyntaxError) fail(error.message);
    throw error;
  }
  const grouped = native.regex.groups(regex) > 0;
  const spans = native.regex.search(regex, bytes, 0, grouped ? 2 : 1);
  const matches = spans !== undefined && spans[0] === 0;
  if (!grouped) return matches ? BigInt([...locale.units(native.text.decode(bytes.subarray(0, spans[1])))].length) : 0n;
  return matches && spans[2]! >= 0 ? locale.units(native.text.decode(bytes.subarray(spans[2], spans[3]))) : "";
}

function divisor(value: Value): bigint {
  return demandInteger(value) || fail("division by zero");
}

function comparison(holds: (order: number) => boolean): (left: Value, right: Value) => Value {
  return (left, right) => {
    const [a, b] = [integer(left), integer(right)];
    const order = a !== undefined && b !== undefined ? (a < b ? -1 : a > b ? 1 : 0) : compareTexts(String(left), String(right));
    return holds(order) ? 1n : 0n;
  };
}

/** Operators, the loosest first. */
const LEVELS: readonly Readonly<Record<string, (left: Value, right: Value, locale: Locale) => Value>>[] = [
  { "|": (left, right) => (!isNull(left) ? left : !isNull(right) ? right : 0n) },
  { "&": (left, right) => (isNull(left) || isNull(right) ? 0n : left) },
  {
    "<": comparison((order) => order < 0),
    "<=": comparison((order) => order <= 0),
    "=": comparison((order) => order === 0),
    "==": comparison((order) => order === 0),
    "!=": comparison((order) => order !== 0),
    ">=": comparison((order) => order >= 0),
    ">": comparison((order) => order > 0),
  },
  { "+": (left, right) => demandInteger(left) + demandInteger(right), "-": (left, right) => demandInteger(left) - demandInteger(right) },
  {
    "*": (left, right) => demandInteger(left) * demandInteger(right),
    "/": (left, right) => demandInteger(left) / divisor(right),
    "%": (left, right) => demandInteger(left) % divisor(right),
  },
  { ":": match },
];
const SHORT_CIRCUIT: Readonly<Record<string, (left: Value) => boolean>> = { "|": (left) => !isNull(left), "&": isNull };

class Evaluator {
  private at = 0;

  constructor(
    private readonly words: readonly string[],
    private readonly locale: Locale,
  ) {}

  run(): Value {
    const value = this.level(0, true);
    if (this.at < this.words.length) syntax(`unexpected argument ${quoted(this.words[this.at]!)}`);
    return value;
  }

  /** `live`: whether the result counts; behind a decided | or & it is only read. */
  private level(index: number, live: boolean): Value {
    const operators = LEVELS[index];
    if (!operators) return this.term(live);
    let value = this.level(index + 1, live);
    for (;;) {
      const word = this.words[this.at];
      if (word === undefined || !Object.hasOwn(operators, word)) return value;
      this.at += 1;
      const decided = SHORT_CIRCUIT[word]?.(value) ?? false;
      const right = this.level(index + 1, live && !decided);
      if (live) value = operators[word]!(value, decided ? "" : right, this.locale);
    }
  }

  private next(): string {
    const word = this.words[this.at];
    if (word === undefined) syntax(`missing argument after ${quoted(this.words[this.at - 1]!)}`);
    this.at += 1;
    return word;
  }

  private term(live: boolean): Value {
    const word = this.next();
    if (word === "(") {
      const value = this.level(0, live);
      if (this.at >= this.words.length) syntax(`expecting ')' after ${quoted(this.words[this.at - 1]!)}`);
      if (this.next() !== ")") syntax(`expecting ')' instead of ${quoted(this.words[this.at - 1]!)}`);
      return value;
    }
    if (word === ")") syntax("unexpected ')'");
    if (word === "+") return this.next();
    return this.keyword(word, live) ?? word;
  }

  private keyword(word: string, live: boolean): Value | undefined {
    const argument = (): Value => this.level(LEVELS.length, live);
    switch (word) {
      case "length":
        return BigInt([...String(argument())].length);
      case "match": {
        const text = argument();
        const pattern = argument();
        return live ? match(text, pattern, this.locale) : "";
      }
      case "index": {
        const text = [...String(argument())];
        const wanted = [...String(argument())];
        return BigInt(text.findIndex((char) => wanted.includes(char)) + 1);
      }
      case "substr": {
        const text = [...String(argument())];
        const [from, count] = [integer(argument()), integer(argument())];
        if (from === undefined || count === undefined || from <= 0n || count <= 0n) return "";
        return text.slice(Number(from) - 1, Number(from) - 1 + Number(count)).join("");
      }
      default:
        return undefined;
    }
  }
}

export const expr = command({
  name: "expr",
  usage: "EXPRESSION",
  about: `Print the value of EXPRESSION, whose parts are arguments of their own.

  ARG1 | ARG2   ARG1 & ARG2   ARG1 < <= = != >= > ARG2   ARG1 + - * / % ARG2   STRING : REGEXP
  match STRING REGEXP   substr STRING POS LENGTH   index STRING CHARS   length STRING   + TOKEN   ( EXPRESSION )`,
  options: {},
  failure: WRONG,
  // Operands may begin with dashes: only an option that stands alone is one.
  rewrite: (args) => (args.length === 1 && (args[0] === "--help" || args[0] === "--version") ? args : args[0] === "--" ? args : ["--", ...args]),
  run(process, _options, operands) {
    if (operands.length === 0) throw new UsageFault("missing operand");
    let value: Value;
    try {
      const units = unitsFor(process);
      value = new Evaluator(operands.map(units), { units, flags: localeFlag(process) }).run();
    } catch (error) {
      if (error instanceof RangeError) throw new Failure(error.message, TROUBLE);
      throw error;
    }
    process.stdout.print(`${native.text.whole(String(value))}\n`);
    return isNull(value) ? 1 : 0;
  },
});

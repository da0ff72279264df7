/** `test` and `[`: POSIX's rules by the number of arguments, then a parse of the rest. */

import { plainInteger } from "../expand/arithmetic/numbers";
import { isCommandFault, ShellError } from "../run/errors";
import { then, type Maybe } from "../io/maybe";
import type { Shell } from "../run/shell";
import { type Builtin, refuse } from "./builtin";
import { compareFiles, fileTest, isFileComparison, isUnaryTest } from "./file_tests";

const INTEGER = /^\s*[-+]?\d+\s*$/;

function integer(text: string): number | bigint {
  const plain = plainInteger(text);
  if (plain !== undefined) return plain;
  if (!INTEGER.test(text)) throw new ShellError(`${text}: integer expression expected`, 2);
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  const big = BigInt(text.trim().replace(/^\+/, ""));
  if (big !== BigInt.asIntN(64, big)) throw new ShellError(`${text}: integer expression expected`, 2);
  return big;
}

type Compare = (left: string, right: string) => boolean;

const BINARY: Readonly<Record<string, Compare>> = {
  "=": (left, right) => left === right,
  "==": (left, right) => left === right,
  "!=": (left, right) => left !== right,
  "<": (left, right) => left < right,
  ">": (left, right) => left > right,
  "-eq": (left, right) => integer(left) == integer(right),
  "-ne": (left, right) => integer(left) != integer(right),
  "-lt": (left, right) => integer(left) < integer(right),
  "-le": (left, right) => integer(left) <= integer(right),
  "-gt": (left, right) => integer(left) > integer(right),
  "-ge": (left, right) => integer(left) >= integer(right),
};

function isBinary(word: string): boolean {
  return Object.hasOwn(BINARY, word) || isFileComparison(word);
}

function binary(shell: Shell, left: string, operator: string, right: string): boolean {
  return Object.hasOwn(BINARY, operator) ? BINARY[operator]!(left, right) : compareFiles(shell, operator, left, right);
}

/** The grammar for what the number of arguments does not decide. */
class Expression {
  private at = 0;

  constructor(
    private readonly shell: Shell,
    private readonly words: readonly string[],
  ) {}

  evaluate(): Maybe<boolean> {
    return then(this.or(), (value) => {
      if (this.at < this.words.length) throw new ShellError("too many arguments", 2);
      return value;
    });
  }

  private or(): Maybe<boolean> {
    return then(this.and(), (left) => {
      if (this.words[this.at] !== "-o") return left;
      this.at += 1;
      return then(this.or(), (right) => left || right);
    });
  }

  private and(): Maybe<boolean> {
    return then(this.not(), (left) => {
      if (this.words[this.at] !== "-a") return left;
      this.at += 1;
      return then(this.and(), (right) => left && right);
    });
  }

  private not(): Maybe<boolean> {
    if (this.words[this.at] !== "!") return this.primary();
    this.at += 1;
    return then(this.not(), (value) => !value);
  }

  private primary(): Maybe<boolean> {
    const [word, operator, right] = this.words.slice(this.at, this.at + 3);
    if (word === undefined) throw new ShellError("argument expected", 2);
    if (word === "(") return this.group();
    if (operator !== undefined && right !== undefined && isBinary(operator)) {
      this.at += 3;
      return binary(this.shell, word, operator, right);
    }
    if (isUnaryTest(word) && operator !== undefined) {
      this.at += 2;
      return fileTest(this.shell, word, operator);
    }
    this.at += 1;
    return word !== "";
  }

  private group(): Maybe<boolean> {
    this.at += 1;
    return then(this.or(), (value) => {
      if (this.words[this.at] !== ")") throw new ShellError("`)' expected", 2);
      this.at += 1;
      return value;
    });
  }
}

function evaluate(shell: Shell, words: readonly string[]): Maybe<boolean> {
  const [first, second, third, fourth] = words as [string, string, string, string];
  switch (words.length) {
    case 0:
      return false;
    case 1:
      return first !== "";
    case 2:
      if (first === "!") return second === "";
      if (isUnaryTest(first)) return fileTest(shell, first, second);
      throw new ShellError(`${first}: unary operator expected`, 2);
    case 3:
      if (isBinary(second)) return binary(shell, first, second, third);
      if (second === "-a") return first !== "" && third !== "";
      if (second === "-o") return first !== "" || third !== "";
      if (first === "!") return then(evaluate(shell, words.slice(1)), (value) => !value);
      if (first === "(" && third === ")") return second !== "";
      throw new ShellError(`${second}: binary operator expected`, 2);
    case 4:
      if (first === "!") return then(evaluate(shell, words.slice(1)), (value) => !value);
      if (first === "(" && fourth === ")") return evaluate(shell, words.slice(1, 3));
      return new Expression(shell, words).evaluate();
    default:
      return new Expression(shell, words).evaluate();
  }
}

export const test: Builtin = (shell, args, name) => {
  const isBracket = /^(?:.*\/)?\[$/.test(name); // also where it is called by its path
  const words = isBracket ? args.slice(0, -1) : args;
  if (isBracket && args[args.length - 1] !== "]") refuse(name, "missing `]'", 2);
  const told = (error: unknown): never => {
    if (isCommandFault(error)) refuse(name, error.message, error.status);
    throw error;
  };
  try {
    const value = evaluate(shell, words);
    return typeof value === "boolean" ? (value ? 0 : 1) : value.then((late) => (late ? 0 : 1), told);
  } catch (error) {
    return told(error);
  }
};

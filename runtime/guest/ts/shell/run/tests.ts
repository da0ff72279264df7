/** `(( ))` and `[[ ]]`. */

import { compileArithmetic } from "../expand/arithmetic";
import { compilePattern } from "../expand/pattern";
import { settleRegex } from "../expand/regex";
import { compileElement, compileSpelled } from "../expand/references";
import { unitsOf } from "../expand/units";
import { compileString, type Reading } from "../expand/word";
import { evaluateText } from "../expand/arithmetic";
import { plainInteger } from "../expand/arithmetic/numbers";
import { then, type Maybe } from "../io/maybe";
import type { ArithmeticCommand, Conditional, Test, Word } from "../syntax/ast";
import { membersOf } from "../syntax/conditional";
import type { Code } from "./code";
import { isCommandFault } from "./errors";
import { matchRegex } from "./regex";
import type { Shell } from "./shell";
import { trace } from "./trace";
import { compareFiles, fileTest } from "../builtins/file_tests";
import { failed, tell } from "./results";
import { compileShown } from "./shown";
import { unguarded } from "./unguarded";

type Check = (shell: Shell) => Maybe<boolean>;

/** Errors in a test are told of; they do not end the shell. */
function sayWhy(shell: Shell, error: unknown, prefix: string): void {
  if (!isCommandFault(error)) throw error;
  if (error.message !== "") tell(shell, error, prefix);
}

function told(shell: Shell, error: unknown, status: number, prefix = ""): Maybe<number> {
  sayWhy(shell, error, prefix);
  return failed(shell, status);
}

export function compileArithmeticCommand(node: ArithmeticCommand): Code {
  const { expression, position } = node;
  const value = unguarded([expression.text], compileArithmetic(expression));
  const shown = compileShown(expression);
  const conclude = (shell: Shell, result: number | bigint): Maybe<number> => (result === 0 ? failed(shell, 1) : (shell.status = shell.pipeStatus = 0));
  return (shell) => {
    shell.line = position.line;
    shell.running = node;
    try {
      const result = shell.tracing ? shown(shell) : value(shell);
      if (typeof result !== "object") return result === 0 ? failed(shell, 1) : (shell.status = shell.pipeStatus = 0);
      return result.then((late) => conclude(shell, late)).catch((error: unknown) => told(shell, error, 1, "((: "));
    } catch (error) {
      return told(shell, error, 1, "((: ");
    }
  };
}

export function compileConditional(node: Conditional): Code {
  const { test, position } = node;
  const check = compileTest(test);
  const conclude = (shell: Shell, holds: boolean): Maybe<number> => (holds ? (shell.status = shell.pipeStatus = 0) : failed(shell, 1));
  return (shell) => {
    shell.line = position.line;
    shell.running = node;
    try {
      const holds = check(shell);
      if (typeof holds === "boolean") return conclude(shell, holds);
      return holds.then((late) => conclude(shell, late)).catch((error: unknown) => told(shell, error, 2));
    } catch (error) {
      return told(shell, error, 2);
    }
  };
}

/** `before`: what stands before it, for a trace. */
function compileTest(test: Test, before = ""): Check {
  switch (test.kind) {
    case "and":
    case "or": {
      const checks = membersOf(test).map((member) => compileTest(member));
      const wants = test.kind === "and";
      return (shell) => checkFrom(shell, checks, wants, 0);
    }
    case "not": {
      const operand = compileTest(test.operand, test.operand.grouped || before !== "" ? "" : "! ");
      return (shell) => then(operand(shell), (holds) => !holds);
    }
    case "word":
      return compileUnary("-n", test.word, before);
    case "unary":
      return compileUnary(test.operator, test.operand, before);
    case "binary":
      return compileBinary(test, before);
  }
}

/** Checks one after the other as long as they are what is wanted. */
function checkFrom(shell: Shell, checks: readonly Check[], wants: boolean, from: number): Maybe<boolean> {
  for (let index = from; index < checks.length; index += 1) {
    const holds = checks[index]!(shell);
    if (typeof holds !== "boolean") return holds.then((late) => (late === wants ? checkFrom(shell, checks, wants, index + 1) : late));
    if (holds !== wants) return holds;
  }
  return wants;
}

const isEmpty = (_shell: Shell, text: string): boolean => text === "";
const isFull = (_shell: Shell, text: string): boolean => text !== "";

function compileUnary(operator: string, operand: Word, before: string): Check {
  const word = (operator === "-v" ? compileSpelled(operand) : undefined) ?? compileString(operand);
  const holds = operator === "-z" ? isEmpty : operator === "-n" ? isFull : (shell: Shell, text: string) => fileTest(shell, operator, text);
  return (shell) =>
    then(word(shell), (text) => {
      if (shell.tracing) trace(shell, `[[ ${before}${operator} ${text || "''"} ]]`);
      return holds(shell, text);
    });
}

/** An operator on two texts. */
type Compare = (shell: Shell, left: string, right: string) => Maybe<boolean>;

const NUMERIC: Readonly<Record<string, (left: number | bigint, right: number | bigint) => boolean>> = {
  "-eq": (left, right) => left == right,
  "-ne": (left, right) => left != right,
  "-lt": (left, right) => left < right,
  "-le": (left, right) => left <= right,
  "-gt": (left, right) => left > right,
  "-ge": (left, right) => left >= right,
};

const matches: Compare = (shell, left, right) => {
  if (!shell.variables.localised) return compilePattern(right, shell.options, true).test(left);
  return compilePattern(unitsOf(shell, right), shell.options, true).test(unitsOf(shell, left));
};

const COMPARE: Readonly<Record<string, Compare>> = {
  "==": matches,
  "=": matches,
  "!=": (shell, left, right) => !matches(shell, left, right),
  "<": (_shell, left, right) => left < right,
  ">": (_shell, left, right) => left > right,
  "=~": matchRegex,
};

const HOW: Readonly<Record<string, "pattern" | "regex">> = { "==": "pattern", "=": "pattern", "!=": "pattern", "=~": "regex" };

function compileBinary({ operator, written = operator, left: leftWord, right: rightWord }: Extract<Test, { kind: "binary" }>, before: string): Check {
  const how = HOW[operator];
  const numeric = operator in NUMERIC;
  const left = (numeric ? compileElement(leftWord) : undefined) ?? compileString(leftWord);
  const read = (numeric ? compileElement(rightWord) : undefined) ?? compileString(rightWord, how);
  const right: Reading = how === "regex" ? (shell) => then(read(shell), settleRegex) : read;
  let shown: Reading | undefined;
  const tracedRight = (shell: Shell): Maybe<string> => (shown ??= how === "pattern" ? compileString(rightWord, "shown") : right)(shell);
  const plain = comparison(operator);
  const compare: Compare = (shell, first, second) => {
    if (shell.tracing) trace(shell, `[[ ${before}${first || "''"} ${written} ${second || "''"} ]]`);
    return plain(shell, first, second);
  };
  return (shell) => {
    const first = left(shell);
    if (typeof first !== "string") return first.then((text) => then(shell.tracing ? tracedRight(shell) : right(shell), (other) => compare(shell, text, other)));
    const second = shell.tracing ? tracedRight(shell) : right(shell);
    return typeof second === "string" ? compare(shell, first, second) : second.then((other) => compare(shell, first, other));
  };
}

function comparison(operator: string): Compare {
  const known = COMPARE[operator];
  if (known) return known;
  const numeric = NUMERIC[operator];
  if (!numeric) return (shell, left, right) => compareFiles(shell, operator, left, right);
  // An operand that is no number is told of, and the comparison does not hold.
  return (shell, left, right) => {
    try {
      return numeric(plainInteger(left) ?? evaluateText(shell, left), plainInteger(right) ?? evaluateText(shell, right));
    } catch (error) {
      sayWhy(shell, error, "[[: ");
      return false;
    }
  };
}

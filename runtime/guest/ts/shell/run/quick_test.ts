/**
 * `[ $i -lt 10 ]` and its like, which loops are made of: compiled as what they mean, so that no words are made and read
 * again. Whatever is not as simple as it looks when it runs goes the usual way.
 */

import { plainInteger } from "../expand/arithmetic/numbers";
import { compileProgram, runProgram } from "../expand/arithmetic/program";
import { separators } from "../expand/ifs";
import { compileString } from "../expand/word";
import type { Expression, Part, Simple, Word } from "../syntax/ast";
import type { Code } from "./code";
import type { Shell } from "./shell";
import { failed } from "./results";

/** Whether the test holds; undefined when it has to be done in the usual way. */
type Check = (shell: Shell) => boolean | undefined;

/** The operand as one text; undefined when it has to be expanded in the usual way. */
type Operand = (shell: Shell) => string | undefined;

type Compare = (left: string, right: string) => boolean;

const TEXTS: Readonly<Record<string, Compare>> = {
  "=": (left, right) => left === right,
  "==": (left, right) => left === right,
  "!=": (left, right) => left !== right,
};

const NUMBERS: Readonly<Record<string, string>> = { "-eq": "==", "-ne": "!=", "-lt": "<", "-le": "<=", "-gt": ">", "-ge": ">=" };

const EMPTY: Readonly<Record<string, boolean>> = { "-z": true, "-n": false };

/** The quick way of a command, or undefined when it has none; `usual` is what does all else. */
export function compileQuickTest({ words }: Simple, usual: Code): Code | undefined {
  const name = plainText(words[0]);
  if (name !== "[" && name !== "test") return undefined;
  if (name === "[" && plainText(words[words.length - 1]) !== "]") return undefined;
  const check = compileCheck(words.slice(1, name === "[" ? -1 : undefined) as readonly Word[]);
  if (!check) return undefined;
  const last = name === "[" ? "]" : "";
  return (shell) => {
    if (shell.tracing || shell.shadowed) return usual(shell);
    const holds = check(shell);
    if (holds === undefined) return usual(shell);
    shell.substituted = undefined;
    shell.lastArgument = last;
    return holds ? (shell.status = shell.pipeStatus = 0) : failed(shell, 1);
  };
}

function compileCheck(words: readonly Word[]): Check | undefined {
  if (words.some((word) => word.kind !== "word")) return undefined;
  if (words.length === 2) {
    const empty = EMPTY[plainText(words[0]) ?? ""];
    const operand = empty === undefined ? undefined : compileOperand(words[1]!);
    return operand && ((shell) => emptiness(operand(shell), empty!));
  }
  return words.length === 3 ? compileComparison(plainText(words[1]) ?? "", words[0]!, words[2]!) : undefined;
}

function compileComparison(operator: string, leftWord: Word, rightWord: Word): Check | undefined {
  const numbers = NUMBERS[operator];
  if (numbers) return compareNumbers(numbers, leftWord, rightWord);
  const compare = TEXTS[operator];
  const left = compare && compileOperand(leftWord);
  const right = compare && compileOperand(rightWord);
  if (!compare || !left || !right) return undefined;
  return (shell) => {
    const first = left(shell);
    const second = first === undefined ? undefined : right(shell);
    return first === undefined || second === undefined ? undefined : compare(first, second);
  };
}

/** `$i -lt 10`, as arithmetic on what is expanded before. */
function compareNumbers(operator: string, left: Word, right: Word): Check | undefined {
  const operands = [left, right].map(numberOf);
  const [first, second] = operands;
  if (!first || !second) return undefined;
  const split = [left, right].some((word) => word.parts[0]!.kind === "parameter");
  const program = compileProgram({ kind: "binary", operator, left: first, right: second }, split);
  return (
    program &&
    ((shell) => {
      const holds = runProgram(program, shell.variables, shell.positional);
      return holds === undefined ? undefined : holds !== 0;
    })
  );
}

function numberOf(word: Word): Expression | undefined {
  const literal = plainText(word);
  const value = literal === undefined ? undefined : plainInteger(literal);
  if (value !== undefined) return { kind: "number", value };
  const [part] = word.parts;
  const inner = part?.kind === "double" && part.parts.length === 1 ? part.parts[0]! : part;
  return word.parts.length === 1 && inner?.kind === "parameter" ? { kind: "part", part: inner } : undefined;
}

function emptiness(text: string | undefined, empty: boolean): boolean | undefined {
  return text === undefined ? undefined : (text === "") === empty;
}

function plainText(word: Simple["words"][number] | undefined): string | undefined {
  if (word?.kind !== "word" || word.parts.length !== 1) return undefined;
  const [part] = word.parts;
  return part!.kind === "literal" && !part!.quoted ? part!.text : undefined;
}

/** A constant, `$name`, or a quoted word of constants and parameters; nothing that could have an effect. */
function compileOperand(word: Word): Operand | undefined {
  const [part] = word.parts;
  if (word.parts.length !== 1) return undefined;
  if (part!.kind === "literal") return /[*?[~{]/.test(part!.text) && !part!.quoted ? undefined : () => part!.text;
  if (part!.kind === "parameter" && isName(part!)) return unquoted(part!.name);
  if (part!.kind !== "double" || !part!.parts.every(isQuiet)) return undefined;
  const read = compileString(word);
  return (shell) => read(shell) as string;
}

function isName(part: Part): boolean {
  return part.kind === "parameter" && /^(?:[A-Za-z_]\w*|\d+|[#?])$/.test(part.name) && !part.subscript && !part.indirect && !part.length && !part.operation;
}

function isQuiet(part: Part): boolean {
  return part.kind === "literal" || isName(part);
}

/** A value is one field when it is an integer and IFS the usual; others are split and may be patterns. */
function unquoted(name: string): Operand | undefined {
  if (!/^[A-Za-z]\w*$/.test(name)) return undefined;
  return (shell) => {
    const text = shell.variables.get(name);
    return text !== undefined && plainInteger(text) !== undefined && separators(shell).blanks ? text : undefined;
  };
}


/** if, while, until, for, select, case. */

import { native } from "../../bridge/native";
import { compileArithmetic, type Computation } from "../expand/arithmetic";
import { compileProgram, type Program, runProgram } from "../expand/arithmetic/program";
import { compileFields } from "../expand/fields";
import { compilePattern, type Pattern } from "../expand/pattern";
import { unitsOf } from "../expand/units";
import { compileString } from "../expand/word";
import type { Maybe } from "../io/maybe";
import { waits } from "../io/maybe";
import type { Arithmetic, ArithmeticFor, Case, Command, For, If, List, Part, Position, Select, While, Word } from "../syntax/ast";
import { beforeTurn } from "./attention";
import { type Code, guarded } from "./code";
import { Break, Continue } from "./control";
import { isCommandFault, ShellError } from "./errors";
import { compileList } from "./list";
import { PAUSED, pause } from "./pause";
import { chooseFrom } from "./select";
import type { Shell } from "./shell";
import { tell } from "./results";
import { trace, traceHead } from "./trace";

export function compileIf({ branches, otherwise }: If): Code {
  const conditions = branches.map(({ condition }) => compileList(condition));
  const bodies = branches.map(({ body }) => compileList(body));
  const last: Code = otherwise ? compileList(otherwise) : () => 0;
  const from = (shell: Shell, index: number): Maybe<number> => {
    for (let at = index; at < conditions.length; at += 1) {
      const status = guarded(shell, conditions[at]!);
      if (typeof status !== "number") return status.then((value) => (value === 0 ? bodies[at]!(shell) : from(shell, at + 1)));
      if (status === 0) return bodies[at]!(shell);
    }
    return last(shell);
  };
  return (shell) => from(shell, 0);
}

/** What a loop does once: its status, or `undefined` when the loop is over. */
type Turn = (shell: Shell) => Maybe<number | undefined>;

/** For a control flow error that is for this loop: the status that ends it, or undefined to go on; others are thrown on. */
function leaves(error: unknown): number | undefined {
  if (!(error instanceof Break || error instanceof Continue)) throw error;
  if (error.levels > 1) {
    error.levels -= 1;
    throw error;
  }
  return error instanceof Break ? error.status : undefined;
}

/** Runs turns until one is the last. */
function loop(shell: Shell, turn: Turn): Maybe<number> {
  shell.loops += 1;
  const end = (status: number): number => {
    shell.loops -= 1;
    return status;
  };
  try {
    const result = turns(shell, turn, 0);
    return typeof result === "number" ? end(result) : result.then(end, fail);
  } catch (error) {
    return fail(error);
  }
  function fail(error: unknown): never {
    shell.loops -= 1;
    throw error;
  }
}

function turns(shell: Shell, turn: Turn, before: number): Maybe<number> {
  let status = before;
  for (;;) {
    try {
      const result = ((shell.ticks += 1) > TURNS || shell.attention ? pause(shell) : undefined) ?? turn(shell);
      if (result === undefined) return status;
      if (typeof result === "number") {
        shell.status = status = result;
        continue;
      }
      const seen = status;
      return result.then(
        (value) => (value === undefined ? seen : turns(shell, turn, value === PAUSED ? seen : (shell.status = value))),
        (error: unknown) => leaves(error) ?? turns(shell, turn, 0),
      );
    } catch (error) {
      const left = leaves(error);
      if (left !== undefined) return left;
      shell.status = status = 0;
    }
  }
}

/** Turns between two looks at whether to go on. */
const TURNS = 64;

export function compileWhile({ until, condition, body }: While): Code {
  const test = compileList(condition);
  const code = compileList(body);
  const go = (shell: Shell, status: number): Maybe<number | undefined> => ((status === 0) === until ? undefined : code(shell));
  const turn: Turn = (shell) => {
    const status = guarded(shell, test);
    return typeof status === "number" ? go(shell, status) : status.then((value) => go(shell, value));
  };
  return (shell) => loop(shell, turn);
}

export function compileFor(node: For): Code {
  const { name, words, body, position } = node;
  const code = compileList(body);
  const fields = words && compileFields(words);
  if (!/^[A-Za-z_]\w*$/.test(name)) return invalidName(name, position.line);
  return (shell) => {
    shell.line = position.line;
    if (!fields) return overItems(shell, node, [...shell.positional], code);
    const items: string[] = [];
    const expanded = fields(shell, items);
    return waits(expanded) ? expanded.then(() => overItems(shell, node, items, code)) : overItems(shell, node, items, code);
  };
}

function invalidName(name: string, line: number): Code {
  return (shell) => {
    shell.line = line;
    shell.warn(`\`${name}': not a valid identifier`);
    return (shell.status = shell.pipeStatus = 1);
  };
}

function overItems(shell: Shell, node: For, items: readonly string[], code: Code): Maybe<number> {
  let index = 0;
  const { name } = node;
  return loop(shell, (inside) => {
    if (index >= items.length) return undefined;
    if (!inside.attention && !inside.tracing && !inside.exporting && native.shell.assign(inside.variables, name, items[index]!)) {
      index += 1;
      return code(inside);
    }
    const told = inside.attention ? beforeTurn(inside, node) : undefined;
    if (waits(told)) return told.then(() => turn(inside));
    return turn(inside);
  });
  function turn(inside: Shell): Maybe<number> {
    traceHead(inside, node);
    const assigned = assignItem(inside, name, items[index++]!);
    if (assigned === false) throw new Break(1, 1);
    return waits(assigned) ? assigned.then(() => code(inside)) : code(inside);
  }
}

/** The next item; false when the variable cannot be set. A name reference is pointed at the item; a variable that cannot be set ends the loop. */
function assignItem(shell: Shell, name: string, item: string): Maybe<void> | false {
  if (!shell.exporting && shell.variables.assign(name, item)) return undefined;
  const variable = shell.variables.own(name);
  try {
    if (!variable?.nameref || variable.readonly) return shell.assign(name, item);
    shell.variables.declare(name).value = item;
  } catch (error) {
    if (!(error instanceof ShellError) || error.fatal) throw error;
    shell.report(error.message);
    return false;
  }
}

export function compileArithmeticFor({ start, condition, step, body, position }: ArithmeticFor): Code {
  const code = compileList(body);
  const [begin, test, next] = [headPart(position, start), headPart(position, condition), headPart(position, step)];
  const enter = (shell: Shell): Maybe<number | undefined> => {
    const value = test(shell);
    if (typeof value === "object") return value.then((late) => (late === 0 ? undefined : code(shell)));
    return value === 0 ? undefined : code(shell);
  };
  const onward = condition && step && stepThenTest(step, condition);
  return (shell) => {
    shell.line = position.line;
    let first = true;
    const turn: Turn = (inside) => {
      const quick = !first && onward !== undefined && !inside.tracing && !inside.attention;
      const goesOn = quick ? runProgram(onward, inside.variables, inside.positional) : undefined;
      if (goesOn !== undefined) return goesOn === 0 ? undefined : code(inside);
      const before = first ? begin(inside) : next(inside);
      first = false;
      return typeof before === "object" ? before.then(() => enter(inside)) : enter(inside);
    };
    return loop(shell, turn);
  };
}

/** What stands for a part of a loop's head that is left out. */
function one(position: Position): Arithmetic {
  const text: Word = { kind: "word", parts: [{ kind: "literal", text: "1", quoted: false }], source: "1", position };
  return { text, tree: { kind: "number", value: 1 } };
}

/** BASH_COMMAND tells a part without the blanks before it. */
function withoutBlanks(text: Word): Word {
  return { ...text, source: text.source.replace(/^[ \t]+/, "") };
}

/** A part of a loop's head: what goes wrong there is told of, and ends the loop. */
function headPart(position: Position, part = one(position)): (shell: Shell) => ReturnType<Computation> {
  const compute = compileArithmetic(part);
  const node: Command = { kind: "arithmetic", expression: { text: withoutBlanks(part.text) }, position, redirections: [] };
  const ended = (shell: Shell, error: unknown): never => {
    if (!isCommandFault(error)) throw error;
    tell(shell, error, "((: ");
    throw new Break(1, 1);
  };
  const evaluate = (shell: Shell): ReturnType<Computation> => {
    if (shell.tracing) trace(shell, `(( ${part.text.source} ))`);
    try {
      const value = compute(shell);
      return typeof value === "object" ? value.catch((error: unknown) => ended(shell, error)) : value;
    } catch (error) {
      return ended(shell, error);
    }
  };
  return (shell) => {
    const seen = beforeTurn(shell, node);
    return waits(seen) ? seen.then(() => evaluate(shell)) : evaluate(shell);
  };
}

/** Both between two turns in one go. What the test expands would be expanded before the step. */
function stepThenTest(step: Arithmetic, test: Arithmetic): Program | undefined {
  const expands = test.text.parts.some((part) => part.kind !== "literal");
  return expands || !step.tree || !test.tree ? undefined : compileProgram({ kind: "comma", left: step.tree, right: test.tree });
}

function chain<T, R>(value: Maybe<T>, next: (value: T) => Maybe<R>): Maybe<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

export function compileSelect(node: Select): Code {
  const { name, words, body, position } = node;
  const code = compileList(body);
  const fields = words && compileFields(words);
  return (shell) => {
    shell.line = position.line;
    const items: string[] = fields ? [] : [...shell.positional];
    traceHead(shell, node);
    // The menu comes again when the body left REPLY empty.
    let turns = 0;
    const turn: Turn = (inside) => chooseFrom(inside, name, items, turns++ === 0 || !inside.variables.get("REPLY"), code);
    return chain(fields?.(shell, items), () => (items.length === 0 ? 0 : loop(shell, turn)));
  };
}

export function compileCase(node: Case): Code {
  const { word, clauses, position } = node;
  const subject = compileString(word);
  const patterns = clauses.map((clause) => clause.patterns.map(compileMatch));
  const bodies: readonly Code[] = clauses.map(({ body }: { body: List }) => compileList(body));

  const matches = (shell: Shell, text: string, index: number, from: number): Maybe<boolean> => {
    const alternatives = patterns[index]!;
    for (let at = from; at < alternatives.length; at += 1) {
      const found = alternatives[at]!(shell, text);
      if (waits(found)) return found.then((hit) => hit || matches(shell, text, index, at + 1));
      if (found) return true;
    }
    return false;
  };
  const enter = (shell: Shell, text: string, index: number): Maybe<number> =>
    chain(bodies[index]!(shell), (status) => {
      const { end } = clauses[index]!;
      if (end === ";;" || index + 1 >= clauses.length) return status;
      return end === ";&" ? enter(shell, text, index + 1) : search(shell, text, index + 1, status);
    });
  const search = (shell: Shell, text: string, from: number, otherwise: number): Maybe<number> => {
    for (let index = from; index < clauses.length; index += 1) {
      const found = matches(shell, text, index, 0);
      if (waits(found)) return found.then((hit) => (hit ? enter(shell, text, index) : search(shell, text, index + 1, otherwise)));
      if (found) return enter(shell, text, index);
    }
    return otherwise;
  };
  return (shell) => {
    shell.line = position.line;
    if (shell.tracing) traceHead(shell, node);
    const text = subject(shell);
    return waits(text) ? text.then((late) => search(shell, unitsOf(shell, late), 0, 0)) : search(shell, unitsOf(shell, text), 0, 0);
  };
}

/** Whether a text fits the pattern that a word comes to. One that is written out is compiled once for the options and locale there are. */
function compileMatch(word: Word): (shell: Shell, text: string) => Maybe<boolean> {
  const read = compileString(word, "pattern");
  if (!word.parts.every(isWrittenOut)) {
    return (shell, text) => chain(read(shell), (source) => compilePattern(unitsOf(shell, source), shell.options).test(text));
  }
  let options: ReadonlySet<string> | undefined;
  const plain = word.parts.every(isAscii);
  let bytewise = false;
  let pattern: Pattern | undefined;
  return (shell, text) => {
    if (options !== shell.options || (!plain && bytewise !== shell.variables.bytewise)) {
      pattern = compilePattern(unitsOf(shell, read(shell) as string), shell.options);
      options = shell.options;
      bytewise = shell.variables.bytewise;
    }
    return pattern!.test(text);
  };
}

/** Whether the locale makes no difference to what is written out. */
function isAscii(part: Part): boolean {
  return part.kind === "double" ? part.parts.every(isAscii) : part.kind === "literal" && !/[^\x00-\x7f]/.test(part.text);
}

function isWrittenOut(part: Part): boolean {
  return part.kind === "double" ? part.parts.every(isWrittenOut) : part.kind === "literal" && (part.quoted || !part.text.startsWith("~"));
}

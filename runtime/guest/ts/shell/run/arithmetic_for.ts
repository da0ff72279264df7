/** `for ((start; condition; step))`. */

import { compileArithmetic, type Computation } from "../expand/arithmetic";
import { compileProgram, type Program, runProgram } from "../expand/arithmetic/program";
import { type Maybe, waits } from "../io/maybe";
import type { Arithmetic, ArithmeticFor, Command, Position, Word } from "../syntax/ast";
import { beforeTurn } from "./attention";
import type { Code } from "./code";
import { Break } from "./control";
import { isCommandFault } from "./errors";
import { compileList } from "./list";
import { loop, type Turn } from "./loop";
import { tell } from "./results";
import type { Shell } from "./shell";
import { compileShown } from "./shown";
import { unguarded } from "./unguarded";

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
  const compute = unguarded([part.text], compileArithmetic(part));
  const shown = compileShown(part, (text) => text.trimStart());
  const node: Command = { kind: "arithmetic", expression: { text: withoutBlanks(part.text) }, position, redirections: [] };
  const ended = (shell: Shell, error: unknown): never => {
    if (!isCommandFault(error)) throw error;
    tell(shell, error, "((: ");
    throw new Break(1, 1);
  };
  const evaluate = (shell: Shell): ReturnType<Computation> => {
    try {
      const value = shell.tracing ? shown(shell) : compute(shell);
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

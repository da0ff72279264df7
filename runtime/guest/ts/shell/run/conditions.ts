/** What runs by the status of a condition: if, while, until. */

import type { Maybe } from "../io/maybe";
import type { If, While } from "../syntax/ast";
import { type Code, guarded } from "./code";
import { compileList } from "./list";
import { loop, type Turn } from "./loop";
import type { Shell } from "./shell";

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

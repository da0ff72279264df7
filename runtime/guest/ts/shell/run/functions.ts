/** Calls of shell functions. */

import { then, type Maybe } from "../io/maybe";
import { Return } from "./control";
import type { Shell, ShellFunction } from "./shell";

export function callFunction(shell: Shell, name: string, { code, source }: ShellFunction, args: readonly string[], line: number): Maybe<number> {
  const { positional, loops, optionPlace } = shell;
  const depth = shell.variables.enter();
  shell.positional = args;
  shell.loops = 0;
  shell.calls.push({ name, line, source: source ?? shell.name });
  const leave = (): void => {
    shell.positional = positional;
    shell.loops = loops;
    shell.optionPlace = optionPlace;
    shell.calls.pop();
    shell.variables.leave(depth);
  };
  const conclude = (status: number): Maybe<number> => {
    const action = shell.traps.get("RETURN");
    if (!action || !shell.options.has("functrace")) {
      leave();
      return status;
    }
    return then(shell.runTrap(action), () => {
      leave();
      return status;
    });
  };
  const thrown = (error: unknown): Maybe<number> => {
    if (error instanceof Return) return conclude(error.status);
    leave();
    throw error;
  };
  try {
    const status = shell.nested(() => code(shell));
    return typeof status === "number" ? conclude(status) : status.then(conclude, thrown);
  } catch (error) {
    return thrown(error);
  }
}

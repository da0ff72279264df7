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
  const end = (): void => {
    shell.positional = positional;
    shell.loops = loops;
    shell.line = line;
    shell.optionPlace = optionPlace;
    shell.calls.pop();
    shell.variables.leave(depth);
  };
  try {
    const status = shell.nested(code);
    if (typeof status !== "number") {
      return status.then(
        (late) => conclude(shell, late, end),
        (error: unknown) => thrown(shell, error, end),
      );
    }
    return conclude(shell, status, end);
  } catch (error) {
    return thrown(shell, error, end);
  }
}

/** Ends the call with a status; the RETURN trap still runs in it, if the function set it or inherits it. */
function conclude(shell: Shell, status: number, end: () => void): Maybe<number> {
  const heard = shell.traps.size > 0 && (shell.options.has("functrace") || shell.returnSet === shell.calls.length);
  const action = heard ? shell.traps.get("RETURN") : undefined;
  if (!action) {
    end();
    return status;
  }
  return then(shell.runTrap(action), () => {
    shell.returnSet = 0;
    end();
    return status;
  });
}

function thrown(shell: Shell, error: unknown, end: () => void): Maybe<number> {
  if (error instanceof Return) return conclude(shell, error.status, end);
  end();
  throw error;
}

/** Calls of shell functions. */

import { then, type Maybe } from "../io/maybe";
import { Return } from "./control";
import { type Call, NESTED_FREE, type Shell, type ShellFunction } from "./shell";
import { runTrap } from "./results";

/** A call, with what it changes of the shell for its time. */
class Activation implements Call {
  readonly positional: Shell["positional"];
  readonly loops: number;
  readonly optionPlace: Shell["optionPlace"];
  readonly depth: number;

  constructor(
    shell: Shell,
    readonly name: string,
    readonly line: number,
    readonly source: string,
    readonly frame: number,
  ) {
    this.positional = shell.positional;
    this.loops = shell.loops;
    this.optionPlace = shell.optionPlace;
    this.depth = shell.depth;
  }

  end(shell: Shell): void {
    shell.positional = this.positional;
    shell.loops = this.loops;
    shell.line = this.line;
    shell.optionPlace = this.optionPlace;
    shell.depth = this.depth;
    shell.calls.pop();
    shell.variables.leave(this.frame);
  }
}

export function callFunction(shell: Shell, name: string, { code, source }: ShellFunction, args: readonly string[], line: number): Maybe<number> {
  const call = new Activation(shell, name, line, source ?? shell.name, shell.variables.enter());
  shell.positional = args;
  shell.loops = 0;
  shell.calls.push(call);
  try {
    const status = shell.depth < NESTED_FREE ? ((shell.depth += 1), code(shell)) : shell.nested(code);
    if (typeof status === "number") return shell.traps.size === 0 ? (call.end(shell), status) : conclude(shell, status, call);
    return status.then(
      (late) => conclude(shell, late, call),
      (error: unknown) => thrown(shell, error, call),
    );
  } catch (error) {
    return thrown(shell, error, call);
  }
}

/** Ends the call with a status; the RETURN trap still runs in it, if the function set it or inherits it. */
function conclude(shell: Shell, status: number, call: Activation): Maybe<number> {
  const heard = shell.traps.size > 0 && (shell.options.has("functrace") || shell.returnSet === shell.calls.length);
  const action = heard ? shell.traps.get("RETURN") : undefined;
  if (!action) {
    call.end(shell);
    return status;
  }
  return then(runTrap(shell, action), () => {
    shell.returnSet = 0;
    call.end(shell);
    return status;
  });
}

function thrown(shell: Shell, error: unknown, call: Activation): Maybe<number> {
  if (error instanceof Return) return conclude(shell, error.status, call);
  call.end(shell);
  throw error;
}

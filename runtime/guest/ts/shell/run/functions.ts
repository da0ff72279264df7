/** Calls of shell functions. */

import { then, type Maybe } from "../io/maybe";
import { Return } from "./control";
import type { Shell, ShellFunction } from "./shell";

/** What a call changes in the shell and its end puts back. */
class Activation {
  private declare readonly shell: Shell;
  private declare readonly positional: readonly string[];
  private declare readonly loops: number;
  private declare readonly optionPlace: Shell["optionPlace"];
  private declare readonly depth: number;

  constructor(shell: Shell, name: string, args: readonly string[], line: number, source: string) {
    this.shell = shell;
    this.positional = shell.positional;
    this.loops = shell.loops;
    this.optionPlace = shell.optionPlace;
    this.depth = shell.variables.enter();
    shell.positional = args;
    shell.loops = 0;
    shell.calls.push({ name, line, source });
  }

  end(): void {
    const { shell } = this;
    shell.positional = this.positional;
    shell.loops = this.loops;
    shell.optionPlace = this.optionPlace;
    shell.calls.pop();
    shell.variables.leave(this.depth);
  }

  /** Ends the call with a status; the RETURN trap still runs in it. */
  conclude(status: number): Maybe<number> {
    const { shell } = this;
    const action = shell.traps.size > 0 && shell.options.has("functrace") ? shell.traps.get("RETURN") : undefined;
    if (!action) {
      this.end();
      return status;
    }
    return then(shell.runTrap(action), () => {
      this.end();
      return status;
    });
  }

  thrown(error: unknown): Maybe<number> {
    if (error instanceof Return) return this.conclude(error.status);
    this.end();
    throw error;
  }
}

export function callFunction(shell: Shell, name: string, { code, source }: ShellFunction, args: readonly string[], line: number): Maybe<number> {
  const activation = new Activation(shell, name, args, line, source ?? shell.name);
  try {
    const status = shell.nested(code);
    if (typeof status === "number") return activation.conclude(status);
    return status.then(
      (late) => activation.conclude(late),
      (error: unknown) => activation.thrown(error),
    );
  } catch (error) {
    return activation.thrown(error);
  }
}

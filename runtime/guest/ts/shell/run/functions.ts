/** Calls of shell functions. */

import { then, type Maybe } from "../io/maybe";
import type { Code } from "./code";
import { Return } from "./control";
import { LineFault, tellHere } from "./errors";
import { havingSpoken } from "./life";
import { NESTED_FREE, nested } from "./nesting";
import { LETTERS } from "./options";
import type { Shell } from "./shell";
import { type Call, NO_TRAPS, type ShellFunction } from "./state";
import { deafen, runTrap } from "./results";

/** A call, with what it changes of the shell for its time. */
interface Activation extends Call {
  readonly positional: Shell["positional"];
  readonly loops: number;
  readonly depth: number;
  readonly frame: number;
  /** The traps around it, and those that it began with: some functions do not have. */
  readonly traps: Shell["traps"];
  readonly inner: Shell["traps"];
}

/** Traps that the function set stay; those that it did not have come back. */
function together({ traps, inner }: Activation, set: Shell["traps"]): Shell["traps"] {
  return new Map([...[...traps].filter(([name]) => !inner.has(name)), ...set]);
}

function end(shell: Shell, call: Activation): void {
  shell.positional = call.positional;
  shell.loops = call.loops;
  shell.line = call.line;
  shell.depth = call.depth;
  shell.calls.pop();
  shell.variables.locals.leave(call.frame, shell.variables);
  if (call.inner !== call.traps) shell.changeTraps(shell.traps === call.inner ? call.traps : together(call, shell.traps));
  const { options } = call;
  if (options) for (const name of Object.keys(LETTERS)) shell.setOption(name, options.has(name));
}

export function callFunction(shell: Shell, name: string, { code, source, line: start }: ShellFunction, args: readonly string[], line: number): Maybe<number> {
  const { depth } = shell;
  if (shell.nestedMost !== undefined) demandNesting(shell, name);
  const frame = shell.variables.locals.enter();
  const { traps } = shell;
  const inner = traps === NO_TRAPS ? traps : shell.innerTraps();
  if (inner !== traps) shell.changeTraps(inner);
  const call: Activation = { name, line, source: source ?? shell.name, positional: shell.positional, loops: shell.loops, depth, frame, traps, inner };
  shell.positional = args;
  shell.loops = 0;
  shell.calls.push(call);
  try {
    const status = shell.attention ? traced(shell, code, start) : depth < NESTED_FREE ? ((shell.depth = depth + 1), code(shell)) : nested(shell, code);
    if (typeof status === "number") return shell.traps === NO_TRAPS ? (end(shell, call), status) : conclude(shell, status, call);
    return status.then(
      (late) => conclude(shell, late, call),
      (error: unknown) => thrown(shell, error, call),
    );
  } catch (error) {
    return thrown(shell, error, call);
  }
}

/** Calls within calls up to FUNCNEST; one more ends the line. */
function demandNesting(shell: Shell, name: string): void {
  const most = Number(shell.variables.get("FUNCNEST"));
  const running = shell.calls.filter((call) => "frame" in call).length;
  if (most > 0 && running >= most) throw new LineFault(`${name}: maximum function nesting level exceeded (${most})`);
}

/** A DEBUG trap that functions have as well sees a call once more, from inside. */
function traced(shell: Shell, code: Code, line: number): Maybe<number> {
  const action = shell.traps.get("DEBUG");
  if (action) shell.line = line;
  return action ? then(runTrap(shell, action, "debug trap"), () => nested(shell, code)) : nested(shell, code);
}

/** Ends the call with a status; a RETURN trap still runs in it, if the function has one. */
function conclude(shell: Shell, status: number, call: Activation): Maybe<number> {
  const action = shell.traps.get("RETURN");
  const ended = (): number => {
    deafen(shell, call.traps, status);
    end(shell, call);
    return status;
  };
  return action ? then(runTrap(shell, action, "return trap"), ended) : ended();
}

function thrown(shell: Shell, error: unknown, call: Activation): Maybe<number> {
  if (error instanceof Return) return conclude(shell, error.status, call);
  tellHere(shell, error);
  return then(havingSpoken(shell, error), (last) => {
    end(shell, call);
    throw last;
  });
}

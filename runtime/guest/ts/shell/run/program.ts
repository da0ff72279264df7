/** From source text to effects: parsed and run one complete command after the other, as bash reads. */

import { native } from "../../bridge/native";
import { SyntaxFault } from "../syntax/errors";
import type { List } from "../syntax/ast";
import { convertUnitsBy } from "../syntax/units";
import { then, type Maybe } from "../io/maybe";
import { ShellError } from "./errors";
import { Exit } from "./control";
import { Commands } from "./kept";
import { compileList } from "./list";
import type { Shell } from "./shell";

convertUnitsBy((text) => {
  const bytes = native.bytes.utf16leEncode(text);
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
});

type Source = Pick<Commands, "next">;

export interface SourceOptions {
  /** The line number of the first line. */
  readonly line?: number;
  /** The script itself, as opposed to what it evaluates or sources. */
  readonly main?: boolean;
}

/** Runs `source` in the shell; the status of its last command. Control flow passes through. */
export function runSource(shell: Shell, source: string, { line = 1, main = false }: SourceOptions = {}): Maybe<number> {
  return runCommands(shell, new Commands(shell, source, line), main, 0);
}

/** Runs one complete command of the script itself that was read already. */
export function runRead(shell: Shell, list: List): Maybe<number> {
  let rest: List | undefined = list;
  const next = (): List | undefined => {
    const given = rest;
    rest = undefined;
    return given;
  };
  return runCommands(shell, { next }, true, 0);
}

function runCommands(shell: Shell, commands: Source, main: boolean, before: number): Maybe<number> {
  let last = before;
  for (;;) {
    let result: Maybe<number> | undefined;
    try {
      const stepped = step(shell, commands, main);
      if (stepped === undefined) return last;
      if (stepped instanceof Ended) return (shell.status = stepped.status);
      result = stepped;
    } catch (error) {
      result = recover(shell, error);
    }
    if (main && shell.options.has("onecmd")) return then(result, (status) => (shell.status = status));
    if (typeof result !== "number") {
      return result.then(
        (status) => runCommands(shell, commands, main, status),
        (error: unknown) => runCommands(shell, commands, main, recover(shell, error)),
      );
    }
    shell.status = last = result;
  }
}

/** The source cannot be read on. */
class Ended {
  constructor(readonly status: number) {}
}

/** Runs the next complete command; undefined at the end. */
function step(shell: Shell, commands: Source, main: boolean): Maybe<number> | Ended | undefined {
  const list = parse(shell, commands, main);
  if (list === undefined) return undefined;
  if (typeof list === "number") return new Ended(list);
  if (shell.options.has("noexec")) return 0;
  return compileList(list)(shell);
}

/** The next command, or the status with which a fault ends the source. */
function parse(shell: Shell, commands: Source, main: boolean): List | number | undefined {
  try {
    return commands.next();
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    shell.line = error.position.line;
    shell.warn(error.message);
    if (error.detail !== undefined) shell.warn(error.detail);
    if (error.within === "substitution" && !error.incomplete && !main) throw new Exit(1);
    return error.within === "array" ? 1 : 2;
  }
}

/** An error discards the command that it came up in, up to the line's end; the next one runs. */
function recover(shell: Shell, error: unknown): number {
  if (!(error instanceof ShellError) || error.fatal) throw error;
  if (error.message !== "") shell.warn(error.message);
  shell.pipeStatus = error.status;
  if (shell.options.has("errexit") && shell.guards === 0) throw new Exit(error.status);
  return (shell.status = error.status);
}

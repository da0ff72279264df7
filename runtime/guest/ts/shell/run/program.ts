/** From source text to effects: parsed and run one complete command after the other, as bash reads. */

import { native } from "../../bridge/native";
import { SyntaxFault } from "../syntax/errors";
import type { List } from "../syntax/ast";
import { convertUnitsBy } from "../syntax/units";
import { ExpressionFault } from "../expand/errors";
import { then, type Maybe } from "../io/maybe";
import { LineFault, ScriptFault, ShellError, tellHere } from "./errors";
import { Exit } from "./control";
import { Commands } from "./kept";
import { compileList } from "./list";
import type { Shell } from "./shell";
import { undoing } from "./undoing";

convertUnitsBy((text) => {
  const bytes = native.bytes.utf16leEncode(text);
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
});

type Source = Pick<Commands, "next" | "by"> & Partial<Pick<Commands, "skipLine">>;

export interface SourceOptions {
  /** The line number of the first line. */
  readonly line?: number;
  /** The script itself, as opposed to what it evaluates or sources. */
  readonly main?: boolean;
  /** Who evaluates it, as messages about its syntax begin. */
  readonly by?: string;
}

/** Runs `source` in the shell; the status of its last command. Control flow passes through. */
export function runSource(shell: Shell, source: string, { line = 1, main = false, by }: SourceOptions = {}): Maybe<number> {
  const commands = new Commands(shell, source, line, main && shell.source === "c" ? "-c" : by);
  if (main) return runCommands(shell, commands, true, 0);
  shell.traceDepth += 1;
  return undoing(() => runCommands(shell, commands, false, 0), () => (shell.traceDepth -= 1));
}

/** Runs one complete command of the script itself that was read already. */
export function runRead(shell: Shell, list: List): Maybe<number> {
  let rest: List | undefined = list;
  const next = (): List | undefined => {
    const given = rest;
    rest = undefined;
    return given;
  };
  return runCommands(shell, { next, by: undefined }, true, 0);
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
      result = recover(shell, error, main);
    }
    if (main && shell.options.has("onecmd")) return then(result, (status) => (shell.status = status));
    if (typeof result !== "number") {
      return result.then(
        (status) => runCommands(shell, commands, main, (shell.status = status)),
        (error: unknown) => runCommands(shell, commands, main, recover(shell, error, main)),
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
  if (main) shell.tidyJobs();
  const list = parse(shell, commands, main);
  if (list === undefined || typeof list === "number" || list instanceof Ended) return list;
  if (shell.options.has("noexec")) return 0;
  return compileList(list)(shell);
}

/** Faults in such a place end the shell that evaluates the text. */
const ENDS_SHELL: ReadonlySet<SyntaxFault["within"]> = new Set(["substitution", "documents"]);

/** The next command; a fault ends the source, or is the status of its line. */
function parse(shell: Shell, commands: Source, main: boolean): List | Ended | number | undefined {
  try {
    return commands.next();
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    shell.line = error.position.line;
    shell.warn(error.message, commands.by);
    if (error.detail !== undefined) shell.warn(error.detail, commands.by);
    if (ENDS_SHELL.has(error.within) && !error.incomplete && !main) throw new Exit(1);
    if (error.within !== "array" || error.incomplete || !commands.skipLine) return new Ended(statusAfter(shell, error, main));
    commands.skipLine();
    return (shell.pipeStatus = 1);
  }
}

/** As bash's parser leaves it: a mistake in `[[ … ]]` is no news for `$?` where a script ends by it. */
function statusAfter(shell: Shell, { within, incomplete }: SyntaxFault, main: boolean): number {
  if (!main && shell.options.has("posix") && !shell.excused) throw new Exit(2);
  if (within === "conditional" && main && !incomplete) return shell.status;
  return within === "array" ? 1 : 2;
}

/**
 * An error discards the command that it came up in, up to the line's end; the next one runs. In text that is evaluated some
 * errors are the line's around it, and in a subshell all end that.
 */
function recover(shell: Shell, error: unknown, main: boolean): number {
  if (!(error instanceof ShellError) || error.fatal) throw error;
  tellHere(shell, error);
  if (!main && error instanceof ScriptFault) throw error;
  shell.pipeStatus = error.status;
  // Expressions that cannot be computed are no failures to `set -e`.
  const fails = shell.options.has("errexit") && shell.guards === 0 && !(error instanceof ExpressionFault || error instanceof LineFault);
  const ends = fails || (main ? error instanceof ScriptFault && shell.source === "c" : shell.level > 0);
  if (ends) throw new Exit(error.status);
  return (shell.status = error.status);
}

/**
 * `$(date +%F)`, `$(basename "$x")`: one command that can change nothing of the shell needs no process of its own. It runs
 * in the shell itself, with its output caught.
 */

import { Capture } from "../../vfs/capture";
import type { Maybe } from "../io/maybe";
import type { List, Part, Simple, Word } from "../syntax/ast";
import { builtins } from "../builtins/table";
import { fatalStatus } from "./life";
import { compileList } from "./list";
import { isKnown } from "./launch";
import type { Shell } from "./shell";

/** Builtins that change nothing, whatever their arguments. */
const HARMLESS = new Set(["echo", "pwd", "test", "[", "tool", "true", "false", ":"]);
/** Parameters that tell a subshell from the shell around it. */
const TELLING = new Set(["BASHPID", "BASH_SUBSHELL"]);

/** Runs the substitution's commands and gives what they printed and their status; undefined when it needs a process. */
export type Light = (shell: Shell, conclude: (text: string, status: number) => string) => Maybe<string> | undefined;

export function compileLight(body: List): Light | undefined {
  const name = soleName(body);
  if (name === undefined || (builtins.has(name) && !HARMLESS.has(name) && name !== "printf")) return undefined;
  const code = compileList(body);
  return (shell, conclude) => {
    if (shell.tracing || shell.attention || shell.traps.size > 0 || shell.functions.has(name)) return undefined;
    if (!HARMLESS.has(name) && name !== "printf" && !isKnown(name)) return undefined;
    const { descriptors } = shell.context;
    if (!descriptors.has(1)) return undefined;
    const { guards, lastArgument, pipeStatus, line, ownInput } = shell;
    const capture = new Capture();
    const before = descriptors.get(1);
    before.references += 1;
    descriptors.set(1, capture);
    shell.guards = guards + 1;
    shell.ownInput = undefined;
    const restore = (): void => {
      descriptors.set(1, before);
      before.references -= 1;
      Object.assign(shell, { guards, lastArgument, pipeStatus, line, ownInput });
    };
    let status: Maybe<number>;
    try {
      status = code(shell);
    } catch (error) {
      restore();
      return conclude(capture.captured, fatalStatus(shell, error));
    }
    if (typeof status === "number") {
      restore();
      return conclude(capture.captured, status);
    }
    const ended = (late: number): string => {
      restore();
      return conclude(capture.captured, late);
    };
    return status.then(ended, (error: unknown) => ended(fatalStatus(shell, error)));
  };
}

/** The name of the one simple command that is all there is, if its words have no effects. */
function soleName(body: List): string | undefined {
  const [item] = body;
  if (body.length !== 1 || item!.background || item!.command.rest.length > 0) return undefined;
  const { commands, negated, timed } = item!.command.first;
  const [command] = commands;
  if (commands.length !== 1 || negated || timed !== "" || command!.kind !== "simple") return undefined;
  return harmlessName(command!);
}

function harmlessName({ assignments, words, redirections }: Simple): string | undefined {
  if (assignments.length > 0 || redirections.some(({ descriptor }) => typeof descriptor === "object")) return undefined;
  if (!words.every((word) => word.kind === "word" && word.parts.every(isQuiet))) return undefined;
  if (!redirections.every(({ target }) => target.parts.every(isQuiet))) return undefined;
  const [first, second] = words as readonly Word[];
  const name = plainText(first);
  // printf -v sets a variable.
  return name === "printf" && (plainText(second) ?? "-").startsWith("-") ? undefined : name;
}

function plainText(word: Word | undefined): string | undefined {
  const [part] = word?.parts ?? [];
  return word?.parts.length === 1 && (part!.kind === "literal" || part!.kind === "double") ? textOf(part!) : undefined;
}

function textOf(part: Part): string | undefined {
  if (part.kind === "literal") return part.text;
  return part.kind === "double" && part.parts.every(({ kind }) => kind === "literal") ? part.parts.map((each) => textOf(each)).join("") : undefined;
}

/** Whether expanding it changes nothing and tells nothing of processes. */
export function isQuiet(part: Part): boolean {
  switch (part.kind) {
    case "literal":
      return true;
    case "double":
      return part.parts.every(isQuiet);
    case "command":
      return true;
    case "parameter":
      return isQuietParameter(part);
    default:
      return false;
  }
}

function isQuietParameter({ name, subscript, indirect, operation }: Extract<Part, { kind: "parameter" }>): boolean {
  if (TELLING.has(name) || indirect || subscript?.kind === "index") return false;
  if (operation === undefined) return true;
  if (operation.kind === "remove") return operation.pattern.parts.every(isQuiet);
  return operation.kind === "case" && operation.pattern === undefined;
}

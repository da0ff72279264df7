/** `$(…)`, `<(…)` and `>(…)`. */

import { Capture } from "../../vfs/capture";
import type { SyntaxFault } from "../syntax/errors";
import { createPipe } from "../../vfs/pipe";
import { finally_, then, type Maybe } from "../io/maybe";
import type { CommandSubstitution, List, ProcessSubstitution, Redirection } from "../syntax/ast";
import type { Code } from "./code";
import { fatalStatus, live } from "./life";
import { compileLight, isQuiet, type Light } from "./light";
import { compileList } from "./list";
import { compileRedirections, opening } from "./redirect";
import type { Saved } from "./saved";
import type { Shell } from "./shell";

const NEWLINE = 10;
/** What a fault in backticks or a here-document is found in. */
const WHERE = "command substitution";
/** Descriptors that process substitutions choose go down from here, as bash's do. */
const CHOSEN_MOST = 63;

const lights = new WeakMap<CommandSubstitution, Light | typeof none>();
const none = { light: false } as const;

export function substitute(shell: Shell, part: CommandSubstitution): Maybe<string> {
  if (part.fault) return faulty(shell, part, part.fault);
  let light = lights.get(part);
  if (light === undefined) lights.set(part, (light = compileLight(part.body) ?? compileInput(part.body) ?? none));
  return (typeof light === "function" ? light(shell, (text, status) => taken(shell, text, status)) : undefined) ?? inProcess(shell, part);
}

/** The substitution's text, once its status is noted. */
function taken(shell: Shell, text: string, status: number): string {
  shell.substituted = shell.status = status;
  return trimmed(shell, text);
}

function inProcess(shell: Shell, part: CommandSubstitution): Maybe<string> {
  const code = compileSubstitution(part.body);
  const capture = new Capture();
  const child = shell.fork();
  child.context.descriptors.set(1, capture);
  child.traceDepth += 1;
  if (!shell.options.has("inherit_errexit")) child.setOption("errexit", false);
  const conclude = (status: number): string => taken(shell, capture.captured, status);
  const status = live(child, code);
  return typeof status === "number" ? conclude(status) : status.then(conclude);
}

/** The text in backticks is parsed when it is expanded, and begins on the command's line; a fault in it costs its output only. */
function faulty(shell: Shell, { position }: CommandSubstitution, fault: SyntaxFault): string {
  const { line } = shell;
  shell.line += fault.position.line - position.line;
  shell.warn(fault.message, WHERE);
  if (fault.detail !== undefined) shell.warn(fault.detail, WHERE);
  shell.line = line;
  shell.substituted = shell.status = 2;
  return "";
}

const compiled = new WeakMap<List, Code>();

function compileSubstitution(body: List): Code {
  let code = compiled.get(body);
  if (code === undefined) {
    const input = soleInput(body);
    const redirect = input && compileRedirections([input]);
    code = redirect ? (shell) => then(redirect(shell), (saved) => (saved ? copy(shell) : 1)) : compileList(body);
    compiled.set(body, code);
  }
  return code;
}

/** The redirection of `$(< file)`, which stands for what the file holds. */
function soleInput(body: List): Redirection | undefined {
  const [item] = body;
  const command = item?.command.first.commands[0];
  if (body.length !== 1 || item!.background || item!.command.rest.length > 0 || command?.kind !== "simple") return undefined;
  const { words, assignments, redirections } = command;
  const [redirection] = redirections;
  const sole = words.length === 0 && assignments.length === 0 && redirections.length === 1 && redirection!.operator === "<";
  return sole ? redirection : undefined;
}

function copy(shell: Shell): Maybe<number> {
  return then(shell.stdin.all(), (bytes) => then(shell.stdout.write(bytes), () => 0));
}

/** `$(< file)` without a process of its own. */
function compileInput(body: List): Light | undefined {
  const input = soleInput(body);
  if (input === undefined || (input.descriptor ?? 0) !== 0 || !input.target.parts.every(isQuiet)) return undefined;
  const redirect = compileRedirections([input]);
  return (shell, conclude) => {
    if (shell.tracing || shell.attention || shell.traps.size > 0) return undefined;
    const read = (saved: Saved | undefined): Maybe<string> => {
      if (saved === undefined) return conclude("", 1);
      return then(finally_(() => shell.stdin.text(), () => saved.restore()), (text) => conclude(text, 0));
    };
    const caught = (error: unknown): string => conclude("", fatalStatus(shell, error));
    try {
      const text = then(redirect(shell), read);
      return typeof text === "string" ? text : text.catch(caught);
    } catch (error) {
      return caught(error);
    }
  };
}

/** The text without the newlines at its end; NULs, which no variable can hold, are left out. */
function trimmed(shell: Shell, text: string): string {
  let kept = text;
  if (text.includes("\0")) {
    kept = text.replaceAll("\0", "");
    shell.warn("warning: command substitution: ignored null byte in input");
  }
  let end = kept.length;
  while (end > 0 && kept.charCodeAt(end - 1) === NEWLINE) end -= 1;
  return kept.slice(0, end);
}

/** The commands run at once, joined to the path that is returned. */
export function processSubstitution(shell: Shell, part: ProcessSubstitution): Maybe<string> {
  shell.session.demandRoom(false);
  const code = compileList(part.body);
  const [read, write] = createPipe();
  const [inside, outside] = part.direction === "<" ? [write, read] : [read, write];
  const number = opening("process substitution", () => shell.context.descriptors.addHigh(outside, CHOSEN_MOST));
  const child = shell.fork();
  child.context.descriptors.close(number); // or the pipe would never be broken
  child.context.descriptors.set(part.direction === "<" ? 1 : 0, inside);
  (shell.borrowed ??= []).push(number);
  child.background();
  const ended = Promise.resolve(live(child, code));
  shell.lastBackground = child.pid;
  shell.jobs.substitute(child, ended);
  shell.session.hold(ended);
  return `/dev/fd/${number}`;
}

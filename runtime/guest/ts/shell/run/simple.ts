/** Simple commands: assignments, functions, builtins and commands. */

import { assignArray, assignVariable } from "../expand/assign";
import { compileFields } from "../expand/fields";
import { compileAssignment, compileString } from "../expand/word";
import { each, then, type Maybe } from "../io/maybe";
import { builtins, type Builtin } from "../builtins/table";
import type { Assignment, DeclaredAssignment, Simple, Word } from "../syntax/ast";
import type { Code } from "./code";
import { ShellError } from "./errors";
import { callFunction } from "./functions";
import { runCommand } from "./launch";
import { compileRedirections, type Redirect } from "./redirect";
import { traceAssignment, traceWords } from "./trace";
import type { Shell } from "./shell";
import { Variable } from "./variables";

/** Does one assignment. */
type Assign = (shell: Shell) => Maybe<void>;
type Fields = (shell: Shell, fields: string[]) => Maybe<void>;

export function compileSimple(node: Simple): Code {
  const { line } = node.position;
  const redirect = node.redirections.length > 0 ? compileRedirections(node.redirections) : undefined;
  if (node.words.length === 0) return assignmentsOnly(node.assignments.map(compileAssign), redirect, line);
  const declared = node.words.some((word) => word.kind === "assignment");
  const fields = declared ? declarationFields(node.words) : compileFields(node.words as readonly Word[]);
  const environment = node.assignments.map(temporary);
  const assign = assignments(node.assignments.map(compileAssign), redirect);

  const run = (shell: Shell, words: string[]): Maybe<number> => {
    if (words.length === 0) return assign(shell);
    if (shell.options.has("xtrace")) traceWords(shell, words);
    const result = dispatch(shell, words, environment, redirect, line);
    return typeof result === "number" ? finish(shell, words, result) : result.then((status) => finish(shell, words, status));
  };
  return (shell) => {
    shell.line = line;
    if (shell.attention) {
      const attended = attend(shell);
      if (attended instanceof Promise) return attended.then(() => expand(shell, fields, run));
    }
    return expand(shell, fields, run);
  };
}

function expand(shell: Shell, fields: Fields, run: (shell: Shell, words: string[]) => Maybe<number>): Maybe<number> {
  const words: string[] = [];
  shell.substituted = undefined;
  const expanded = fields(shell, words);
  return expanded instanceof Promise ? expanded.then(() => run(shell, words)) : run(shell, words);
}

/** Signals that came, and the DEBUG trap. */
function attend(shell: Shell): Maybe<void> {
  return then(shell.interrupted ? shell.deliver() : undefined, () => {
    const action = shell.traps.get("DEBUG");
    if (action && (!shell.variables.insideFunction || shell.options.has("functrace"))) return shell.runTrap(action);
  });
}

function finish(shell: Shell, words: readonly string[], status: number): Maybe<number> {
  shell.lastArgument = words[words.length - 1]!;
  shell.pipeStatus = [status];
  if (shell.borrowed.length > 0) giveBack(shell);
  return status === 0 ? (shell.status = 0) : shell.concluded(status);
}

function giveBack(shell: Shell): void {
  const numbers = shell.borrowed;
  shell.borrowed = [];
  for (const number of numbers) if (shell.context.descriptors.has(number)) shell.context.descriptors.close(number);
}

function dispatch(shell: Shell, words: string[], environment: readonly Temporary[], redirect: Redirect | undefined, line: number): Maybe<number> {
  const name = words[0]!;
  const definition = shell.functions.get(name);
  const builtin = definition ? undefined : builtins.get(name);
  const act = (): Maybe<number> => {
    if (definition) return callFunction(shell, name, definition, words.slice(1), line);
    return builtin && !shell.disabled.has(name) ? runBuiltin(shell, builtin, words) : runCommand(shell, words);
  };
  if (environment.length === 0 && !redirect) return act();
  if (name === "exec" && builtin && words.length === 1 && redirect) return permanent(shell, redirect);
  const around = definition ? withCallEnvironment : withEnvironment;
  const within = (): Maybe<number> => (environment.length > 0 ? around(shell, environment, act) : act());
  if (!redirect) return within();
  return then(redirect(shell), (undo) => (undo ? undoing(() => (redirect.input ? owning(shell, within) : within()), undo) : 1));
}

/** Runs a redirected command: what it reads is its own. */
function owning(shell: Shell, work: () => Maybe<number>): Maybe<number> {
  const { descriptors } = shell.context;
  const before = shell.ownInput;
  shell.ownInput = descriptors.has(0) ? descriptors.get(0) : undefined;
  return undoing(work, () => (shell.ownInput = before));
}

function undoing(work: () => Maybe<number>, undo: () => void): Maybe<number> {
  let status: Maybe<number>;
  try {
    status = work();
  } catch (error) {
    undo();
    throw error;
  }
  if (typeof status !== "number") return status.finally(undo);
  undo();
  return status;
}

/** `exec >file`: the redirections stay. */
function permanent(shell: Shell, redirect: Redirect): Maybe<number> {
  return then(redirect(shell), (undo) => {
    shell.borrowed = [];
    return undo ? 0 : 1;
  });
}

/** Errors of a builtin are told of; but for fatal ones, they are its status. */
export function runBuiltin(shell: Shell, builtin: Builtin, words: readonly string[]): Maybe<number> {
  const failed = (error: unknown): number => {
    if (!(error instanceof ShellError) || error.fatal) throw error;
    if (error.message !== "") shell.warn(error.message);
    return error.status;
  };
  try {
    const status = builtin(shell, words.slice(1), words[0]!);
    return typeof status === "number" ? status : status.catch(failed);
  } catch (error) {
    return failed(error);
  }
}

// --- assignments ---------------------------------------------------------------------------

function compileAssign({ name, subscript, append, value, position }: Assignment): Assign {
  if (value.kind === "array") {
    return (shell) => {
      shell.line = position.line;
      if (subscript) throw new ShellError(`${name}[${subscript.kind === "index" ? subscript.text.source : subscript.joined}]: cannot assign list to array member`);
      return assignArray(shell, name, value, append);
    };
  }
  const text = compileAssignment(value);
  const store = (shell: Shell, result: string): Maybe<void> => {
    if (shell.options.has("xtrace")) traceAssignment(shell, name, append, result);
    const done = subscript === undefined && !append ? shell.assign(name, result) : assignVariable(shell, name, subscript, result, append);
    if (!shell.options.has("allexport")) return done;
    return then(done, () => exportAssigned(shell, name));
  };
  return (shell) => {
    const result = text(shell);
    return typeof result === "string" ? store(shell, result) : result.then((late) => store(shell, late));
  };
}

function assignmentsOnly(assigns: readonly Assign[], redirect: Redirect | undefined, line: number): Code {
  const assign = assignments(assigns, redirect);
  const start = (shell: Shell): Maybe<number> => {
    shell.substituted = undefined;
    return assign(shell);
  };
  return (shell) => {
    shell.line = line;
    return shell.attention ? then(attend(shell), () => start(shell)) : start(shell);
  };
}

/** Under `set -a`. */
function exportAssigned(shell: Shell, name: string): void {
  const variable = shell.variables.find(name);
  if (typeof variable?.value !== "string") return;
  variable.exported = true;
  shell.variables.changed();
}

/** The status is that of the command's last command substitution. */
function assignments(assigns: readonly Assign[], redirect: Redirect | undefined): Code {
  const conclude = (shell: Shell): Maybe<number> => {
    const status = shell.substituted ?? 0;
    if (shell.borrowed.length > 0) giveBack(shell);
    shell.lastArgument = "";
    return status === 0 ? shell.succeeded() : shell.failed(status);
  };
  const assignAll = (shell: Shell): Maybe<number> => {
    const only = assigns.length === 1 ? assigns[0]!(shell) : each(assigns, (assign) => assign(shell));
    return only instanceof Promise ? only.then(() => conclude(shell)) : conclude(shell);
  };
  if (!redirect) return assignAll;
  return (shell) => then(redirect(shell), (undo) => (undo ? undoing(() => assignAll(shell), undo) : shell.failed(1)));
}

/** A variable that only one command sees. */
interface Temporary {
  readonly name: string;
  readonly value: (shell: Shell) => Maybe<string>;
}

function temporary({ name, value, append }: Assignment): Temporary {
  if (value.kind === "array") return { name, value: () => "" };
  const text = compileAssignment(value);
  return { name, value: append ? (shell) => then(text(shell), (tail) => (shell.variables.get(name) ?? "") + tail) : text };
}

function withEnvironment(shell: Shell, environment: readonly Temporary[], work: () => Maybe<number>): Maybe<number> {
  const { variables } = shell;
  const saved: [string, Variable | undefined][] = [];
  const restore = (): void => {
    for (const [name, variable] of saved.reverse()) variables.replace(name, variable);
  };
  const assign = ({ name, value }: Temporary): Maybe<void> =>
    then(value(shell), (text) => {
      const before = variables.own(name);
      if (before?.readonly) throw new ShellError(`${name}: readonly variable`);
      saved.push([name, before]);
      const variable = new Variable(text);
      variable.exported = true;
      variables.replace(name, variable);
    });
  return undoing(() => then(each(environment, assign), work), restore);
}

/** Around a function: the variables are like its own, so that it can unset them. */
function withCallEnvironment(shell: Shell, environment: readonly Temporary[], work: () => Maybe<number>): Maybe<number> {
  const values = new Map<string, string>();
  const read = ({ name, value }: Temporary): Maybe<void> =>
    then(value(shell), (text) => {
      if (shell.variables.own(name)?.readonly) throw new ShellError(`${name}: readonly variable`);
      values.set(name, text);
    });
  return then(each(environment, read), () => {
    const depth = shell.variables.enterEnvironment(values);
    return undoing(work, () => shell.variables.leave(depth));
  });
}

// --- declaration builtins --------------------------------------------------------------------

/** `declare x=$y`: the value is not split. Arrays are assigned by the builtin, which is handed them by number. */
function declarationFields(words: Simple["words"]): Fields {
  const steps = words.map((word): Fields => (word.kind === "assignment" ? declaredField(word) : compileFields([word])));
  return (shell, fields) => {
    shell.declared.length = 0;
    return each(steps, (step) => step(shell, fields));
  };
}

function declaredField({ assignment }: DeclaredAssignment): Fields {
  const { name, subscript, append, value } = assignment;
  const place = `${name}${subscript ? `[${subscript.kind === "index" ? subscript.text.source : subscript.joined}]` : ""}`;
  if (value.kind === "array") {
    return (shell, fields) => {
      shell.declared.push({ name, append, value });
      fields.push(`${name}${append ? "+" : ""}=(`);
    };
  }
  const text = compileAssignment(value);
  const key = subscript?.kind === "index" ? compileString(subscript.text) : undefined;
  return (shell, fields) =>
    then(key ? key(shell) : "", (index) =>
      then(text(shell), (result) => {
        const target = key ? `${name}[${index}]` : place;
        fields.push(`${target}${append ? "+" : ""}=${result}`);
      }),
    );
}


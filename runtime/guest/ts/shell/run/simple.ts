/** Simple commands: redirections, assignments before a name, and the name with its arguments. */

import { native, type PhraseHandle } from "../../bridge/native";
import { type Builtin, builtins } from "../builtins/table";
import { compileFields, constantFields } from "../expand/fields";
import { compileWordsPhrase } from "../expand/phrase";
import { type Maybe, then } from "../io/maybe";
import type { Simple, Word } from "../syntax/ast";
import { compileAssign, type Temporary, temporary, withAssignments, withCallEnvironment, withEnvironment } from "./assignments";
import { attended } from "./attention";
import { compileAssignments, compileBare } from "./bare";
import type { Code } from "./code";
import { declarationFields, type Fields, spelledFields } from "./declarations";
import { builtinOf, dispatch, runBuiltin, SPECIAL, told } from "./dispatch";
import { finish, giveBack } from "./finish";
import { callFunction } from "./functions";
import { live } from "./life";
import { compileQuickLocals } from "./quick_locals";
import { compileQuickTest } from "./quick_test";
import { compileRedirections, type Redirect, redirectChild } from "./redirect";
import type { Saved } from "./saved";
import type { Shell } from "./shell";
import { traceWords } from "./trace";
import { undoing } from "./undoing";

export function compileSimple(node: Simple): Code {
  const redirect = node.redirections.length > 0 ? compileRedirections(node.redirections) : undefined;
  const assigns = node.assignments.map(compileAssign);
  if (node.words.length === 0) return attending(node, compileBare(node, assigns, redirect));
  const bare = redirect === undefined && assigns.length === 0;
  const name = nameOf(node);
  const quickly = assigns.length === 0 && name !== undefined ? compileQuickly(name, node) : undefined;
  const command = new SimpleCommand(node, redirect, compileAssignments(node, assigns, redirect), quickly);
  const quicker = bare && name !== undefined ? quick(node, name, (shell) => command.start(shell)) : undefined;
  return quicker ? attending(node, quicker) : starting(node, command);
}

/** The command's name, if it is always the same. */
function nameOf({ words: [first] }: Simple): string | undefined {
  const fields = first?.kind === "word" ? constantFields([first]) : undefined;
  return fields?.length === 1 ? fields[0] : undefined;
}

/** Commands that loops and functions are full of have a quicker way. */
function quick(node: Simple, name: string, usual: Code): Code | undefined {
  return name === "[" || name === "test" ? compileQuickTest(node, usual) : compileQuickLocals(name, node, usual);
}

/** A command with a name that is always the same, and arguments that are found in one step. */
interface Quickly {
  readonly name: string;
  readonly builtin: Builtin | undefined;
  /** Always the same: one list for all runs, by which a builtin may know it again. */
  readonly args: readonly string[] | undefined;
  readonly phrase: PhraseHandle | undefined;
}

function compileQuickly(name: string, { words }: Simple): Quickly | undefined {
  if (words.some((word) => word.kind !== "word")) return undefined;
  const rest = words.slice(1) as readonly Word[];
  if (name === "unset" && spelledFields(rest)) return undefined;
  const args = constantFields(rest);
  const phrase = args === undefined ? compileWordsPhrase(rest) : undefined;
  return args ?? phrase ? { name, builtin: builtins.get(name), args, phrase } : undefined;
}

function fieldsOf(node: Simple): Fields {
  const { words } = node;
  const spelled = nameOf(node) === "unset" ? spelledFields(words as readonly Word[]) : undefined;
  return spelled ?? allFields(words);
}

function allFields(words: Simple["words"]): Fields {
  return words.some((word) => word.kind === "assignment") ? declarationFields(words) : compileFields(words as readonly Word[]);
}

function lineOf({ line, position }: Simple): number {
  return line ?? position.line;
}

/** As `attending`, with one call less for the most frequent of all. */
function starting(node: Simple, command: SimpleCommand): Code {
  const line = lineOf(node);
  return (shell) => {
    shell.line = line;
    shell.running = node;
    return shell.attention ? attended(shell, (inside) => command.start(inside)) : command.start(shell);
  };
}

/** Looks at signals and the DEBUG trap first. */
function attending(node: Simple, code: Code): Code {
  const line = lineOf(node);
  return (shell) => {
    shell.line = line;
    shell.running = node;
    return shell.attention ? attended(shell, code) : code(shell);
  };
}

const expandWords = native.shell.words;

/** Whether there is an `${x:=…}`, an `=` or a `++` of arithmetic in a word, however deep. */
function mayAssign(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  const { kind } = node as { kind?: unknown };
  return kind === "assign" || kind === "step" || Object.values(node).some(mayAssign);
}

/** A command with a name, compiled. */
class SimpleCommand {
  /** Made when they are first needed: nearly all commands have a quicker way. */
  private fields: Fields | undefined;
  private readonly environment: readonly Temporary[];
  private readonly line: number;
  /** Whether redirections may assign variables: those of a command that is no builtin do so in its own process. */
  private readonly assigning: boolean;
  /** The array that a declaration ends with: `$_` is then its name. */
  private readonly array: string | undefined;

  constructor(
    private readonly node: Simple,
    private readonly redirect: Redirect | undefined,
    /** For when the words come to nothing. */
    private readonly assign: Code,
    private readonly quick: Quickly | undefined,
  ) {
    this.environment = node.assignments.map(temporary);
    this.line = lineOf(node);
    this.assigning = node.redirections.some(({ target }) => mayAssign(target));
    const last = node.words[node.words.length - 1]!;
    this.array = last.kind === "assignment" && last.assignment.value.kind === "array" ? last.assignment.name : undefined;
  }

  start(shell: Shell): Maybe<number> {
    shell.substituted = undefined;
    const { quick } = this;
    if (quick !== undefined && !shell.tracing) {
      const args = quick.args ?? expandWords(quick.phrase!, shell.variables, shell.positional);
      if (args !== undefined) return this.quickly(shell, quick, args);
    }
    const words: string[] = [];
    const expanded = (this.fields ??= fieldsOf(this.node))(shell, words);
    return expanded === undefined ? this.run(shell, words) : (expanded as Promise<void>).then(() => this.run(shell, words));
  }

  /** What `run` does, in one piece, where nothing is around the command. */
  private quickly(shell: Shell, { name, builtin }: Quickly, args: readonly string[]): Maybe<number> {
    if (this.redirect !== undefined) return this.redirectedQuickly(shell, name, builtin, args, this.redirect);
    if (builtin !== undefined && !shell.shadowed) return runQuickly(shell, builtin, name, args);
    const definition = shell.functions.get(name);
    if (definition === undefined) return this.run(shell, [name, ...args]);
    const result = callFunction(shell, name, definition, args, this.line);
    const last = args.length > 0 ? args[args.length - 1]! : name;
    if (typeof result !== "number") return result.then((status) => finish(shell, last, status));
    if (result !== 0 || shell.borrowed !== undefined) return finish(shell, last, result);
    shell.lastArgument = last;
    return (shell.status = shell.pipeStatus = 0);
  }

  /** What `run` does for a builtin where nothing but redirections is around it. */
  private redirectedQuickly(shell: Shell, name: string, builtin: Builtin | undefined, args: readonly string[], redirect: Redirect): Maybe<number> {
    if (builtin === undefined || shell.shadowed || name === "exec") return this.run(shell, [name, ...args]);
    const opened = redirect(shell);
    const last = args.length > 0 ? args[args.length - 1]! : name;
    if (opened instanceof Promise) {
      return opened.then((saved) => this.redirected(shell, name, [name, ...args], saved)).then((status) => finish(shell, last, status));
    }
    if (opened === undefined) return finish(shell, last, 1);
    const { ownInput } = shell;
    if (redirect.input) shell.ownInput = shell.context.descriptors.find(0);
    const status = undoing(() => runBuiltin(shell, builtin, name, args), () => restore(shell, opened, ownInput), shell);
    return typeof status === "number" ? finish(shell, last, status) : status.then((late) => finish(shell, last, late));
  }

  private run(shell: Shell, words: string[]): Maybe<number> {
    const name = words[0];
    if (name === undefined) return this.assign(shell);
    if (shell.tracing && this.environment.length === 0) traceWords(shell, words);
    const result =
      this.redirect === undefined && this.environment.length === 0 ? dispatch(shell, name, words, this.line) : this.within(shell, name, words);
    if (result === 0 && shell.borrowed === undefined) {
      shell.lastArgument = this.array ?? (words.length > 0 ? words[words.length - 1]! : name);
      return (shell.status = shell.pipeStatus = 0);
    }
    const last = this.array ?? (words.length > 0 ? words[words.length - 1]! : name);
    return typeof result === "number" ? finish(shell, last, result) : result.then((status) => finish(shell, last, status));
  }

  private within(shell: Shell, name: string, words: string[]): Maybe<number> {
    const { redirect } = this;
    if (redirect === undefined) return this.inside(shell, name, words);
    if (name === "exec" && words.length === 1 && builtinOf(shell, name)) return permanent(shell, redirect);
    const own = shell.functions.has(name) || builtinOf(shell, name) !== undefined;
    if (own) return this.opening(shell, redirect(shell), name, words);
    if (this.assigning) return live(shell.fork(), (child) => this.opening(child, redirect(child), name, words));
    return this.opening(shell, redirectChild(shell, redirect), name, words);
  }

  private opening(shell: Shell, opened: Maybe<Saved | undefined>, name: string, words: string[]): Maybe<number> {
    return opened instanceof Promise ? opened.then((saved) => this.redirected(shell, name, words, saved)) : this.redirected(shell, name, words, opened);
  }

  /** Runs with redirections in place: what it reads is its own. */
  private redirected(shell: Shell, name: string, words: string[], saved: Saved | undefined): Maybe<number> {
    if (saved === undefined) return 1;
    const { ownInput } = shell;
    if (this.redirect!.input) shell.ownInput = shell.context.descriptors.find(0);
    return undoing(() => this.inside(shell, name, words), () => restore(shell, saved, ownInput), shell);
  }

  /** Runs with the assignments before it in place. */
  private inside(shell: Shell, name: string, words: string[]): Maybe<number> {
    const { environment } = this;
    if (environment.length === 0) return dispatch(shell, name, words, this.line);
    return surrounding(shell, name)(shell, environment, () => {
      if (shell.tracing) traceWords(shell, words);
      return dispatch(shell, name, words, this.line);
    });
  }
}

function restore(shell: Shell, saved: Saved, ownInput: Shell["ownInput"]): void {
  shell.ownInput = ownInput;
  saved.restore();
}

/** What the assignments before a command of that name are to it. */
function surrounding(shell: Shell, name: string): typeof withEnvironment {
  if (shell.functions.has(name)) return withCallEnvironment;
  return SPECIAL.has(name) && shell.options.has("posix") ? withAssignments : withEnvironment;
}

function runQuickly(shell: Shell, builtin: Builtin, name: string, args: readonly string[]): Maybe<number> {
  let result: Maybe<number>;
  try {
    result = builtin(shell, args, name);
  } catch (error) {
    result = told(shell, error, name);
  }
  const last = args.length > 0 ? args[args.length - 1]! : name;
  if (typeof result !== "number") return result.then((status) => finish(shell, last, status), (error: unknown) => finish(shell, last, told(shell, error, name)));
  if (result !== 0 || shell.borrowed !== undefined) return finish(shell, last, result);
  shell.lastArgument = last;
  return (shell.status = shell.pipeStatus = 0);
}

/** `exec >file`: the redirections stay. */
function permanent(shell: Shell, redirect: Redirect): Maybe<number> {
  return then(redirect(shell), (saved) => {
    if (shell.borrowed !== undefined) giveBack(shell, shell.borrowed);
    saved?.forget();
    return saved ? 0 : 1;
  });
}

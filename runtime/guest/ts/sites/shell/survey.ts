/**
 * What holds of a whole shell script, wherever in it: which variables are given a value just once, which functions there
 * are, and what makes all of that unsure.
 */

import type { Arithmetic, Assignment, List, Parameter, Redirection, Simple, Subscript, Word } from "../../shell/syntax/ast";
import { type Field, fieldOf, type Knowledge, valueOf } from "./fields";

type Node = Readonly<Record<string, unknown>>;

/** Nothing is known of variables. */
const IGNORANT: Knowledge = { value: () => undefined, isSplitAsUsual: true };

/** Builtins that give variables values: their arguments name them. */
const ASSIGNING: ReadonlySet<string> = new Set("declare export getopts let local mapfile read readarray readonly typeset unset wait".split(" "));
/** For these an assignment before the command is one for good. */
const LASTING: ReadonlySet<string> = new Set(": . break continue eval exec exit export readonly return set shift source times trap unset".split(" "));
/** Builtins after which a command may be another one. */
const RENAMING: ReadonlySet<string> = new Set([".", "alias", "enable", "source"]);
const PREFIXES: ReadonlySet<string> = new Set(["builtin", "command"]);
/** Variables with a life of their own. */
const SPECIAL = /^(?:_|BASH.*|COLUMNS|COMP.*|DIRSTACK|E?UID|EPOCH.*|FUNCNAME|GROUPS|HIST.*|HOSTNAME|IFS|LINENO|LINES|MAPFILE|OLDPWD|OPT.*|PIPESTATUS|POSIX.*|PPID|PS\d|PWD|RANDOM|READLINE.*|REPLY|SECONDS|SHELLOPTS|SHLVL|SRANDOM|TMOUT)$/;
const NAMES = /[A-Za-z_]\w*/g;
/** What is a number in arithmetic for sure; a default for the variable that it is for. */
const HARMLESS = /\$\{#[^}]*\}|\b\d[\w#@]*|\$\{(\w+):?-\d+\}/g;
const COMPARISONS: ReadonlySet<string> = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);
const STDIN: ReadonlySet<string> = new Set(["<", "<<", "<<<", "<>", "<&"]);

export class Survey {
  readonly functions = new Set<string>();
  /** Why names of commands may mean something else. */
  doubt: string | undefined;
  /** Whether a function may be called with input of its own. */
  feedsFunctions = false;
  private readonly assigned = new Map<string, number>();
  /** Variables that hold nothing but integers. */
  private readonly integers = new Map<string, boolean>();
  private readonly computed = new Set<string>();
  private readonly associative = new Set<string>();
  /** Any variable may be given any value. */
  private isWild = false;
  /** What variables are assigned, as far as it is known. */
  private readonly texts = new Map<string, (string | undefined)[]>();
  /** Commands whose name is a variable's value. */
  private readonly indirect: { readonly name: string; readonly args: readonly (Field | undefined)[] }[] = [];

  constructor(list: List) {
    const nodes = [...nodesIn(list)];
    for (const node of nodes) this.introduce(node);
    for (const node of nodes) this.look(node);
    for (const { name, args } of this.indirect) this.called(name, args);
    if ([...this.computed].some((name) => this.integers.get(name) !== true)) this.isWild = true;
  }

  /** Whether a variable has one value, from its only assignment on. */
  isConstant(name: string): boolean {
    return !this.isWild && this.assigned.get(name) === 1 && !SPECIAL.test(name);
  }

  get isSplitAsUsual(): boolean {
    return !this.isWild && (this.assigned.get("IFS") ?? 0) === 0;
  }

  /** What a script that runs in the same shell adds. */
  include(other: Survey): void {
    for (const each of other.functions) this.functions.add(each);
    for (const [name, count] of other.assigned) this.count(name, count);
    this.doubt ??= other.doubt;
    this.isWild ||= other.isWild;
    this.feedsFunctions ||= other.feedsFunctions;
  }

  // --- nodes -------------------------------------------------------------------------------

  private introduce(node: Node): void {
    if (node["kind"] === "function") this.functions.add(node["name"] as string);
    if (isAssignment(node)) this.texts.set(node.name, [...(this.texts.get(node.name) ?? []), node.value.kind === "word" ? valueOf(node.value, IGNORANT) : undefined]);
    if (node["kind"] !== "simple") return;
    const fields = fieldsOf(node as unknown as Simple);
    if (!fields.some((each) => /^-\w*A/.test(text(each) ?? ""))) return;
    for (const each of (node as unknown as Simple).words) if (each.kind === "assignment") this.associative.add(each.assignment.name);
    for (const each of fields) for (const name of names(each)) this.associative.add(name);
  }

  private look(node: Node): void {
    switch (node["kind"]) {
      case "simple":
        return this.simple(node as unknown as Simple);
      case "for":
      case "select":
      case "coprocess":
        return this.change(node["name"] as string, node["kind"] === "for" && areIntegers(node["words"] as readonly Word[] | undefined));
      case "parameter":
        return this.parameter(node as unknown as Parameter);
      case "binary":
        if (COMPARISONS.has(node["operator"] as string)) for (const side of ["left", "right"]) this.compute((node[side] as Word).source);
        return;
    }
    if (isAssignment(node)) this.assign(node);
    else if (isArithmetic(node)) this.compute(node.text.source);
    else if (isRedirection(node)) this.redirect(node);
    else if (Array.isArray(node["commands"])) this.pipeline(node["commands"] as readonly Node[]);
  }

  private pipeline(commands: readonly Node[]): void {
    if (commands.slice(1).some((each) => each["kind"] === "simple" && this.mayCallFunction(each as unknown as Simple))) this.feedsFunctions = true;
  }

  private mayCallFunction({ words: [first] }: Simple): boolean {
    const name = first?.kind === "word" ? text(fieldOf(first, IGNORANT)) : undefined;
    return first !== undefined && (name === undefined || name === "eval" || this.functions.has(name));
  }

  private redirect({ descriptor }: Redirection): void {
    if (typeof descriptor === "object") this.change(descriptor.variable);
  }

  private assign({ name, subscript, append, value }: Assignment): void {
    const isInteger = value.kind === "word" && (/^-?\d+$/.test(value.source) || isArithmeticOnly(value));
    this.count(name, subscript || append || value.kind === "array" ? 2 : 1);
    this.note(name, isInteger && !append);
    if (subscript) this.subscript(name, subscript);
  }

  private parameter({ name, indirect, subscript, operation }: Parameter): void {
    if (indirect && operation?.kind !== "names" && operation?.kind !== "keys") this.isWild = true;
    if (operation?.kind === "assign") this.change(name);
    if (subscript) this.subscript(name, subscript);
  }

  private subscript(name: string, subscript: Subscript): void {
    if (subscript.kind === "index" && !this.associative.has(name)) this.compute(subscript.text.source);
  }

  /** Arithmetic reads the values of variables as expressions, which may assign. */
  private compute(source: string): void {
    const plain = source.replace(HARMLESS, (_, name: string | undefined) => ` ${name ?? ""} `);
    if (/[`]|\$\((?!\()|\$[\d@*]|\$\{[^}]*[^\w}]/.test(plain)) this.isWild = true;
    const assigns = /\+\+|--|(?<![=<>!])=(?!=)/.test(source);
    for (const name of plain.match(NAMES) ?? []) {
      this.computed.add(name);
      if (assigns) this.change(name, true);
    }
  }

  // --- commands ----------------------------------------------------------------------------

  private simple(simple: Simple): void {
    const fields = fieldsOf(simple);
    const name = text(fields[0]);
    if (this.mayCallFunction(simple) && simple.redirections.some(({ operator }) => STDIN.has(operator))) this.feedsFunctions = true;
    for (const { name: variable } of simple.words.length > 0 ? simple.assignments : []) {
      // Those before a command end with it; they were counted as the assignments that they look like.
      if (name !== undefined && !LASTING.has(name) && !this.functions.has(name)) this.count(variable, -1);
      else this.change(variable);
    }
    fields.forEach((field, at) => this.command(text(field), fields.slice(at + 1), at === 0 || PREFIXES.has(text(fields[at - 1]) ?? "")));
    if (name !== undefined || fields.length === 0) return;
    const variable = /^"?\$\{?(\w+)\}?"?$/.exec((simple.words[0] as Word).source)?.[1];
    if (variable === undefined) this.named(fields.slice(1));
    else this.indirect.push({ name: variable, args: fields.slice(1) });
  }

  /** `$name …`, by the commands that this may be. */
  private called(name: string, args: readonly (Field | undefined)[]): void {
    const texts = this.texts.get(name) ?? [];
    const known = texts.length > 0 && this.assigned.get(name) === texts.length && texts.every((each) => each !== undefined && /^[\w-]+$/.test(each));
    if (!known) return this.named(args);
    if (texts.some((each) => each === "eval" || each === "trap")) this.isWild = true;
    for (const each of texts) this.command(each, args, true);
  }

  /** `name` with these arguments is, or is part of, a command. */
  private command(name: string | undefined, args: readonly (Field | undefined)[], isFirst: boolean): void {
    if (name === undefined) return;
    if (ASSIGNING.has(name)) this.assigning(name, args);
    else if (name === "printf") this.printing(args);
    else if (!isFirst) return;
    else if (name === "set" || name === "shopt") this.options(name, args);
    else if (RENAMING.has(name) && args.length > 0) this.unsure(name);
  }

  private unsure(command: string): void {
    this.doubt ??= `\`${command}' may change what commands and variables are`;
    this.isWild = true;
  }

  private options(name: string, args: readonly (Field | undefined)[]): void {
    for (const each of args) {
      const word = text(each);
      if (word === undefined && name === "set") return;
      if (word === "--") return;
      if (word !== undefined && /^(?:keyword|posix|expand_aliases|-\w*k\w*)$/.test(word)) this.unsure(`${name} ${word}`);
    }
  }

  private assigning(name: string, args: readonly (Field | undefined)[]): void {
    const options = args.map(text).filter((each) => each?.startsWith("-"));
    if (name === "export" && options.length === 0) return this.named(args.filter((each) => text(each)?.includes("=") !== false));
    if (options.some((each) => /^-\w*f/.test(each!)) && name !== "read" && name !== "unset") return this.unsure(`${name} -f`);
    if (options.some((each) => /^-\w*[inul]/.test(each!)) && /^(?:declare|typeset|local|export)$/.test(name)) this.isWild = true;
    if (name === "let") for (const each of args) if (each) this.compute(text(each) ?? "$(");
    if (name === "mapfile" || name === "readarray") this.change("MAPFILE");
    this.named(args);
  }

  private printing([first, ...rest]: readonly (Field | undefined)[]): void {
    if (!first || (first.kind === "text" ? first.text.startsWith("-v") : first.prefix === "" || first.prefix.startsWith("-"))) this.named(first ? [first, ...rest.slice(0, 1)] : []);
  }

  /** Whatever these words name may get another value. */
  private named(args: readonly (Field | undefined)[]): void {
    for (const each of args) {
      if (each === undefined) continue; // an assignment, which is counted as such
      if (each.kind !== "text" || each.text.includes("[")) this.isWild = true;
      for (const name of names(each)) this.change(name);
    }
  }

  private change(name: string, isInteger = false): void {
    this.count(name, 2);
    this.note(name, isInteger);
  }

  private count(name: string, more: number): void {
    this.assigned.set(name, (this.assigned.get(name) ?? 0) + more);
  }

  private note(name: string, isInteger: boolean): void {
    this.integers.set(name, isInteger && this.integers.get(name) !== false);
  }
}

function text(field: Field | undefined): string | undefined {
  return field?.kind === "text" ? field.text : undefined;
}

/** Names in a word; an option may have one behind its letters. */
function names(field: Field | undefined): readonly string[] {
  const word = text(field) ?? "";
  if (!/^-\w/.test(word)) return word.match(NAMES) ?? [];
  return Array.from({ length: Math.min(word.length - 2, 64) }, (_, at) => word.slice(at + 2)).filter((each) => /^[A-Za-z_]\w*$/.test(each));
}

function fieldsOf({ words }: Simple): (Field | undefined)[] {
  return words.map((each) => (each.kind === "word" ? fieldOf(each, IGNORANT) : undefined));
}

function areIntegers(words: readonly Word[] | undefined): boolean {
  return words?.every(({ source }) => /^(?:-?\d+|\{-?\d+\.\.-?\d+\}|\$\(seq [\d ]+\))$/.test(source)) ?? false;
}

function isArithmeticOnly({ parts }: Word): boolean {
  const [first] = parts;
  const inner = parts.length === 1 && first?.kind === "double" ? first.parts : parts;
  const [only] = inner;
  if (inner.length !== 1 || !only) return false;
  return only.kind === "arithmetic" || (only.kind === "parameter" && (only.length || only.name === "#" || only.name === "?"));
}

function isAssignment(node: Node): node is Node & Assignment {
  return typeof node["name"] === "string" && typeof node["append"] === "boolean";
}

function isArithmetic(node: Node): node is Node & Arithmetic {
  return (node["text"] as Node | undefined)?.["kind"] === "word" && node["kind"] === undefined;
}

function isRedirection(node: Node): node is Node & Redirection {
  return typeof node["operator"] === "string" && node["target"] !== undefined;
}

/** Every object in a tree, outermost first; what the parser keeps as text and as a tree only once. */
export function* nodesIn(tree: unknown): Generator<Node> {
  if (Array.isArray(tree)) {
    for (const each of tree as unknown[]) yield* nodesIn(each);
  } else if (typeof tree === "object" && tree !== null) {
    yield tree as Node;
    for (const [key, value] of Object.entries(tree)) {
      if (!REPEATED.has(key) && !(key === "expression" && (tree as Node)["kind"] === "index")) yield* nodesIn(value);
    }
  }
}

/** Fields that say nothing of the script, or what another one of their node says. */
const REPEATED: ReadonlySet<string> = new Set(["tree", "position", "fault", "delimiter"]);

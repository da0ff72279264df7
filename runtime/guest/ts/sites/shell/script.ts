/** A shell script: parsed, its variables surveyed, its commands walked in their order. */

import { parseAll } from "../../shell/syntax/parser";
import { SyntaxFault } from "../../shell/syntax/errors";
import type { AndOr, Assignment, Command, FunctionDefinition, List, Pipeline, Position, Redirection, Simple, Word } from "../../shell/syntax/ast";
import { type Doubt, type Finding, HOLE, type Origin, ScriptFault, type Script, type Site } from "../site";
import { passedBy } from "./arguments";
import { Commands, type Meaning } from "./commands";
import { assigned, type Field, fieldOf, type Knowledge, type One, plainText, valueOf } from "./fields";
import { nodesIn, Survey } from "./survey";

/** Throws ScriptFault for what does not parse; its offset is in this script's text. */
export function lookAtShell(script: Script, finding: Finding): void {
  const { list, places } = parsed(script.text);
  if ((script.holes ?? 0) !== holesBetweenWords(list)) {
    return finding.add({ ...whole(script), tool: undefined, argument: undefined, note: "JavaScript puts values into the middle of the shell's words" });
  }
  const survey = new Survey(list);
  for (const text of evaluated(list)) includeText(survey, text);
  const doubt = script.doubt ?? (survey.doubt === undefined ? undefined : { note: survey.doubt });
  new Walk(finding, survey, doubt, (offset) => script.origin(offset), places).list(list, START);
}

function whole({ text, origin }: Script): { start: number; end: number } {
  return { start: origin(0), end: origin(Math.max(0, text.length - 1)) + 1 };
}

function parsed(text: string): { list: List; places: Places } {
  const places = new Places(text);
  try {
    return { list: parseAll(text), places };
  } catch (error) {
    if (error instanceof SyntaxFault) throw new ScriptFault(error.message, Math.min(places.offset(error.position), text.length));
    throw error;
  }
}

/** Holes that stand where their words are quoted as they should be. */
function holesBetweenWords(list: List): number {
  let count = 0;
  for (const { kind, text, quoted } of nodesIn(list)) {
    if (kind === "literal" && typeof text === "string" && text.includes(HOLE)) count += quoted ? NaN : text.split(HOLE).length - 1;
  }
  return count;
}

/** Constant texts that the shell itself runs: what they assign is the script's own. */
function evaluated(list: List): string[] {
  const texts: string[] = [];
  for (const node of nodesIn(list)) {
    if (node["kind"] !== "simple") continue;
    const words = (node as unknown as Simple).words.map((each) => (each.kind === "word" ? plainText(fieldOf(each, NOTHING)) : undefined));
    const at = words.findIndex((each) => each === "eval" || each === "trap");
    if (at < 0) continue;
    texts.push(words[at] === "eval" ? words.slice(at + 1).map((each) => each ?? ".").join(" ") : (words[at + 1] ?? ". unknown"));
    if (words.slice(at + 1).some((each) => each === undefined)) texts.push(". unknown");
  }
  return texts;
}

const NOTHING: Knowledge = { value: () => undefined, isSplitAsUsual: true };

function includeText(survey: Survey, text: string): void {
  try {
    const list = parseAll(text);
    survey.include(new Survey(list));
    for (const inner of evaluated(list)) includeText(survey, inner);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
  }
}

/** Lines and columns to offsets. */
class Places {
  private readonly starts: number[] = [0];

  constructor(private readonly text: string) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.starts.push(at + 1);
  }

  offset({ line, column }: Position): number {
    const start = this.starts[line - 1];
    return start === undefined ? this.text.length : start + column - 1;
  }
}

/** What is known where a command stands. */
interface Around {
  readonly values: ReadonlyMap<string, One>;
  /** In a loop of the same shell, where `tool` does not take its standard input. */
  readonly inLoop: boolean;
  /** Whether the command itself may have been given input from outside. */
  readonly isFed: boolean;
  /** In a function, whose variables may be its own. */
  readonly inFunction: boolean;
}

const START: Around = { values: new Map(), inLoop: false, isFed: false, inFunction: false };

class Walk {
  private readonly commands: Commands;

  constructor(
    private readonly finding: Finding,
    private readonly survey: Survey,
    private readonly doubt: Doubt | undefined,
    private readonly origin: Origin,
    private readonly places: Places,
  ) {
    this.commands = new Commands((name) => survey.functions.has(name));
  }

  // --- from lists to commands ----------------------------------------------------------------

  list(list: List, around: Around): void {
    let here = around;
    for (const { command, background } of list) here = this.andOr(command, background, here);
  }

  /** What is known behind it. */
  private andOr({ first, rest }: AndOr, background: boolean, around: Around): Around {
    this.pipeline(first, around);
    const after = background ? around : this.learned(first, around);
    for (const { pipeline } of rest) this.pipeline(pipeline, after);
    return after;
  }

  private pipeline({ commands }: Pipeline, around: Around): void {
    commands.forEach((command, at) => {
      const isFed = at > 0 && command.kind === "simple";
      this.command(command, commands.length > 1 ? { ...around, isFed: around.isFed || isFed } : around);
    });
  }

  private command(command: Command, around: Around): void {
    if (command.kind === "simple") return this.simple(command, around);
    this.inside(command.redirections, around);
    switch (command.kind) {
      case "function":
        return this.definition(command, around);
      case "while":
        this.list(command.condition, { ...around, inLoop: true });
        return this.list(command.body, { ...around, inLoop: true });
      case "for":
      case "select":
        this.inside(command.words, around);
        return this.list(command.body, { ...around, inLoop: true });
      case "arithmetic for":
        this.inside([command.start, command.condition, command.step], around);
        return this.list(command.body, { ...around, inLoop: true });
      case "subshell":
      case "group":
        return this.list(command.body, around);
      case "if":
        for (const { condition, body } of command.branches) {
          this.list(condition, around);
          this.list(body, around);
        }
        return this.list(command.otherwise ?? [], around);
      case "case":
        this.inside(command.word, around);
        for (const { patterns, body } of command.clauses) {
          this.inside(patterns, around);
          this.list(body, around);
        }
        return;
      case "coprocess":
        return this.command(command.body, around);
      case "arithmetic":
        return this.inside(command.expression, around);
      case "conditional":
        return this.inside(command.test, around);
    }
  }

  private definition({ body }: FunctionDefinition, around: Around): void {
    this.command(body, { ...this.later(around), inLoop: false, isFed: this.survey.feedsFunctions, inFunction: true });
  }

  /** What is still known when the function that this is in has ended. */
  private later(around: Around): Around {
    return around.inFunction ? { ...around, values: START.values } : around;
  }

  /** Commands within words, wherever in this part of the tree. */
  private inside(tree: unknown, around: Around): void {
    for (const node of outermost(tree)) {
      if (node["kind"] === "parameter") this.operation(node);
      else if (!node["fault"]) this.list(node["body"] as List, { ...around, inLoop: false, isFed: false });
    }
  }

  /** `${x@P}` runs what is in the value. */
  private operation(node: Readonly<Record<string, unknown>>): void {
    const operation = node["operation"] as { kind: string; operator?: string } | undefined;
    if (operation?.kind !== "transform" || operation.operator !== "P") return;
    this.finding.add({ start: this.origin(0), end: this.origin(0), tool: undefined, argument: undefined, note: `\`${node["source"] as string}' runs what is in the variable` });
  }

  // --- variables -----------------------------------------------------------------------------

  private knowledge({ values }: Around): Knowledge {
    return { value: (name) => values.get(name), isSplitAsUsual: this.survey.isSplitAsUsual };
  }

  /** Constants that a command which is sure to run assigns. */
  private learned({ commands }: Pipeline, around: Around): Around {
    const [only] = commands;
    if (commands.length !== 1 || only!.kind !== "simple" || only!.redirections.length > 0) return around;
    let here = around;
    for (const assignment of assignmentsOf(only as Simple)) here = this.assigned(assignment, here);
    return here;
  }

  private assigned({ name, subscript, append, value }: Assignment, around: Around): Around {
    if (subscript || append || value.kind === "array" || !this.survey.isConstant(name)) return around;
    return { ...around, values: new Map(around.values).set(name, assigned(value, this.knowledge(around))) };
  }

  // --- simple commands -------------------------------------------------------------------------

  private simple(simple: Simple, around: Around): void {
    this.inside([simple.assignments, simple.words, simple.redirections], around);
    if (changesPath(simple)) this.add(simple, { tool: undefined, argument: undefined, note: "PATH is changed, so commands may be other files, which are not looked at" });
    if (simple.words.length === 0) return;
    const known = this.knowledge(around);
    const fields = simple.words.map((each): Field => (each.kind === "word" ? fieldOf(each, known) : { kind: "one", prefix: `${each.assignment.name}=`, suffix: "" }));
    for (const meaning of this.commands.meanings(fields)) this.meant(meaning, simple, around);
  }

  private meant(meaning: Meaning, simple: Simple, around: Around): void {
    switch (meaning.kind) {
      case "tool":
        return this.tool(meaning, simple, around);
      case "script":
        return this.script(meaning, simple, around);
      case "input":
        return this.input(meaning.runner, simple, around);
      case "file":
        return this.add(simple, { tool: undefined, argument: undefined, note: "it runs another file, which is not looked at" });
      case "unknown":
        return this.add(simple, { tool: undefined, argument: undefined, note: "which command runs is known only then" });
    }
  }

  private tool({ args, isFunction, isApart }: Extract<Meaning, { kind: "tool" }>, simple: Simple, around: Around): void {
    const [first, ...rest] = args;
    if (!first) return;
    const name = plainText(first);
    if (name === undefined) return this.add(simple, { tool: undefined, argument: undefined, note: "the tool's name is not a constant" });
    if (name.startsWith("-") || rest.some((each) => HELP.has(plainText(each) ?? ""))) return;
    const { tools } = this.finding;
    const canonical = tools.canonical(name);
    const path = tools.has(canonical) ? canonical : canonical.replaceAll(".", "/");
    const passed = passedBy(rest, this.finding.parameters(path), isApart ? "" : this.piped(simple, around));
    const note = isFunction ? { shadowed: true, note: "`tool' is a function of the script" } : {};
    this.add(simple, { tool: path, ...passed, ...note });
  }

  /** What the command finds on its standard input, "" for nothing; undefined if that is not known. */
  private piped({ redirections }: Simple, around: Around): string | undefined {
    const inputs = redirections.filter(({ operator, descriptor }) => READING.has(operator) && (descriptor === undefined || descriptor === 0));
    const given = inputs.at(-1);
    if (!given) return around.isFed ? undefined : "";
    return around.inLoop ? undefined : this.content(given, around);
  }

  private content({ operator, target }: Redirection, around: Around): string | undefined {
    const text = valueOf(target, this.knowledge(around));
    if (operator === "<<<") return text === undefined ? undefined : `${text}\n`;
    if (operator === "<<") return text;
    return operator === "<" && text === "/dev/null" ? "" : undefined;
  }

  // --- scripts within the script ---------------------------------------------------------------

  private script({ runner, field, at }: Extract<Meaning, { kind: "script" }>, simple: Simple, around: Around): void {
    const text = plainText(field);
    if (text === undefined) return this.add(simple, { tool: undefined, argument: undefined, note: "it runs a script that is made while this one runs" });
    const word = simple.words[at];
    const origin = word?.kind === "word" ? this.within(word, text) : this.at(simple);
    if (runner === "eval" || runner === "trap") this.evaluate(text, origin, runner === "trap" ? { ...this.later(around), isFed: true } : this.fed(simple, around));
    else this.finding.look({ language: runner === "js" ? "javascript" : "shell", text, origin, doubt: this.doubt, isNested: true });
  }

  private fed(simple: Simple, around: Around): Around {
    const isRedirected = simple.redirections.some(({ operator }) => READING.has(operator));
    return { ...around, isFed: around.isFed || isRedirected };
  }

  /** In the same shell. */
  private evaluate(text: string, origin: Origin, around: Around): void {
    try {
      const { list, places } = parsed(text);
      new Walk(this.finding, this.survey, this.doubt, origin, places).list(list, around);
    } catch (error) {
      if (!(error instanceof ScriptFault)) throw error;
    }
  }

  private input(runner: "shell" | "js", simple: Simple, around: Around): void {
    const given = simple.redirections.filter(({ operator }) => READING.has(operator)).at(-1);
    const text = given && this.content(given, around);
    if (given && text !== undefined) {
      const origin = this.within(given.target, text);
      return this.finding.look({ language: runner === "js" ? "javascript" : "shell", text, origin, doubt: this.doubt, isNested: true });
    }
    this.add(simple, { tool: undefined, argument: undefined, note: "it runs a script that comes in while this one runs" });
  }

  /** Offsets in a word's text, if it is written as it is; else all are where the word begins. */
  private within({ source, position, parts }: Word, text: string): Origin {
    const start = this.places.offset(position);
    const isDocument = source === text || (parts.length === 1 && parts[0]!.kind === "literal" && source === text);
    if (isDocument) return (offset) => this.origin(start + offset);
    const isQuoted = source.length === text.length + 2 && source.slice(1, -1) === text;
    return (offset) => this.origin(isQuoted ? start + 1 + offset : start);
  }

  private at({ position }: Simple): Origin {
    const start = this.places.offset(position);
    return () => this.origin(start);
  }

  private add(simple: Simple, found: Omit<Site, "start" | "end">): void {
    const start = this.places.offset(simple.position);
    const assigned = simple.assignments.map((assignment) => this.endOf({ kind: "assignment", assignment }));
    const end = Math.max(start + 1, ...assigned, ...simple.words.map((each) => this.endOf(each)));
    const sure = this.doubt && found.tool !== undefined ? { ...found, argument: undefined, note: found.note ?? this.doubt.note } : found;
    this.finding.add({ ...sure, start: this.origin(start), end: this.origin(end - 1) + 1 });
  }

  private endOf(word: Simple["words"][number]): number {
    if (word.kind === "word") return this.places.offset(word.position) + word.source.length;
    const { value, position } = word.assignment;
    return value.kind === "word" ? this.endOf(value) : this.places.offset(position);
  }
}

const HELP: ReadonlySet<string> = new Set(["--help", "-h"]);
const READING: ReadonlySet<string> = new Set(["<", "<<", "<<<", "<>", "<&"]);

function changesPath({ assignments, words }: Simple): boolean {
  return [...assignments, ...words.flatMap((each) => (each.kind === "assignment" ? [each.assignment] : []))].some(({ name }) => name === "PATH");
}

/** Assignments of a command that does nothing else, or declares variables as they are. */
function assignmentsOf({ assignments, words }: Simple): readonly Assignment[] {
  if (words.length === 0) return assignments;
  const [first, ...rest] = words;
  if (assignments.length > 0 || first?.kind !== "word" || !DECLARING.has(first.source)) return [];
  const isPlain = rest.every((each) => each.kind === "assignment" || /^-[grx]+$/.test(each.source) || /^\w+$/.test(each.source));
  return isPlain ? rest.flatMap((each) => (each.kind === "assignment" ? [each.assignment] : [])) : [];
}

const DECLARING: ReadonlySet<string> = new Set(["declare", "export", "local", "readonly", "typeset"]);

/** Command and process substitutions in a tree that lie in no other, and all parameters. */
function* outermost(tree: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (Array.isArray(tree)) {
    for (const each of tree as unknown[]) yield* outermost(each);
  } else if (typeof tree === "object" && tree !== null) {
    const node = tree as Readonly<Record<string, unknown>>;
    const isCommand = (node["kind"] === "command" || node["kind"] === "process") && Array.isArray(node["body"]);
    if (isCommand || node["kind"] === "parameter") yield node;
    if (isCommand) return;
    for (const [key, value] of Object.entries(node)) {
      if (key !== "tree" && key !== "position" && !(key === "expression" && node["kind"] === "index")) yield* outermost(value);
    }
  }
}

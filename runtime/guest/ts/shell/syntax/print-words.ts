/** Words as bash keeps them: as written, but for joined lines, `$'…'`, and commands inside, which are laid out anew. */

import type { Arithmetic, Assignment, CommandSubstitution, Operation, Part, ProcessSubstitution, Simple, Subscript, Word } from "./ast";
import { unescape } from "./ansi";
import { printSubstituted } from "./unparse";

type Inner = CommandSubstitution | ProcessSubstitution;

export function printWord({ source, parts }: Word): string {
  return /[\\$<>]/.test(source) ? new Copier(source, commandsIn(parts)).copy() : source;
}

export function printArithmetic({ text }: Arithmetic): string {
  return printWord(text);
}

export function printAssignment({ name, subscript, append, value }: Assignment): string {
  const target = `${name}${subscript ? printSubscript(subscript) : ""}${append ? "+=" : "="}`;
  if (value.kind === "word") return target + printWord(value);
  const elements = value.elements.map(({ key, append: adds, value: element }) => {
    return key ? `${printSubscript(key)}${adds ? "+=" : "="}${printWord(element)}` : printWord(element);
  });
  return `${target}(${elements.join(" ")})`;
}

export function printArgument(argument: Simple["words"][number]): string {
  return argument.kind === "word" ? printWord(argument) : printAssignment(argument.assignment);
}

function printSubscript(subscript: Subscript): string {
  return `[${subscript.kind === "all" ? subscript.joined : printWord(subscript.text)}]`;
}

const PATTERN = /\$\{[!#]?[\w@*]+(\[[^\]]*\])?[#%/^,~]/y;

/** Copies a word's source; `$(…)` in it is replaced by the tree's print, one after the other. */
class Copier {
  private pos = 0;
  private result = "";
  /** Whether the text is in double quotes, now and around each `${…}` that is open, and as it began in those. */
  private doubled = false;
  private readonly braces: { readonly around: boolean; readonly within: boolean }[] = [];

  constructor(
    private readonly source: string,
    private readonly commands: Inner[],
  ) {}

  copy(): string {
    while (this.pos < this.source.length) this.step(this.source.charAt(this.pos), this.source.charAt(this.pos + 1));
    return this.result;
  }

  private step(sign: string, next: string): void {
    if (sign === "\\") return this.escape(next);
    if (sign === '"') this.doubled = !this.doubled;
    if (sign === "$" && next === "{") return this.open();
    if (sign === "}") this.close();
    if (sign === "'" && !this.doubled) return this.take(this.source.indexOf("'", this.pos + 1) + 1);
    if (sign === "$" && !this.doubled && next === "'") return this.ansi();
    if (sign === "$" && !this.doubled && next === '"') return this.drop(1);
    if ((next === "(" && "$<>".includes(sign)) || sign === "`") {
      const command = this.commands[0];
      if (command && this.source.startsWith(command.source, this.pos)) return this.command(command);
    }
    this.take(this.pos + 1);
  }

  /** A pattern in `${…}` has quotes of its own, also in double quotes. */
  private open(): void {
    PATTERN.lastIndex = this.pos;
    const within = this.doubled && !PATTERN.test(this.source);
    this.braces.push({ around: this.doubled, within });
    this.doubled = within;
    this.take(this.pos + 2);
  }

  private close(): void {
    const last = this.braces[this.braces.length - 1];
    if (last?.within !== this.doubled) return;
    this.doubled = last.around;
    this.braces.pop();
  }

  /** Copies up to `end`; an `end` of 0 is one that was not found. */
  private take(end: number): void {
    const to = end > this.pos ? end : this.source.length;
    this.result += this.source.slice(this.pos, to);
    this.pos = to;
  }

  private drop(count: number): void {
    this.pos += count;
  }

  private escape(next: string): void {
    if (next === "\n") this.drop(2);
    else this.take(this.pos + 2);
  }

  private ansi(): void {
    const start = this.pos + 2;
    let end = start;
    while (end < this.source.length && this.source[end] !== "'") end += this.source[end] === "\\" ? 2 : 1;
    this.result += `'${unescape(this.source.slice(start, end)).replaceAll("'", "'\\''")}'`;
    this.pos = end + 1;
  }

  private command(command: Inner): void {
    this.commands.shift();
    this.pos += command.source.length;
    this.result += command.source.startsWith("`") ? command.source : printed(command);
  }
}

function printed(command: Inner): string {
  const body = printSubstituted(command.body);
  const sign = command.kind === "process" ? command.direction : "$";
  return `${sign}(${body.startsWith("(") ? " " : ""}${body})`;
}

/** The commands inside a word, in the order in which they are written. */
function commandsIn(parts: readonly Part[]): Inner[] {
  return parts.flatMap((part): Inner[] => {
    if (part.kind === "command" || part.kind === "process") return [part];
    if (part.kind === "double") return commandsIn(part.parts);
    if (part.kind === "arithmetic") return commandsIn(part.expression.text.parts);
    if (part.kind !== "parameter") return [];
    const key = part.subscript?.kind === "index" ? commandsIn(part.subscript.text.parts) : [];
    return part.operation ? [...key, ...operandsOf(part.operation).flatMap(({ parts: inner }) => commandsIn(inner))] : key;
  });
}

function operandsOf(operation: Operation): Word[] {
  if (operation.kind === "slice") return operation.length ? [operation.offset.text, operation.length.text] : [operation.offset.text];
  const words: Word[] = [];
  if ("word" in operation) words.push(operation.word);
  if ("pattern" in operation && operation.pattern) words.push(operation.pattern);
  if ("replacement" in operation && operation.replacement) words.push(operation.replacement);
  return words;
}

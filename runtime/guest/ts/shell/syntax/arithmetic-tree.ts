/** Arithmetic expressions: operators by precedence, as bash reads them and with its faults. */

import type { Expression, Part, Position, Subscript } from "./ast";
import { integer } from "./arithmetic-number";
import { type Flat, flatten, Tokens } from "./arithmetic-tokens";
import { CLOSE_BRACKET, OPEN_BRACKET } from "./chars";
import { ArithmeticFault, SyntaxFault } from "./errors";
import { Parts, quotedWord } from "./parts";
import { DEEPEST, type Settings } from "./reader";
import { readText } from "./words";

/** All but `**` group to the left. */
const PRECEDENCE: Readonly<Record<string, number>> = {
  "||": 1,
  "&&": 2,
  "|": 3,
  "^": 4,
  "&": 5,
  "==": 6,
  "!=": 6,
  "<": 7,
  ">": 7,
  "<=": 7,
  ">=": 7,
  "<<": 8,
  ">>": 8,
  "+": 9,
  "-": 9,
  "*": 10,
  "/": 10,
  "%": 10,
  "**": 11,
};

/** Operators that can fail when they are evaluated, and how much of the text their messages show. */
const FAILING: ReadonlySet<string> = new Set(["/", "%", "**"]);
const LONGEST_TOKEN = 1000;

const UNARY = "!~-+";
const ZERO: Expression = { kind: "number", value: 0 };

class TreeParser {
  private readonly tokens: Tokens;
  private part = 0;
  /** What stood in the last parentheses, which cannot be assigned to. */
  private enclosed: Expression | undefined;

  constructor(
    private readonly flat: Flat,
    private readonly position: Position,
    private readonly settings: Settings,
    private depth = 0,
  ) {
    this.tokens = new Tokens(flat.text);
  }

  parse(): Expression {
    this.tokens.next();
    if (this.ended) return ZERO;
    const result = this.comma();
    if (!this.ended) throw this.tokens.fault("syntax error in expression");
    return result;
  }

  private get ended(): boolean {
    return this.tokens.kind === "end";
  }

  private get steps(): boolean {
    return this.tokens.kind === "after";
  }

  private comma(): Expression {
    let left = this.assignment();
    while (this.tokens.is(",")) {
      this.tokens.next();
      left = { kind: "comma", left, right: this.assignment() };
    }
    return left;
  }

  private assignment(): Expression {
    const target = this.condition();
    if (this.tokens.kind !== "assign") return target;
    if (target.kind !== "variable" || target === this.enclosed) throw this.tokens.fault("attempted assignment to non-variable");
    const operator = this.tokens.value;
    this.tokens.next();
    return this.nested(() => ({ kind: "assign", operator, target, value: this.assignment() }));
  }

  private condition(): Expression {
    const test = this.binary(1);
    if (!this.tokens.is("?")) return test;
    this.expectOperand();
    const yes = this.nested(() => this.comma());
    if (!this.tokens.is(":")) throw this.tokens.fault("`:' expected for conditional expression");
    this.expectOperand();
    return { kind: "condition", test, yes, no: this.nested(() => this.condition()) };
  }

  private expectOperand(): void {
    this.tokens.next();
    if (this.ended || this.tokens.is(":")) throw this.tokens.fault("expression expected");
  }

  private binary(least: number): Expression {
    let left = this.unary();
    for (;;) {
      const operator = this.tokens.value;
      const precedence = this.tokens.kind === "operator" ? (PRECEDENCE[operator] ?? 0) : 0;
      if (precedence < least || precedence === 0) return left;
      this.tokens.next();
      const { start } = this.tokens;
      const right = operator === "**" ? this.nested(() => this.binary(precedence)) : this.binary(precedence + 1);
      left = { kind: "binary", operator, left, right };
      if (FAILING.has(operator)) left = { ...left, token: this.tokens.text.slice(start, start + LONGEST_TOKEN) };
    }
  }

  private unary(): Expression {
    const { kind, value } = this.tokens;
    if (kind === "before") return this.stepBefore();
    if (kind !== "operator" || !UNARY.includes(value)) return this.primary();
    this.tokens.next();
    return this.nested(() => ({ kind: "unary", operator: value as "+" | "-" | "!" | "~", operand: this.unary() }));
  }

  private stepBefore(): Expression {
    const operator = this.tokens.value as "++" | "--";
    this.tokens.next();
    return { kind: "step", operator, prefix: true, target: this.variable() };
  }

  private primary(): Expression {
    const { tokens } = this;
    if (tokens.is("(")) return this.parenthesised();
    if (tokens.kind === "part") return this.expansion();
    if (tokens.kind === "number") {
      const value = integer(tokens.value);
      tokens.next();
      return { kind: "number", value };
    }
    if (tokens.kind !== "name") throw tokens.fault("syntax error: operand expected");
    const target = this.variable();
    if (!this.steps) return target;
    const operator = tokens.value as "++" | "--";
    tokens.next();
    return { kind: "step", operator, prefix: false, target };
  }

  private parenthesised(): Expression {
    this.tokens.next();
    const inner = this.nested(() => this.comma());
    if (!this.tokens.is(")")) throw this.tokens.fault("missing `)'");
    this.tokens.next();
    this.enclosed = inner;
    return inner;
  }

  private expansion(): Expression {
    const part = this.flat.parts[this.part++] as Part;
    this.tokens.next();
    return { kind: "part", part };
  }

  private variable(): Expression {
    const { tokens } = this;
    const name = tokens.value;
    const subscript = tokens.text.charAt(tokens.pos) === "[" ? this.subscript() : undefined;
    tokens.next();
    return { kind: "variable", name, subscript };
  }

  /** `[…]` behind a name; the expansions in it are taken from the list. */
  private subscript(): Subscript {
    const { tokens } = this;
    const open = tokens.pos;
    const close = closingBracket(tokens.text, open);
    if (close < 0) throw tokens.fault("bad array subscript");
    const text = tokens.text.slice(open + 1, close);
    const count = text.split("\0").length - 1;
    const parts = this.flat.parts.slice(this.part, this.part + count);
    this.part += count;
    tokens.pos = close + 1;
    return this.nested(() => subscriptOf({ text, parts }, this.position, this.settings, this.depth));
  }

  private nested<T>(step: () => T): T {
    if (this.depth >= DEEPEST) throw this.tokens.fault("expression recursion level exceeded");
    this.depth++;
    const result = step();
    this.depth--;
    return result;
  }
}

function closingBracket(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length && depth <= DEEPEST; at++) {
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACKET) depth++;
    else if (code === CLOSE_BRACKET && --depth === 0) return at;
  }
  return -1;
}

function subscriptOf(flat: Flat, position: Position, settings: Settings, depth: number): Subscript {
  if (flat.text === "@" || flat.text === "*") return { kind: "all", joined: flat.text };
  const parts = new Parts();
  flat.text.split("\0").forEach((chunk, index) => {
    if (index > 0) parts.add(flat.parts[index - 1] as Part);
    for (const part of plainParts(chunk.replace(/['"]/g, ""), position, settings)) parts.add(part);
  });
  const text = quotedWord(parts.list, flat.text.replaceAll("\0", "?"), position);
  return { kind: "index", text, expression: { text, tree: parseTree(parts.list, settings, position, depth) } };
}

/** A subscript in a text that was expanded before is expanded once more. */
function plainParts(chunk: string, position: Position, settings: Settings): readonly Part[] {
  if (!/[$`\\]/.test(chunk)) return chunk === "" ? [] : [{ kind: "literal", text: chunk, quoted: true }];
  try {
    return readText(chunk, settings, position).parts.flatMap((part) => (part.kind === "double" ? part.parts : [part]));
  } catch (fault) {
    if (fault instanceof SyntaxFault) return [{ kind: "literal", text: chunk, quoted: true }];
    throw fault;
  }
}

/** The tree of a text with expansions; undefined where only the expanded text can tell. */
export function parseTree(
  parts: readonly Part[],
  settings: Settings,
  position: Position = { line: 1, column: 1 },
  depth = 0,
): Expression | undefined {
  try {
    return new TreeParser(flatten(parts), position, settings, depth).parse();
  } catch (fault) {
    if (fault instanceof ArithmeticFault) return undefined;
    throw fault;
  }
}

/** The tree of a text that was expanded at run time. Throws ArithmeticFault. */
export function parseExpanded(text: string, position: Position, settings: Settings): Expression {
  return new TreeParser({ text, parts: [] }, position, settings).parse();
}

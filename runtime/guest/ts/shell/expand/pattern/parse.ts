/** The parts of a pattern. */

import { collatingSymbol } from "./collating";

export type Node =
  /** A run of characters. */
  | { readonly kind: "text"; readonly text: string }
  /** `?`. */
  | { readonly kind: "any" }
  /** `*`. */
  | { readonly kind: "many" }
  | CharacterSet
  /** `?(…)`, `*(…)`, `+(…)`, `@(…)`, `!(…)`. */
  | { readonly kind: "group"; readonly sign: "?" | "*" | "+" | "@" | "!"; readonly choices: readonly (readonly Node[])[] };

/** `[…]`. */
export interface CharacterSet {
  readonly kind: "set";
  readonly negated: boolean;
  /** Pairs of first and last character number. */
  readonly ranges: readonly number[];
  readonly classes: readonly RegExp[];
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[\p{L}\p{Nd}\p{Nl}]/u,
  alpha: /[\p{L}\p{Nl}]/u,
  ascii: /[\x00-\x7f]/,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /[0-9]/,
  graph: /[^\s\p{Cc}\p{Cn}\p{Cs}]/u,
  lower: /\p{Ll}/u,
  print: /[^\p{Cc}\p{Cn}\p{Cs}]/u,
  punct: /[!-/:-@[-`{-~]|[\p{P}\p{S}]/u,
  space: /[ \t\n\v\f\r]/,
  upper: /\p{Lu}/u,
  word: /[\p{L}\p{Nd}\p{Nl}_]/u,
  xdigit: /[0-9A-Fa-f]/,
};

/** In a set; quotes within the name mean nothing. */
const CLASS = /^\[:((?:\\?[a-z])+):\]/;
/** A name has more than one character only if it is made of letters, digits and hyphens. */
const SYMBOL = /^\[([=.])((?:\\?[a-zA-Z0-9-]){2,}|\\?[^])\1\]/u;
/** Longest text of one of those. */
const SYMBOL_MOST = 60;

/** A class that nobody knows. */
const NOTHING = /[]/;

export function parsePattern(pattern: string, extended: boolean): Node[] {
  return new PatternParser(pattern, extended).choice();
}

class PatternParser {
  private at = 0;

  constructor(
    private readonly pattern: string,
    private readonly extended: boolean,
  ) {}

  /** Up to the end, or inside a group up to `|` or `)`. */
  choice(inside = false): Node[] {
    const nodes: Node[] = [];
    let text = "";
    const add = (node: Node): void => {
      if (text !== "") nodes.push({ kind: "text", text });
      text = "";
      const last = nodes[nodes.length - 1];
      if (node.kind !== "many" || last?.kind !== "many") nodes.push(node);
    };
    while (this.at < this.pattern.length) {
      const each = this.pattern[this.at]!;
      if (inside && (each === "|" || each === ")")) break;
      const node = this.node(each);
      if (node) add(node);
      else text += this.character();
    }
    if (text !== "") nodes.push({ kind: "text", text });
    return nodes;
  }

  private node(each: string): Node | undefined {
    if (this.extended && this.pattern[this.at + 1] === "(" && "?*+@!".includes(each)) {
      const group = this.group(each as "?");
      if (group) return group;
    }
    if (each === "[") return this.set();
    if (each !== "?" && each !== "*") return undefined;
    this.at += 1;
    return { kind: each === "?" ? "any" : "many" };
  }

  /** One character that stands for itself, escaped perhaps. */
  private character(): string {
    if (this.pattern[this.at] === "\\" && this.at + 1 < this.pattern.length) this.at += 1;
    const point = String.fromCodePoint(this.pattern.codePointAt(this.at)!);
    this.at += point.length;
    return point;
  }

  /** Undefined, and nothing read, when the parenthesis is not closed. */
  private group(sign: "?"): Node | undefined {
    const start = this.at;
    this.at += 2;
    const choices = [this.choice(true)];
    while (this.pattern[this.at] === "|") {
      this.at += 1;
      choices.push(this.choice(true));
    }
    if (this.pattern[this.at] === ")") {
      this.at += 1;
      return { kind: "group", sign, choices };
    }
    this.at = start;
    return undefined;
  }

  /** Undefined, and nothing read, when the bracket is not closed. */
  private set(): CharacterSet | undefined {
    const start = this.at;
    this.at += 1;
    const negated = "!^".includes(this.pattern[this.at] || " ");
    if (negated) this.at += 1;
    const ranges: number[] = [];
    const classes: RegExp[] = [];
    for (let first = true; this.at < this.pattern.length; first = false) {
      if (this.pattern[this.at] === "]" && !first) {
        this.at += 1;
        return { kind: "set", negated, ranges, classes };
      }
      const known = this.characterClass();
      if (known) classes.push(known);
      else this.range(ranges);
    }
    this.at = start;
    return undefined;
  }

  private characterClass(): RegExp | undefined {
    const match = CLASS.exec(this.pattern.slice(this.at, this.at + SYMBOL_MOST));
    if (!match) return undefined;
    this.at += match[0].length;
    return CLASSES[match[1]!.replaceAll("\\", "")] ?? NOTHING;
  }

  private range(ranges: number[]): void {
    const first = this.member();
    const goes = this.pattern[this.at] === "-" && this.at + 1 < this.pattern.length && this.pattern[this.at + 1] !== "]";
    if (goes) this.at += 1;
    const last = goes ? this.member() : first;
    if (first !== undefined && last !== undefined) ranges.push(first, last);
  }

  /** A character of a set; `[=a=]` and `[.a.]` are `a`. Undefined for a name that no character has. */
  private member(): number | undefined {
    const match = SYMBOL.exec(this.pattern.slice(this.at, this.at + SYMBOL_MOST));
    if (!match) return this.character().codePointAt(0)!;
    this.at += match[0].length;
    return collatingSymbol(match[2]!.replace(/\\([^])/gu, "$1"));
  }
}

/** Whether the set holds the character; `fold`: in either case. */
export function holds(set: CharacterSet, point: number, fold: boolean): boolean {
  if (has(set, point)) return !set.negated;
  if (!fold) return set.negated;
  const text = String.fromCodePoint(point);
  const other = [text.toLowerCase(), text.toUpperCase()].some((each) => has(set, each.codePointAt(0)!));
  return other !== set.negated;
}

function has({ ranges, classes }: CharacterSet, point: number): boolean {
  for (let index = 0; index < ranges.length; index += 2) if (point >= ranges[index]! && point <= ranges[index + 1]!) return true;
  return classes.length > 0 && classes.some((each) => each.test(String.fromCodePoint(point)));
}

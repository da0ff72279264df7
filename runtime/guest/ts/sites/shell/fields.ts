/** What the words of a command become, as far as that is known before it runs. */

import type { Expression, Parameter, Part, Word } from "../../shell/syntax/ast";
import { HOLE } from "../site";

/** One argument, of which the ends may be known. */
export type One = { readonly kind: "text"; readonly text: string } | { readonly kind: "one"; readonly prefix: string; readonly suffix: string };

/** One argument, or any number of them, the first of which may begin with text that is known. */
export type Field = One | { readonly kind: "many"; readonly prefix: string };

/** What is known of variables at a place. */
export interface Knowledge {
  value(name: string): One | undefined;
  /** Whether unquoted values are split as usual. */
  readonly isSplitAsUsual: boolean;
}

export const MANY: Field = { kind: "many", prefix: "" };

/** The arguments that a word makes. */
export function fieldOf(word: Word, known: Knowledge): Field {
  return new Reading(known).read(word.parts, false).field();
}

/** The value of an assignment: never split, and no pattern. */
export function assigned(word: Word, known: Knowledge): One {
  const reading = new Reading(known);
  reading.isValue = true;
  return reading.read(word.parts, false).field() as One;
}

/** The same if all of it is known. */
export function valueOf(word: Word, known: Knowledge): string | undefined {
  return plainText(assigned(word, known));
}

/** Text of a word that has no expansion in it. */
export function plainText(field: Field | undefined): string | undefined {
  return field?.kind === "text" ? field.text : undefined;
}

/** Where braces, a tilde or a pattern may begin. */
const SPECIAL = /[~*?[]|\{(?!\})|[@+!]\(/;
/** What is neither split nor a pattern. */
const INERT = /^[\w./:@%+,=-]+$/;

class Reading {
  isValue = false;
  private text = "";
  /** What follows all that is not known. */
  private tail = "";
  private kind: Field["kind"] = "text";

  constructor(private readonly known: Knowledge) {}

  field(): Field {
    if (this.kind === "text") return { kind: "text", text: this.text };
    return this.kind === "one" ? { kind: "one", prefix: this.text, suffix: this.tail } : { kind: "many", prefix: this.text };
  }

  read(parts: readonly Part[], quoted: boolean): this {
    for (const part of parts) this.part(part, quoted);
    return this;
  }

  private part(part: Part, quoted: boolean): void {
    switch (part.kind) {
      case "literal":
        return this.literal(part.text, quoted || part.quoted);
      case "double":
        this.read(part.parts, true);
        return;
      case "parameter":
        return this.parameter(part, quoted);
      case "arithmetic": {
        const value = part.expression.tree && compute(part.expression.tree, this.known);
        if (value !== undefined) return this.add(String(value));
        return this.unknown(quoted || this.known.isSplitAsUsual ? "one" : "many");
      }
      case "command":
        return this.unknown(quoted ? "one" : "many");
      case "process":
        return this.unknown("one");
    }
  }

  private add(text: string): void {
    if (this.kind === "text") this.text += text;
    else this.tail += text;
  }

  private unknown(kind: "one" | "many"): void {
    this.tail = "";
    if (this.kind !== "many") this.kind = kind === "many" && !this.isValue ? "many" : "one";
  }

  private literal(text: string, quoted: boolean): void {
    if (quoted) return this.add(text);
    const special = text === "[" ? null : SPECIAL.exec(text);
    const hole = text.indexOf(HOLE);
    if (!special && hole < 0) return this.add(text);
    const at = Math.min(special?.index ?? text.length, hole < 0 ? text.length : hole);
    this.add(text.slice(0, at));
    this.unknown("many");
  }

  private parameter(part: Parameter, quoted: boolean): void {
    const value = isPlain(part) ? this.known.value(part.name) : undefined;
    if (value === undefined) return this.unknown(quoted && !isList(part) ? "one" : "many");
    const isWhole = quoted || this.isValue;
    if (value.kind === "text" && (isWhole || (this.known.isSplitAsUsual && INERT.test(value.text)))) return this.add(value.text);
    if (value.kind === "text" || !isWhole) return this.unknown("many");
    this.add(value.prefix);
    this.unknown("one");
    this.add(value.suffix);
  }
}

function isPlain({ subscript, indirect, length, operation }: Parameter): boolean {
  return !subscript && !indirect && !length && !operation;
}

/** Whether it may become several words also in double quotes. */
function isList({ name, subscript, indirect, operation }: Parameter): boolean {
  return name === "@" || indirect || subscript?.kind === "all" || operation?.kind === "names" || operation?.kind === "keys";
}

const OPERATORS: Readonly<Record<string, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => (right === 0 ? NaN : Math.trunc(left / right)),
  "%": (left, right) => left % right,
};

/** The value of an expression of constants. */
function compute(tree: Expression, known: Knowledge): number | undefined {
  const value = worked(tree, known);
  return value !== undefined && Number.isSafeInteger(value) ? value + 0 : undefined;
}

function worked(tree: Expression, known: Knowledge): number | undefined {
  switch (tree.kind) {
    case "number":
      return typeof tree.value === "number" ? tree.value : undefined;
    case "variable":
      return tree.subscript ? undefined : integer(plainText(known.value(tree.name)));
    case "part":
      return tree.part.kind === "parameter" && isPlain(tree.part) ? integer(plainText(known.value(tree.part.name))) : undefined;
    case "unary": {
      const operand = tree.operator === "-" ? compute(tree.operand, known) : undefined;
      return operand === undefined ? undefined : -operand;
    }
    case "binary": {
      const [work, left, right] = [OPERATORS[tree.operator], compute(tree.left, known), compute(tree.right, known)];
      return work && left !== undefined && right !== undefined ? work(left, right) : undefined;
    }
    default:
      return undefined;
  }
}

function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^(?:0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined;
}

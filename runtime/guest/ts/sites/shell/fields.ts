/** What the words of a command become, as far as that is known before it runs. */

import type { Expression, Parameter, Part, Word } from "../../shell/syntax/ast";
import { HOLE } from "../site";

/** One argument, or any number of them; what is unknown may begin with text that is not. */
export type Field = { readonly kind: "text"; readonly text: string } | { readonly kind: "one" | "many"; readonly prefix: string };

/** What is known of variables at a place. */
export interface Knowledge {
  value(name: string): string | undefined;
  /** Whether unquoted values are split as usual. */
  readonly isSplitAsUsual: boolean;
}

export const MANY: Field = { kind: "many", prefix: "" };

/** The arguments that a word makes. */
export function fieldOf(word: Word, known: Knowledge): Field {
  return new Reading(known).read(word.parts, false).field();
}

/** The value of an assignment: never split, and no pattern. Undefined if it is not known. */
export function valueOf(word: Word, known: Knowledge): string | undefined {
  const reading = new Reading(known);
  reading.isValue = true;
  const field = reading.read(word.parts, false).field();
  return field.kind === "text" ? field.text : undefined;
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
  private kind: Field["kind"] = "text";

  constructor(private readonly known: Knowledge) {}

  field(): Field {
    return this.kind === "text" ? { kind: "text", text: this.text } : { kind: this.kind, prefix: this.text };
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
  }

  private unknown(kind: "one" | "many"): void {
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
    const whole = quoted || this.isValue || (this.known.isSplitAsUsual && INERT.test(value));
    if (whole) this.add(value);
    else this.unknown("many");
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
      return tree.subscript ? undefined : integer(known.value(tree.name));
    case "part":
      return tree.part.kind === "parameter" && isPlain(tree.part) ? integer(known.value(tree.part.name)) : undefined;
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

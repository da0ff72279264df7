/** The tokens of an arithmetic expression. An expansion in the text is one NUL, its part in a list beside it. */

import type { Part } from "./ast";
import { HASH, isDigit, isNamePart, isNameStart, OPEN, NEWLINE, OPEN_BRACKET, AT, SPACE, TAB } from "./chars";
import { ArithmeticFault } from "./errors";

export interface Flat {
  readonly text: string;
  readonly parts: readonly Part[];
}

/** The text of parts with one NUL for each expansion. */
export function flatten(parts: readonly Part[]): Flat {
  let text = "";
  const expansions: Part[] = [];
  const visit = (part: Part): void => {
    if (part.kind === "double") part.parts.forEach(visit);
    else if (part.kind === "literal") text += part.text.replaceAll("\0", "");
    else {
      text += "\0";
      expansions.push(part);
    }
  };
  parts.forEach(visit);
  return { text, parts: expansions };
}

const isSpace = (code: number): boolean => code === SPACE || code === TAB || code === NEWLINE;

export type Kind = "end" | "name" | "number" | "part" | "operator" | "assign" | "before" | "after";

const LONGER: ReadonlySet<string> = new Set("== != <= >= << >> && || ** *= /= %= += -= &= ^= |=".split(" "));
const LONGEST: ReadonlySet<string> = new Set(["<<=", ">>="]);
const SIGNS = "=<>+-*/%!()&|^~?:,";

/** One token at a time; the fields tell of the last one read. */
export class Tokens {
  kind: Kind = "end";
  /** The operator, number or name; of an assignment, what stands before its `=`. */
  value = "";
  /** Where the last token begins; at the end of the text it stays where it was, as messages of bash show it. */
  start = 0;
  pos = 0;
  private started = false;

  constructor(readonly text: string) {}

  fault(reason: string): ArithmeticFault {
    return new ArithmeticFault(reason, this.text.slice(this.start));
  }

  /** Only what is an operator of this spelling. */
  is(operator: string): boolean {
    return this.kind === "operator" && this.value === operator;
  }

  next(): void {
    const { text } = this;
    while (isSpace(text.charCodeAt(this.pos))) this.pos++;
    if (this.pos >= text.length) return this.set("end", "");
    this.start = this.pos;
    const code = text.charCodeAt(this.pos);
    if (code === 0) return this.set("part", "\0", this.glued());
    if (isNameStart(code)) return this.set("name", this.run(isNamePart));
    if (isDigit(code)) return this.set("number", this.run((each) => isNamePart(each) || each === HASH || each === AT));
    this.operator(text);
  }

  private set(kind: Kind, value: string, fault = false): void {
    if (fault) throw this.fault("syntax error");
    this.kind = kind;
    this.value = value;
    this.started = true;
    this.pos += value.length;
  }

  private run(belongs: (code: number) => boolean): string {
    let end = this.pos + 1;
    while (end < this.text.length && belongs(this.text.charCodeAt(end))) end++;
    return this.text.slice(this.pos, end);
  }

  /** An expansion that joins the text beside it makes one token with it only when it is expanded. */
  private glued(): boolean {
    const joins = (code: number): boolean => isNamePart(code) || code === 0 || code === HASH || code === AT;
    const next = this.text.charCodeAt(this.pos + 1);
    return joins(this.text.charCodeAt(this.pos - 1)) || joins(next) || next === OPEN_BRACKET || next === OPEN;
  }

  private operator(text: string): void {
    const sign = text.charAt(this.pos);
    if ((sign === "+" || sign === "-") && text.charAt(this.pos + 1) === sign) return this.step(sign);
    const two = text.slice(this.pos, this.pos + 2);
    if (LONGER.has(two)) {
      const three = text.slice(this.pos, this.pos + 3);
      return this.longer(LONGEST.has(three) ? three : two);
    }
    if (!SIGNS.includes(sign)) throw this.invalid();
    this.set(sign === "=" ? "assign" : "operator", sign);
    if (sign === "=") this.value = "";
  }

  private longer(operator: string): void {
    const assigns = operator.endsWith("=") && !["==", "!=", "<=", ">="].includes(operator);
    this.set(assigns ? "assign" : "operator", operator);
    if (assigns) this.value = operator.slice(0, -1);
  }

  /** Behind a variable `++` belongs to it; before one too; anywhere else it is two signs. */
  private step(sign: string): void {
    if (this.kind === "name") return this.set("after", sign + sign);
    let next = this.pos + 2;
    while (isSpace(this.text.charCodeAt(next))) next++;
    if (isNameStart(this.text.charCodeAt(next))) this.set("before", sign + sign);
    else this.set("operator", sign);
  }

  private invalid(): ArithmeticFault {
    const operand = this.kind === "name" || this.kind === "number" || this.kind === "part" || this.kind === "after";
    return this.fault(operand && this.started ? "syntax error: invalid arithmetic operator" : "syntax error: operand expected");
  }
}

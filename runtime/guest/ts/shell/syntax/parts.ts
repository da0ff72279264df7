/** Collects the parts of a word as they are read. */

import type { Literal, Part, Position, Word } from "./ast";

export class Parts {
  readonly list: Part[] = [];
  private last: { -readonly [K in keyof Literal]: Literal[K] } | undefined;

  /** Text joins text before it that is quoted alike. */
  text(text: string, quoted: boolean): void {
    if (this.last && this.last.quoted === quoted) {
      this.last.text += text;
      return;
    }
    if (text === "" && !quoted) return;
    this.last = { kind: "literal", text, quoted };
    this.list.push(this.last);
  }

  /** The character that the text so far ends with, if that is unquoted. */
  lastUnquoted(): number {
    return this.last && !this.last.quoted ? this.last.text.charCodeAt(this.last.text.length - 1) : -1;
  }

  add(part: Part): void {
    if (part.kind === "literal") return this.text(part.text, part.quoted);
    this.last = undefined;
    this.list.push(part);
  }
}

export function word(parts: readonly Part[], source: string, position: Position): Word {
  return { kind: "word", parts, source, position };
}

/** A word that is one text as if in double quotes: nothing in it is split or a pattern. */
export function quotedWord(parts: readonly Part[], source: string, position: Position): Word {
  const plain = parts.length === 0 || (parts.length === 1 && parts[0]?.kind === "literal");
  if (!plain) return word([{ kind: "double", parts }], source, position);
  return word(parts.length === 1 ? parts : [{ kind: "literal", text: "", quoted: true }], source, position);
}

/** The text of a word that is plain and unquoted throughout, or undefined. */
export function plainText({ parts }: Word): string | undefined {
  const part = parts[0];
  return parts.length === 1 && part?.kind === "literal" && !part.quoted ? part.text : undefined;
}

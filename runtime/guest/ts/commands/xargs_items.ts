/** How xargs divides its input into arguments. Texts are byte strings here (byte_text.ts). */

import { native } from "../bridge/native";
import type { Maybe } from "../shell/io/maybe";
import type { Reader } from "../shell/io/reader";
import { Failure } from "./command";

export interface Item {
  readonly text: string;
  /** Whether a line that -L counts ends behind it. */
  readonly endsLine: boolean;
}

interface Rules {
  /** What ends an item; undefined for blanks, newlines and quotes. */
  readonly delimiter: string | undefined;
  /** Whole lines, without the blanks in front: -I. */
  readonly lines: boolean;
  /** The item that ends the input. */
  readonly end: string | undefined;
}

/** Whatever is left of a piece of input when more has to come. */
type Pulled = Item | "more" | "end";

const LINE_END = /[\n'"\\]/g;
const WORD_END = /[ \t\n'"\\]/g;
/** A word of which no character means anything else, and what it ends with. */
const PLAIN_WORD = /[ \t\n]*([^ \t\n'"\\]+)([ \t\n])/y;

export class Items {
  private rest = "";
  /** Where in `rest` the next item begins. */
  private from = 0;
  private over = false;
  private done = false;

  constructor(
    private readonly reader: Reader,
    private readonly rules: Rules,
  ) {}

  /** The next argument; undefined at the end. */
  next(): Maybe<Item | undefined> {
    for (;;) {
      const item = this.done ? "end" : this.pull();
      if (item === "end") return undefined;
      if (item !== "more") {
        if (this.rules.delimiter !== undefined || this.rules.end === undefined || item.text !== this.rules.end) return item;
        this.done = true;
        return undefined;
      }
      const chunk = this.reader.chunk();
      if (chunk instanceof Promise) return chunk.then((bytes) => (this.take(bytes), this.next()));
      this.take(chunk);
    }
  }

  private take(bytes: Uint8Array): void {
    if (bytes.length === 0) this.over = true;
    else {
      this.rest = this.rest.slice(this.from) + native.bytes.latin1Decode(bytes);
      this.from = 0;
    }
  }

  private pull(): Pulled {
    const { delimiter } = this.rules;
    return delimiter === undefined ? this.pullQuoted() : this.pullDelimited(delimiter);
  }

  private pullDelimited(delimiter: string): Pulled {
    const { rest, from } = this;
    const at = rest.indexOf(delimiter, from);
    if (at < 0 && !this.over) return "more";
    if (at < 0 && from >= rest.length) return "end";
    this.from = at < 0 ? rest.length : at + 1;
    return { text: rest.slice(from, at < 0 ? rest.length : at), endsLine: true };
  }

  private pullQuoted(): Pulled {
    const { lines } = this.rules;
    const plain = lines ? undefined : this.plainWord();
    if (plain) return plain;
    const parts: string[] = [];
    let at = this.skipped();
    let any = false;
    for (;;) {
      const plain = this.plainEnd(at, lines);
      if (plain > at) any = true;
      parts.push(this.rest.slice(at, plain));
      at = plain;
      const char = this.rest[at];
      if (char === undefined) {
        if (!this.over) return "more";
        this.from = this.rest.length;
        return any ? { text: parts.join(""), endsLine: true } : "end";
      }
      if (char === "\n" || char === " " || char === "\t") break;
      any = true;
      if (char === "\\") {
        if (this.rest[at + 1] === undefined) {
          if (!this.over) return "more";
          at += 1;
          continue;
        }
        parts.push(this.rest[at + 1]!);
        at += 2;
        continue;
      }
      const close = this.closing(char, at);
      if (close === undefined) return "more";
      parts.push(this.rest.slice(at + 1, close));
      at = close + 1;
    }
    return this.finished(parts.join(""), at);
  }

  /** The quick way, which most words take. */
  private plainWord(): Item | undefined {
    PLAIN_WORD.lastIndex = this.from;
    const match = PLAIN_WORD.exec(this.rest);
    if (!match) return undefined;
    const end = PLAIN_WORD.lastIndex;
    const newline = match[2] === "\n";
    if (!newline && !this.over && this.rest.length === end) return undefined;
    this.from = newline ? end : end - 1;
    return { text: match[1]!, endsLine: newline };
  }

  /** Behind blanks and newlines. */
  private skipped(): number {
    let at = this.from;
    for (let code = this.rest.charCodeAt(at); code === 32 || code === 9 || code === 10; code = this.rest.charCodeAt(at)) at += 1;
    return at;
  }

  /** Where the text that has no meaning of its own ends. */
  private plainEnd(from: number, lines: boolean): number {
    const pattern = lines ? LINE_END : WORD_END;
    pattern.lastIndex = from;
    return pattern.exec(this.rest)?.index ?? this.rest.length;
  }

  private closing(quote: string, at: number): number | undefined {
    const close = this.rest.indexOf(quote, at + 1);
    const newline = this.rest.indexOf("\n", at + 1);
    if (close >= 0 && (newline < 0 || close < newline)) return close;
    if (newline < 0 && !this.over) return undefined;
    const kind = quote === "'" ? "single" : "double";
    throw new Failure(`unmatched ${kind} quote; by default quotes are special to xargs unless you use the -0 option`);
  }

  /** A line goes on where blanks are at its end. */
  private finished(text: string, at: number): Pulled {
    const newline = this.rest[at] === "\n";
    if (!newline && !this.over && this.rest.length === at + 1) return "more";
    this.from = at + (newline ? 1 : 0);
    return { text, endsLine: newline };
  }
}

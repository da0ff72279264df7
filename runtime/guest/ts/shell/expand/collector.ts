/** Puts the fields of one word together from its expanded parts: splitting by IFS, then path names. */

import { native } from "../../bridge/native";
import { eachPolled, pollAt } from "../../bridge/poll";
import { glob } from "./glob";
import { MARK, type Separators, separators, SPACE, TEXT } from "./ifs";
import { escapePattern } from "./pattern/escape";
import type { Scope } from "./scope";
import { together, unitsOf } from "./units";

const BLANKS = " \t\n";
const UNBLANK = /[^ \t\n]+/g;
/** Without one of these a text is no pattern. */
const MAGIC = /[*?[(]/;

export class Collector {
  /** The field at hand. */
  private text = "";
  /** Whether there is one: text, or something quoted. */
  private present = false;
  /** Where quoted text lies in it: pairs of start and end. */
  private quotes: number[] | undefined;
  private magic = false;
  /** The last field ended with IFS whitespace, which takes one other separator behind it along. */
  private absorbing = false;

  constructor(
    private readonly scope: Scope,
    private readonly out: string[],
  ) {}

  /** Text that is neither split nor a pattern. */
  quoted(text: string): void {
    this.present = true;
    this.absorbing = false;
    if (text === "") return;
    (this.quotes ??= []).push(this.text.length, this.text.length + text.length);
    this.text += text;
  }

  /** Unquoted text of the word itself: a pattern perhaps, but never split. */
  literal(text: string): void {
    this.append(text);
    if (!this.magic && MAGIC.test(text)) this.magic = true;
  }

  /** What an unquoted expansion gave. */
  split(text: string): void {
    if (text === "") return;
    const ifs = separators(this.scope);
    if (ifs.empty) return this.literal(text);
    if (ifs.blanks) this.splitBlanks(text);
    else this.splitBy(ifs, unitsOf(this.scope, text));
  }

  /** `"$@"`: fields of their own, but for the ends, which join what is beside them. */
  quotedList(values: readonly string[]): void {
    eachPolled(values, (value, index) => {
      if (index > 0) this.finish();
      this.quoted(value);
    });
  }

  /** `$@` and `$*`: as if a separator stood between the values. */
  splitList(values: readonly string[]): void {
    const ifs = separators(this.scope);
    eachPolled(values, (value, index) => {
      if (index > 0) this.separate(ifs.empty ? SPACE : ifs.kind(ifs.text.charCodeAt(0)));
      this.split(value);
    });
  }

  /** Ends the field at hand, if there is one. */
  finish(): void {
    if (!this.present) return;
    const text = together(this.scope, this.text);
    if (this.magic && !this.scope.options.has("noglob")) this.expandPath(text);
    else this.out.push(text);
    this.text = "";
    this.present = false;
    this.quotes = undefined;
    this.magic = false;
  }

  private append(text: string): void {
    if (text === "") return;
    this.text += text;
    this.present = true;
    this.absorbing = false;
  }

  private splitBlanks(text: string): void {
    const plain = native.shell.split(text);
    if (plain === undefined) native.host.poll();
    const words = plain ?? text.match(UNBLANK) ?? [];
    if (BLANKS.includes(text[0]!)) this.separate(SPACE);
    eachPolled(words, (word, index) => {
      if (index > 0) this.separate(SPACE);
      this.append(word);
      if (plain === undefined && MAGIC.test(word)) this.magic = true;
    });
    if (words.length > 0 && BLANKS.includes(text[text.length - 1]!)) this.separate(SPACE);
  }

  private splitBy(ifs: Separators, text: string): void {
    let start = 0;
    for (let index = 0; index < text.length; index += 1) {
      pollAt(index);
      const kind = ifs.kind(text.charCodeAt(index));
      if (kind === TEXT) continue;
      if (index > start) this.literal(text.slice(start, index));
      this.separate(kind);
      start = index + 1;
    }
    if (start < text.length) this.literal(start === 0 ? text : text.slice(start));
  }

  private separate(kind: number): void {
    if (kind === MARK) {
      if (this.present || !this.absorbing) {
        this.present = true;
        this.finish();
      }
      this.absorbing = false;
    } else if (this.present) {
      this.finish();
      this.absorbing = true;
    }
  }

  private expandPath(text: string): void {
    const found = glob(this.scope, this.pattern());
    if (found === undefined) this.out.push(text);
    else for (const path of found) this.out.push(path);
  }

  /** The field with what was quoted escaped. */
  private pattern(): string {
    const { text, quotes } = this;
    if (!quotes) return text;
    let pattern = "";
    let at = 0;
    for (let index = 0; index < quotes.length; index += 2) {
      const [start, end] = [quotes[index]!, quotes[index + 1]!];
      pattern += text.slice(at, start) + escapePattern(text.slice(start, end));
      at = end;
    }
    return pattern + text.slice(at);
  }
}

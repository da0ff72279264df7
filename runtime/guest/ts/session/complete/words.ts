/** A shell line in front of the cursor: the word that is being typed, and the command that it belongs to. */

import { RESERVED } from "../../shell/syntax/reserved";

export interface Place {
  /** Where the word begins, in UTF-16 units. */
  readonly start: number;
  /** The word without its quotes. */
  readonly typed: string;
  /** The quote that is open at the cursor. */
  readonly quote: "" | "'" | '"';
  /** Words of the command in front of it, the command's name first; none where the name itself stands. */
  readonly words: readonly string[];
  /** The word is the target of a redirection. */
  readonly isTarget: boolean;
  /** A variable's name is being typed: where it begins, and whether in `${`. */
  readonly variable?: { readonly start: number; readonly typed: string; readonly isBraced: boolean } | undefined;
  readonly inComment: boolean;
}

/** What begins anew inside `$(`, `` ` `` and `(`. */
interface Level {
  readonly closer: string;
  readonly saved: State;
}

interface State {
  words: string[];
  word: string | undefined;
  start: number;
  isTarget: boolean;
  quote: "" | "'" | '"';
}

const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;
/** Words behind which a command may stand. */
const LEADING = new Set(["!", "{", "do", "elif", "else", "if", "then", "time", "until", "while", "coproc"]);
const OPERATOR = /[;&|\n]+/y;
const REDIRECTION = /\d*(?:<<<|<<-?|<>|<&|>>|>&|>\||<|>|&>>?)/y;

const begin = (start: number): State => ({ words: [], word: undefined, start, isTarget: false, quote: "" });

class Reader {
  private state = begin(0);
  private readonly levels: Level[] = [];
  private at = 0;
  private inComment = false;
  private variable: Place["variable"];

  constructor(private readonly text: string) {}

  read(): Place {
    while (this.at < this.text.length && !this.inComment) this.step();
    const { words, word = "", start, isTarget, quote } = this.state;
    return { start: this.state.word === undefined ? this.text.length : start, typed: word, quote, words, isTarget, variable: this.variable, inComment: this.inComment };
  }

  private step(): void {
    const char = this.text[this.at]!;
    const { state } = this;
    if (state.quote === "'") return this.quoted(char, "'");
    if (char === "\\") return this.escaped();
    if (char === "$" && this.expansion()) return;
    if (char === "`") return this.backtick();
    if (state.quote === '"') return this.quoted(char, '"');
    this.plain(char);
  }

  private plain(char: string): void {
    const { state } = this;
    const last = this.levels[this.levels.length - 1];
    if (last && char === last.closer) return this.leave();
    if (char === "'" || char === '"') {
      this.open();
      state.quote = char;
      this.at += 1;
    } else if (char === "#" && state.word === undefined) this.comment();
    else if (char === " " || char === "\t") {
      this.finish();
      this.at += 1;
    } else if (char === "(") this.enter(")", 1);
    else if (char === ")") this.restart(1);
    else if (this.redirection() || this.operator()) return;
    else this.append(char);
  }

  private open(): void {
    if (this.state.word !== undefined) return;
    this.state.word = "";
    this.state.start = this.at;
  }

  private append(char: string, length = char.length): void {
    this.open();
    this.state.word += char;
    this.at += length;
  }

  private quoted(char: string, quote: "'" | '"'): void {
    if (char !== quote) return this.append(char);
    this.state.quote = "";
    this.at += 1;
  }

  private escaped(): void {
    const next = this.text[this.at + 1] ?? "";
    const keeps = this.state.quote === '"' && !/["\\$`\n]/.test(next);
    this.append(keeps ? `\\${next}` : next === "\n" ? "" : next, 1 + next.length);
  }

  /** `$(`, `${name` and `$name`. */
  private expansion(): boolean {
    const rest = this.text.slice(this.at);
    if (rest.startsWith("$(")) {
      this.open();
      this.enter(")", 2);
      return true;
    }
    const name = /^\$(\{[#!]?)?([A-Za-z_]\w*|)/.exec(rest)!;
    if (name[0].length === rest.length) {
      this.variable = { start: this.text.length - name[2]!.length, typed: name[2]!, isBraced: name[1] !== undefined };
    }
    this.append(name[0]);
    return true;
  }

  private backtick(): void {
    const last = this.levels[this.levels.length - 1];
    if (last?.closer === "`") return this.leave();
    this.open();
    this.enter("`", 1);
  }

  private enter(closer: string, length: number): void {
    this.levels.push({ closer, saved: this.state });
    this.at += length;
    this.state = begin(this.at);
  }

  private leave(): void {
    const { saved } = this.levels.pop()!;
    this.state = saved;
    this.at += 1;
    if (saved.word === undefined) this.state = begin(this.at);
    else saved.word += "\0";
  }

  private comment(): void {
    const end = this.text.indexOf("\n", this.at);
    if (end < 0) this.inComment = true;
    else this.at = end;
  }

  private redirection(): boolean {
    const { word } = this.state;
    const from = word !== undefined && /^\d+$/.test(word) ? this.at - word.length : this.at;
    REDIRECTION.lastIndex = from;
    const found = REDIRECTION.exec(this.text);
    if (!found || from + found[0].length <= this.at) return false;
    if (from !== this.at) this.state.word = undefined;
    this.finish();
    this.at = from + found[0].length;
    if (this.text[this.at] === "(") this.enter(")", 1);
    else this.state.isTarget = !/<<-?$/.test(found[0]);
    return true;
  }

  private operator(): boolean {
    OPERATOR.lastIndex = this.at;
    const found = OPERATOR.exec(this.text);
    if (!found) return false;
    this.restart(found[0].length);
    return true;
  }

  private restart(length: number): void {
    this.at += length;
    this.state = begin(this.at);
  }

  /** A blank ends the word. */
  private finish(): void {
    const { state } = this;
    const { word } = state;
    state.word = undefined;
    if (word === undefined) return;
    if (state.isTarget) state.isTarget = false;
    else if (state.words.length > 0 || !(LEADING.has(word) || ASSIGNMENT.test(word))) state.words.push(word);
  }
}

export function placeIn(text: string): Place {
  return new Reader(text).read();
}

export const keywords: readonly string[] = [...RESERVED].filter((word) => /^\w/.test(word));

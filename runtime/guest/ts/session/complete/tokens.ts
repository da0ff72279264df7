/** JavaScript in front of the cursor, as words and brackets: enough to say where the cursor is, whatever is still missing. */

/** `array`, `call` and `construct`: whole, from bracket to bracket. */
export type Kind = "array" | "call" | "construct" | "name" | "number" | "string" | "template" | "regex" | "punctuation";

export interface Token {
  readonly kind: Kind;
  readonly text: string;
  readonly start: number;
  /** A string or template that nothing has closed yet, so that the cursor is in it. */
  readonly isOpen?: boolean;
}

/** A bracket that is open at the cursor. */
export interface Bracket {
  readonly text: string;
  /** Its place among the tokens. */
  readonly at: number;
}

export interface Scan {
  readonly tokens: readonly Token[];
  /** Outermost first. */
  readonly open: readonly Bracket[];
  readonly inComment: boolean;
}

const SPACE = /\s+/y;
const COMMENT = /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/y;
const NAME = /#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /\d[\w.]*|\.\d[\w]*/y;
const STRING = /(["'])(?:(?!\1)[^\\\n]|\\[^])*(\1)?/y;
const REGEX = /\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
const CHUNK = /(?:[^\\`$]|\\[^]|\$(?!\{))*(`|\$\{)?/y;
const PUNCTUATION = /\?\.(?!\d)|=>|\.\.\.|[^]/y;
const OPENING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "${": "}" };
/** Words behind which a value begins. */
export const BEFORE_VALUE = /^(?:return|typeof|case|in|of|delete|void|throw|new|await|yield|else|do|instanceof)$/;

class Scanner {
  readonly tokens: Token[] = [];
  readonly open: Bracket[] = [];
  inComment = false;
  private at = 0;

  constructor(private readonly text: string) {}

  run(): this {
    while (this.at < this.text.length) this.step();
    return this;
  }

  private step(): void {
    if (this.take(SPACE) !== undefined) return;
    const comment = this.take(COMMENT);
    if (comment !== undefined) {
      this.inComment = this.at === this.text.length && !(comment.startsWith("/*") && comment.endsWith("*/") && comment.length > 3);
      return;
    }
    const start = this.at;
    if (this.add("name", this.take(NAME), start) || this.add("number", this.take(NUMBER), start)) return;
    if (this.text[start] === '"' || this.text[start] === "'") return this.string(start);
    if (this.text[start] === "`") {
      this.at += 1;
      return this.template(start);
    }
    if (this.wantsValue() && this.add("regex", this.take(REGEX), start)) return;
    this.punctuation(this.take(PUNCTUATION)!, start);
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return undefined;
    this.at += found.length;
    return found;
  }

  private add(kind: Kind, text: string | undefined, start: number, isOpen = false): boolean {
    if (text === undefined) return false;
    this.tokens.push({ kind, text, start, isOpen });
    return true;
  }

  private string(start: number): void {
    const text = this.take(STRING)!;
    this.add("string", text, start, text.length < 2 || !text.endsWith(text[0]!) || (this.at === this.text.length && isEscaped(text)));
  }

  /** A part of a template, from its beginning or from behind a `}`. */
  private template(start: number): void {
    const chunk = this.take(CHUNK) ?? "";
    const end = chunk.endsWith("`") ? "`" : chunk.endsWith("${") ? "${" : "";
    this.add("template", this.text.slice(start, this.at), start, end === "");
    if (end === "${") this.open.push({ text: "${", at: this.tokens.length - 1 });
  }

  private punctuation(text: string, start: number): void {
    const last = this.open[this.open.length - 1];
    if (last && text === OPENING[last.text]) {
      this.open.pop();
      if (last.text === "${") return this.template(start);
    }
    this.add("punctuation", text, start);
    if (text in OPENING) this.open.push({ text, at: this.tokens.length - 1 });
  }

  /** Whether a slash here begins a regular expression. */
  private wantsValue(): boolean {
    const last = this.tokens[this.tokens.length - 1];
    if (last === undefined) return true;
    if (last.kind === "name") return BEFORE_VALUE.test(last.text);
    return last.kind === "punctuation" && !/^[)\]}]$/.test(last.text);
  }
}

/** Whether the quote at the end of a string is escaped, and so closes nothing. */
function isEscaped(text: string): boolean {
  return /(?:^|[^\\])(?:\\\\)*\\["']$/.test(text);
}

export function scan(text: string): Scan {
  return new Scanner(text).run();
}

/** What would close all that is open. */
export function closing(text: string): string {
  return [...scan(text).open].reverse().map((bracket) => OPENING[bracket.text]!).join("");
}

export function isDot(token: Token | undefined): boolean {
  return token?.text === "." || token?.text === "?.";
}

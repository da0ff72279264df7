/**
 * Where the parser is in a script. All parsing functions share one Reader and move it; whoever wants to come back later takes
 * a `mark`. Aliases are put into the text in front of what is still to be read, so a place is told by how much text is left.
 */

import type { Position, Redirection } from "./ast";
import { SyntaxFault } from "./errors";
import { Lines } from "./lines";
import { unitsOf } from "./units";

export interface Settings {
  /** The aliases as they are now; undefined when they are not expanded. */
  readonly aliases: () => ReadonlyMap<string, string> | undefined;
  readonly extglob: () => boolean;
  /** Whether single quotes mean nothing in `"${x-…}"`, as POSIX wants it. */
  readonly posix: () => boolean;
  /** What bash says without failing: a here-document that ends with the script. */
  readonly warn: (message: string, position: Position) => void;
}

/** A here-document whose operator has been read and whose text begins after the next newline. */
export interface PendingDocument {
  readonly redirection: { -readonly [K in keyof Redirection]: Redirection[K] };
  readonly delimiter: string;
  readonly quoted: boolean;
  readonly strip: boolean;
}

/** A backslash and newline to take out, and where the token that they divide begins when all are out. */
export interface Cut {
  readonly pos: number;
  readonly token: number;
}

export interface Mark {
  readonly text: string;
  readonly pos: number;
  readonly length: number;
  readonly joined: number;
  readonly aliasEnd: number;
  readonly aliasPosition: Position | undefined;
  readonly pending: PendingDocument[];
  readonly pendingCount: number;
  readonly depth: number;
  readonly inSubstitution: boolean;
}

/**
 * How deep constructs may nest. Chosen: each level costs up to ten stack frames here and several in what walks the tree, and
 * the guest's stack of 900 KB ends at about 130 of the costliest.
 */
export const DEEPEST = 100;

/** No quote is open at its end, and no backslash waits for more. */
const CLOSED = /^(?:[^\\'"]|\\[^]|'[^']*'|"(?:[^\\"]|\\[^])*")*$/;
const ENDS_WORD = /(?:^|[ \t\n;&|<>()])$/;

/** An alias's value, whose last word is one by itself if it is whole. */
function aliasText(value: string): string {
  return CLOSED.test(value) && !ENDS_WORD.test(value) ? `${value} ` : value;
}

export class Reader {
  pos = 0;
  pending: PendingDocument[] = [];
  depth: number;
  /** Inside `$(…)`, whose `)` may end a here-document's last line. */
  inSubstitution = false;
  /** Where a reserved word was last looked for, and what was found: it is asked for several times at each command. */
  keywordAt = -1;
  keyword: string | undefined;
  keywordEnd = 0;
  /** Places, as text left, where `((` turned out to begin no arithmetic. */
  readonly notArithmetic = new Set<number>();
  /** Up to here the text comes from an alias, all of which is at `aliasPosition`. */
  private aliasEnd = 0;
  private aliasPosition: Position | undefined;
  /** The aliases in whose values the reader is, each until so much text is left. */
  private expanding: { readonly name: string; readonly left: number }[] = [];
  private aliasTail = -1;
  /** The text's UTF-16 units: looking at one takes no call. */
  codes: Uint16Array;
  /** Of the text as it is now, without its aliases. */
  private length: number;
  private readonly lines: Lines;
  /** Whether lines may be joined in what is still to be read. */
  joins: boolean;
  /** The last place that was asked for, as a command, its first word and its pipeline begin at one. */
  private lastPos = -1;
  private lastPosition: Position = { line: 1, column: 1 };
  constructor(
    public text: string,
    readonly settings: Settings,
    private readonly origin: Position = { line: 1, column: 1 },
    depth = 0,
  ) {
    this.depth = depth;
    this.length = text.length;
    this.codes = unitsOf(text);
    this.joins = text.includes("\\\n");
    this.lines = new Lines(text, origin);
  }

  /** The character `ahead` of the next one, -1 behind the end. */
  code(ahead = 0): number {
    return this.codes[this.pos + ahead] ?? -1;
  }

  get atEnd(): boolean {
    return this.pos >= this.text.length;
  }

  get remaining(): number {
    return this.text.length - this.pos;
  }

  position(pos: number = this.pos): Position {
    if (pos < this.aliasEnd && this.aliasPosition) return this.aliasPosition;
    if (pos === this.lastPos) return this.lastPosition;
    this.lastPos = pos;
    return (this.lastPosition = this.lines.at(this.length - this.text.length + pos));
  }

  /** The number of the line here. */
  lineHere(): number {
    if (this.pos < this.aliasEnd && this.aliasPosition) return this.aliasPosition.line;
    return this.lines.numberAt(this.length - this.text.length + this.pos);
  }

  /** Behind the last line, where bash notices that there is no more. */
  get end(): Position {
    const lines = this.lines.newlines + (this.text.endsWith("\n") || this.length === 0 ? 0 : 1);
    return { line: this.origin.line + lines, column: 1 };
  }

  /** The whole line around a place, as bash quotes it with an error. */
  lineAt(pos: number = this.pos): string {
    const from = pos === 0 ? 0 : this.text.lastIndexOf("\n", pos - 1) + 1;
    const to = this.text.indexOf("\n", pos);
    return this.text.slice(from, to < 0 ? this.text.length : to);
  }

  /** Whether the text goes on with `expected`; moves behind it if so. */
  take(expected: string): boolean {
    if (!this.text.startsWith(expected, this.pos)) return false;
    this.pos += expected.length;
    return true;
  }

  /** Begins a construct that may hold others; `leave` ends it. A fault on the way needs no `leave`: `reset` undoes both. */
  enter(): void {
    if (++this.depth > DEEPEST) {
      throw new SyntaxFault(`syntax error: nesting too deep (more than ${DEEPEST} levels)`, this.position());
    }
  }

  leave(): void {
    this.depth--;
  }

  mark(): Mark {
    const { text, pos, length, lines, aliasEnd, aliasPosition, pending, depth, inSubstitution } = this;
    return { text, pos, length, joined: lines.joined, aliasEnd, aliasPosition, pending, pendingCount: pending.length, depth, inSubstitution };
  }

  reset(mark: Mark): void {
    this.forget();
    if (this.text !== mark.text) this.codes = unitsOf(mark.text);
    this.text = mark.text;
    this.pos = mark.pos;
    this.length = mark.length;
    this.lines.separate(mark.joined);
    this.aliasEnd = mark.aliasEnd;
    this.aliasPosition = mark.aliasPosition;
    this.pending = mark.pending;
    this.pending.length = mark.pendingCount;
    this.depth = mark.depth;
    this.inSubstitution = mark.inSubstitution;
  }

  /**
   * Puts an alias's value in place of its name, which ends at `end`; false if the name is itself part of the alias's value.
   * A value that ends in a blank lets the word behind it be an alias as well.
   */
  expandAlias(name: string, end: number, value: string): boolean {
    const left = this.text.length - end;
    this.expanding = this.expanding.filter((each) => each.left < this.remaining);
    if (this.expanding.some((each) => each.name === name)) return false;
    this.expanding.push({ name, left });
    if (/[ \t]$/.test(value)) this.aliasTail = left;
    this.replace(end, aliasText(value));
    return true;
  }

  /** Whether the word here is the first one behind an alias that ends in a blank; says so once. */
  followsAlias(): boolean {
    if (this.aliasTail < 0 || this.remaining > this.aliasTail) return false;
    this.aliasTail = -1;
    return true;
  }

  /** What was remembered of places holds no longer when the text changes. */
  private forget(): void {
    this.keywordAt = -1;
    this.lastPos = -1;
  }

  /** Takes out a backslash and newline at each place. */
  cut(cuts: readonly Cut[]): void {
    const { text, lines, aliasEnd } = this;
    const shift = this.length - text.length;
    const before = lines.joined;
    this.forget();
    for (const { pos, token } of cuts) {
      if (pos < aliasEnd) this.aliasEnd -= 2;
      else lines.join(pos + shift, token + shift, before);
    }
    this.length -= 2 * (lines.joined - before);
    this.text = [0, ...cuts.map(({ pos }) => pos + 2)].map((from, index) => text.slice(from, cuts[index]?.pos)).join("");
    this.codes = unitsOf(this.text);
    this.joins = this.text.includes("\\\n", this.pos);
  }

  private replace(end: number, value: string): void {
    const place = this.position();
    const aliasLeft = Math.max(0, this.aliasEnd - end);
    this.forget();
    this.text = this.text.slice(0, this.pos) + value + this.text.slice(end);
    this.codes = unitsOf(this.text);
    this.joins ||= value.includes("\\\n");
    this.aliasEnd = this.pos + value.length + aliasLeft;
    this.aliasPosition = place;
  }
}

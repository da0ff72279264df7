/** On which line of a script a place is, by its offset in the text; also after lines were joined. */

import type { Position } from "./ast";

export class Lines {
  /** Where the lines begin in the text as it was at first. */
  private readonly starts: number[] = [0];
  /** By places where lines were joined: where the token that they divided begins now, and what is behind them was at first. */
  private readonly tokens: number[] = [];
  private readonly behind: number[] = [];
  /** The line that was asked for last: its index, number, bounds, and the column where it begins. */
  private index = 0;
  private number = 0;
  private start = 0;
  private end = 0;
  private firstColumn = 1;

  constructor(
    text: string,
    private readonly origin: Position,
  ) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.starts.push(at + 1);
  }

  /** How many newlines the text had at first. */
  get newlines(): number {
    return this.starts.length - 1;
  }

  at(offset: number): Position {
    const place = this.find(offset);
    return { line: this.number, column: place - this.start + this.firstColumn };
  }

  numberAt(offset: number): number {
    this.find(offset);
    return this.number;
  }

  /** How often lines were joined: what `separate` takes to undo all that came later. */
  get joined(): number {
    return this.tokens.length;
  }

  /**
   * The backslash and newline at `offset` are gone; `token` is where the token that they divided begins now. Both are counted
   * in the text as it was when lines had been joined `before` times, `token` without what goes at the same time.
   */
  join(offset: number, token: number, before: number): void {
    this.tokens.push(token);
    this.behind.push(offset + 2 * (before + 1));
  }

  separate(joined: number): void {
    this.tokens.length = this.behind.length = joined;
  }

  /** Makes the line that holds `offset` the one that is told; where the offset was at first. */
  private find(offset: number): number {
    const place = this.tokens.length === 0 ? offset : this.atFirst(offset);
    if (place >= this.start && place < this.end) return place;
    const { starts, origin } = this;
    let { index } = this;
    while (index > 0 && (starts[index] as number) > place) index--;
    while (index + 1 < starts.length && (starts[index + 1] as number) <= place) index++;
    this.index = index;
    this.number = origin.line + index;
    this.start = starts[index] as number;
    this.end = starts[index + 1] ?? Infinity;
    this.firstColumn = index === 0 ? origin.column : 1;
    return place;
  }

  /** A token that joined lines divided counts as on its last line, as in bash. */
  private atFirst(offset: number): number {
    const { tokens } = this;
    let joined = tokens.length;
    while (joined > 0 && (tokens[joined - 1] as number) > offset) joined--;
    return joined === 0 ? offset : Math.max(offset + 2 * joined, this.behind[joined - 1] as number);
  }
}

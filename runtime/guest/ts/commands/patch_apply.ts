/** Hunks to lines: where each belongs, and the lines that come of it. */

import type { Hunk, HunkLine } from "./patch_parse";

/** What became of a hunk. */
export interface Outcome {
  readonly hunk: Hunk;
  /** The line in the new text, from 1. */
  readonly line: number;
  readonly applied: boolean;
  readonly fuzz: number;
  /** From where the patch has it. */
  readonly offset: number;
}

export interface Matching {
  readonly fuzz: number;
  readonly ignoreSpace: boolean;
}

/** The hunk that undoes another. */
export function reversed({ oldStart, newStart, lines }: Hunk): Hunk {
  const turned = { " ": " ", "-": "+", "+": "-" } as const;
  return { oldStart: newStart, newStart: oldStart, lines: lines.map(({ mark, text }) => ({ mark: turned[mark], text })) };
}

export class Applier {
  private readonly output: string[] = [];
  /** Input lines that are settled. */
  private settled = 0;
  /** Of the last hunk that was found. */
  private offset = 0;
  private grown = 0;

  constructor(
    private readonly input: readonly string[],
    private readonly matching: Matching,
  ) {}

  /** Puts the hunk in if its place is found. */
  apply(hunk: Hunk): Outcome {
    const { fuzz, where } = this.search(hunk);
    const grown = this.grown;
    const line = (where || hunk.oldStart) + grown;
    if (where === 0) return { hunk, line: hunk.oldStart + grown, applied: false, fuzz: 0, offset: 0 };
    this.put(hunk, where);
    return { hunk, line, applied: true, fuzz, offset: where - hunk.oldStart };
  }

  /** Whether the hunk goes in the other way round, and not as it is with as little fuzz. */
  fitsReversed(hunk: Hunk): boolean {
    const { offset } = this;
    const turned = reversed(hunk);
    let found = false;
    for (let fuzz = 0; fuzz <= this.mostFuzz(hunk) && !found; fuzz += 1) {
      if (this.locate(hunk, fuzz) > 0) break;
      found = this.locate(turned, fuzz) > 0;
    }
    this.offset = offset;
    return found;
  }

  /** The new lines. */
  finish(): string[] {
    return [...this.output, ...this.input.slice(this.settled)];
  }

  private mostFuzz(hunk: Hunk): number {
    return Math.min(this.matching.fuzz, Math.max(...contextOf(hunk)));
  }

  private search(hunk: Hunk): { fuzz: number; where: number } {
    for (let fuzz = 0; fuzz <= this.mostFuzz(hunk); fuzz += 1) {
      const where = this.locate(hunk, fuzz);
      if (where > 0) return { fuzz, where };
    }
    return { fuzz: 0, where: 0 };
  }

  /** The hunk's line in the input, from 1; 0 when it has no place. */
  private locate(hunk: Hunk, fuzz: number): number {
    const pattern = hunk.lines.filter(({ mark }) => mark !== "+");
    const [before, behind] = contextOf(hunk);
    const context = Math.max(before, behind);
    const [front, back] = [fuzz + before - context, fuzz + behind - context];
    const guess = hunk.oldStart + this.offset;
    if (pattern.length === 0) return guess;
    const last = this.input.length - (pattern.length - Math.max(back, 0)) + 1;
    const first = this.settled + 1;
    if (front < 0 && hunk.oldStart <= 1) {
      if (back < 0 && pattern.length !== this.input.length) return 0;
      return this.settled <= before && this.take(hunk, pattern, 1, 0, Math.max(back, 0)) ? 1 : 0;
    }
    if (back < 0) {
      const end = this.input.length - pattern.length + 1;
      return end >= first && this.take(hunk, pattern, end, Math.max(front, 0), 0) ? end : 0;
    }
    const most = Math.max(last - guess, guess - first);
    for (let distance = 0; distance <= most; distance += 1) {
      for (const place of distance === 0 ? [guess] : [guess + distance, guess - distance]) {
        if (place >= Math.max(first, 1) && place <= last && this.take(hunk, pattern, place, Math.max(front, 0), back)) return place;
      }
    }
    return 0;
  }

  private take(hunk: Hunk, pattern: readonly HunkLine[], place: number, front: number, back: number): boolean {
    for (let i = front; i < pattern.length - back; i += 1) {
      if (!this.same(pattern[i]!.text, this.input[place - 1 + i])) return false;
    }
    this.offset = place - hunk.oldStart;
    return true;
  }

  private same(wanted: string, line: string | undefined): boolean {
    if (line === undefined) return false;
    if (wanted === line) return true;
    return this.matching.ignoreSpace && squeezed(wanted) === squeezed(line);
  }

  /** Context lines stay as the input has them. */
  private put({ lines }: Hunk, where: number): void {
    let at = where - 1;
    this.output.push(...this.input.slice(this.settled, at));
    for (const { mark, text } of lines) {
      if (mark === "+") this.output.push(text);
      else if (mark === " ") this.output.push(this.input[at++] ?? text);
      else at += 1;
      this.grown += mark === "+" ? 1 : mark === "-" ? -1 : 0;
    }
    this.settled = at;
  }
}

function squeezed(text: string): string {
  return text.replace(/[ \t]+/g, " ").trimEnd();
}

/** How many lines of context stand before the first change and behind the last. */
function contextOf({ lines }: Hunk): [before: number, behind: number] {
  const first = lines.findIndex(({ mark }) => mark !== " ");
  if (first < 0) return [lines.length, lines.length];
  return [first, lines.length - 1 - lines.findLastIndex(({ mark }) => mark !== " ")];
}

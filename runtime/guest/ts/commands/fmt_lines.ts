/**
 * Where fmt breaks a paragraph into lines: the way that costs least. A line costs by how far its length is from the goal,
 * by how much it differs from the next one's, and by where it is broken; the last line is free. Costs are GNU fmt's.
 */

export interface Word {
  readonly text: string;
  /** Blanks behind it where the line goes on. */
  space: number;
  /** Begins with an opening bracket or quote. */
  readonly opens: boolean;
  /** Ends with punctuation. */
  readonly punctuated: boolean;
  /** Ends with a mark that can end a sentence. */
  readonly period: boolean;
  /** Ends a sentence. */
  final: boolean;
}

const square = (value: number): number => value * value;
const LINE = square(70);
const NO_BREAK = square(600);
const SENTENCE = square(50);
const BRACKET = square(40);
const PUNCTUATION = square(40);
const widow = (length: number): number => Math.trunc(square(200) / (length + 2));
const orphan = (length: number): number => Math.trunc(square(150) / (length + 2));
const uneven = (difference: number): number => square(difference * 10);

export interface Measures {
  readonly most: number;
  readonly goal: number;
  readonly firstIndent: number;
  readonly indent: number;
}

/** What it costs that a line begins with words[at]. */
function breakCost(words: readonly Word[], at: number): number {
  const [word, before, earlier] = [words[at]!, words[at - 1], words[at - 2]];
  let cost = LINE;
  if (before) {
    if (before.period) cost += before.final ? -SENTENCE : NO_BREAK;
    else if (before.punctuated) cost -= PUNCTUATION;
    else if (earlier?.final) cost += widow(before.text.length);
  }
  if (word.opens) cost -= BRACKET;
  else if (word.final) cost += orphan(word.text.length);
  return cost;
}

/** For each word, if a line begins with it: where the next line begins. Follow it from 0 on. */
export function chooseBreaks(words: readonly Word[], { most, goal, firstIndent, indent }: Measures): number[] {
  const count = words.length;
  const next = new Array<number>(count).fill(count);
  const lengths = new Array<number>(count).fill(0);
  const costs = new Array<number>(count + 1).fill(0);
  for (let start = count - 1; start >= 0; start -= 1) {
    let best = Infinity;
    let length = start === 0 ? firstIndent : indent;
    for (let end = start + 1; ; end += 1) {
      length += words[end - 1]!.text.length;
      let cost = costs[end]!;
      if (end < count) {
        cost += uneven(goal - length);
        if (next[end]! < count) cost += uneven(length - lengths[end]!) / 2;
      }
      if (cost < best) {
        best = cost;
        next[start] = end;
        lengths[start] = length;
      }
      if (end === count) break;
      length += words[end - 1]!.space;
      if (length + words[end]!.text.length >= most) break;
    }
    costs[start] = best + breakCost(words, start);
  }
  return next;
}

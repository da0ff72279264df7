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

/** For each word, if a line begins with it: where the next line begins, how long it is, and what it and all behind it cost. */
interface Breaks {
  readonly next: number[];
  readonly lengths: number[];
  readonly costs: number[];
}

/** Follow `next` from 0 on. `before`: the length of the line before, or 0. */
function chooseBreaks(words: readonly Word[], { most, goal, firstIndent, indent }: Measures, before: number): Breaks {
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
      if (start === 0 && before > 0) cost += uneven(length - before) / 2;
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
  return { next, lengths, costs };
}

/** So many words, with so many bytes in all, are looked at at once. */
const [MOST_WORDS, MOST_BYTES] = [998, 5000];
const CREDIT = square(3);

/** Where to end a part: where breaking costs least, near the end rather than far from it. */
function partEnd({ next, costs }: Breaks): number {
  const count = next.length;
  let [end, best] = [count, Infinity];
  for (let at = next[0]!; at !== count; at = next[at]!) {
    const cost = costs[at]! - costs[next[at]!]!;
    if (cost < best) [end, best] = [at, cost];
    best += CREDIT;
  }
  return end;
}

/** A paragraph's words in parts of bounded size, and for each word that begins a line where the next one begins. */
export function* brokenInParts(words: readonly Word[], measures: Measures): Generator<[part: readonly Word[], next: readonly number[]]> {
  let [from, bytes, before] = [0, 0, 0];
  for (const [at, { text }] of words.entries()) {
    bytes += text.length;
    if (at === from || (bytes <= MOST_BYTES && at - from < MOST_WORDS)) continue;
    const part = words.slice(from, at);
    const breaks = chooseBreaks(part, measures, before);
    const end = partEnd(breaks);
    for (let line = 0; line < end; line = breaks.next[line]!) before = breaks.lengths[line]!;
    yield [part.slice(0, end), breaks.next];
    from += end;
    bytes = words.slice(from, at + 1).reduce((sum, word) => sum + word.text.length, 0);
  }
  const rest = words.slice(from);
  yield [rest, chooseBreaks(rest, measures, before).next];
}

/** What diff3 prints: the blocks themselves, a merged text, or an ed script that merges. */

import type { Block, Blocks, Range } from "./diff3_blocks";
import type { Lines } from "./diff_text";

/** What a merge takes over, and how it marks conflicts. */
export interface Merge {
  /** Where all three differ: whether that is taken over, and between marks. */
  readonly overlaps: boolean;
  readonly flags: boolean;
  /** Where only the third differs. */
  readonly simple: boolean;
  /** Also shows the second text's lines, and where the other two agree against it. */
  readonly all: boolean;
  readonly labels: readonly [string, string, string];
}

function raw(lines: Lines, { from, to }: Range): string {
  let text = "";
  for (let at = from; at < to; at += 1) text += lines.text(at) + (lines.hasEnd(at) ? "\n" : "");
  return text;
}

/** `3c`, `3,5c`, `2a`. */
function place({ from, to }: Range): string {
  if (from === to) return `${from}a`;
  return to - from === 1 ? `${to}c` : `${from + 1},${to}c`;
}

export function* plain({ texts, list }: Blocks, prefix: string): Generator<string> {
  for (const { ranges, odd } of list) {
    yield `====${odd === undefined ? "" : odd + 1}\n`;
    // Of the two that agree only the last one's lines are shown; the second comes last where it is the odd one.
    const hidden = odd === undefined ? undefined : odd === 0 ? 1 : 0;
    for (const index of odd === 1 ? [0, 2, 1] : [0, 1, 2]) yield `${index + 1}:${place(ranges[index]!)}\n${index === hidden ? "" : shown(texts[index]!, ranges[index]!, prefix)}`;
  }
}

function shown(lines: Lines, { from, to }: Range, prefix: string): string {
  let text = "";
  for (let at = from; at < to; at += 1) text += `${prefix}${lines.text(at)}\n${lines.hasEnd(at) ? "" : "\\ No newline at end of file\n"}`;
  return text;
}

/** Whether a block is a conflict, between marks; undefined for one that the first text stays as it is in. */
export function conflicts({ odd }: Block, { overlaps, flags, simple, all }: Merge): boolean | undefined {
  if (odd === undefined) return overlaps ? flags : undefined;
  if (odd === 1) return all ? true : undefined;
  return odd === 2 && simple ? false : undefined;
}

export function* merged({ texts, list }: Blocks, merge: Merge): Generator<string> {
  const [mine, old, yours] = texts;
  let at = 0;
  for (const block of list) {
    const conflict = conflicts(block, merge);
    if (conflict === undefined) continue;
    const [ours, before, theirs] = block.ranges;
    yield raw(mine, { from: at, to: ours.from });
    if (conflict && block.odd === undefined) yield `<<<<<<< ${merge.labels[0]}\n${raw(mine, ours)}`;
    if (conflict && merge.all) yield `${block.odd === undefined ? "|||||||" : "<<<<<<<"} ${merge.labels[1]}\n${raw(old, before)}`;
    yield conflict ? `=======\n${raw(yours, theirs)}>>>>>>> ${merge.labels[2]}\n` : raw(yours, theirs);
    at = ours.to;
  }
  yield raw(mine, { from: at, to: mine.count });
}

/** The lines of a text for ed, in which a dot at the start is doubled; ends with what undoes that from line `first` on. */
function typed(head: string, pieces: readonly string[], first: number, count: number): string {
  const text = pieces.map((piece) => (piece === "" || piece.endsWith("\n") ? piece : `${piece}\n`)).join("");
  const dotted = /^\./m.test(text);
  const undo = !dotted ? "" : `${count === 1 ? first : `${first},${first + count - 1}`}s/^\\.//\n`;
  return `${head}\n${text.replace(/^\./gm, "..")}.\n${undo}`;
}

export function* edScript({ texts, list }: Blocks, merge: Merge): Generator<string> {
  const [, old, yours] = texts;
  const [labelMine, labelOld, labelYours] = merge.labels;
  for (const block of [...list].reverse()) {
    const conflict = conflicts(block, merge);
    if (conflict === undefined) continue;
    const [ours, before, theirs] = block.ranges;
    const [oldCount, count] = [before.to - before.from, theirs.to - theirs.from];
    if (!conflict) {
      const lines = ours.to - ours.from === 1 ? `${ours.to}` : `${ours.from + 1},${ours.to}`;
      yield count === 0 ? `${lines}d\n` : typed(place(ours), [raw(yours, theirs)], ours.from + 1, count);
      continue;
    }
    const isOverlap = block.odd === undefined;
    const tail = isOverlap ? [...(merge.all ? [`||||||| ${labelOld}\n`, raw(old, before)] : []), "=======\n", raw(yours, theirs)] : [];
    yield typed(`${ours.to}a`, [...tail, `>>>>>>> ${labelYours}\n`], ours.to + 2, oldCount + count + 1);
    const start = isOverlap ? [`<<<<<<< ${labelMine}\n`] : [`<<<<<<< ${labelOld}\n`, raw(old, before), "=======\n"];
    yield typed(`${ours.from}a`, start, ours.from + 2, oldCount);
  }
}

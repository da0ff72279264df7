/** Where three texts differ: two comparisons with the one in common, put together. */

import { type Change, compareTexts, type Comparison, type Lines } from "./diff_text";

/** As GNU's diff3 asks of diff. */
const HORIZON = 100;

/** Lines from `from` up to `to`, which is not part of it. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Block {
  /** Of each of the three texts. */
  readonly ranges: readonly [Range, Range, Range];
  /** The text that differs from the other two, which are the same there; undefined where all differ. */
  readonly odd: 0 | 1 | 2 | undefined;
}

export interface Blocks {
  readonly texts: readonly [Lines, Lines, Lines];
  readonly list: readonly Block[];
}

/** `common`: which of the second and the third text both others are compared with. */
export function blocksOf(texts: readonly Uint8Array[], common: 1 | 2, flags: number): Blocks {
  const other = common === 1 ? 2 : 1;
  const [first, second] = [0, other].map((index) => compareTexts(texts[index]!, texts[common]!, flags, HORIZON, () => false)) as [Comparison, Comparison];
  const lines: Lines[] = [first.left];
  lines[other] = second.left;
  lines[common] = first.right;
  // How far both are ahead of the common text, in lines.
  const ahead: [number, number] = [0, 0];
  const list = grouped(first.changes, second.changes).map((group) => blockOf(lines as unknown as Blocks["texts"], group, common, ahead));
  return { texts: lines as unknown as Blocks["texts"], list };
}

type Group = [first: Change[], second: Change[]];

/** Changes that overlap or touch each other in the common text. */
function grouped(first: readonly Change[], second: readonly Change[]): Group[] {
  const all = [...first.map((change) => ({ change, side: 0 })), ...second.map((change) => ({ change, side: 1 }))];
  all.sort((a, b) => a.change.right - b.change.right);
  const groups: Group[] = [];
  let end = -1;
  for (const { change, side } of all) {
    if (change.right > end || groups.length === 0) groups.push([[], []]);
    groups[groups.length - 1]![side]!.push(change);
    end = Math.max(end, change.right + change.rightCount);
  }
  return groups;
}

function blockOf(texts: Blocks["texts"], group: Group, common: 1 | 2, ahead: [number, number]): Block {
  const all = group.flat();
  const range = { from: Math.min(...all.map(({ right }) => right)), to: Math.max(...all.map(({ right, rightCount }) => right + rightCount)) };
  const [mine, other] = group.map((changes, side) => {
    const from = range.from + ahead[side]!;
    ahead[side] = changes.reduce((sum, { leftCount, rightCount }) => sum + leftCount - rightCount, ahead[side]!);
    return { from, to: range.to + ahead[side] };
  }) as [Range, Range];
  const third = common === 1 ? 2 : 1;
  const ranges = common === 1 ? ([mine, range, other] as const) : ([mine, other, range] as const);
  const [ours, theirs] = group;
  if (theirs.length === 0) return { ranges, odd: 0 };
  if (ours.length === 0) return { ranges, odd: third };
  return { ranges, odd: same(texts[0], mine, texts[third], other) ? common : undefined };
}

function same(left: Lines, a: Range, right: Lines, b: Range): boolean {
  if (a.to - a.from !== b.to - b.from) return false;
  for (let at = 0; at < a.to - a.from; at += 1) {
    if (left.text(a.from + at) !== right.text(b.from + at) || left.hasEnd(a.from + at) !== right.hasEnd(b.from + at)) return false;
  }
  return true;
}

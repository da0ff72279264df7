/** diff -y: the two texts in columns. */

import type { Layout } from "./diff_output";
import type { Comparison, Lines } from "./diff_text";

const TAB = 8;
const GUTTER = 3;

interface Columns {
  /** Of a column. */
  readonly width: number;
  /** Where the right one begins. */
  readonly right: number;
  readonly expandTabs: boolean;
}

function columnsFor({ width, expandTabs }: Layout): Columns {
  const unit = expandTabs ? 1 : TAB;
  const shared = unit + GUTTER;
  const middle = (width >> 1) + (shared >> 1) + (width & shared & 1);
  const right = middle - (middle % unit);
  const half = right <= GUTTER || width <= right ? 0 : Math.min(right - GUTTER, width - right);
  return { width: half, right: half > 0 ? right : width, expandTabs };
}

/** Blanks that lead from one column to another. */
function advance(from: number, to: number, expandTabs: boolean): string {
  let [text, at] = ["", from];
  if (!expandTabs) {
    for (let tab = at + TAB - (at % TAB); tab <= to; tab += TAB) {
      text += "\t";
      at = tab;
    }
  }
  return text + " ".repeat(Math.max(0, to - at));
}

/** As much of a line as fits, and the column that it reaches. */
function half(text: string, { width, expandTabs }: Columns): [shown: string, reached: number] {
  let [shown, at, reached] = ["", 0, 0];
  for (const char of text) {
    if (char !== "\t") {
      if (at++ < width) {
        reached = at;
        shown += char;
      }
      continue;
    }
    const next = at + TAB - (at % TAB);
    if (at === reached && next < width) {
      shown += expandTabs ? " ".repeat(next - at) : "\t";
      reached = next;
    } else if (expandTabs && at === reached) {
      shown += " ".repeat(Math.max(0, width - at));
      reached = Math.max(reached, width);
    }
    at = next;
  }
  return [shown, reached];
}

function row(columns: Columns, left: readonly [Lines, number] | undefined, mark: string, right: readonly [Lines, number] | undefined): string {
  let [text, at] = left ? half(left[0].text(left[1]), columns) : ["", 0];
  const ends = [left, right].map((side) => side !== undefined && side[0].hasEnd(side[1]));
  if (mark !== " ") {
    const middle = (columns.width + columns.right - 1) >> 1;
    const shown = mark === "|" && ends[0] !== ends[1] ? (ends[0] ? "/" : "\\") : mark;
    text += advance(at, middle, columns.expandTabs) + shown;
    at = Math.max(at, middle) + 1;
  }
  const other = right && right[0].text(right[1]);
  if (other) text += advance(at, columns.right, columns.expandTabs) + half(other, columns)[0];
  return ends.includes(true) ? `${text}\n` : text;
}

export function* columns({ left, right, changes }: Comparison, layout: Layout): Generator<string> {
  const sizes = columnsFor(layout);
  let [l, r] = [0, 0];
  function* common(to: number): Generator<string> {
    for (; l < to; l += 1, r += 1) {
      if (layout.suppressCommon) continue;
      yield layout.leftColumn ? row(sizes, [left, l], "(", undefined) : row(sizes, [left, l], " ", [right, r]);
    }
  }
  for (const change of changes) {
    yield* common(change.left);
    const [leftEnd, rightEnd] = [l + change.leftCount, r + change.rightCount];
    if (change.ignored) continue;
    for (; l < leftEnd && r < rightEnd; l += 1, r += 1) yield row(sizes, [left, l], "|", [right, r]);
    for (; l < leftEnd; l += 1) yield row(sizes, [left, l], "<", undefined);
    for (; r < rightEnd; r += 1) yield row(sizes, undefined, ">", [right, r]);
  }
  yield* common(left.count);
}

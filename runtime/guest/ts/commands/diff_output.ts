/** A comparison as text: each style is a generator of what goes out, a piece for each hunk. */

import { type Change, type Comparison, hunks, type Lines } from "./diff_text";

export interface Layout {
  readonly context: number;
  /** What stands for the files in front of the first hunk. */
  readonly titles: readonly [left: string, right: string];
  /** The line above a hunk that tells where it is, up to the line given; "" for none. */
  readonly heading: (lines: Lines, before: number) => string;
  readonly width: number;
  readonly leftColumn: boolean;
  readonly suppressCommon: boolean;
  readonly expandTabs: boolean;
  readonly initialTab: boolean;
  readonly suppressBlankEmpty: boolean;
}

export type Style = (comparison: Comparison, layout: Layout) => Generator<string>;

const NO_END = "\\ No newline at end of file\n";

function line(lines: Lines, at: number, mark: string, layout: Layout): string {
  const text = lines.text(at);
  const front = text === "" && layout.suppressBlankEmpty ? mark.trimEnd() : layout.initialTab && mark !== "" ? `${tabbed(mark)}\t` : mark;
  const shown = layout.expandTabs ? expanded(text) : text;
  return lines.hasEnd(at) ? `${front}${shown}\n` : `${front}${shown}\n${NO_END}`;
}

/** A mark that a tab follows: without its blank, but for that of a line without a change. */
const tabbed = (mark: string): string => (mark === " " ? "" : mark.slice(0, 1));

function expanded(text: string): string {
  let column = 0;
  return text.replace(/[^\t]+|\t/g, (part) => {
    const out = part === "\t" ? " ".repeat(8 - (column % 8)) : part;
    column += out.length;
    return out;
  });
}

function several(lines: Lines, from: number, count: number, mark: string, layout: Layout): string {
  let text = "";
  for (let at = from; at < from + count; at += 1) text += line(lines, at, mark, layout);
  return text;
}

// --- normal

/** `3`, `3,5`; for no lines the one before. */
function range(first: number, count: number): string {
  return count > 1 ? `${first + 1},${first + count}` : String(count === 0 ? first : first + 1);
}

export function* normal({ left, right, changes }: Comparison, layout: Layout): Generator<string> {
  for (const change of changes) {
    if (change.ignored) continue;
    const letter = change.leftCount === 0 ? "a" : change.rightCount === 0 ? "d" : "c";
    const old = several(left, change.left, change.leftCount, "< ", layout);
    const fresh = several(right, change.right, change.rightCount, "> ", layout);
    yield `${range(change.left, change.leftCount)}${letter}${range(change.right, change.rightCount)}\n${old}${letter === "c" ? "---\n" : ""}${fresh}`;
  }
}

// --- an ed script, and RCS's

export function* ed({ right, changes }: Comparison): Generator<string> {
  for (const change of [...changes].reverse()) {
    if (change.ignored) continue;
    const letter = change.leftCount === 0 ? "a" : change.rightCount === 0 ? "d" : "c";
    yield `${range(change.left, change.leftCount)}${letter}\n`;
    if (change.rightCount > 0) yield* edText(right, change);
  }
}

/** A line that is a dot alone would end the text: it goes in as two dots, of which one is then taken away. */
function* edText(lines: Lines, { right, rightCount }: Change): Generator<string> {
  let inside = true;
  for (let at = right; at < right + rightCount; at += 1) {
    if (!inside) yield "a\n";
    inside = lines.text(at) !== ".";
    yield inside ? `${lines.text(at)}\n` : "..\n.\ns/.//\n";
  }
  if (inside) yield ".\n";
}

export function* rcs({ right, changes }: Comparison, layout: Layout): Generator<string> {
  for (const change of changes) {
    if (change.ignored) continue;
    if (change.leftCount > 0) yield `d${change.left + 1} ${change.leftCount}\n`;
    if (change.rightCount === 0) continue;
    yield `a${change.left + change.leftCount} ${change.rightCount}\n`;
    for (let at = change.right; at < change.right + change.rightCount; at += 1) yield line(right, at, "", layout).replace(NO_END, "").replace(/\n$/, right.hasEnd(at) ? "\n" : "");
  }
}

// --- context

/** A hunk with the lines around it. */
interface Frame {
  readonly changes: readonly Change[];
  readonly left: number;
  readonly leftEnd: number;
  readonly right: number;
  readonly rightEnd: number;
}

function frame({ left, right }: Comparison, changes: readonly Change[], context: number): Frame {
  const [first, last] = [changes[0]!, changes.at(-1)!];
  const before = Math.min(context, first.left, first.right);
  const [leftEnd, rightEnd] = [last.left + last.leftCount, last.right + last.rightCount];
  const behind = Math.min(context, left.count - leftEnd, right.count - rightEnd);
  return { changes, left: first.left - before, leftEnd: leftEnd + behind, right: first.right - before, rightEnd: rightEnd + behind };
}

function* frames(comparison: Comparison, context: number): Generator<Frame> {
  for (const changes of hunks(comparison.changes, context)) {
    if (!changes.every(({ ignored }) => ignored)) yield frame(comparison, changes, context);
  }
}

export function* unified(comparison: Comparison, layout: Layout): Generator<string> {
  const { left, right } = comparison;
  const span = (from: number, to: number): string => (to - from === 1 ? `${to}` : `${to === from ? from : from + 1},${to - from}`);
  let head = `--- ${layout.titles[0]}\n+++ ${layout.titles[1]}\n`;
  for (const hunk of frames(comparison, layout.context)) {
    let text = `${head}@@ -${span(hunk.left, hunk.leftEnd)} +${span(hunk.right, hunk.rightEnd)} @@${layout.heading(left, hunk.left)}\n`;
    head = "";
    let at = hunk.left;
    for (const change of hunk.changes) {
      text += several(left, at, change.left - at, " ", layout);
      text += several(left, change.left, change.leftCount, "-", layout) + several(right, change.right, change.rightCount, "+", layout);
      at = change.left + change.leftCount;
    }
    yield text + several(left, at, hunk.leftEnd - at, " ", layout);
  }
}

export function* context(comparison: Comparison, layout: Layout): Generator<string> {
  const { left, right } = comparison;
  const span = (from: number, to: number): string => (to - from <= 1 ? `${to}` : `${from + 1},${to}`);
  let head = `*** ${layout.titles[0]}\n--- ${layout.titles[1]}\n`;
  for (const hunk of frames(comparison, layout.context)) {
    const { changes } = hunk;
    const old = changes.some((change) => change.leftCount > 0) ? marked(left, hunk.left, hunk.leftEnd, changes.map((change) => [change.left, change.leftCount, change.rightCount > 0]), "- ", layout) : "";
    const fresh = changes.some((change) => change.rightCount > 0) ? marked(right, hunk.right, hunk.rightEnd, changes.map((change) => [change.right, change.rightCount, change.leftCount > 0]), "+ ", layout) : "";
    yield `${head}***************${layout.heading(left, hunk.left)}\n*** ${span(hunk.left, hunk.leftEnd)} ****\n${old}--- ${span(hunk.right, hunk.rightEnd)} ----\n${fresh}`;
    head = "";
  }
}

function marked(lines: Lines, from: number, end: number, parts: readonly (readonly [first: number, count: number, both: boolean])[], mark: string, layout: Layout): string {
  let [text, at] = ["", from];
  for (const [first, count, both] of parts) {
    text += several(lines, at, first - at, "  ", layout) + several(lines, first, count, both ? "! " : mark, layout);
    at = first + count;
  }
  return text + several(lines, at, end - at, "  ", layout);
}

/** The last line before `before` that the pattern finds, as a hunk's heading. */
export function headings(finds: (text: string) => boolean): Layout["heading"] {
  let [searched, found] = [0, -1];
  return (lines, before) => {
    for (let at = before - 1; at >= searched; at -= 1) {
      if (!finds(lines.text(at))) continue;
      found = at;
      break;
    }
    searched = Math.max(searched, before);
    return found < 0 ? "" : ` ${native40(lines.text(found).trimStart())}`;
  };
}

function native40(text: string): string {
  return [...text].slice(0, 40).join("").trimEnd();
}

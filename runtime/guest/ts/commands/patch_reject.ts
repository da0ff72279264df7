/** Hunks that found no place, as a patch of their own. */

import type { Outcome } from "./patch_apply";
import type { FilePatch, HunkLine } from "./patch_parse";

const NO_END = "\\ No newline at end of file\n";

export function rejects(patch: FilePatch, failed: readonly Outcome[], reverse: boolean): string {
  const names = [patch.oldHeader ?? "/dev/null", patch.newHeader ?? "/dev/null"];
  if (reverse) names.reverse();
  if (patch.style === "unified") return `--- ${names[0]}\n+++ ${names[1]}\n${failed.map(unified).join("")}`;
  return `*** ${names[0]}\n--- ${names[1]}\n${failed.map(context).join("")}`;
}

function shown(mark: string, text: string): string {
  return text.endsWith("\n") ? mark + text : `${mark}${text}\n${NO_END}`;
}

function counts(lines: readonly HunkLine[]): [old: number, fresh: number] {
  return [lines.filter(({ mark }) => mark !== "+").length, lines.filter(({ mark }) => mark !== "-").length];
}

function unified({ hunk, line }: Outcome): string {
  const [old, fresh] = counts(hunk.lines);
  const span = (start: number, count: number): string => (count === 1 ? `${start}` : `${count === 0 ? start - 1 : start},${count}`);
  const moved = line - hunk.oldStart;
  return `@@ -${span(line, old)} +${span(hunk.newStart + moved, fresh)} @@\n${hunk.lines.map(({ mark, text }) => shown(mark, text)).join("")}`;
}

/** The lines of one side, each marked: `!` where lines are replaced by others. */
function section(lines: readonly HunkLine[], own: "-" | "+", keepsSigns: boolean): string {
  let text = "";
  for (let at = 0; at < lines.length; ) {
    if (lines[at]!.mark === " ") {
      text += shown("  ", lines[at++]!.text);
      continue;
    }
    const behind = lines.findIndex(({ mark }, i) => i > at && mark === " ");
    const group = lines.slice(at, behind < 0 ? lines.length : behind);
    const replaced = !keepsSigns && group.some(({ mark }) => mark === "-") && group.some(({ mark }) => mark === "+");
    for (const line of group) if (line.mark === own) text += shown(replaced ? "! " : `${own} `, line.text);
    at += group.length;
  }
  return text;
}

/** Hunks of normal diffs, which have no context, keep their signs. */
function context({ hunk, line }: Outcome): string {
  const [old, fresh] = counts(hunk.lines);
  const span = (start: number, count: number): string => (count === 0 ? `${start - 1}` : count === 1 ? `${start}` : `${start},${start + count - 1}`);
  const signs = hunk.lines.every(({ mark }) => mark !== " ");
  const from = hunk.newStart + line - hunk.oldStart;
  return `***************\n*** ${span(line, old)}${old > 1 ? " ****" : ""}\n${section(hunk.lines, "-", signs)}--- ${span(from, fresh)} ${fresh > 1 ? "----" : "-----"}\n${section(hunk.lines, "+", signs)}`;
}

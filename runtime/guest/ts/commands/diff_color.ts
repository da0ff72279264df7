/** diff --color: what the styles print, with lines marked as GNU diff marks them. */

import type { Style } from "./diff_output";

const BOLD = "1";
const PLACE = "36";
const OLD = "31";
const NEW = "32";

/** The color of a line, and how much of it is colored; undefined for none. */
type Coloring = (line: string, at: number, isFirst: boolean) => readonly [color: string, length: number] | undefined;

const whole = (color: string, line: string): readonly [string, number] => [color, line.length];

const unified: Coloring = (line, at, isFirst) => {
  if (isFirst && at < 2) return whole(BOLD, line);
  if (line.startsWith("@@")) return [PLACE, line.indexOf("@@", 2) + 2];
  return line.startsWith("-") ? whole(OLD, line) : line.startsWith("+") ? whole(NEW, line) : undefined;
};

const normal: Coloring = (line) => {
  if (/^\d/.test(line)) return whole(PLACE, line);
  return line.startsWith("<") ? whole(OLD, line) : line.startsWith(">") ? whole(NEW, line) : undefined;
};

/** All lines of the old part are of one color, those of the new part of another. */
function context(): Coloring {
  let part = OLD;
  return (line, at, isFirst) => {
    if (isFirst && at < 2) return whole(BOLD, line);
    if (/^(\*\*\* [\d,]+ \*\*\*\*|--- [\d,]+ ----)$/.test(line)) {
      part = line.startsWith("*") ? OLD : NEW;
      return whole(PLACE, line);
    }
    return line.startsWith("****") ? undefined : whole(part, line);
  };
}

/** By the style's name; others have no colors. */
const COLORINGS: Readonly<Record<string, () => Coloring>> = { unified: () => unified, normal: () => normal, context };

export function colored(style: Style, name: string): Style {
  const coloring = COLORINGS[name];
  if (!coloring) return style;
  return function* (comparison, layout) {
    const color = coloring();
    let isFirst = true;
    for (const piece of style(comparison, layout)) {
      yield piece.replace(/[^\n]+|\n/g, lineByLine(color, isFirst));
      isFirst = false;
    }
  };
}

function lineByLine(color: Coloring, isFirst: boolean): (line: string) => string {
  let at = 0;
  return (line) => {
    if (line === "\n") return line;
    const found = color(line, at++, isFirst);
    return found ? `\x1b[${found[0]}m${line.slice(0, found[1])}\x1b[0m${line.slice(found[1])}` : line;
  };
}

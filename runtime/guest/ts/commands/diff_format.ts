/** diff's --line-format and --GTYPE-group-format: output as the user spells it. */

import type { Style } from "./diff_output";
import type { Comparison, Lines } from "./diff_text";

export interface Formats {
  readonly lines: { readonly old: string; readonly new: string; readonly unchanged: string };
  readonly groups: { readonly old: string; readonly new: string; readonly unchanged: string; readonly changed: string };
}

/** `#ifdef NAME` around what is only in one of the texts. */
export function ifdef(name: string): Formats["groups"] {
  return {
    old: `#ifndef ${name}\n%<#endif /* ! ${name} */\n`, new: `#ifdef ${name}\n%>#endif /* ${name} */\n`, unchanged: "%=",
    changed: `#ifndef ${name}\n%<#else /* ${name} */\n%>#endif /* ${name} */\n`,
  };
}

/** A stretch of one side. */
interface Part {
  readonly lines: Lines;
  readonly from: number;
  readonly count: number;
}

interface Group {
  readonly old: Part;
  readonly new: Part;
}

const NUMBER = "(-?)('?)(0?)(\\d*)(?:\\.(\\d*))?([doxX])";
const LINE = new RegExp(`%(?:${NUMBER}n|(L)|(l)|(%)|c'(\\\\[0-7]{1,3}|[^'])')`, "g");
const GROUP = new RegExp(`%(?:${NUMBER}([EFLMNeflmn])|([<>=])|(%)|c'(\\\\[0-7]{1,3}|[^'])')`, "g");
const CONDITION = /%\(([EFLMNeflmn]|\d+)=([EFLMNeflmn]|\d+)\?([^:)]*):([^)]*)\)/g;
const RADIX: Readonly<Record<string, number>> = { d: 10, o: 8, x: 16, X: 16 };

function spelled(value: number, left: string, zero: string, width: string, precision: string | undefined, letter: string): string {
  const plain = Math.abs(value).toString(RADIX[letter]).padStart(Number(precision ?? 0), "0");
  const digits = (value < 0 ? "-" : "") + (letter === "X" ? plain.toUpperCase() : plain);
  const size = Number(width);
  return left ? digits.padEnd(size) : digits.padStart(size, zero && precision === undefined ? "0" : " ");
}

function character(text: string): string {
  return text.length > 1 ? String.fromCharCode(Number.parseInt(text.slice(1), 8)) : text;
}

function lineText(format: string, lines: Lines, at: number): string {
  const text = lines.text(at);
  return format.replace(LINE, (_, left, _quote, zero, width, precision, letter, whole, bare, percent, char) => {
    if (letter) return spelled(at + 1, left, zero, width, precision, letter);
    if (whole) return lines.hasEnd(at) ? `${text}\n` : text;
    return bare ? text : percent ? "%" : character(char);
  });
}

function partText(format: string, { lines, from, count }: Part): string {
  return Array.from({ length: count }, (_, i) => lineText(format, lines, from + i)).join("");
}

/** F: the first line's number, L: the last's, N: how many, E: before the first, M: behind the last. Capitals: the new text. */
function value(name: string, group: Group): number {
  if (/\d/.test(name)) return Number(name);
  const { from, count } = name === name.toUpperCase() ? group.new : group.old;
  return { F: from + 1, L: from + count, N: count, E: from, M: from + count + 1 }[name.toUpperCase()]!;
}

function groupText(format: string, group: Group, { lines }: Formats, unchanged: boolean): string {
  const chosen = format.replace(CONDITION, (_, a: string, b: string, yes: string, no: string) => (value(a, group) === value(b, group) ? yes : no));
  return chosen.replace(GROUP, (_, left, _quote, zero, width, precision, radix, name, which, percent, char) => {
    if (name) return spelled(value(name, group), left, zero, width, precision, radix);
    if (which === "<") return partText(unchanged ? lines.unchanged : lines.old, group.old);
    if (which === ">") return partText(unchanged ? lines.unchanged : lines.new, group.new);
    if (which === "=") return partText(lines.unchanged, group.old);
    return percent ? "%" : character(char);
  });
}

export function formatted(formats: Formats): Style {
  return function* ({ left, right, changes }: Comparison) {
    let [l, r] = [0, 0];
    const group = (leftEnd: number, rightEnd: number): Group => {
      const parts = { old: { lines: left, from: l, count: leftEnd - l }, new: { lines: right, from: r, count: rightEnd - r } };
      [l, r] = [leftEnd, rightEnd];
      return parts;
    };
    for (const change of changes) {
      if (change.left > l) yield groupText(formats.groups.unchanged, group(change.left, change.right), formats, true);
      const { groups } = formats;
      const format = change.ignored ? groups.unchanged : change.leftCount === 0 ? groups.new : change.rightCount === 0 ? groups.old : groups.changed;
      yield groupText(format, group(l + change.leftCount, r + change.rightCount), formats, change.ignored);
    }
    if (l < left.count) yield groupText(formats.groups.unchanged, group(left.count, right.count), formats, true);
  };
}

/** The shapes that most patterns have, matched by the methods of strings. */

import type { Pattern } from "../pattern";
import type { Node } from "./parse";

type Quick = (text: string) => Pattern;

/** By the kinds of nodes: `text many` is `abc*`. */
const SHAPES: Readonly<Record<string, Quick>> = {
  "": () => literalPattern(""),
  text: literalPattern,
  many: () => everything,
  "text many": startPattern,
  "many text": endPattern,
  "many text many": insidePattern,
};

export function quickPattern(nodes: readonly Node[]): Pattern | undefined {
  const make = SHAPES[nodes.map((node) => node.kind).join(" ")];
  return make?.(nodes.map((node) => (node.kind === "text" ? node.text : "")).join(""));
}

const everything: Pattern = {
  test: () => true,
  prefix: (text, longest) => (longest ? text.length : 0),
  suffix: (text, longest) => (longest ? 0 : text.length),
  search: (text, from) => [from, text.length],
};

export function literalPattern(wanted: string): Pattern {
  return {
    literal: wanted,
    test: (text) => text === wanted,
    prefix: (text) => (text.startsWith(wanted) ? wanted.length : -1),
    suffix: (text) => (text.endsWith(wanted) ? text.length - wanted.length : -1),
    search: (text, from) => spread(text.indexOf(wanted, from), wanted.length),
  };
}

/** `abc*`. */
function startPattern(start: string): Pattern {
  return {
    test: (text) => text.startsWith(start),
    prefix: (text, longest) => (text.startsWith(start) ? (longest ? text.length : start.length) : -1),
    suffix: (text, longest) => (longest ? text.indexOf(start) : text.lastIndexOf(start)),
    search(text, from) {
      const at = text.indexOf(start, from);
      return at < 0 ? undefined : [at, text.length];
    },
  };
}

/** `*abc`. */
function endPattern(end: string): Pattern {
  const behind = (at: number): number => (at < 0 ? -1 : at + end.length);
  return {
    test: (text) => text.endsWith(end),
    prefix: (text, longest) => behind(longest ? text.lastIndexOf(end) : text.indexOf(end)),
    suffix: (text, longest) => (text.endsWith(end) ? (longest ? 0 : text.length - end.length) : -1),
    search(text, from) {
      const at = text.lastIndexOf(end);
      return at < from ? undefined : [from, at + end.length];
    },
  };
}

/** `*abc*`. */
function insidePattern(inside: string): Pattern {
  return {
    test: (text) => text.includes(inside),
    prefix(text, longest) {
      const at = text.indexOf(inside);
      return at < 0 ? -1 : longest ? text.length : at + inside.length;
    },
    suffix(text, longest) {
      const at = text.lastIndexOf(inside);
      return at < 0 ? -1 : longest ? 0 : at;
    },
    search: (text, from) => (text.indexOf(inside, from) < 0 ? undefined : [from, text.length]),
  };
}

function spread(at: number, length: number): readonly [number, number] | undefined {
  return at < 0 ? undefined : [at, at + length];
}

/** The shapes that most patterns have: a run, with `*` before it, behind it or both; and for tests, any without groups. */

import type { Pattern } from "../pattern";
import type { Node } from "./parse";
import { isRunNode, mixedRun, type Run, type RunNode, textRun } from "./run";

type Quick = (run: Run) => Pattern;

/** By where a run (`r`) and `*` are: `abc*` and `[0-9]?*` are `r*`. */
const SHAPES: Readonly<Record<string, Quick>> = {
  r: onlyPattern,
  "r*": startPattern,
  "*r": endPattern,
  "*r*": insidePattern,
};

export function quickPattern(runs: readonly RunNode[][]): Pattern | undefined {
  const [wanted, ...others] = runs.filter((run) => run.length > 0);
  if (!wanted) return runs.length === 1 ? literalPattern("") : everything;
  const make = SHAPES[runs.map((run) => (run.length > 0 ? "r" : "")).join("*")];
  if (!make || others.length > 0) return undefined;
  return wanted.length === 1 && wanted[0]!.kind === "text" ? ofText(make, wanted[0]!.text) : make(mixedRun(wanted));
}

/** What is between the `*`s; undefined where there are groups. */
export function runsOf(nodes: readonly Node[]): RunNode[][] | undefined {
  const runs: RunNode[][] = [[]];
  for (const node of nodes) {
    if (node.kind === "many") runs.push([]);
    else if (isRunNode(node)) runs[runs.length - 1]!.push(node);
    else return undefined;
  }
  return runs;
}

/** Whole texts are compared at once, by the methods of strings. */
function ofText(make: Quick, wanted: string): Pattern {
  if (make === onlyPattern) return literalPattern(wanted);
  const pattern = make(textRun(wanted));
  if (make === startPattern) return { ...pattern, test: (text) => text.startsWith(wanted) };
  if (make === endPattern) return { ...pattern, test: (text) => text.endsWith(wanted) };
  return { ...pattern, test: (text) => text.includes(wanted) };
}

/**
 * Whether runs with `*` between them make up a text: the first at its start, the last at its end, each of the others at
 * the first place behind the one before. Time is bounded by pattern times text.
 */
export function testOf(parts: readonly RunNode[][]): (text: string) => boolean {
  const runs = parts.map(mixedRun);
  const [head] = runs;
  const tail = runs[runs.length - 1]!;
  return (text) => {
    let place = head!.from(text, 0);
    if (runs.length === 1) return place === text.length;
    for (let index = 1; index < runs.length - 1 && place >= 0; index += 1) {
      const start = runs[index]!.first(text, place);
      place = start < 0 ? -1 : runs[index]!.from(text, start);
    }
    return place >= 0 && tail.upTo(text, text.length) >= place;
  };
}

const everything: Pattern = {
  test: () => true,
  prefix: (text, longest) => (longest ? text.length : 0),
  suffix: (text, longest) => (longest ? 0 : text.length),
  search: (text, from) => [from, text.length],
};

export function literalPattern(wanted: string): Pattern {
  return { ...onlyPattern(textRun(wanted)), literal: wanted, test: (text) => text === wanted };
}

/** `abc`. */
function onlyPattern(run: Run): Pattern {
  return {
    test: (text) => run.from(text, 0) === text.length,
    prefix: (text) => run.from(text, 0),
    suffix: (text) => run.upTo(text, text.length),
    search(text, from) {
      const at = run.first(text, from);
      return at < 0 ? undefined : [at, run.from(text, at)];
    },
  };
}

/** `abc*`. */
function startPattern(run: Run): Pattern {
  return {
    test: (text) => run.from(text, 0) >= 0,
    prefix(text, longest) {
      const end = run.from(text, 0);
      return end >= 0 && longest ? text.length : end;
    },
    suffix: (text, longest) => (longest ? run.first(text, 0) : run.last(text)),
    search(text, from) {
      const at = run.first(text, from);
      return at < 0 ? undefined : [at, text.length];
    },
  };
}

/** `*abc`. */
function endPattern(run: Run): Pattern {
  const behind = (text: string, at: number): number => (at < 0 ? -1 : run.from(text, at));
  return {
    test: (text) => run.upTo(text, text.length) >= 0,
    prefix: (text, longest) => behind(text, longest ? run.last(text) : run.first(text, 0)),
    suffix(text, longest) {
      const start = run.upTo(text, text.length);
      return start >= 0 && longest ? 0 : start;
    },
    search(text, from) {
      const at = run.last(text);
      return at < from ? undefined : [from, run.from(text, at)];
    },
  };
}

/** `*abc*`. */
function insidePattern(run: Run): Pattern {
  return {
    test: (text) => run.first(text, 0) >= 0,
    prefix(text, longest) {
      const at = run.first(text, 0);
      return at < 0 ? -1 : longest ? text.length : run.from(text, at);
    },
    suffix(text, longest) {
      const at = run.last(text);
      return at < 0 ? -1 : longest ? 0 : at;
    },
    search: (text, from) => (run.first(text, from) < 0 ? undefined : [from, text.length]),
  };
}

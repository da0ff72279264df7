/** Interval patterns: by skeleton and by the largest field in which the ends differ. */
import { DATE_INTERVALS } from "../data/date-english";
import { mapFields } from "./generator";

type Halves = [first: string, second: string, head: string, tail: string];

let intervals: ReadonlyMap<string, ReadonlyMap<string, string>> | undefined;

/** The halves of the pattern for a skeleton's interval, or undefined if there is none. */
export function bestInterval(skeleton: string, letter: string): Halves | undefined {
  intervals ??= new Map(DATE_INTERVALS.split("|").map(readEntry));
  const pattern = find(skeleton, letter);
  return pattern === undefined ? undefined : halves(widen(pattern, skeleton));
}

/** Whether there are patterns for the skeleton at all. */
export function hasIntervals(skeleton: string): boolean {
  intervals ??= new Map(DATE_INTERVALS.split("|").map(readEntry));
  return nearest(skeleton) !== undefined;
}

function readEntry(entry: string): [string, ReadonlyMap<string, string>] {
  const at = entry.indexOf("=");
  const patterns = entry.slice(at + 1).split("~");
  return [entry.slice(0, at), new Map(patterns.map((text) => [text.charAt(0), text.slice(1)]))];
}

/** The pattern of the nearest skeleton with the same fields; for month and year also of one that has these besides. */
function find(skeleton: string, letter: string): string | undefined {
  const own = nearest(skeleton);
  const exact = own?.get(letter);
  if (own === undefined || exact !== undefined) return exact;
  if (!skeleton.includes("d") || !"My".includes(letter)) return smaller(own, letter);
  const more = letter === "y" && !skeleton.includes("M") ? "yM" : letter;
  return nearest(more + skeleton)?.get(letter);
}

/** Months without a year differ as months do. */
function smaller(own: ReadonlyMap<string, string>, letter: string): string | undefined {
  return letter === "y" ? own.get("M") : undefined;
}

function nearest(skeleton: string): ReadonlyMap<string, string> | undefined {
  let best: ReadonlyMap<string, string> | undefined;
  let least = Infinity;
  for (const [key, patterns] of intervals ?? []) {
    const distance = widthDistance(skeleton, key);
    if (distance < least) [best, least] = [patterns, distance];
  }
  return best;
}

/** How far apart the widths of equal fields are; infinite for other fields. Names and numbers are far apart. */
function widthDistance(a: string, b: string): number {
  const [mine, other] = [widths(a), widths(b)];
  if (mine.size !== other.size) return Infinity;
  let total = 0;
  for (const [letter, width] of mine) {
    const theirs = other.get(letter);
    if (theirs === undefined) return Infinity;
    total += Math.abs(width - theirs) + (letter === "M" && width > 2 !== theirs > 2 ? 100 : 0);
  }
  return total;
}

function widths(skeleton: string): Map<string, number> {
  const out = new Map<string, number>();
  mapFields(skeleton, (run) => (out.set(/[zO]/.test(run) ? "v" : run.charAt(0), run.length), run));
  return out;
}

/** The pattern with months, weekdays, years and zones as wide as asked for. */
function widen(pattern: string, skeleton: string): string {
  const zone = /z+|O+|v+/.exec(skeleton)?.[0];
  return mapFields(pattern, (run) => {
    const letter = run.charAt(0);
    if (letter === "v") return zone ?? run;
    const asked = new RegExp(`${letter === "L" ? "M" : letter}+`).exec(skeleton)?.[0].length ?? 0;
    return "MLEy".includes(letter) && asked > run.length ? letter.repeat(asked) : run;
  });
}

/** Split before the first field that comes again; what precedes the fields that come twice, and what follows, is shared. */
function halves(pattern: string): Halves {
  const runs = [...pattern.matchAll(/'[^']*'|([A-Za-z])\1*/g)].filter(([, letter]) => letter !== undefined);
  const seen = new Map<string, number>();
  for (const match of runs) {
    const letter = match[1] as string;
    const first = seen.get(letter);
    if (first !== undefined) {
      const last = runs.findLast((run) => [...seen.keys()].includes(run[1] as string));
      const end = (last?.index ?? 0) + (last?.[0].length ?? 0);
      return [pattern.slice(first, match.index), pattern.slice(match.index, end), pattern.slice(0, first), pattern.slice(end)];
    }
    seen.set(letter, match.index);
  }
  return [pattern, "", "", ""];
}

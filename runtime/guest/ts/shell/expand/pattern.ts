/** Shell patterns: `*`, `?`, `[…]`, and `@(…)` and its like. */

import { pollAt } from "../../bridge/poll";
import { foldCase, Matcher } from "./pattern/match";
import { type Node, parsePattern } from "./pattern/parse";
import { literalPattern, quickPattern, runsOf, testOf } from "./pattern/quick";

export interface Pattern {
  /** The one text that it matches, where it is no more than that. */
  readonly literal?: string;
  /** Whether it matches the whole text. */
  test(text: string): boolean;
  /** Where the longest or shortest match at the start ends, or -1. */
  prefix(text: string, longest: boolean): number;
  /** Where the longest or shortest match at the end starts, or -1. */
  suffix(text: string, longest: boolean): number;
  /** Start and end of the first, there longest match at or behind `from`. */
  search(text: string, from: number): readonly [number, number] | undefined;
}

/** Names of options as `shopt` has them. */
type Options = ReadonlySet<string>;

const CACHED_MOST = 500;
/** By pattern, one for each way to read them. */
const caches = Array.from({ length: 8 }, () => new Map<string, Pattern>());

/** Where `nocasematch` counts: in `case`, `[[ == ]]` and `${x/…}`. `extended`: whether `@(…)` and its like are patterns. */
export function compilePattern(pattern: string, options: Options, extended = options.has("extglob")): Pattern {
  return cached(pattern, extended, options.has("nocasematch"), false);
}

/** Where upper and lower case always differ: in `${x#…}` and the like. */
export function compileExact(pattern: string, options: Options): Pattern {
  return cached(pattern, options.has("extglob"), false, false);
}

/** A pattern for names in a directory; `hidden`: a dot at the start has to be written out. */
export function compileName(pattern: string, options: Options, hidden: boolean): Pattern {
  return cached(pattern, options.has("extglob"), options.has("nocaseglob"), hidden);
}

/** What a text has that may be more than a literal. */
const MEANING = /[\\*?[(]/;
/** Longer patterns are texts by accident, and hardly used twice. */
const CACHED_LENGTH = 1000;

function cached(pattern: string, extended: boolean, fold: boolean, hidden: boolean): Pattern {
  if (pattern.length > CACHED_LENGTH) return !fold && !MEANING.test(pattern) ? literalPattern(pattern) : compile(pattern, extended, fold, hidden);
  const cache = caches[(extended ? 1 : 0) + (fold ? 2 : 0) + (hidden ? 4 : 0)]!;
  let compiled = cache.get(pattern);
  if (compiled === undefined) {
    if (cache.size >= CACHED_MOST) cache.clear();
    cache.set(pattern, (compiled = compile(pattern, extended, fold, hidden)));
  }
  return compiled;
}

function compile(source: string, extended: boolean, fold: boolean, hidden: boolean): Pattern {
  const nodes = parsePattern(source, extended);
  if (fold) return general(nodes.map(foldNode), fold, hidden);
  const runs = runsOf(nodes);
  if (!runs) return general(nodes, fold, hidden);
  const pattern = quickPattern(runs) ?? { ...general(nodes, fold, false), test: testOf(runs) };
  return hidden && nodes[0] && nodes[0].kind !== "text" ? visible(pattern) : pattern;
}

/** Leaves out names that begin with a dot. */
function visible(pattern: Pattern): Pattern {
  return { ...pattern, test: (text) => text.charCodeAt(0) !== 46 && pattern.test(text) };
}

function foldNode(node: Node): Node {
  if (node.kind === "text") return { kind: "text", text: foldCase(node.text) };
  return node.kind === "group" ? { ...node, choices: node.choices.map((choice) => choice.map(foldNode)) } : node;
}

function general(nodes: readonly Node[], fold: boolean, hidden: boolean): Pattern {
  const matcher = new Matcher(nodes, fold, hidden);
  const [first] = nodes;
  const start = first?.kind === "text" && !fold ? first.text : "";
  return {
    test: (text) => text.startsWith(start) && matcher.ends(text, 0).at(-1) === text.length,
    prefix: (text, longest) => matcher.ends(text, 0).at(longest ? -1 : 0) ?? -1,
    suffix: (text, longest) => matcher.starts(text).at(longest ? 0 : -1) ?? -1,
    search(text, from) {
      for (let at = text.indexOf(start, from); at >= 0 && at <= text.length; at = at < text.length ? text.indexOf(start, at + 1) : -1) {
        pollAt(at);
        const end = matcher.ends(text, at).at(-1);
        if (end !== undefined) return [at, end];
      }
      return undefined;
    },
  };
}

/** Reserved words and aliases: what a word can be at the place of a command. */

import { characters, isMeta, OPEN } from "./chars";
import { unexpected } from "./faults";
import { skipBlanks } from "./blanks";
import type { Reader } from "./reader";

const WORDS = "if then else elif fi case esac for select while until do done in function time coproc { } ! [[ ]]".split(" ");
const KEYWORDS: ReadonlySet<string> = new Set(WORDS);
const LONGEST = Math.max(...WORDS.map((each) => each.length));

/** They end the list of commands before them. */
export const CLOSERS: ReadonlySet<string> = new Set("then do done fi elif else esac }".split(" "));

const ENDS = characters(" \t\n;&|<>()");
const STARTS = characters(WORDS.map((each) => each.charAt(0)).join(""));

/** The reserved word that stands here. */
export function peekKeyword(reader: Reader): string | undefined {
  const { pos } = reader;
  const first = reader.codes[pos];
  if (first === undefined || STARTS[first] !== 1) return undefined;
  if (reader.keywordAt !== pos) findKeyword(reader, pos);
  return reader.keyword;
}

/** Moves over `keyword` if it stands here. */
export function takeKeyword(reader: Reader, keyword: string): boolean {
  if (peekKeyword(reader) !== keyword) return false;
  reader.pos = reader.keywordEnd;
  return true;
}

function findKeyword(reader: Reader, start: number): void {
  const { text, codes } = reader;
  reader.keywordAt = start;
  reader.keyword = undefined;
  let end = start;
  for (let code = codes[end]; code !== undefined && ENDS[code] !== 1; code = codes[++end]) {
    if (end - start > LONGEST) return;
  }
  const word = text.slice(start, end);
  if (!KEYWORDS.has(word)) return;
  if (word === "!" && text.charCodeAt(end) === OPEN && reader.settings.extglob()) return;
  reader.keyword = word;
  reader.keywordEnd = end;
}

export function expectKeyword(reader: Reader, keyword: string): void {
  skipBlanks(reader);
  expandAliases(reader);
  if (!takeKeyword(reader, keyword)) throw unexpected(reader);
}

/** Replaces the word here as long as it is an alias. */
export function expandAliases(reader: Reader): void {
  const aliases = reader.settings.aliases();
  if (!aliases || aliases.size === 0) return;
  while (expandAlias(reader, aliases)) skipBlanks(reader);
}

const QUOTING = /[\\'"$`]/;

function expandAlias(reader: Reader, aliases: ReadonlyMap<string, string>): boolean {
  const { text, pos } = reader;
  let end = pos;
  while (!isMeta(end < text.length ? text.charCodeAt(end) : -1)) end++;
  const name = text.slice(pos, end);
  const value = aliases.get(name);
  if (value === undefined || QUOTING.test(name)) return false;
  return reader.expandAlias(name, end, value);
}


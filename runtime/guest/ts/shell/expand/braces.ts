/** Brace expansion, `a{b,c}` and `{1..9}`: one word becomes several before anything else happens to it. */

import { native } from "../../bridge/native";
import { pollAt } from "../../bridge/poll";
import { ShellError } from "../run/errors";
import type { Part, Word } from "../syntax/ast";
import type { Fields } from "./fields";

/** A character that may mean something here, or a part that may not. */
type Atom = string | Part;

/** More words than this are no one's intention, and would fill the memory. */
const WORDS_MOST = 1_000_000;

/** Sequences longer than this are no sequences, in bash. */
const COUNT_MOST = 2 ** 31 - 2;

/** The parts of each word that `word` makes, or work that adds the fields of a long sequence. */
export function expandBraces({ parts }: Word): (readonly Part[] | Fields)[] {
  if (!parts.some((part) => part.kind === "literal" && !part.quoted && part.text.includes("{"))) return [parts];
  try {
    const numbers = loneSequence(parts);
    return numbers ? [numbers] : expand(parts.flatMap(toAtoms)).map(toParts);
  } catch (error) {
    // Told when the word is used: commands before it on its line have run by then.
    if (error instanceof ShellError) return [() => refuse(error)];
    throw error;
  }
}

/** Whether a word is, or may be, several. */
export function isBraced(word: Word): boolean {
  const items = expandBraces(word);
  return items.length !== 1 || typeof items[0] === "function";
}

function refuse(error: ShellError): never {
  throw error;
}

function toAtoms(part: Part): readonly Atom[] {
  return part.kind === "literal" && !part.quoted ? Array.from(part.text) : [part];
}

function toParts(atoms: readonly Atom[]): readonly Part[] {
  const parts: Part[] = [];
  let text = "";
  const flush = (): void => {
    if (text !== "") parts.push(...joined(parts, text));
    text = "";
  };
  for (const atom of atoms) {
    if (typeof atom === "string") text += atom;
    else {
      flush();
      parts.push(atom);
    }
  }
  flush();
  return parts;
}

/** `$a{b,c}` is `$ab` and `$ac`: what follows a plain parameter goes on with its name. */
function joined(parts: Part[], text: string): Part[] {
  const last = parts[parts.length - 1];
  const more = /^\w+/.exec(text)?.[0];
  const literal = (rest: string): Part[] => (rest === "" ? [] : [{ kind: "literal", text: rest, quoted: false }]);
  if (!more || last?.kind !== "parameter" || last.source.startsWith("${") || !/^[A-Za-z_]/.test(last.name)) return literal(text);
  parts.pop();
  return [{ ...last, name: last.name + more, source: last.source + more }, ...literal(text.slice(more.length))];
}

function expand(atoms: readonly Atom[]): (readonly Atom[])[] {
  for (let open = atoms.indexOf("{"); open >= 0; open = atoms.indexOf("{", open + 1)) {
    const close = closing(atoms, open);
    const middles = close < 0 ? undefined : alternatives(atoms.slice(open + 1, close));
    if (!middles) continue;
    const before = atoms.slice(0, open);
    const after = expand(atoms.slice(close + 1));
    if (middles.length * after.length > WORDS_MOST) throw new ShellError(`brace expansion: more than ${WORDS_MOST} words`);
    return middles.flatMap((middle) => {
      native.host.poll();
      return after.map((rest) => [...before, ...middle, ...rest]);
    });
  }
  return [atoms];
}

function closing(atoms: readonly Atom[], open: number): number {
  let depth = 0;
  for (let index = open; index < atoms.length; index += 1) {
    if (atoms[index] === "{") depth += 1;
    else if (atoms[index] === "}" && --depth === 0) return index;
  }
  return -1;
}

/** What stands between a pair of braces, each expanded further; undefined when the braces mean nothing. */
function alternatives(inside: readonly Atom[]): (readonly Atom[])[] | undefined {
  const items: Atom[][] = [[]];
  let depth = 0;
  for (const atom of inside) {
    if (atom === "{") depth += 1;
    else if (atom === "}") depth -= 1;
    if (atom === "," && depth === 0) items.push([]);
    else items[items.length - 1]!.push(atom);
  }
  if (items.length > 1) return items.flatMap(expand);
  if (inside.some((atom) => typeof atom !== "string")) return undefined;
  const found = parseSequence(inside.join(""));
  if (!found) return undefined;
  return Array.from({ length: found.count }, (_, index) => {
    pollAt(index);
    return [found.at(index)];
  });
}

/** How many there are, and each by its place. */
interface Sequence {
  readonly count: number;
  readonly at: (index: number) => string;
}

const NUMBERS = /^([-+]?\d{1,18}|\d{19})\.\.([-+]?\d{1,18}|\d{19})(?:\.\.([-+]?\d{1,15}))?$/;
const LETTERS = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.([-+]?\d{1,15}))?$/;

function parseSequence(text: string): Sequence | undefined {
  const numbers = NUMBERS.exec(text);
  const [, first, last, by = "1"] = numbers ?? LETTERS.exec(text) ?? [];
  if (first === undefined || last === undefined) return undefined;
  if (numbers) return sequence(BigInt(first.replace("+", "")), BigInt(last.replace("+", "")), by, writer(first, last));
  return sequence(BigInt(first.charCodeAt(0)), BigInt(last.charCodeAt(0)), by, character);
}

const BACKSLASH = 92;

/** Between `Z` and `a` there is a backslash, which then quotes nothing. */
function character(code: number | bigint): string {
  return Number(code) === BACKSLASH ? "" : String.fromCharCode(Number(code));
}

function sequence(from: bigint, to: bigint, by: string, write: (value: number | bigint) => string): Sequence | undefined {
  const step = Math.abs(Number(by)) || 1;
  const distance = Number(to > from ? to - from : from - to);
  const count = Math.floor(distance / step) + 1;
  if (count >= COUNT_MOST) return undefined;
  if (count > WORDS_MOST * 10) throw new ShellError(`brace expansion: more than ${WORDS_MOST * 10} words`);
  const stride = to > from ? step : -step;
  const start = Number(from);
  if (Number.isSafeInteger(start) && Number.isSafeInteger(Number(to))) return { count, at: (index) => write(start + index * stride) };
  return { count, at: (index) => write(from + BigInt(index * stride)) };
}

/** A leading zero makes all of the same width. */
function writer(first: string, last: string): (value: number | bigint) => string {
  if (!/^[-+]?0\d/.test(first) && !/^[-+]?0\d/.test(last)) return String;
  const width = Math.max(first.length, last.length);
  return (value) => (value < 0 ? `-${String(-value).padStart(width - 1, "0")}` : String(value).padStart(width, "0"));
}

/** A word that is nothing but a sequence is made anew each time rather than kept. */
function loneSequence(parts: readonly Part[]): Fields | undefined {
  const [part] = parts;
  const text = parts.length === 1 && part?.kind === "literal" ? part.text : "";
  const found = text.startsWith("{") && text.endsWith("}") ? parseSequence(text.slice(1, -1)) : undefined;
  if (!found) return undefined;
  return (_scope, fields) => {
    for (let index = 0; index < found.count; index += 1) {
      pollAt(index);
      fields.push(found.at(index));
    }
  };
}

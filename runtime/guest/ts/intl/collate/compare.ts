/** Comparing texts level by level, with ECMA-402's options. */
import { ASCII, FIRST_SYMBOL } from "../data/collation";
import { CAPITAL, type Element, elementsOf } from "./elements";

export interface CollatorSettings {
  readonly sensitivity: "base" | "accent" | "case" | "variant";
  readonly ignorePunctuation: boolean;
  readonly numeric: boolean;
  readonly caseFirst: "upper" | "lower" | "false";
}

let ascii: readonly number[] | undefined;

/** Negative, zero or positive, as a sorts before, with or after b. */
export function compareTexts(a: string, b: string, settings: CollatorSettings): number {
  if (a === b) return 0;
  // eslint-disable-next-line no-control-regex -- all of ASCII, controls included
  const simple = !settings.ignorePunctuation && settings.caseFirst === "false" && /^[\0-\x7f]*$/.test(a) && /^[\0-\x7f]*$/.test(b);
  if (simple && !(settings.numeric && /\d/.test(a) && /\d/.test(b))) return compareAscii(a, b, settings.sensitivity);
  return compareElements(prepare(a, settings), prepare(b, settings), settings);
}

/** ASCII has no accents, so there are two levels: the characters, then capitals after small letters. */
function compareAscii(a: string, b: string, sensitivity: CollatorSettings["sensitivity"]): number {
  const ranks = (ascii ??= ASCII.split(" ").map((digits) => (digits === "" ? 0 : parseInt(digits, 36))));
  let later = 0;
  let i = 0;
  let j = 0;
  for (;;) {
    while (i < a.length && ranks[a.charCodeAt(i)] === 0) i++;
    while (j < b.length && ranks[b.charCodeAt(j)] === 0) j++;
    if (i >= a.length || j >= b.length) break;
    const left = a.charCodeAt(i++);
    const right = b.charCodeAt(j++);
    if (left === right) continue;
    const order = (ranks[left] as number) - (ranks[right] as number);
    if (order !== 0) return Math.sign(order);
    later ||= Math.sign(right - left); // capitals have the lower codes and the greater weights
  }
  if (i < a.length || j < b.length) return i < a.length ? 1 : -1;
  return sensitivity === "case" || sensitivity === "variant" ? later : 0;
}

function prepare(text: string, { numeric, ignorePunctuation }: CollatorSettings): Element[] {
  const elements = numeric ? numericElements(text) : elementsOf(text);
  return ignorePunctuation ? withoutPunctuation(elements) : elements;
}

/** Runs of digits count by their value: first by how many digits there are without leading zeros, then by these. */
function numericElements(text: string): Element[] {
  return text.split(/(\d+)/).flatMap((piece, i) => {
    if (i % 2 === 0) return elementsOf(piece);
    const digits = piece.replace(/^0+(?=\d)/, "");
    const [zero] = elementsOf("0") as [Element];
    const length = { ...zero, primary: zero.primary - 1 + digits.length / 1e9 };
    return [length, ...elementsOf(digits)];
  });
}

/** Punctuation goes with the marks on it. */
function withoutPunctuation(elements: readonly Element[]): Element[] {
  let dropping = false;
  return elements.filter(({ primary }) => {
    if (primary !== 0) dropping = primary < FIRST_SYMBOL;
    return !dropping;
  });
}

type Weight = (element: Element) => number;
const caseOf: Weight = ({ primary, tertiary }) => (primary === 0 ? 0 : 1 + (tertiary & CAPITAL));
const variantOf: Weight = ({ tertiary }) => tertiary & (CAPITAL / 2 - 1);

function compareElements(a: readonly Element[], b: readonly Element[], settings: CollatorSettings): number {
  for (const weight of levelsFor(settings)) {
    const order = compareLevel(a, b, weight);
    if (order !== 0) return order;
  }
  return 0;
}

function levelsFor({ sensitivity, caseFirst }: CollatorSettings): Weight[] {
  const levels: Weight[] = [({ primary }) => primary];
  if (sensitivity === "accent" || sensitivity === "variant") levels.push(({ secondary }) => secondary);
  if (sensitivity === "case") levels.push(caseFirst === "upper" ? (element) => flip(caseOf(element)) : caseOf);
  if (sensitivity !== "variant") return levels;
  if (caseFirst === "false") return [...levels, variantOf];
  const sign = caseFirst === "upper" ? flip : (weight: number): number => weight;
  return [...levels, (element) => sign(1 + (element.tertiary & (CAPITAL | (CAPITAL / 2)))) * 256 + variantOf(element)];
}

const flip = (weight: number): number => (weight === 0 ? 0 : 2 * CAPITAL - weight);

/** By the weights of a level in order; zeros do not count. */
function compareLevel(a: readonly Element[], b: readonly Element[], weight: Weight): number {
  let i = 0;
  let j = 0;
  for (;;) {
    let left = 0;
    let right = 0;
    while (i < a.length && left === 0) left = weight(a[i++] as Element);
    while (j < b.length && right === 0) right = weight(b[j++] as Element);
    if (left !== right) return left < right ? -1 : 1;
    if (left === 0) return 0;
  }
}

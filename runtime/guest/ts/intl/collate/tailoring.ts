/**
 * Where languages differ from the root order: letters of their own behind another letter, and scripts that come before the
 * Latin one.
 */
import { aboveRank, type Element, elementsOf } from "./elements";

export interface Tailoring {
  /** Whether a text of ASCII can be affected. */
  readonly ofAscii: boolean;
  elements(text: string): Element[];
}

const NORDIC = "z å ä ö,y=ü";
const DANISH = "z æ ø å,y=ü";

/** Groups of a letter and those that stand behind it; with `=`, of one and those that are accented forms of it. */
const LETTERS: Record<string, string> = {
  cs: "c č,h ch,r ř,s š,z ž", da: DANISH, es: "n ñ", fi: NORDIC, nb: DANISH, no: DANISH, pl: "a ą,c ć,e ę,l ł,n ń,o ó,s ś,z ź ż",
  sv: NORDIC, tr: "c ç,g ğ,h ı,o ö,s ş,u ü",
};

/** Scripts that come first. */
const SCRIPTS: Record<string, RegExp> = { ru: /[\p{Script=Cyrillic}\p{M}]+/u };

const made = new Map<string, Tailoring>();

/** What a language has of its own; nothing for others. */
export function tailoringOf(language: string): Tailoring | undefined {
  let tailoring = made.get(language);
  if (!tailoring && (Object.hasOwn(LETTERS, language) || Object.hasOwn(SCRIPTS, language))) {
    tailoring = Object.hasOwn(LETTERS, language) ? withLetters(LETTERS[language]!) : withScript(SCRIPTS[language]!);
    made.set(language, tailoring);
  }
  return tailoring;
}

function withLetters(groups: string): Tailoring {
  const own = new Map<string, Element>();
  for (const group of groups.split(",")) {
    const [base, ...letters] = group.split(/[ =]/);
    letters.forEach((letter, at) => addLetter(own, base!, letter, group.includes("=") ? undefined : at));
  }
  if (own.has("ı")) own.set("İ", elementsOf("I")[0]!); // where I is the capital of ı
  const spelt = [...own.keys()].toSorted((a, b) => b.length - a.length).join("|");
  const isOwn = new RegExp(`(${spelt})(?!\\p{M})`, "u");
  const piece = (text: string, at: number): Element[] => (at % 2 === 0 ? elementsOf(text) : [own.get(text)!]);
  return {
    ofAscii: [...own.keys()].some((letter) => !/[^\0-\x7f]/.test(letter)),
    elements: (text) => text.normalize("NFC").split(isOwn).flatMap(piece),
  };
}

/** A letter as it is written small, capital, and with a capital at the start; `at` is its place behind the base. */
function addLetter(own: Map<string, Element>, base: string, letter: string, at: number | undefined): void {
  const [small, capital] = [elementsOf(base)[0]!, elementsOf(base.toUpperCase())[0]!];
  const changed = (element: Element): Element =>
    at === undefined
      ? { ...element, secondary: element.secondary + 1 }
      : { ...element, primary: aboveRank(small.primary.charCodeAt(0) / 2, at) };
  const title = letter[0]!.toUpperCase() + letter.slice(1);
  own.set(letter, changed(small));
  own.set(title, changed({ ...capital, tertiary: (small.tertiary + capital.tertiary) >> 1 }));
  own.set(letter.toUpperCase(), changed(capital));
}

function withScript(script: RegExp): Tailoring {
  const parts = new RegExp(`(${script.source})`, "u");
  const before = String.fromCharCode(elementsOf("a")[0]!.primary.charCodeAt(0) - 1);
  const first = (element: Element): Element => (element.primary === "" ? element : { ...element, primary: before + element.primary });
  const piece = (text: string, at: number): Element[] => (at % 2 === 0 ? elementsOf(text) : elementsOf(text).map(first));
  return { ofAscii: false, elements: (text) => text.split(parts).flatMap(piece) };
}

/** The parts of a date's phrase. */

import { type UnitName, wordOf } from "./calendar";

/** Its kind is one of the letters that date_rules.ts lists. */
export interface Item {
  readonly kind: string;
  readonly text: string;
  readonly value: number;
  readonly nanosecond: number;
  readonly unit?: UnitName | undefined;
}

const NUMBER = /^([-+])?(\d+)(?:[.,](\d+))?/;
const WORD = /^[A-Za-z][A-Za-z.]*/;

export function numberItem(sign: string | undefined, digits: string, fraction: string | undefined): Item {
  const text = (sign ?? "") + digits;
  let value = Number(text);
  let nanosecond = Number((fraction ?? "").slice(0, 9).padEnd(9, "0"));
  if (sign === "-" && nanosecond > 0) {
    value -= 1;
    nanosecond = 1_000_000_000 - nanosecond;
  }
  const kind = fraction === undefined ? (sign ? "S" : "N") : sign ? "D" : "E";
  return { kind, text, value: value === 0 ? 0 : value, nanosecond };
}

export function itemsOf(phrase: string, locals: readonly string[]): Item[] | undefined {
  const items: Item[] = [];
  let rest = phrase;
  for (;;) {
    rest = rest.replace(/^[\s]+/, "");
    if (rest === "") return items;
    const number = NUMBER.exec(rest.replace(/^([-+])\s+(?=\d)/, "$1"));
    const word = WORD.exec(rest)?.[0];
    if (number) {
      rest = rest.replace(/^([-+])\s+(?=\d)/, "$1").slice(number[0].length);
      items.push(numberItem(number[1], number[2]!, number[3]));
    } else if (word !== undefined) {
      rest = rest.slice(word.length);
      const known = /^t$/i.test(word) ? undefined : wordOf(word, locals);
      if (known) items.push({ ...known, text: word, nanosecond: 0 });
      else if (/^t$/i.test(word)) items.push({ kind: "T", text: word, value: 0, nanosecond: 0 });
      else return undefined;
    } else if (rest.startsWith("(")) rest = withoutComment(rest);
    else {
      if (rest[0] !== "-" && rest[0] !== "+") items.push({ kind: rest[0]!, text: rest[0]!, value: 0, nanosecond: 0 });
      rest = rest.slice(1);
    }
  }
}

function withoutComment(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")" && --depth === 0) return text.slice(at + 1);
  }
  return "";
}

/**
 * What an operation on a text works with. In the C locale a character is a byte: there a text is taken apart into its bytes,
 * each of them a unit of its own, and what was made of them is joined again.
 */

import { native } from "../../bridge/native";
import type { Scope } from "./scope";

export type Located = Pick<Scope, "variables">;

/** From so many characters on a text is kept taken apart: loops look at one byte of it after the other. */
const KEPT_FROM = 64;

function apart({ variables }: Located, text: string): string {
  if (text.length < KEPT_FROM) return native.text.bytes(text);
  if (variables.apart?.text !== text) variables.apart = { text, bytes: native.text.bytes(text) };
  return variables.apart.bytes;
}

/** The text as units of the locale. */
export function unitsOf(located: Located, text: string): string {
  const { variables } = located;
  return variables.localised && variables.bytewise ? apart(located, text) : text;
}

/** How many characters the text has. */
export function countUnits(located: Located, text: string): number {
  const { variables } = located;
  return variables.localised && variables.bytewise ? apart(located, text).length : native.text.count(text);
}

/** Characters `from` up to `to`. */
export function sliceUnits(located: Located, text: string, from: number, to: number): string {
  const { variables } = located;
  if (!variables.localised || !variables.bytewise) return native.text.slice(text, from, to);
  return native.text.whole(apart(located, text).slice(from, to));
}

/** Work on a text, done on units of the locale. */
export function onUnits(located: Located, work: (units: string) => string): (text: string) => string {
  return located.variables.bytewise ? (text) => native.text.whole(work(apart(located, text))) : work;
}

/** Texts put together: where they may be bytes, these become the characters that they are together. */
export function together({ variables }: Located, text: string): string {
  return variables.localised ? native.text.whole(text) : text;
}

/**
 * What an operation on a text works with. In the C locale a character is a byte: there a text is taken apart into its bytes,
 * each of them a unit of its own, and what was made of them is joined again.
 */

import { native } from "../../bridge/native";
import type { Scope } from "./scope";

export type Located = Pick<Scope, "variables">;

/** The text as units of the locale. */
export function unitsOf({ variables }: Located, text: string): string {
  return variables.localised && variables.bytewise ? native.text.bytes(text) : text;
}

/** Work on a text, done on units of the locale. */
export function onUnits({ variables }: Located, work: (units: string) => string): (text: string) => string {
  return variables.bytewise ? (text) => native.text.whole(work(native.text.bytes(text))) : work;
}

/** Texts put together: where they may be bytes, these become the characters that they are together. */
export function together({ variables }: Located, text: string): string {
  return variables.localised ? native.text.whole(text) : text;
}

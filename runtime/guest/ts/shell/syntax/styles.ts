/** Which characters are special where. */

import { characters } from "./chars";
import type { Parts } from "./parts";
import type { Reader } from "./reader";

export interface Style {
  /** 1 for characters that are not simply part of the text. */
  readonly special: Uint8Array;
  /** Whether text is quoted: as in double quotes. */
  readonly quoted: boolean;
  /** Whether `$'…'` is one although text is quoted. */
  readonly ansi?: boolean | undefined;
  /** What a backslash quotes; undefined: everything. */
  readonly escapes?: Uint8Array | undefined;
  /** What a special character means that is no quote and no expansion: false ends the text before it. */
  readonly other: (reader: Reader, parts: Parts, code: number) => boolean;
}

const EXPANSIONS = "\\$`";
const UNQUOTED = EXPANSIONS + "'\"";
const stop = (): boolean => false;

/** A style of unquoted text that ends before any of `stops`. */
export function unquotedStyle(stops: string, other: Style["other"] = stop): Style {
  return { special: characters(UNQUOTED + stops), quoted: false, other };
}

/** A style of text as in double quotes. */
export function quotedStyle(stops: string, escapes: string, other: Style["other"] = stop): Style {
  return { special: characters(EXPANSIONS + stops), quoted: true, escapes: characters(EXPANSIONS + escapes), other };
}

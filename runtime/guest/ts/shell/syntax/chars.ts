/** Which characters mean what: tables by character code, for reading without slicing. */

export const TAB = 9;
export const NEWLINE = 10;
export const SPACE = 32;
export const BANG = 33;
export const DOUBLE_QUOTE = 34;
export const HASH = 35;
export const DOLLAR = 36;
export const AMPERSAND = 38;
export const SINGLE_QUOTE = 39;
export const OPEN = 40;
export const CLOSE = 41;
export const STAR = 42;
export const PLUS = 43;
export const MINUS = 45;
export const SLASH = 47;
export const COLON = 58;
export const SEMICOLON = 59;
export const LESS = 60;
export const EQUALS = 61;
export const GREATER = 62;
export const QUESTION = 63;
export const AT = 64;
export const OPEN_BRACKET = 91;
export const BACKSLASH = 92;
export const CLOSE_BRACKET = 93;
export const BACKTICK = 96;
export const OPEN_BRACE = 123;
export const BAR = 124;
export const CLOSE_BRACE = 125;

/** A table of 128 entries that holds 1 for each character of `members`. */
export function characters(members: string): Uint8Array {
  const table = new Uint8Array(128);
  for (let i = 0; i < members.length; i++) table[members.charCodeAt(i)] = 1;
  return table;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
const DIGITS = "0123456789";

const nameStarts = characters(LETTERS);
const nameParts = characters(LETTERS + DIGITS);
const metacharacters = characters(" \t\n;&|<>()");
const specials = characters("@*#?-$!");
const groupMarks = characters("?*+@!");

/** All take -1, the end of the text, for a character that is none of theirs. */
export const isNameStart = (code: number): boolean => nameStarts[code] === 1;
export const isNamePart = (code: number): boolean => nameParts[code] === 1;
export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
export const isBlank = (code: number): boolean => code === SPACE || code === TAB;
/** Ends a word. */
export const isMeta = (code: number): boolean => code < 0 || metacharacters[code] === 1;
/** A parameter with a sign for a name. */
export const isSpecial = (code: number): boolean => specials[code] === 1;
/** Before `(` it makes an extended pattern. */
export const isGroupMark = (code: number): boolean => groupMarks[code] === 1;

export function isName(text: string): boolean {
  if (!isNameStart(text.charCodeAt(0))) return false;
  for (let i = 1; i < text.length; i++) if (!isNamePart(text.charCodeAt(i))) return false;
  return true;
}

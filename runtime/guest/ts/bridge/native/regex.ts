/** Regular expressions of the shell's tools (c/regex/). */

/** A compiled regular expression of c/regex/. */
export interface RegexHandle {
  readonly regex: unique symbol;
}

export interface NativeRegex {
  /** `flags` as in c/regex/regex.h; throws a SyntaxError in the GNU tools' words. */
  create(pattern: Uint8Array, flags: number): RegexHandle;
  /** `[start, end, …]` of the match and its groups, -1 where one took no part; throws a RangeError when it is too complex. */
  search(handle: RegexHandle, text: Uint8Array, from: number, spans: number): number[] | undefined;
  groups(handle: RegexHandle): number;
}

/** Flags of c/regex/regex.h. */

export const RegexFlag = {
  extended: 1 << 0,
  perl: 1 << 1,
  literal: 1 << 2,
  awk: 1 << 3,
  ignoreCase: 1 << 4,
  bytes: 1 << 5,
  lines: 1 << 6,
  multiline: 1 << 7,
  wholeWord: 1 << 8,
  wholeLine: 1 << 9,
  newlineList: 1 << 10,
  nullLines: 1 << 11,
} as const;

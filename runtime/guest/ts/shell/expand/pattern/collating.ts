/** Names of characters in `[.name.]`, as POSIX's portable character set has them. */

/** From NUL on; several names of one character stand behind each other, divided by a slash. */
const NAMES =
  "NUL SOH STX ETX EOT ENQ ACK alert/BEL backspace/BS tab/HT newline/LF vertical-tab/VT form-feed/FF carriage-return/CR SO SI " +
  "DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC IS4/FS IS3/GS IS2/RS IS1/US " +
  "space exclamation-mark quotation-mark number-sign dollar-sign percent-sign ampersand apostrophe " +
  "left-parenthesis right-parenthesis asterisk plus-sign comma hyphen/hyphen-minus/minus/dash period/full-stop slash/solidus " +
  "zero one two three four five six seven eight nine " +
  "colon semicolon less-than-sign equals-sign greater-than-sign question-mark commercial-at";
const BEHIND_CAPITALS =
  "left-square-bracket backslash/reverse-solidus right-square-bracket circumflex/circumflex-accent underscore grave-accent";
const BEHIND_SMALL = "left-brace/left-curly-bracket vertical-line right-brace/right-curly-bracket tilde DEL";

let table: Map<string, number> | undefined;

/** The character's number; undefined where there is none of that name. */
export function collatingSymbol(name: string): number | undefined {
  const point = name.codePointAt(0)!;
  if (name === String.fromCodePoint(point)) return point;
  return (table ??= named()).get(name);
}

function named(): Map<string, number> {
  const names = new Map<string, number>();
  for (const [list, from] of [[NAMES, 0], [BEHIND_CAPITALS, 0x5b], [BEHIND_SMALL, 0x7b]] as const) {
    list.split(" ").forEach((each, index) => each.split("/").forEach((name) => names.set(name, from + index)));
  }
  return names;
}

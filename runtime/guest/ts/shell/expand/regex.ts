/** Words as regular expressions. */

/** Before a quoted character that may mean something; no text of the shell's has it. */
const MARK = "\udbff";
const PIECES = /\\[^]|\udbff[^]|\[\udbff?\^?(?:\udbff?\])?(?:\[([:.=])[^]*?\1\]|[^\]])*(?:\]|$)/g;

/** Marks `text` as quoted. */
export function markRegex(text: string): string {
  return text.replace(/[\\.[\](){}*+?^$|]/g, `${MARK}$&`);
}

/** The extended regular expression: quoted characters stand for themselves. In brackets all do, and a backslash would be one more. */
export function settleRegex(marked: string): string {
  if (!marked.includes(MARK)) return marked;
  return marked.replace(PIECES, (piece) => (piece.startsWith("[") ? piece.replaceAll(MARK, "") : piece.replace(MARK, "\\")));
}

/** Changes to a text, in its order, none within another. */

/** Text to put in place of what stands from `start` to `end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function applied(source: string, edits: readonly Edit[]): string {
  let text = "";
  let at = 0;
  for (const edit of edits) {
    text += source.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + source.slice(at);
}

/** Where the script has what stands at an offset of the edited text. */
export function originIn(edits: readonly Edit[], offset: number): number {
  let grown = 0;
  for (const { start, end, text } of edits) {
    if (offset < start + grown) break;
    if (offset < start + grown + text.length) return start;
    grown += text.length - (end - start);
  }
  return offset - grown;
}

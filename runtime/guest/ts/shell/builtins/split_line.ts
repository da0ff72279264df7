/** How `read` splits its line: as word splitting does, but the last variable gets the rest. */

const SPACES = " \t\n";

class Splitter {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly ifs: string,
    private readonly protectedAt: ReadonlySet<number> | undefined,
  ) {}

  /** At most `most` fields. */
  split(most: number): string[] {
    this.skipSpace();
    const fields: string[] = [];
    while (fields.length < most - 1 && this.at < this.text.length) {
      fields.push(this.field());
      this.skipDelimiter();
    }
    if (this.at < this.text.length) fields.push(this.rest());
    return fields;
  }

  private separates(index: number): boolean {
    return this.ifs.includes(this.text[index]!) && !this.protectedAt?.has(index);
  }

  private isSpace(index: number): boolean {
    return this.isBlank(index) && this.separates(index);
  }

  /** White space of IFS, behind a backslash perhaps. */
  private isBlank(index: number): boolean {
    return SPACES.includes(this.text[index]!) && this.ifs.includes(this.text[index]!);
  }

  private skipSpace(): void {
    while (this.at < this.text.length && this.isSpace(this.at)) this.at += 1;
  }

  private field(): string {
    const start = this.at;
    while (this.at < this.text.length && !this.separates(this.at)) this.at += 1;
    return this.text.slice(start, this.at);
  }

  /** White space with at most one other separator in it. */
  private skipDelimiter(): void {
    this.skipSpace();
    if (this.at >= this.text.length || !this.separates(this.at)) return;
    this.at += 1;
    this.skipSpace();
  }

  /** All that is left, without the separator that ends it when it is a single field; of several fields bash takes white
   * space from the end whatever stands before it. */
  private rest(): string {
    const start = this.at;
    let end = this.text.length;
    while (end > start && this.isBlank(end - 1)) end -= 1;
    const field = this.field();
    this.skipDelimiter();
    return this.at >= this.text.length ? field : this.text.slice(start, end);
  }
}

/** `protectedAt` are positions of characters that stood behind a backslash. */
export function splitLine(text: string, ifs: string, most: number, protectedAt?: ReadonlySet<number>): string[] {
  if (ifs === "") return text === "" ? [] : [text];
  return new Splitter(text, ifs, protectedAt).split(most);
}

/** The text of a YAML file, and the place in it that is read next. */

export class YamlFault {
  constructor(
    readonly message: string,
    readonly line: number,
  ) {}
}

/** Collections in collections. */
const DEEPEST = 200;

export class YamlSource {
  readonly lines: readonly string[];
  row = 0;
  column = 0;
  private depth = 0;

  constructor(text: string) {
    this.lines = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
  }

  get line(): string {
    return this.lines[this.row] ?? "";
  }

  get rest(): string {
    return this.line.slice(this.column);
  }

  /** The next character of the line. */
  get next(): string | undefined {
    return this.lines[this.row]?.[this.column];
  }

  nextLine(): void {
    this.row += 1;
    this.column = 0;
  }

  /** Whether the document, or all of the text, ends here. */
  atDocumentEnd(): boolean {
    if (this.row >= this.lines.length) return true;
    return this.column === 0 && (this.line.startsWith("---") || this.line.startsWith("...")) && /^(?:---|\.\.\.)(?:\s|$)/.test(this.line);
  }

  /** Whether an entry of a sequence begins here. */
  get atEntry(): boolean {
    return this.next === "-" && /^-(?:\s|$)/.test(this.rest);
  }

  /** Whether nothing but a comment follows on the line. */
  get atLineEnd(): boolean {
    const { rest } = this;
    return rest === "" || rest.startsWith("#");
  }

  skipBlanks(): void {
    this.column += /^[ \t]*/.exec(this.rest)![0].length;
  }

  /** Passes over blanks, comments and line ends; tells whether a line ended. */
  skip(): boolean {
    let ended = false;
    while (this.row < this.lines.length) {
      if (ended && this.atDocumentEnd()) return true;
      const [blanks] = /^[ \t]*(?:(?<=^|[ \t])#.*)?/.exec(this.column > 0 && /\S/.test(this.line[this.column - 1]!) ? this.rest.replace(/^#/, "\0") : this.rest)!;
      this.column += blanks.length;
      if (this.column < this.line.length) return ended;
      this.nextLine();
      ended = true;
    }
    return true;
  }

  /** Reads what is in a collection. */
  deeper<T>(work: () => T): T {
    if (++this.depth > DEEPEST) this.fault("too deeply nested");
    const result = work();
    this.depth -= 1;
    return result;
  }

  fault(message: string): never {
    throw new YamlFault(message, this.row + 1);
  }
}

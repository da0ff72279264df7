/** What is printed of a command so far, laid out as bash lays out functions. */

import type { Redirection } from "./ast";

const STEP = 4;

export class Printer {
  private text = "";
  private indentation = 0;
  /** How many commands go on where the text stands rather than at the indentation. */
  private skips = 0;
  /** Here-documents whose operators are printed and which follow at the line's end. */
  private documents: Redirection[] = [];
  /** Whether a here-document ended the text, so that no `;` is needed. */
  private afterDocument = false;

  /** `functions`: how many functions the text is in; outside, lists stay on one line. `substitution`: in `$(…)`. */
  constructor(
    private functions = 0,
    readonly substitution = false,
  ) {}

  get inFunction(): boolean {
    return this.functions > 0;
  }

  get result(): string {
    return this.text;
  }

  add(text: string): void {
    this.text += text;
  }

  /** A new line at the indentation. */
  line(text = ""): void {
    this.text += `\n${" ".repeat(this.indentation)}${text}`;
  }

  /** Ends a command, unless a `&` or a line's end has done so. */
  semicolon(): void {
    if (!"&\n".includes(this.text.slice(-1))) this.text += ";";
  }

  begin(): void {
    if (this.skips > 0) this.skips--;
    else this.text += " ".repeat(this.indentation);
  }

  /** Lets the next command go on where the text stands. */
  follow(): void {
    this.skips++;
  }

  indented(print: () => void): void {
    this.indentation += STEP;
    print();
    this.flush();
    this.indentation -= STEP;
  }

  /** The body of a function, which is indented line by line. */
  within(print: () => void): void {
    this.functions++;
    this.indented(print);
    this.functions--;
    this.afterDocument = false;
  }

  defer(documents: Redirection[]): void {
    this.afterDocument = false;
    if (documents.length > 0) this.documents = documents;
  }

  /** Prints the here-documents that wait, behind `connector`; a `;` is not needed with them. */
  flush(connector = ""): void {
    this.text += connector;
    if (this.documents.length === 0) return;
    this.text += "\n";
    for (const { target, delimiter } of this.documents) this.text += documentText(target.source, delimiter?.text ?? "");
    if (connector !== "") this.text += " ";
    this.documents = [];
    this.afterDocument = true;
  }

  /** What stands between two commands of a list. */
  separate(newline: boolean): void {
    if (this.documents.length > 0) this.flush();
    else if (this.afterDocument) this.afterDocument = false;
    else this.text += newline ? "\n" : ";";
    if (this.inFunction) this.text += "\n";
    else {
      this.afterDocument = false;
      if (!newline) this.text += " ";
      this.follow();
    }
  }
}

const QUOTED = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/g;

/** The delimiter without its quotes, as the last line of a document shows it. */
export function plainDelimiter(text: string): string {
  return text.replace(QUOTED, (_, single, double, escaped) => single ?? double?.replace(/\\([$`"\\])/g, "$1") ?? escaped);
}

/** The lines of a document and its delimiter; lines of one that is expanded are joined. */
function documentText(source: string, delimiter: string): string {
  const plain = plainDelimiter(delimiter);
  const body = plain === delimiter ? source.replace(/\\([^])/g, (both, next) => (next === "\n" ? "" : both)) : source;
  return `${body}${plain}\n`;
}

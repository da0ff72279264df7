import { native } from "../bridge/native";
import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { ByteWriter, byteText, LineSource } from "./byte_text";
import { command, Failure } from "./command";
import { eachInput } from "./files";
import type { Options } from "./options";
import { quoted } from "./sizes";

const TABLE = {
  body: ["-b, --body-numbering=STYLE", "number lines of the body: a all, t those that are not empty (default), n none, pBRE those that match"],
  delimiter: ["-d, --section-delimiter=CC", "the characters that separate sections of a page, \\: unless told otherwise"],
  footer: ["-f, --footer-numbering=STYLE", "as -b, for the footer (n)"],
  header: ["-h, --header-numbering=STYLE", "as -b, for the header (n)"],
  increment: ["-i, --line-increment=NUMBER", "count by NUMBER"],
  blank: ["-l, --join-blank-lines=NUMBER", "count NUMBER empty lines as one"],
  format: ["-n, --number-format=FORMAT", "ln: left; rn: right (default); rz: right, filled with zeros"],
  noRenumber: ["-p, --no-renumber", "go on counting at new pages"],
  separator: ["-s, --number-separator=STRING", "put STRING behind the number, not a tab"],
  first: ["-v, --starting-line-number=NUMBER", "begin to count at NUMBER"],
  width: ["-w, --number-width=NUMBER", "numbers have NUMBER columns, not 6"],
} as const;

type Given = Options<typeof TABLE>;

/** Whether a line gets a number; `blanks` is how many empty lines came together, this one included. */
type Style = (line: string, blanks: number) => boolean;

function styleOf(text: string, join: number, what: string): Style {
  if (text === "a") return (line, blanks) => line !== "" || blanks % join === 0;
  if (text === "t") return (line) => line !== "";
  if (text === "n") return () => false;
  if (!text.startsWith("p")) throw new Failure(`invalid ${what} numbering style: ${quoted(text)}`);
  const regex = native.regex.create(native.text.encode(text.slice(1)), 0);
  return (line) => native.regex.search(regex, native.bytes.latin1Encode(line), 0, 0) !== undefined;
}

function integer(options: Given, key: "increment" | "blank" | "first" | "width", usual: number, what: string, least = -Infinity): number {
  const text = options.value(key);
  if (text === undefined) return usual;
  if (!/^[-+]?\d+$/.test(text) || Number(text) < least) throw new Failure(`invalid ${what}: ${quoted(text)}`);
  return Number(text);
}

class Numberer {
  private number: number;
  private blanks = 0;
  private section: Style;
  private readonly first: number;
  private readonly increment: number;
  private readonly width: number;
  private readonly format: string;
  private readonly separator: string;
  private readonly delimiter: string;
  private readonly styles: readonly [footer: Style, body: Style, header: Style];

  constructor(
    private readonly options: Given,
    private readonly out: ByteWriter,
  ) {
    const join = integer(options, "blank", 1, "line number of blank lines", 1);
    this.first = this.number = integer(options, "first", 1, "starting line number");
    this.increment = integer(options, "increment", 1, "line number increment");
    this.width = integer(options, "width", 6, "line number field width", 1);
    this.format = options.value("format") ?? "rn";
    if (!["ln", "rn", "rz"].includes(this.format)) throw new Failure(`invalid line numbering format: ${quoted(this.format)}`);
    this.separator = byteText(options.value("separator") ?? "\t");
    const delimiter = byteText(options.value("delimiter") ?? "\\:");
    this.delimiter = delimiter.length === 1 ? `${delimiter}:` : delimiter;
    const body = styleOf(options.value("body") ?? "t", join, "body");
    const [header, footer] = [styleOf(options.value("header") ?? "n", join, "header"), styleOf(options.value("footer") ?? "n", join, "footer")];
    this.styles = [footer, body, header];
    this.section = body;
  }

  async file(reader: Reader): Promise<void> {
    const source = new LineSource(reader);
    for (;;) {
      const next = source.next();
      const line = next instanceof Promise ? await next : next;
      if (line === undefined) return;
      const wait = this.out.put(this.line(line));
      if (wait) await wait;
    }
  }

  private line(line: string): string {
    const mark = this.mark(line);
    if (mark > 0) {
      this.section = this.styles[mark - 1]!;
      this.blanks = 0;
      if (mark === 3 && !this.options.has("noRenumber")) this.number = this.first;
      return "\n";
    }
    this.blanks = line === "" ? this.blanks + 1 : 0;
    if (!this.section(line, this.blanks)) return `${" ".repeat(this.width + this.separator.length)}${line}\n`;
    this.blanks = 0;
    const shown = this.layout(this.number);
    this.number += this.increment;
    return `${shown}${this.separator}${line}\n`;
  }

  /** 1 for a line that begins a footer, 2 for a body, 3 for a header; 0 for others. */
  private mark(line: string): number {
    const { delimiter } = this;
    if (delimiter === "" || !line.startsWith(delimiter)) return 0;
    return [1, 2, 3].find((count) => line === delimiter.repeat(count)) ?? 0;
  }

  private layout(number: number): string {
    const text = String(number);
    if (this.format === "ln") return text.padEnd(this.width);
    if (this.format === "rn") return text.padStart(this.width);
    return number < 0 ? `-${text.slice(1).padStart(this.width - 1, "0")}` : text.padStart(this.width, "0");
  }
}

function numberer(options: Given, out: ByteWriter): Numberer {
  try {
    return new Numberer(options, out);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Failure(error.message);
    throw error;
  }
}

async function run(process: Process, options: Given, operands: readonly string[]): Promise<number> {
  const out = new ByteWriter(process.stdout);
  const lines = numberer(options, out);
  const status = await eachInput(process, operands, (reader) => lines.file(reader));
  await out.flush();
  return status;
}

export const nl = command({
  name: "nl",
  usage: "[OPTION]... [FILE]...",
  about: "Print the files, or standard input, with line numbers.",
  options: TABLE,
  run,
});

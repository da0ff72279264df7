import { native } from "../bridge/native";
import type { Maybe } from "../shell/io/maybe";
import type { Process } from "../shell/process";
import { byteText } from "./byte_text";
import { command, Failure } from "./command";
import { filterFiles } from "./filter";
import { localeFlag } from "./locale";
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

/** A style as the filter takes it. */
function styleOf(options: Given, key: "body" | "header" | "footer", usual: string): Uint8Array {
  const text = options.value(key) ?? usual;
  if (!/^(?:[atn]$|p)/.test(text)) throw new Failure(`invalid ${key} numbering style: ${quoted(text)}`);
  return native.text.encode(text);
}

function integer(options: Given, key: "increment" | "blank" | "first" | "width", usual: number, what: string, least = -Infinity): number {
  const text = options.value(key);
  if (text === undefined) return usual;
  if (!/^\s*[-+]?\d+$/.test(text) || Number(text) < least) throw new Failure(`invalid ${what}: ${quoted(text)}`);
  return Number(text);
}

const FORMATS = ["ln", "rn", "rz"];

function settings(process: Process, options: Given): Readonly<Record<string, unknown>> {
  const format = options.value("format") ?? "rn";
  if (!FORMATS.includes(format)) throw new Failure(`invalid line numbering format: ${quoted(format)}`);
  const delimiter = options.value("delimiter") ?? "\\:";
  return {
    body: styleOf(options, "body", "t"),
    header: styleOf(options, "header", "n"),
    footer: styleOf(options, "footer", "n"),
    join: integer(options, "blank", 1, "line number of blank lines", 1),
    first: integer(options, "first", 1, "starting line number"),
    increment: integer(options, "increment", 1, "line number increment"),
    width: integer(options, "width", 6, "line number field width", 1),
    noRenumber: options.has("noRenumber"),
    format,
    flags: localeFlag(process),
    separator: native.text.encode(options.value("separator") ?? "\t"),
    delimiter: native.text.encode(byteText(delimiter).length === 1 ? `${delimiter}:` : delimiter),
  };
}

function run(process: Process, options: Given, operands: readonly string[]): Maybe<number> {
  try {
    return filterFiles(process, "nl", settings(process, options), operands);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Failure(error.message);
    throw error;
  }
}

export const nl = command({
  name: "nl",
  usage: "[OPTION]... [FILE]...",
  about: "Print the files, or standard input, with line numbers.",
  options: TABLE,
  run,
});

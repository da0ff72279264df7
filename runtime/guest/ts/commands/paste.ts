import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { byteText } from "./byte_text";
import { command, Failure } from "./command";
import { close, tryOpen } from "./files";
import { Filter } from "./filter";
import { merge, words } from "./merging";

/** What c/filters/paste.c takes for no delimiter. */
const NOTHING = 256;
const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** The delimiters, each a byte or nothing. */
function parseDelimiters(list: string): number[] {
  if (list === "") return [NOTHING];
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(list)) throw new Failure(`delimiter list ends with an unescaped backslash: ${list}`);
  return Array.from(byteText(list).matchAll(/\\([^])|[^]/g), ([whole, escaped]) =>
    escaped === "0" ? NOTHING : (escaped === undefined ? whole : (ESCAPES[escaped] ?? escaped)).charCodeAt(0),
  );
}

/** One reader for each file, and one for all times that standard input is named. */
function sourcesOf(process: Process, names: readonly string[], serial: boolean): { readers: Reader[]; columns: number[]; status: number } {
  const readers: Reader[] = [];
  const columns: number[] = [];
  let status = 0;
  for (const name of names) {
    const reader = tryOpen(process, name);
    if (!reader) status = 1;
    if (!reader && !serial) break;
    if (!reader) continue;
    const known = readers.indexOf(reader);
    columns.push(known < 0 ? readers.push(reader) - 1 : known);
  }
  return { readers, columns, status };
}

export const paste = command({
  name: "paste",
  usage: "[OPTION]... [FILE]...",
  about: "Print lines that consist of the lines of each FILE in turn, separated by tabs. Without FILE, or where it is -: standard input.",
  options: {
    delimiters: ["-d, --delimiters=LIST", "use the characters of LIST in turn instead of tabs"],
    serial: ["-s, --serial", "put the lines of one file after the other on a line"],
    zero: ["-z, --zero-terminated", "lines end in a NUL byte"],
  },
  async run(process, options, operands) {
    const serial = options.has("serial");
    const delimiters = words(parseDelimiters(options.value("delimiters") ?? "\t"));
    const { readers, columns, status } = sourcesOf(process, operands.length > 0 ? operands : ["-"], serial);
    if (columns.length > 0 && (serial || status === 0)) {
      const filter = new Filter(process, "paste", { columns: words(columns), delimiters, serial, end: options.has("zero") ? 0 : 10 });
      await merge(process, filter, readers, () => filter.report as number);
    }
    for (const reader of readers) if (reader !== process.stdin) close(reader);
    return status;
  },
});

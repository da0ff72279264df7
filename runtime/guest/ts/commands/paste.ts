import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { ByteWriter, byteText, LineSource } from "./byte_text";
import { command, Failure } from "./command";
import { close, tryOpen } from "./files";

const ESCAPES: Readonly<Record<string, string>> = { "0": "", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** The delimiters, each a byte or nothing. */
function parseDelimiters(list: string): string[] {
  if (list === "") return [""];
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(list)) throw new Failure(`delimiter list ends with an unescaped backslash: ${list}`);
  return Array.from(byteText(list).matchAll(/\\([^])|[^]/g), ([whole, escaped]) => (escaped === undefined ? whole : (ESCAPES[escaped] ?? escaped)));
}

interface Settings {
  readonly delimiters: readonly string[];
  readonly end: string;
}

/** All lines of one file on one line. */
async function pasteSerial(source: LineSource, out: ByteWriter, { delimiters, end }: Settings): Promise<void> {
  let count = 0;
  for (;;) {
    const ready = delimiters.length === 1 && count > 0 ? source.inHand : 0;
    if (ready > 0) {
      const [between] = delimiters as [string];
      const wait = out.put(between + source.several(ready).join(between));
      if (wait) await wait;
      continue;
    }
    const next = source.next();
    const line = next instanceof Promise ? await next : next;
    if (line === undefined) break;
    const wait = out.put(count === 0 ? line : delimiters[(count - 1) % delimiters.length]! + line);
    if (wait) await wait;
    count += 1;
  }
  await out.put(end);
}

/** As many rows as the lists have lines. */
function rowsOf(lists: readonly (readonly string[])[], delimiters: readonly string[], end: string): string {
  const pieces: string[] = [];
  const rows = lists[0]!.length;
  const last = lists.length - 1;
  for (let row = 0; row < rows; row += 1) {
    for (let index = 0; index < last; index += 1) pieces.push(lists[index]![row]!, delimiters[index % delimiters.length]!);
    pieces.push(lists[last]![row]!, end);
  }
  return pieces.join("");
}

/** A line of each file side by side, until all are at their end. */
async function pasteParallel(sources: readonly LineSource[], out: ByteWriter, { delimiters, end }: Settings): Promise<void> {
  const { length } = sources;
  const open = sources.map(() => true);
  const apart = new Set(sources).size === length;
  for (;;) {
    const rows = apart ? Math.min(...sources.map(({ inHand }) => inHand)) : 0;
    if (rows > 0) {
      const wait = out.put(rowsOf(sources.map((source) => source.several(rows)), delimiters, end));
      if (wait) await wait;
      continue;
    }
    let row = "";
    let any = false;
    for (let index = 0; index < length; index += 1) {
      if (index > 0) row += delimiters[(index - 1) % delimiters.length]!;
      if (!open[index]) continue;
      const next = sources[index]!.next();
      const line = next instanceof Promise ? await next : next;
      if (line === undefined) open[index] = false;
      else {
        row += line;
        any = true;
      }
    }
    if (!any) return;
    const wait = out.put(row + end);
    if (wait) await wait;
  }
}

async function serial(process: Process, names: readonly string[], out: ByteWriter, settings: Settings): Promise<number> {
  let status = 0;
  for (const name of names) {
    const reader = tryOpen(process, name);
    if (!reader) status = 1;
    else {
      await pasteSerial(new LineSource(reader, settings.end), out, settings);
      if (reader !== process.stdin) close(reader);
    }
  }
  return status;
}

async function parallel(process: Process, names: readonly string[], out: ByteWriter, settings: Settings): Promise<number> {
  const stdin = new LineSource(process.stdin, settings.end);
  const readers: Reader[] = [];
  try {
    const sources = names.map((name) => {
      if (name === "-") return stdin;
      readers.push(tryOpen(process, name) ?? fail());
      return new LineSource(readers.at(-1)!, settings.end);
    });
    await pasteParallel(sources, out, settings);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return 1;
  } finally {
    readers.forEach(close);
  }
  return 0;
}

class Unreadable {}

function fail(): never {
  throw new Unreadable();
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
    const settings = { delimiters: parseDelimiters(options.value("delimiters") ?? "\t"), end: options.has("zero") ? "\0" : "\n" };
    const names = operands.length > 0 ? operands : ["-"];
    const out = new ByteWriter(process.stdout);
    const status = await (options.has("serial") ? serial : parallel)(process, names, out, settings);
    await out.flush();
    return status;
  },
});

import { Errno } from "../vfs/errors";
import { then, type Maybe } from "../shell/io/maybe";
import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { command } from "./command";
import { Filter } from "./filter";
import { eachTitled } from "./titles";
import { demandSize } from "./sizes";

const TABLE = {
  bytes: ["-c, --bytes=NUM", "print the first NUM bytes; with -NUM all but the last NUM"],
  lines: ["-n, --lines=NUM", "print the first NUM lines, not 10; with -NUM all but the last NUM"],
  quiet: ["-q, --quiet, --silent", "print no names of files"],
  verbose: ["-v, --verbose", "always print names of files"],
  zero: ["-z, --zero-terminated", "lines end in a NUL byte"],
} as const;

/** `-5`, `-5c`, `-2kv`: the old spelling, in front only. */
function rewrite(args: readonly string[]): readonly string[] {
  const [, count, letters] = /^-(\d+)([bcklmqvz]*)$/.exec(args[0] ?? "") ?? [];
  if (count === undefined) return args;
  const unit = /[bkm]/.exec(letters!)?.[0] ?? "";
  const bytes = /[bckm]/.test(letters!.replace(/.*l/, ""));
  const flags = letters!.replace(/[^qvz]/g, "");
  return [`-${bytes ? "c" : "n"}${count}${unit}`, ...(flags ? [`-${flags}`] : []), ...args.slice(1)];
}

/** What was read but not printed goes back, where that can be: the next reader of the file takes it up. */
function giveBack(reader: Reader, unused: number): void {
  if (unused === 0) return;
  try {
    reader.file.seek(-unused, "current");
  } catch (error) {
    if (!(error instanceof Errno)) throw error;
  }
}

function printHead(process: Process, reader: Reader, settings: { count: number; bytes: boolean; end: number; before: boolean }): Maybe<void> {
  if (settings.count === 0 && !settings.before) return;
  const filter = new Filter(process, settings.before ? "tail" : "head", settings);
  return then(filter.finish(reader), () => {
    if (!settings.before) giveBack(reader, filter.report as number);
  });
}

export const head = command({
  name: "head",
  usage: "[OPTION]... [FILE]...",
  about: "Print the first 10 lines of each FILE, or of standard input; with several files the name of each in front.",
  options: TABLE,
  rewrite,
  run(process, options, operands) {
    const bytes = options.last("bytes", "lines") === "bytes";
    const text = options.value(bytes ? "bytes" : "lines") ?? "10";
    const before = text.startsWith("-");
    const count = demandSize(before ? text.slice(1) : text, `invalid number of ${bytes ? "bytes" : "lines"}`);
    const settings = { count, bytes, before, end: options.has("zero") ? 0 : 10 };
    return eachTitled(process, operands, options.last("quiet", "verbose"), (reader) => printHead(process, reader, settings));
  },
});

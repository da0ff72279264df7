import { describeErrno } from "../shell/io/errors";
import type { Maybe } from "../shell/io/maybe";
import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { copy } from "./cat";
import { command, complain, Failure } from "./command";
import { close, openReader } from "./files";
import { Filter } from "./filter";
import { type Options, UsageFault } from "./options";
import { demandSize, quoted } from "./sizes";
import { eachTitled, Titles } from "./titles";
import { nameQuoted } from "./quoting";

const TABLE = {
  bytes: ["-c, --bytes=NUM", "print the last NUM bytes; with +NUM from byte NUM on"],
  follow: ["-f", "go on with what the file grows by, until a signal ends it"],
  followLong: ["--follow[=HOW]", "as -f; HOW is descriptor or name"],
  followRetry: ["-F", "as -f"],
  lines: ["-n, --lines=NUM", "print the last NUM lines, not 10; with +NUM from line NUM on"],
  pid: ["--pid=PID", "ignored without -f"],
  quiet: ["-q, --quiet, --silent", "print no names of files"],
  retry: ["--retry", "ignored"],
  seconds: ["-s, --sleep-interval=N", "with -f, wait N seconds between looks"],
  unchanged: ["--max-unchanged-stats=N", "ignored"],
  verbose: ["-v, --verbose", "always print names of files"],
  zero: ["-z, --zero-terminated", "lines end in a NUL byte"],
} as const;

interface Settings {
  readonly count: number;
  readonly bytes: boolean;
  readonly end: number;
  /** Whether `count` is where to begin. */
  readonly from: boolean;
}

/** `-5`, `+5`, `-5c`, `-5f`: the old spelling, in front of one file at most. */
function rewrite(args: readonly string[]): readonly string[] {
  const [, sign, count, unit, follow] = /^([-+])(\d*)([bcl]?)(f?)$/.exec(args[0] ?? "") ?? [];
  if (sign === undefined || (count === "" && (sign === "-" || unit + follow! === ""))) return args;
  const [next = "x", ...others] = args.slice(1);
  const isAlone = next === "--" ? others.length <= 1 : others.length === 0 && !/^-./.test(next);
  if (!isAlone && sign === "+") return args;
  if (!isAlone) throw new Failure(`option used in invalid context -- ${count!.slice(0, 1)}`);
  const letter = unit === "b" || unit === "c" ? "c" : "n";
  const number = `${sign === "+" ? "+" : ""}${count === "" ? "10" : count}${unit === "b" ? "b" : ""}`;
  return [`-${letter}${number}`, ...(follow ? ["-f"] : []), ...args.slice(1)];
}

async function skip(reader: Reader, { count, bytes, end }: Settings): Promise<void> {
  for (let left = count - 1; left > 0; ) {
    const piece = await (bytes ? reader.chunk(Math.min(left, 65536)) : reader.lineBytes(end));
    if (piece.length === 0) return;
    left -= bytes ? piece.length : 1;
  }
}

function printTail(process: Process, reader: Reader, settings: Settings): Maybe<void> {
  if (settings.from) return skip(reader, settings).then(() => copy(process, reader));
  return new Filter(process, "tail", { ...settings }).finish(reader);
}

/** Prints what the files grow by, until a signal ends the process. */
async function follow(process: Process, names: readonly string[], settings: Settings, titles: Titles, ms: number): Promise<never> {
  const readers = new Map<string, Reader>();
  let shown = names.at(-1);
  for (const name of names) {
    const reader = openReader(process, name);
    readers.set(name, reader);
    titles.print(name);
    await printTail(process, reader, settings);
  }
  for (;;) {
    for (const [name, reader] of readers) {
      const chunk = await reader.chunk();
      if (chunk.length === 0) continue;
      if (shown !== name) titles.print(name);
      shown = name;
      await process.stdout.write(chunk);
      await copy(process, reader);
    }
    await process.stdout.flush();
    await process.sleep(ms);
  }
}

function read(options: Options<typeof TABLE>): Settings {
  const bytes = options.last("bytes", "lines") === "bytes";
  const text = options.value(bytes ? "bytes" : "lines") ?? "10";
  const complaint = `invalid number of ${bytes ? "bytes" : "lines"}`;
  return {
    count: demandSize(text.replace(/^-|^\+(?=\d)/, ""), complaint),
    bytes,
    end: options.has("zero") ? 0 : 10,
    from: options.order.some(({ key, value }) => (key === "bytes" || key === "lines") && value!.startsWith("+")),
  };
}

async function followAll(process: Process, options: Options<typeof TABLE>, names: readonly string[]): Promise<number> {
  const seconds = Number(options.value("seconds") ?? 1);
  if (!(seconds >= 0)) throw new Failure(`invalid number of seconds: ${quoted(options.value("seconds")!)}`);
  if (options.has("pid")) throw new UsageFault("--pid is not supported here", false);
  const readable = names.filter((name) => {
    try {
      close(openReader(process, name));
      return true;
    } catch (error) {
      complain(process, `cannot open ${nameQuoted(name)} for reading: ${describeErrno(error)}`);
      return false;
    }
  });
  if (readable.length === 0) throw new Failure("no files remaining");
  const mode = options.last("quiet", "verbose");
  const titles = new Titles(process, mode === "verbose" || (mode !== "quiet" && names.length > 1));
  return follow(process, readable, read(options), titles, Math.max(seconds * 1000, 10));
}

export const tail = command({
  name: "tail",
  usage: "[OPTION]... [FILE]...",
  about: "Print the last 10 lines of each FILE, or of standard input; with several files the name of each in front.",
  options: TABLE,
  rewrite,
  run(process, options, operands) {
    const following = options.last("follow", "followLong", "followRetry") !== undefined;
    const files = operands.filter((name) => name !== "-");
    if (following && files.length > 0) return followAll(process, options, files);
    const settings = read(options);
    if (settings.count === 0 && !settings.from) return 0;
    return eachTitled(process, operands, options.last("quiet", "verbose"), (reader) => printTail(process, reader, settings));
  },
});

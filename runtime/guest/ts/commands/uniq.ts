import type { Process } from "../shell/process";
import { then } from "../shell/io/maybe";
import { choose, themselves } from "./choices";
import { command, Failure } from "./command";
import { close, openWriter, using } from "./files";
import { Filter } from "./filter";
import { type Options, UsageFault } from "./options";
import { parseSize, quoted } from "./sizes";
import { openNamed } from "./named";

const TABLE = {
  count: ["-c, --count", "print how often each line occurs in front of it"],
  repeated: ["-d, --repeated", "print only lines that occur repeatedly, one of each group"],
  allShort: ["-D", "print all lines that occur repeatedly"],
  all: ["--all-repeated[=METHOD]", "as -D, with empty lines between groups: none (default), prepend or separate"],
  skipFields: ["-f, --skip-fields=N", "do not compare the first N fields"],
  group: ["--group[=METHOD]", "print all lines with empty lines between groups: separate (default), prepend, append or both"],
  ignoreCase: ["-i, --ignore-case", "ignore differences of case"],
  skipChars: ["-s, --skip-chars=N", "do not compare the first N characters"],
  unique: ["-u, --unique", "print only lines that occur once"],
  zero: ["-z, --zero-terminated", "lines end in a NUL byte"],
  compare: ["-w, --check-chars=N", "compare no more than N characters"],
} as const;

type Given = Options<typeof TABLE>;

/** `+2` is an old spelling of -s2. */
function rewrite(args: readonly string[]): readonly string[] {
  return args.map((arg) => (/^\+\d+$/.test(arg) ? `-s${arg.slice(1)}` : arg));
}

function method(options: Given, key: "all" | "group", name: string, usual: string, methods: readonly string[]): string {
  const given = options.value(key) ?? usual;
  return choose(themselves(...methods), given, name);
}

function count(options: Given, key: "skipFields" | "skipChars" | "compare", complaint: string): number | undefined {
  const text = options.value(key);
  if (text === undefined) return undefined;
  return parseSize(text) ?? wrong(`${text}: ${complaint}`);
}

function wrong(message: string): never {
  throw new Failure(message);
}

function settings(options: Given): Record<string, unknown> {
  const all = options.last("all", "allShort");
  const grouped = options.has("group");
  if (grouped && (all || options.has("count") || options.has("repeated") || options.has("unique"))) {
    throw new UsageFault("--group is mutually exclusive with -c/-d/-D/-u");
  }
  if (all && options.has("count")) throw new UsageFault("printing all duplicated lines and repeat counts is meaningless");
  const breaks = grouped
    ? method(options, "group", "--group", "separate", ["prepend", "append", "separate", "both"])
    : all === "all"
      ? method(options, "all", "--all-repeated", "none", ["none", "prepend", "separate"])
      : "none";
  return {
    end: options.has("zero") ? 0 : 10,
    skipFields: count(options, "skipFields", "invalid number of fields to skip"),
    skipChars: count(options, "skipChars", "invalid number of bytes to skip"),
    compare: count(options, "compare", "invalid number of bytes to compare"),
    ignoreCase: options.has("ignoreCase"),
    count: options.has("count"),
    hideUnique: options.has("repeated") || all !== undefined,
    hideFirst: options.has("unique"),
    hideLater: all === undefined,
    group: grouped,
    breaks,
  };
}

/** The process with its output in the second operand. */
function redirected(process: Process, output: string | undefined): Process {
  if (output === undefined || output === "-") return process;
  return Object.create(process, { stdout: { value: openWriter(process, output) } }) as Process;
}

export const uniq = command({
  name: "uniq",
  usage: "[OPTION]... [INPUT [OUTPUT]]",
  about: "Print the lines of INPUT (or standard input), and of adjacent equal lines only the first, to OUTPUT (or standard output).",
  options: TABLE,
  digits: "skipFields",
  rewrite,
  run(process, options, operands) {
    const [input = "-", output, extra] = operands;
    if (extra !== undefined) throw new UsageFault(`extra operand ${quoted(extra)}`);
    const given = settings(options);
    const reader = openNamed(process, input);
    const target = redirected(process, output);
    const filter = new Filter(target, "uniq", given);
    const done = using(process, reader, () => filter.finish(reader));
    return then(done, () => {
      if (target !== process) close(target.stdout);
      return 0;
    });
  },
});

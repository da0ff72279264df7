import { native } from "../bridge/native";
import { each, then, type Maybe } from "../shell/io/maybe";
import type { Reader } from "../shell/io/reader";
import type { Writer } from "../shell/io/writer";
import type { Process } from "../shell/process";
import { choose } from "./choices";
import { command, complain, Failure } from "./command";
import { close, openWriter, using } from "./files";
import { Filter } from "./filter";
import { merge } from "./merging";
import { type Options, UsageFault } from "./options";
import { parseSize, quoted } from "./sizes";
import { addLetter, BOTH_ENDS, checkCompatible, encodeKeys, inherit, isDefault, type Ordering, parseKey, rewriteKeys, wholeLine } from "./sort_keys";
import { nameQuoted, nameShown } from "./quoting";
import { openNamed, orFail } from "./named";

const TABLE = {
  blanks: ["-b, --ignore-leading-blanks", "ignore blanks in front"],
  dictionary: ["-d, --dictionary-order", "regard only blanks, letters and digits"],
  fold: ["-f, --ignore-case", "take lower case letters for upper case ones"],
  general: ["-g, --general-numeric-sort", "order by floating-point numbers"],
  printable: ["-i, --ignore-nonprinting", "regard only printable characters"],
  month: ["-M, --month-sort", "order by names of months"],
  human: ["-h, --human-numeric-sort", "order by numbers with units, as 2K and 1G"],
  numeric: ["-n, --numeric-sort", "order by numbers"],
  random: ["-R, --random-sort", "shuffle, but group equal keys"],
  randomSource: ["--random-source=FILE", "take random bytes from FILE"],
  reverse: ["-r, --reverse", "reverse the order"],
  word: ["--sort=WORD", "order as WORD says: general-numeric, human-numeric, month, numeric, random, version"],
  versions: ["-V, --version-sort", "order by numbers within the text"],
  batch: ["--batch-size=NMERGE", "ignored"],
  check: ["-c", "tell whether the input is in order"],
  checkLong: ["--check[=WHICH]", "as -c; as -C when WHICH is quiet or silent"],
  checkQuiet: ["-C", "as -c, without a message"],
  compress: ["--compress-program=PROG", "ignored"],
  debug: ["--debug", "not supported"],
  files: ["--files0-from=F", "sort the files whose names, each ended by a NUL byte, are in F"],
  key: ["-k, --key=KEYDEF", "order by a part of the lines: FIELD[.CHAR][LETTERS][,FIELD[.CHAR][LETTERS]]"],
  merge: ["-m, --merge", "merge files that are in order"],
  output: ["-o, --output=FILE", "write to FILE"],
  stable: ["-s, --stable", "leave lines with equal keys as they are"],
  buffer: ["-S, --buffer-size=SIZE", "ignored"],
  separator: ["-t, --field-separator=SEP", "fields are separated by SEP, not by blanks"],
  temporary: ["-T, --temporary-directory=DIR", "ignored"],
  parallel: ["--parallel=N", "ignored"],
  unique: ["-u, --unique", "of lines with equal keys print only the first"],
  zero: ["-z, --zero-terminated", "lines end in a NUL byte"],
} as const;

type Given = Options<typeof TABLE>;

const LETTERS: Readonly<Record<string, string>> = {
  blanks: "b", dictionary: "d", fold: "f", general: "g", printable: "i", month: "M", human: "h", numeric: "n", random: "R", reverse: "r", versions: "V",
};
const WORDS: Readonly<Record<string, string>> = {
  "general-numeric": "g", "human-numeric": "h", month: "M", numeric: "n", random: "R", version: "V",
};

function orderingOf(options: Given): Ordering {
  const ordering: Ordering = { flags: 0, kinds: [] };
  for (const { key, value } of options.order) {
    const letter = key === "word" ? choose(WORDS, value!, "--sort") : LETTERS[key];
    if (letter) addLetter(ordering, letter, BOTH_ENDS);
  }
  return ordering;
}

function separatorOf(options: Given): number | undefined {
  const text = options.value("separator");
  if (text === undefined) return undefined;
  if (new Set(options.list("separator")).size > 1) throw new Failure("incompatible tabs", 2);
  if (text === "") throw new Failure("empty tab", 2);
  if (text === "\\0") return 0;
  const bytes = native.text.encode(text);
  if (bytes.length > 1) throw new Failure(`multi-character tab ${quoted(text)}`, 2);
  return bytes[0];
}

async function seedOf(process: Process, options: Given): Promise<Uint8Array> {
  const seed = new Uint8Array(16);
  const source = options.value("randomSource");
  if (source === undefined) native.random.fill(seed);
  else {
    const reader = openOrFail(process, source, "open failed");
    seed.set((await reader.chunk(16)).subarray(0, 16));
    if (reader !== process.stdin) close(reader);
  }
  return seed;
}

function settings(process: Process, options: Given): Maybe<Record<string, unknown>> {
  const ordering = orderingOf(options);
  const given = options.list("key").map((text) => inherit(parseKey(text), ordering));
  const keys = given.length > 0 || isDefault(ordering) ? given : [wholeLine(ordering)];
  keys.forEach(checkCompatible);
  const tab = separatorOf(options);
  const found = {
    keys: encodeKeys(keys),
    ...(tab !== undefined && { tab }),
    reverse: options.has("reverse"),
    stable: options.has("stable"),
    unique: options.has("unique"),
    end: options.has("zero") ? 0 : 10,
  };
  if (!keys.some(({ kinds }) => kinds.includes("R"))) return found;
  return seedOf(process, options).then((seed) => ({ ...found, seed }));
}

function openOrFail(process: Process, name: string, words = "cannot read"): Reader {
  return openNamed(process, name, `${words}: `, 2);
}

function filesOf(process: Process, options: Given, operands: readonly string[]): Maybe<readonly string[]> {
  const list = options.value("files");
  if (list !== undefined) return listed(process, list, operands);
  return operands.length > 0 ? operands : ["-"];
}

async function listed(process: Process, list: string, operands: readonly string[]): Promise<readonly string[]> {
  if (operands.length > 0) throw new UsageFault(`extra operand ${quoted(operands[0]!)}\nfile operands cannot be combined with --files0-from`);
  const reader = openOrFail(process, list, "open failed");
  const names = native.text.decode(await reader.all()).split("\0");
  if (names.at(-1) === "") names.pop();
  if (names.length === 0) throw new Failure(`no input from ${quoted(list)}`, 2);
  return names;
}

/** Whether to check only, and whether to tell. */
function checking(options: Given): "loud" | "quiet" | undefined {
  const last = options.last("check", "checkLong", "checkQuiet");
  if (options.has("checkQuiet") && (options.has("check") || options.has("checkLong"))) throw new UsageFault("options '-cC' are incompatible", false);
  if (last !== "checkLong") return last === "check" ? "loud" : last && "quiet";
  const which = options.value("checkLong") ?? "diagnose-first";
  return choose({ quiet: "quiet", silent: "quiet", "diagnose-first": "loud" } as const, which, "--check");
}

function check(process: Process, given: Record<string, unknown>, names: readonly string[], quiet: boolean): Maybe<number> {
  if (names.length > 1) throw new Failure(`extra operand ${nameQuoted(names[1]!)} not allowed with -${quiet ? "C" : "c"}`, 2);
  const reader = openOrFail(process, names[0]!);
  const filter = new Filter(process, "sort", { ...given, check: true });
  return then(filter.finish(reader), () => {
    const disorder = filter.report as [number, Uint8Array] | undefined;
    if (disorder && !quiet) complain(process, `${names[0]}:${disorder[0]}: disorder: ${native.text.decode(disorder[1])}`);
    return disorder ? 1 : 0;
  });
}

/** All input is read before the output file is opened: it may be one of the inputs. */
function sortTo(process: Process, given: Record<string, unknown>, readers: readonly Reader[], output: string | undefined): Maybe<number> {
  let target = process;
  const late = Object.create(process, { stdout: { get: () => target.stdout } }) as Process;
  const filter = new Filter(late, "sort", given);
  const read = each(readers, (reader, index) => {
    const fed = using(process, reader, () => filter.pump(reader));
    return index < readers.length - 1 ? then(fed, () => filter.end(true)) : fed;
  });
  return then(read, () => {
    if (output !== undefined) target = Object.create(process, { stdout: { value: openOutput(process, output) } }) as Process;
    return then(filter.end(), () => {
      if (output !== undefined) close(target.stdout);
      return 0;
    });
  });
}

/** Files that are in order are read side by side; with -o, all before the output file is opened. */
async function mergeTo(process: Process, given: Record<string, unknown>, readers: readonly Reader[], output: string | undefined): Promise<number> {
  const pieces: Uint8Array[] = [];
  const held = { give: (bytes: Uint8Array) => void pieces.push(bytes) };
  const filter = new Filter(output === undefined ? process : (Object.create(process, { stdout: { value: held } }) as Process), "sort-merge", { ...given, count: readers.length });
  await merge(process, filter, readers, () => filter.report as number);
  for (const reader of readers) if (reader !== process.stdin) close(reader);
  if (output === undefined) return 0;
  const writer = openOutput(process, output);
  for (const piece of pieces) await writer.write(piece);
  close(writer);
  return 0;
}

function openOutput(process: Process, path: string): Writer {
  return orFail(`open failed: ${nameShown(path)}`, () => openWriter(process, path), 2);
}

export const sort = command({
  name: "sort",
  usage: ["[OPTION]... [FILE]...", "[OPTION]... --files0-from=F"],
  about: "Print the lines of all files, or of standard input, in order.",
  options: TABLE,
  failure: 2,
  rewrite: rewriteKeys,
  run(process, options, operands) {
    if (options.has("debug")) throw new UsageFault("--debug is not supported here", false);
    const size = options.value("buffer");
    if (size !== undefined && parseSize(size.replace(/%$/, "")) === undefined) throw new Failure(`invalid --buffer-size argument ${quoted(size)}`, 2);
    return then(filesOf(process, options, operands), (names) => then(settings(process, options), (given) => sortFiles(process, options, given, names)));
  },
});

function sortFiles(process: Process, options: Given, given: Record<string, unknown>, names: readonly string[]): Maybe<number> {
  const mode = checking(options);
  if (!mode) {
    const readers = names.map((name) => openOrFail(process, name));
    return (options.has("merge") ? mergeTo : sortTo)(process, given, readers, options.value("output"));
  }
  if (options.has("output")) throw new UsageFault(`options '-${mode === "quiet" ? "C" : "c"}o' are incompatible`, false);
  return check(process, given, names, mode === "quiet");
}

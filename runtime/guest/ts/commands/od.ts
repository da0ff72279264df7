import { Blocks } from "./blocks";
import type { Process } from "../shell/process";
import { choose, themselves } from "./choices";
import { command, complain, Failure } from "./command";
import { Filter } from "./filter";
import { words } from "./merging";
import { type DumpType, parseTypes } from "./od_types";
import type { Options } from "./options";
import { demandSize, parseSize } from "./sizes";

const TABLE = {
  radix: ["-A, --address-radix=RADIX", "print offsets decimal (d), octal (o), hexadecimal (x), or not (n)"],
  endian: ["--endian=ORDER", "order of bytes: little or big"],
  skip: ["-j, --skip-bytes=BYTES", "leave out the first bytes"],
  most: ["-N, --read-bytes=BYTES", "print at most so many bytes"],
  strings: ["--strings[=BYTES]", "print texts of at least BYTES (3) printable characters that a NUL byte ends"],
  least: ["-S BYTES", "as --strings=BYTES"],
  type: ["-t, --format=TYPE", "a (names), c (characters), d, f, o, u, x, with the size of fields, as x1; z adds the text"],
  all: ["-v, --output-duplicates", "print equal lines too"],
  width: ["-w[BYTES], --width[=BYTES]", "print so many bytes on a line: 16 unless told otherwise, 32 without a number"],
  traditional: ["--traditional", "take offsets behind the name of the file"],
  a: ["-a", "as -t a"],
  b: ["-b", "as -t o1"],
  c: ["-c", "as -t c"],
  d: ["-d", "as -t u2"],
  f: ["-f", "as -t f4"],
  i: ["-i", "as -t d4"],
  l: ["-l", "as -t d8"],
  o: ["-o", "as -t o2"],
  s: ["-s", "as -t d2"],
  x: ["-x", "as -t x2"],
  B: ["-B", "as -t o2"],
  D: ["-D", "as -t u4"],
  e: ["-e", "as -t f8"],
  F: ["-F", "as -t f8"],
  h: ["-h", "as -t x2"],
  H: ["-H", "as -t x4"],
  I: ["-I", "as -t d8"],
  L: ["-L", "as -t d8"],
  O: ["-O", "as -t o4"],
  X: ["-X", "as -t x4"],
} as const;

const SHORTHANDS: Readonly<Record<string, string>> = {
  a: "a", b: "o1", c: "c", d: "u2", f: "f4", i: "d4", l: "d8", o: "o2", s: "d2", x: "x2",
  B: "o2", D: "u4", e: "f8", F: "f8", h: "x2", H: "x4", I: "d8", L: "d8", O: "o4", X: "x4",
};
const RADIX: Readonly<Record<string, readonly [base: number, width: number]>> = { d: [10, 7], o: [8, 7], x: [16, 6] };

type Given = Options<typeof TABLE>;

/** `0x10`, `010` and `2K`, in bytes. */
function size(text: string, complaint: string): number {
  if (/^0x[0-9a-f]+$/i.test(text)) return Number(text);
  const [, octal, unit] = /^0([0-7]+)([a-zA-Z]*)$/.exec(text) ?? [];
  return demandSize(octal === undefined ? text : `${Number.parseInt(octal, 8)}${unit!}`, complaint);
}

function typesOf(options: Given): DumpType[] {
  const given = options.order.flatMap(({ key, value }) => (key === "type" ? parseTypes(value!) : key in SHORTHANDS ? parseTypes(SHORTHANDS[key]!) : []));
  return given.length > 0 ? given : parseTypes("o2");
}

/** Bytes of a line: such that fields of all types fit in. */
function blockOf(process: Process, options: Given, least: number): number {
  const given = options.order.findLast(({ key }) => key === "width");
  if (!given) return 16;
  const width = given.value === undefined ? 32 : parseSize(given.value);
  if (width && width % least === 0) return width;
  complain(process, `warning: invalid width ${given.value ?? ""}; using ${least} instead`);
  return least;
}

function filterOf(process: Process, options: Given, start: number): Filter {
  const types = typesOf(options);
  const letter = options.value("radix") ?? "o";
  if (!/^[doxn]$/.test(letter)) throw new Failure(`invalid output address radix '${letter}'; it must be one character from [doxn]`);
  const [base, width] = RADIX[letter] ?? [0, 0];
  const endian = choose(themselves("little", "big"), options.value("endian") ?? "little", "--endian");
  const texts = options.order.findLast(({ key }) => key === "strings" || key === "least");
  return new Filter(process, "od", {
    types: words(types.flatMap((type) => [type.letter.charCodeAt(0), type.size, type.width, Number(type.text)])),
    block: blockOf(process, options, Math.max(...types.map((type) => type.size))),
    base,
    width,
    start,
    big: endian === "big",
    all: options.has("all"),
    strings: texts ? Math.max(size(texts.value ?? "3", "invalid -S argument"), 1) : 0,
  });
}

/** Options of today's od: with one of them, no operand is an offset. */
const MODERN = ["radix", "skip", "most", "strings", "least", "type", "all", "width"] as const;

/** `FILE +OFFSET`, as of old, is taken off the operands: the offset is octal or hexadecimal, with b in blocks. */
function traditional(options: Given, operands: string[]): number | undefined {
  if (MODERN.some((key) => options.has(key)) && !options.has("traditional")) return undefined;
  const last = operands.at(-1) ?? "";
  const marked = last.startsWith("+") || options.has("traditional") || (operands.length === 2 && /^\d/.test(last));
  const [, hex, octal, unit] = /^\+?(?:0[xX]([0-9a-fA-F]+)|([0-7]+))([bB]?)$/.exec(last) ?? [];
  if (!marked || operands.length > 2 || (hex ?? octal) === undefined) return undefined;
  operands.pop();
  return Number.parseInt((hex ?? octal)!, hex === undefined ? 8 : 16) * (unit === "b" ? 512 : unit === "B" ? 1024 : 1);
}

export const od = command({
  name: "od",
  usage: "[OPTION]... [FILE]...",
  about: "Print the bytes of the files, or of standard input, as octal or other numbers.",
  options: TABLE,
  async run(process, options, operands) {
    const names = [...operands];
    const start = traditional(options, names) ?? size(options.value("skip") ?? "0", "invalid -j argument");
    const filter = filterOf(process, options, start);
    const most = options.value("most");
    const blocks = new Blocks(process, names, most === undefined ? Infinity : size(most, "invalid -N argument"));
    if ((await blocks.skip(start)) < start) throw new Failure("cannot skip past end of combined input");
    await blocks.pump(filter);
    return blocks.status;
  },
});

import { Blocks } from "./blocks";
import type { Process } from "../shell/process";
import { command, complain, Failure } from "./command";
import { type DumpType, parseTypes } from "./od_types";
import { type Options, UsageFault } from "./options";
import { demandSize, parseSize, quoted } from "./sizes";

const TABLE = {
  radix: ["-A, --address-radix=RADIX", "print offsets decimal (d), octal (o), hexadecimal (x), or not (n)"],
  endian: ["--endian=ORDER", "order of bytes: little or big"],
  skip: ["-j, --skip-bytes=BYTES", "leave out the first bytes"],
  most: ["-N, --read-bytes=BYTES", "print at most so many bytes"],
  strings: ["-S, --strings=BYTES", "not supported"],
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
} as const;

const SHORTHANDS: Readonly<Record<string, string>> = { a: "a", b: "o1", c: "c", d: "u2", f: "f4", i: "d4", l: "d8", o: "o2", s: "d2", x: "x2" };
const RADIX: Readonly<Record<string, readonly [base: number, width: number]>> = { d: [10, 7], o: [8, 7], x: [16, 6] };

type Given = Options<typeof TABLE>;

/** `0x10`, `010` and `2K`, in bytes. */
function size(text: string, complaint: string): number {
  if (/^0x[0-9a-f]+$/i.test(text)) return Number(text);
  const [, octal, unit] = /^0([0-7]+)([a-zA-Z]*)$/.exec(text) ?? [];
  return demandSize(octal === undefined ? text : `${Number.parseInt(octal, 8)}${unit!}`, complaint);
}

class Dump {
  private readonly types: readonly DumpType[];
  private readonly radix: readonly [number, number] | undefined;
  private readonly little: boolean;
  /** Columns that the fields of a block have at least, blanks in front included. */
  private readonly columns: number;
  readonly block: number;

  constructor(
    private readonly process: Process,
    private readonly options: Given,
  ) {
    const given = options.order.flatMap(({ key, value }) => (key === "type" ? parseTypes(value!) : key in SHORTHANDS ? parseTypes(SHORTHANDS[key]!) : []));
    this.types = given.length > 0 ? given : parseTypes("o2");
    const letter = options.value("radix") ?? "o";
    if (letter !== "n" && !(letter in RADIX)) throw new Failure(`invalid output address radix '${letter}'; it must be one character from [doxn]`);
    this.radix = RADIX[letter];
    const endian = options.value("endian") ?? "little";
    if (endian !== "little" && endian !== "big") throw new UsageFault(`invalid argument ${quoted(endian)} for ${quoted("--endian")}`);
    this.little = endian === "little";
    this.block = this.width(Math.max(...this.types.map((type) => type.size)));
    this.columns = Math.max(...this.types.map(({ size: bytes, width }) => ((width + 1) * this.block) / bytes));
  }

  private width(least: number): number {
    const given = this.options.order.findLast(({ key }) => key === "width");
    if (!given) return 16;
    const width = given.value === undefined ? 32 : parseSize(given.value);
    if (width && width % least === 0) return width;
    complain(this.process, `warning: invalid width ${given.value ?? ""}; using ${least} instead`);
    return least;
  }

  address(offset: number): string {
    return this.radix ? offset.toString(this.radix[0]).padStart(this.radix[1], "0") : "";
  }

  /** The lines of a block, without the address. */
  lines(bytes: Uint8Array): string[] {
    const whole = new Uint8Array(this.block);
    whole.set(bytes);
    const view = new DataView(whole.buffer);
    return this.types.map((type) => this.line(type, view, bytes));
  }

  private line({ size: bytes, width, text, show }: DumpType, view: DataView, block: Uint8Array): string {
    const fields = this.block / bytes;
    const used = Math.ceil(block.length / bytes);
    const extra = this.columns - width * fields;
    let line = "";
    for (let index = 0; index < used; index += 1) {
      const before = Math.floor((extra * (fields - index)) / fields) - Math.floor((extra * (fields - index - 1)) / fields);
      line += show(view, index * bytes, this.little).padStart(width + before);
    }
    if (!text) return line;
    const characters = Array.from(block, (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
    return `${line.padEnd(this.columns)}  >${characters}<`;
  }
}

function equal(left: Uint8Array | undefined, right: Uint8Array): boolean {
  return left !== undefined && left.length === right.length && left.every((byte, index) => byte === right[index]);
}

/** `FILE +OFFSET`, as of old: the offset is octal, with a dot behind decimal, with b in blocks. */
function traditional(operands: string[]): number {
  const [, digits, dot, block] = /^\+?(\d+)(\.?)(b?)$/.exec(operands.at(-1) ?? "") ?? [];
  if (digits === undefined) return 0;
  operands.pop();
  return Number.parseInt(digits, dot ? 10 : 8) * (block ? 512 : 1);
}

export const od = command({
  name: "od",
  usage: "[OPTION]... [FILE]...",
  about: "Print the bytes of the files, or of standard input, as octal or other numbers.",
  options: TABLE,
  async run(process, options, operands) {
    if (options.has("strings")) throw new UsageFault("--strings is not supported here; see the command strings", false);
    const dump = new Dump(process, options);
    const names = [...operands];
    const start = options.has("traditional") || names.at(-1)?.startsWith("+") ? traditional(names) : size(options.value("skip") ?? "0", "invalid -j argument");
    const most = options.value("most");
    const blocks = new Blocks(process, names, most === undefined ? Infinity : size(most, "invalid -N argument"));
    if ((await blocks.skip(start)) < start) throw new Failure("cannot skip past end of combined input");
    let offset = start;
    let before: Uint8Array | undefined;
    let starred = false;
    for (let block = await blocks.next(dump.block); block; block = await blocks.next(dump.block)) {
      if (!options.has("all") && block.length === dump.block && equal(before, block)) {
        if (!starred) await process.stdout.write("*\n");
        starred = true;
      } else {
        starred = false;
        before = block;
        const address = dump.address(offset);
        const lines = dump.lines(block).map((line, index) => (index === 0 ? address : " ".repeat(address.length)) + line);
        process.stdout.print(`${lines.join("\n")}\n`);
        if (process.stdout.file.full) await process.stdout.flush();
      }
      offset += block.length;
    }
    const last = dump.address(offset);
    if (last !== "") process.stdout.print(`${last}\n`);
    return blocks.status;
  },
});

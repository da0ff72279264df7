import { native } from "../bridge/native";
import { Blocks } from "./blocks";
import { command, Failure } from "./command";
import { close, openWriter, readText } from "./files";
import { type Options, UsageFault } from "./options";
import { quoted } from "./sizes";
import { revert } from "./xxd_revert";
import type { Process } from "../shell/process";
import type { Writer } from "../shell/io/writer";

const TABLE = {
  skipEqual: ["-a", "print * for lines of zeros"],
  bits: ["-b", "print bits"],
  capitals: ["-C", "with -i, capitalize names"],
  columns: ["-c COLS", "print COLS bytes on a line"],
  ebcdic: ["-E", "not supported"],
  little: ["-e", "print words in little-endian order"],
  group: ["-g BYTES", "put BYTES together"],
  include: ["-i", "print a C array"],
  length: ["-l LEN", "print at most LEN bytes"],
  name: ["-n NAME", "the name of the array"],
  offset: ["-o OFF", "add OFF to the offsets"],
  plain: ["-p", "print hexadecimal digits alone"],
  revert: ["-r", "turn such output back into bytes"],
  seek: ["-s SEEK", "begin at this offset"],
  decimal: ["-d", "print offsets decimal"],
  upper: ["-u", "print capital letters"],
} as const;

type Given = Options<typeof TABLE>;

function integer(text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  const [, sign, digits] = /^([-+]*)(0[xX][0-9a-fA-F]+|\d+)$/.exec(text) ?? [];
  if (digits === undefined) return 0;
  const value = /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return sign === "-" ? -value : value;
}

/** How a line is laid out. */
interface Layout {
  readonly columns: number;
  readonly group: number;
  readonly little: boolean;
  readonly show: (byte: number) => string;
  readonly address: (offset: number) => string;
}

const printable = (byte: number): string => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".");

function layoutOf(options: Given): Layout {
  const bits = options.has("bits");
  const little = options.has("little");
  const columns = integer(options.value("columns"), bits ? 6 : 16);
  if (columns < 1 || columns > 256) throw new Failure("invalid number of columns (max. 256).");
  const given = integer(options.value("group"), bits ? 1 : little ? 4 : 2);
  if (little && (given & (given - 1)) !== 0) throw new Failure("number of octets per group must be a power of 2 with -e.");
  const upper = options.has("upper");
  const hex = (byte: number): string => byte.toString(16).padStart(2, "0");
  const shift = integer(options.value("offset"), 0);
  return {
    columns,
    group: given < 1 || given > columns ? columns : given,
    little,
    show: bits ? (byte) => byte.toString(2).padStart(8, "0") : upper ? (byte) => hex(byte).toUpperCase() : hex,
    address: (offset) => (offset + shift).toString(options.has("decimal") ? 10 : 16).padStart(8, "0"),
  };
}

/** One line: offset, groups, text. */
function line(layout: Layout, offset: number, bytes: Uint8Array): string {
  const { columns, group, little, show } = layout;
  const digits = show(0).length;
  const groups: string[] = [];
  for (let at = 0; at < columns; at += group) {
    const part = Array.from(bytes.subarray(at, at + group), show);
    const width = digits * (little ? group : Math.min(group, columns - at));
    groups.push(little ? part.reverse().join("").padStart(width) : part.join("").padEnd(width));
  }
  return `${layout.address(offset)}: ${groups.join(" ")}  ${Array.from(bytes, printable).join("")}\n`;
}

async function dump(out: Writer, options: Given, blocks: Blocks, start: number): Promise<void> {
  const layout = layoutOf(options);
  const zero = (block: Uint8Array): boolean => block.length === layout.columns && block.every((byte) => byte === 0);
  let offset = start;
  let zeros = 0;
  let held = "";
  for (let block = await blocks.next(layout.columns); block; block = await blocks.next(layout.columns)) {
    const text = line(layout, offset, block);
    offset += block.length;
    zeros = options.has("skipEqual") && zero(block) ? zeros + 1 : 0;
    if (zeros > 1) {
      held = zeros === 2 ? text : "*\n";
      if (zeros > 2) held += text;
      continue;
    }
    out.print(held + text);
    held = "";
    if (out.file.full) await out.flush();
  }
  out.print(held);
  await out.flush();
}

async function plain(out: Writer, options: Given, blocks: Blocks): Promise<void> {
  const columns = integer(options.value("columns"), 30);
  for (let block = await blocks.next(columns || 4096); block; block = await blocks.next(columns || 4096)) {
    const hex = native.bytes.hexEncode(block);
    await out.write(`${options.has("upper") ? hex.toUpperCase() : hex}${columns ? "\n" : ""}`);
  }
  if (columns === 0) await out.write("\n");
}

async function include(out: Writer, options: Given, blocks: Blocks, file: string): Promise<void> {
  const columns = integer(options.value("columns"), 12);
  const digits = (byte: number): string => byte.toString(16).padStart(2, "0");
  const show = (byte: number): string => (options.has("upper") ? `0X${digits(byte).toUpperCase()}` : `0x${digits(byte)}`);
  const given = options.value("name") ?? (file === "-" ? "" : file);
  const bare = given.replace(/[^A-Za-z0-9]/g, "_").replace(/^(?=\d)/, "__");
  const name = options.has("capitals") ? bare.toUpperCase() : bare;
  if (name !== "") await out.write(`unsigned char ${name}[] = {\n`);
  let length = 0;
  for (let block = await blocks.next(columns); block; block = await blocks.next(columns)) {
    await out.write(`${length > 0 ? ",\n" : ""}  ${Array.from(block, show).join(", ")}`);
    length += block.length;
  }
  if (length > 0) await out.write("\n");
  if (name !== "") await out.write(`};\nunsigned int ${name}${options.has("capitals") ? "_LEN" : "_len"} = ${length};\n`);
}

/** Long options of xxd have one hyphen; letters can not be put together. */
function rewrite(args: readonly string[]): readonly string[] {
  const long: Readonly<Record<string, string>> = {
    autoskip: "a", bits: "b", capitalize: "C", cols: "c", EBCDIC: "E", littleendian: "e", groupsize: "g", include: "i", len: "l",
    name: "n", offset: "o", ps: "p", postscript: "p", plain: "p", revert: "r", skip: "s", seek: "s", upper: "u",
  };
  return args.map((arg) => {
    const bare = /^--?([a-zA-Z]{2,})$/.exec(arg)?.[1];
    return bare && bare in long ? `-${long[bare]!}` : arg;
  });
}

export const xxd = command({
  name: "xxd",
  usage: ["[OPTION]... [INFILE [OUTFILE]]", "-r [-s OFFSET] [-p] [INFILE [OUTFILE]]"],
  about: "Print bytes as hexadecimal digits, or turn them back.",
  options: TABLE,
  rewrite,
  async run(process, options, operands) {
    if (operands.length > 2) throw new UsageFault(`extra operand ${quoted(operands[2]!)}`);
    if (options.has("ebcdic")) throw new UsageFault("-E is not supported here", false);
    const file = operands[0] ?? "-";
    const out = operands[1] === undefined || operands[1] === "-" ? process.stdout : openWriter(process, operands[1]);
    if (options.has("revert")) {
      await out.write(revert(await readText(process, file), options.has("plain"), integer(options.value("columns"), 16), integer(options.value("seek"), 0)));
    } else {
      const length = options.value("length");
      const seek = integer(options.value("seek"), 0);
      const { blocks, start } = await opened(process, file, seek, length === undefined ? Infinity : integer(length, 0));
      if (options.has("include")) await include(out, options, blocks, file);
      else if (options.has("plain")) await plain(out, options, blocks);
      else await dump(out, options, blocks, start);
      if (blocks.status) return 2;
    }
    if (out !== process.stdout) close(out);
    return 0;
  },
});

/** A negative offset counts from the end of the file. */
async function opened(process: Process, file: string, seek: number, most: number): Promise<{ blocks: Blocks; start: number }> {
  const blocks = new Blocks(process, [file], most);
  if (seek >= 0) {
    await blocks.skip(seek);
    return { blocks, start: seek };
  }
  const size = native.text.encode(await readText(process, file)).length;
  const start = size + seek;
  if (start < 0) throw new Failure("Sorry, cannot seek.", 4);
  await blocks.skip(start);
  return { blocks, start };
}

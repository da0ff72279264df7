import { native } from "../bridge/native";
import { Blocks } from "./blocks";
import { command, Failure } from "./command";
import { close, openReader, openWriter, readText, using } from "./files";
import { Filter } from "./filter";
import { type Options, UsageFault } from "./options";
import { quoted } from "./sizes";
import type { Process } from "../shell/process";

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
  const [, sign, digits] = /^\s*([-+]*)(0[xX][0-9a-fA-F]+|\d+)$/.exec(text) ?? [];
  if (digits === undefined) return 0;
  const value = /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return sign === "-" ? -value : value;
}

/** How lines are laid out. */
function dumpOf(options: Given, start: number): Record<string, unknown> {
  const bits = options.has("bits");
  const little = options.has("little");
  const columns = integer(options.value("columns"), bits ? 6 : 16);
  if (columns < 1 || columns > 256) throw new Failure("invalid number of columns (max. 256).");
  const given = integer(options.value("group"), bits ? 1 : little ? 4 : 2);
  if (little && (given & (given - 1)) !== 0) throw new Failure("number of octets per group must be a power of 2 with -e.");
  return {
    mode: 0,
    columns,
    group: given < 1 || given > columns ? columns : given,
    base: bits ? 2 : 16,
    little,
    start: start + integer(options.value("offset"), 0),
    decimal: options.has("decimal"),
    zeros: options.has("skipEqual"),
  };
}

async function include(process: Process, options: Given, blocks: Blocks, file: string): Promise<void> {
  const given = options.value("name") ?? (file === "-" ? "" : file);
  const bare = given.replace(/[^A-Za-z0-9]/g, "_").replace(/^(?=\d)/, "__");
  const name = options.has("capitals") ? bare.toUpperCase() : bare;
  const out = process.stdout;
  if (name !== "") await out.write(`unsigned char ${name}[] = {\n`);
  const filter = new Filter(process, "xxd", { mode: 2, columns: integer(options.value("columns"), 12), upper: options.has("upper") });
  await blocks.pump(filter);
  if (name !== "") await out.write(`};\nunsigned int ${name}${options.has("capitals") ? "_LEN" : "_len"} = ${String(filter.report)};\n`);
}

async function print(process: Process, options: Given, file: string): Promise<number> {
  const length = options.value("length");
  const { blocks, start } = await opened(process, file, integer(options.value("seek"), 0), length === undefined ? Infinity : integer(length, 0));
  const upper = options.has("upper");
  if (options.has("include")) await include(process, options, blocks, file);
  else {
    const settings = options.has("plain") ? { mode: 1, columns: integer(options.value("columns"), 30) } : dumpOf(options, start);
    await blocks.pump(new Filter(process, "xxd", { ...settings, upper }));
  }
  return blocks.status ? 2 : 0;
}

async function revert(process: Process, options: Given, file: string): Promise<number> {
  const filter = new Filter(process, "xxd_revert", {
    plain: options.has("plain"),
    columns: integer(options.value("columns"), 16),
    shift: integer(options.value("seek"), 0),
  });
  const reader = openReader(process, file);
  await using(process, reader, () => filter.finish(reader));
  return 0;
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
    const named = operands[1];
    if (named === undefined || named === "-") return options.has("revert") ? revert(process, options, file) : print(process, options, file);
    const target = Object.create(process, { stdout: { value: openWriter(process, named) } }) as Process;
    const status = await (options.has("revert") ? revert(target, options, file) : print(target, options, file));
    close(target.stdout);
    return status;
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

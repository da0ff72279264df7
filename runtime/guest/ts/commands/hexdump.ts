import { Blocks } from "./blocks";
import { command, Failure } from "./command";
import { readText } from "./files";
import { Filter } from "./filter";
import { encodeFormats, isForEnd, parseFormat, showEnd, type Unit, unitSize } from "./hexdump_format";
import type { Command, Process } from "../shell/process";
import type { Options } from "./options";
import { parseSize, quoted } from "./sizes";

const TABLE = {
  octalBytes: ["-b, --one-byte-octal", "bytes, octal"],
  characters: ["-c, --one-byte-char", "bytes as characters"],
  canonical: ["-C, --canonical", "bytes, hexadecimal, and as text"],
  decimal: ["-d, --two-bytes-decimal", "words of two bytes, decimal"],
  format: ["-e, --format=FORMAT", "by this format: [COUNT][/BYTES] \"TEXT\" ..."],
  formatFile: ["-f, --format-file=FILE", "by the formats in FILE"],
  color: ["-L, --color[=MODE]", "ignored"],
  length: ["-n, --length=LENGTH", "print at most LENGTH bytes"],
  octal: ["-o, --two-bytes-octal", "words of two bytes, octal"],
  skip: ["-s, --skip=OFFSET", "leave out the first OFFSET bytes"],
  all: ["-v, --no-squeezing", "print equal lines too"],
  hex: ["-x, --two-bytes-hex", "words of two bytes, hexadecimal"],
} as const;

type Given = Options<typeof TABLE>;

const OFFSET = String.raw`"%07.7_ax "`;
const END = String.raw`"%07.7_Ax\n"`;

/** Formats by option; all strings of one print the same block in turn. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  octalBytes: [END, String.raw`${OFFSET} 16/1 "%03o " "\n"`],
  characters: [END, String.raw`${OFFSET} 16/1 "%3_c " "\n"`],
  canonical: [String.raw`"%08.8_Ax\n"`, String.raw`"%08.8_ax  " 8/1 "%02x " "  " 8/1 "%02x "`, String.raw`"  |" 16/1 "%_p" "|\n"`],
  decimal: [END, String.raw`${OFFSET} 8/2 "  %05u " "\n"`],
  octal: [END, String.raw`${OFFSET} 8/2 " %06o " "\n"`],
  hex: [END, String.raw`${OFFSET} 8/2 "   %04x " "\n"`],
  usual: [END, String.raw`${OFFSET} 8/2 "%04x " "\n"`],
};

async function formatsOf(process: Process, options: Given): Promise<Unit[][]> {
  const texts: string[] = [];
  for (const { key, value } of options.order) {
    if (key === "format") texts.push(value!);
    else if (key === "formatFile") texts.push(...(await readText(process, value!)).split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#")));
    else if (key in FORMATS) texts.push(...FORMATS[key]!);
  }
  return (texts.length > 0 ? texts : FORMATS["usual"]!).map(parseFormat);
}

const sizeOf = (units: readonly Unit[]): number => units.reduce((sum, unit) => sum + unitSize(unit), 0);

/** The last unit of a format goes on to the end of the block, if it has no count of its own. */
function filled(units: readonly Unit[], block: number): Unit[] {
  const index = units.findLastIndex((unit) => unitSize(unit) > 0);
  const last = units[index];
  const missing = block - sizeOf(units);
  if (!last || last.counted || missing <= 0) return [...units];
  const more = Math.floor(missing / unitSize(last));
  return units.map((unit, place) => (place === index ? { ...unit, count: unit.count + more } : unit));
}

function size(options: Given, key: "length" | "skip"): number | undefined {
  const text = options.value(key);
  if (text === undefined) return undefined;
  const value = /^0x[0-9a-f]+$/i.test(text) || /^0[0-7]+$/.test(text) ? Number.parseInt(text, text[1] === "x" || text[1] === "X" ? 16 : 8) : parseSize(text);
  if (value === undefined) throw new Failure(`failed to parse ${key}: ${quoted(text)}`);
  return value;
}

async function dump(process: Process, blocks: Blocks, all: readonly Unit[][], block: number, start: number, squeeze: boolean): Promise<void> {
  const filter = new Filter(process, "hexdump", { ...encodeFormats(all.filter((units) => !isForEnd(units))), block, start, all: !squeeze });
  await blocks.pump(filter);
  const offset = filter.report as number;
  const end = all.findLast(isForEnd);
  if (end && offset > 0 && !blocks.isNone) process.stdout.print(showEnd(end, offset));
}

function named(name: string, lead: readonly string[]): Command {
  return command({
    name,
    usage: "[OPTION]... [FILE]...",
    about: "Print the bytes of the files, or of standard input, as hexadecimal or other numbers.",
    options: TABLE,
    rewrite: (args) => [...lead, ...args],
    async run(process, options, operands) {
      const parsed = await formatsOf(process, options);
      const block = Math.max(...parsed.map(sizeOf));
      if (block === 0) throw new Failure("no bytes in the format");
      const blocks = new Blocks(process, operands, size(options, "length"));
      const start = await blocks.skip(size(options, "skip") ?? 0);
      await dump(process, blocks, parsed.map((units) => filled(units, block)), block, start, !options.has("all"));
      if (blocks.status && !blocks.any) throw new Failure("all input file arguments failed");
      return blocks.status;
    },
  });
}

export const hexdump = named("hexdump", []);
export const hd = named("hd", ["-C"]);

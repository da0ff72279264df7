import { native } from "../bridge/native";
import { command } from "./command";
import { filterFiles } from "./filter";
import { type Options, UsageFault } from "./options";
import { quoted } from "./sizes";

const TABLE = {
  bytes: ["-b, --bytes=LIST", "print only these bytes"],
  characters: ["-c, --characters=LIST", "print only these characters, which are bytes"],
  delimiter: ["-d, --delimiter=DELIM", "fields are separated by DELIM, not by a tab"],
  fields: ["-f, --fields=LIST", "print only these fields, and lines without any delimiter"],
  ignored: ["-n", "ignored"],
  complement: ["--complement", "print all but what is chosen"],
  only: ["-s, --only-delimited", "do not print lines without a delimiter"],
  output: ["--output-delimiter=STRING", "put STRING between what is printed"],
  zero: ["-z, --zero-terminated", "lines end in a NUL byte"],
} as const;

type Range = readonly [first: number, last: number];

const ENDLESS = 0xffffffff;

function parseRange(text: string, fields: boolean): Range {
  const what = fields ? "fields" : "byte/character positions";
  const [, from, dash, to] = /^(\d*)(-?)(\d*)$/.exec(text) ?? [];
  if (from === undefined) {
    const rest = text.replace(/^[\d-]*/, "");
    if (rest === "") throw new UsageFault(`invalid ${fields ? "field" : "byte or character"} range`);
    throw new UsageFault(`invalid ${fields ? "field value" : "byte/character position"} ${quoted(rest)}`);
  }
  if (from === "" && to === "") throw new UsageFault(dash ? "invalid range with no endpoint: -" : `${what} are numbered from 1`);
  const first = from === "" ? 1 : Number(from);
  const last = dash ? (to === "" ? ENDLESS : Number(to)) : first;
  if (first === 0 || (dash && to !== "" && last === 0 && first <= 1)) throw new UsageFault(`${what} are numbered from 1`);
  if (last < first) throw new UsageFault("invalid decreasing range");
  return [Math.min(first, ENDLESS), Math.min(last, ENDLESS)];
}

/** In order, those that overlap made one; those that touch stay apart, as the output delimiter goes between them. */
function merged(ranges: Range[]): Range[] {
  const result: Range[] = [];
  for (const [first, last] of ranges.sort((left, right) => left[0] - right[0])) {
    const before = result.at(-1);
    if (before && first <= before[1]) result[result.length - 1] = [before[0], Math.max(before[1], last)];
    else result.push([first, last]);
  }
  return result;
}

function complement(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  let next = 1;
  for (const [first, last] of ranges) {
    if (first > next) result.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= ENDLESS) result.push([next, ENDLESS]);
  return result;
}

function delimiterOf(options: Options<typeof TABLE>): Uint8Array {
  const given = options.value("delimiter");
  if (given === undefined) return Uint8Array.of(9);
  const bytes = native.text.encode(given);
  if (bytes.length > 1) throw new UsageFault("the delimiter must be a single character");
  return bytes.length === 0 ? Uint8Array.of(0) : bytes;
}

export const cut = command({
  name: "cut",
  usage: "OPTION... [FILE]...",
  about: "Print parts of each line of the files, or of standard input. LIST is like 1,3-5,8-: single ones and ranges, from 1 on.",
  options: TABLE,
  run(process, options, operands) {
    const kinds = options.order.filter(({ key }) => key === "bytes" || key === "characters" || key === "fields");
    if (kinds.length > 1) throw new UsageFault("only one list may be specified");
    if (kinds.length === 0) throw new UsageFault("you must specify a list of bytes, characters, or fields");
    const fields = kinds[0]!.key === "fields";
    if (!fields && options.has("delimiter")) throw new UsageFault("an input delimiter may be specified only when operating on fields");
    if (!fields && options.has("only")) throw new UsageFault("suppressing non-delimited lines makes sense\n\tonly when operating on fields");
    const chosen = merged(kinds[0]!.value!.split(/[,\s]/).map((text) => parseRange(text, fields)));
    const ranges = options.has("complement") ? complement(chosen) : chosen;
    const delimiter = delimiterOf(options);
    const output = options.value("output");
    const between = output !== undefined ? native.text.encode(output === "" ? "\0" : output) : fields ? delimiter : undefined;
    return filterFiles(
      process,
      "cut",
      {
        fields,
        ranges: new Uint8Array(Uint32Array.from(ranges.flat()).buffer),
        delimiter: delimiter[0],
        ...(between && { outputDelimiter: between }),
        onlyDelimited: options.has("only"),
        end: options.has("zero") ? 0 : 10,
      },
      operands,
    );
  },
});

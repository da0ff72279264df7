import { then } from "../shell/io/maybe";
import { command, Failure } from "./command";
import { Filter } from "./filter";
import { type Options, UsageFault } from "./options";
import { quoted } from "./sizes";
import { complementOf, expand, parseSet, type Part } from "./tr_sets";

const TABLE = {
  complement: ["-c, -C, --complement", "use all bytes that are not in SET1"],
  delete: ["-d, --delete", "delete the bytes in SET1"],
  squeeze: ["-s, --squeeze-repeats", "make one of each run of a byte that is in the last SET"],
  truncate: ["-t, --truncate-set1", "first cut SET1 to the length of SET2"],
} as const;

type Given = Options<typeof TABLE>;

function flags(bytes: readonly number[]): Uint8Array {
  const result = new Uint8Array(256);
  for (const code of bytes) result[code] = 1;
  return result;
}

const isCase = ({ name }: Part): boolean => name === "upper" || name === "lower";

/** What GNU tr refuses in a set that bytes are translated to. */
function checkTarget(first: readonly Part[], second: readonly Part[]): void {
  if (second.some(({ equivalence }) => equivalence)) throw new Failure("[=c=] expressions may not appear in string2 when translating");
  if (second.some((part) => part.name !== undefined && !isCase(part))) {
    throw new Failure("when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'");
  }
  let offset = 0;
  const starts = new Set<number>();
  for (const part of first) {
    if (isCase(part)) starts.add(offset);
    offset += part.bytes.length;
  }
  offset = 0;
  for (const part of second) {
    if (isCase(part) && !starts.has(offset)) throw new Failure("misaligned [:upper:] and/or [:lower:] construct");
    offset += part.bytes.length;
  }
}

function translation(options: Given, first: readonly Part[], source: readonly number[], second: readonly Part[]): Uint8Array {
  const complement = options.has("complement");
  if (!second.some(({ fills }) => fills) || !complement) checkTarget(first, second);
  const target = expand(second, source.length);
  const truncate = options.has("truncate");
  if (target.length === 0 && !truncate) throw new Failure("when not truncating set1, string2 must be non-empty");
  const table = Uint8Array.from({ length: 256 }, (_, code) => code);
  const mapsToOne = new Set(target).size === 1 && (!truncate || target.length === source.length);
  if (complement && first.some(({ name }) => name !== undefined) && !mapsToOne) {
    throw new Failure("when translating with complemented character classes,\nstring2 must map all characters in the domain to one");
  }
  if (!truncate && target.length < source.length && second.at(-1)?.name !== undefined) {
    throw new Failure("when translating with string1 longer than string2,\nthe latter string must not end with a character class");
  }
  const length = truncate ? Math.min(source.length, target.length) : source.length;
  for (let at = 0; at < length; at += 1) table[source[at]!] = target[Math.min(at, target.length - 1)]!;
  return table;
}

/** How many sets there must be, in GNU's words. */
function checkOperands(options: Given, operands: readonly string[]): void {
  const [deletes, squeezes] = [options.has("delete"), options.has("squeeze")];
  const least = deletes === squeezes ? 2 : 1;
  const most = deletes && !squeezes ? 1 : 2;
  if (operands.length === 0) throw new UsageFault("missing operand");
  if (operands.length < least) {
    const why = deletes ? "Two strings must be given when both deleting and squeezing repeats." : "Two strings must be given when translating.";
    throw new UsageFault(`missing operand after ${quoted(operands.at(-1)!)}\n${why}`);
  }
  if (operands.length > most) {
    const why = operands.length === 2 ? "\nOnly one string may be given when deleting without squeezing repeats." : "";
    throw new UsageFault(`extra operand ${quoted(operands[most]!)}${why}`);
  }
}

function tables(options: Given, operands: readonly string[]): Record<string, Uint8Array> {
  const first = parseSet(operands[0]!);
  if (first.some(({ fills }) => fills)) throw new Failure("the [c*] repeat construct may not appear in string1");
  const listed = expand(first);
  const source = options.has("complement") ? complementOf(listed) : listed;
  const second = operands[1] === undefined ? undefined : parseSet(operands[1]);
  if (second && second.filter(({ fills }) => fills).length > 1) throw new Failure("only one [c*] repeat construct may appear in string2");
  const translates = second !== undefined && !options.has("delete");
  if (!translates && second?.some(({ fills }) => fills)) throw new Failure("the [c*] construct may appear in string2 only when translating");
  if (options.has("delete")) return { dropped: flags(source), ...(second && { squeezed: flags(expand(second)) }) };
  if (!second) return { squeezed: flags(source) };
  const table = translation(options, first, source, second);
  return { table, ...(options.has("squeeze") && { squeezed: flags(expand(second, source.length)) }) };
}

export const tr = command({
  name: "tr",
  usage: "[OPTION]... SET1 [SET2]",
  about: "Translate, squeeze or delete bytes of standard input. Sets are like 'a-z', '[:upper:]', '\\n', '[x*5]', '[x*]'.",
  options: TABLE,
  inOrder: true,
  run(process, options, operands) {
    checkOperands(options, operands);
    const filter = new Filter(process, "tr", tables(options, operands));
    return then(filter.finish(process.stdin), () => 0);
  },
});

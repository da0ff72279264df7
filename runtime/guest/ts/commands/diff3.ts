import { describeErrno } from "../shell/io/errors";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { command, Failure } from "./command";
import { blocksOf } from "./diff3_blocks";
import { conflicts, edScript, type Merge, merged, plain } from "./diff3_output";
import { DiffFlag } from "./diff_text";
import { openReader, using } from "./files";
import { demandCompared } from "./operands";
import { type Options, UsageFault } from "./options";

const TABLE = {
  all: ["-A, --show-all", "an ed script of all changes, with conflicts between marks"],
  ed: ["-e, --ed", "an ed script that brings what changed from OLD to YOURS into MINE"],
  overlap: ["-E, --show-overlap", "as -e, with conflicts between marks"],
  easy: ["-3, --easy-only", "as -e, of changes that do not overlap"],
  overlapOnly: ["-x, --overlap-only", "as -e, of changes that overlap"],
  overlapMarked: ["-X", "as -x"],
  write: ["-i", "end ed scripts with w and q"],
  merge: ["-m, --merge", "print the merged text, as -A has it unless another option is given"],
  text: ["-a, --text", "take all files as text"],
  stripReturn: ["--strip-trailing-cr", "drop carriage returns at line ends"],
  initialTab: ["-T, --initial-tab", "a tab before lines, so that tabs line up"],
  label: ["-L, --label=LABEL", "in place of a file's name; may be given three times"],
} as const;

type Given = Options<typeof TABLE>;

const TROUBLE = 2;
const KINDS = ["all", "ed", "overlap", "easy", "overlapOnly", "overlapMarked"] as const;
/** What each takes over: overlaps, marks, changes of the third alone, the second's lines. */
const MERGES: Readonly<Record<(typeof KINDS)[number], Omit<Merge, "labels">>> = {
  all: { overlaps: true, flags: true, simple: true, all: true },
  ed: { overlaps: true, flags: false, simple: true, all: false },
  overlap: { overlaps: true, flags: true, simple: true, all: false },
  easy: { overlaps: false, flags: false, simple: true, all: false },
  overlapOnly: { overlaps: true, flags: false, simple: false, all: false },
  // GNU's makes no marks either.
  overlapMarked: { overlaps: true, flags: false, simple: false, all: false },
};

async function read(process: Process, path: string): Promise<Uint8Array> {
  try {
    const reader = openReader(process, path);
    return await using(process, reader, () => reader.all());
  } catch (error) {
    if (error instanceof Errno) throw new Failure(`${path}: ${describeErrno(error)}`, TROUBLE);
    throw error;
  }
}

function mergeOf(options: Given, operands: readonly string[]): Merge | undefined {
  const given = KINDS.filter((kind) => options.has(kind));
  const labels = options.list("label");
  if (given.length > 1) throw new UsageFault("incompatible options");
  if (labels.length > 3) throw new UsageFault("too many file label options");
  if (given.length === 0 && !options.has("merge")) return undefined;
  return { ...MERGES[given[0] ?? "all"], labels: operands.map((operand, index) => labels[index] ?? operand) as unknown as Merge["labels"] };
}

export const diff3 = command({
  name: "diff3",
  usage: "[OPTION]... MINE OLD YOURS",
  about: "Compare three files line by line, or merge what two others made of OLD. Status 0: no conflicts, 1: conflicts, 2: trouble.",
  options: TABLE,
  failure: TROUBLE,
  async run(process, options, operands) {
    const merge = mergeOf(options, operands);
    demandCompared("diff3", operands, 3);
    const texts: Uint8Array[] = [];
    for (const operand of operands) texts.push(await read(process, operand));
    const common = merge ? 1 : 2;
    const blocks = blocksOf(texts, operands[common] === "-" ? ((3 - common) as 1 | 2) : common, options.has("stripReturn") ? DiffFlag.stripReturn : 0);
    const isScript = merge !== undefined && !options.has("merge");
    const pieces = !merge ? plain(blocks, options.has("initialTab") ? "\t" : "  ") : isScript ? edScript(blocks, merge) : merged(blocks, merge);
    for (const piece of pieces) await process.stdout.write(piece);
    if (isScript && options.has("write")) await process.stdout.write("w\nq\n");
    return merge && blocks.list.some((block) => conflicts(block, merge)) ? 1 : 0;
  },
});

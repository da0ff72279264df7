import { describeErrno } from "../shell/io/errors";
import type { Process } from "../shell/process";
import { O_CREAT, O_WRONLY } from "../vfs/flags";
import { RegularFile } from "../vfs/inode";
import { target } from "../vfs/open";
import { find } from "../vfs/walk";
import { Attempts } from "./attempts";
import { command, Failure } from "./command";
import { demandFiles } from "./operands";
import { UsageFault } from "./options";
import { nameQuoted } from "./quoting";
import { demandSize, quoted } from "./sizes";
import { nodeAt } from "./targets";

type Resize = (size: number) => number;

/** What the sign in front of a size makes of the size that a file has, or that another one has. */
const RELATIVE: Readonly<Record<string, (size: number, by: number) => number>> = {
  "": (_size, by) => by,
  "+": (size, by) => size + by,
  "-": (size, by) => Math.max(0, size - by),
  "<": Math.min,
  ">": Math.max,
  "/": (size, by) => Math.floor(size / by) * by,
  "%": (size, by) => Math.ceil(size / by) * by,
};

function resizeOf(text: string, block: number): Resize {
  const [, sign, number] = /^\s*([-+<>/%]?)\s*([^]*)$/.exec(text)!;
  if (/^[-+]/.test(number!)) throw new Failure(`multiple relative modifiers specified`);
  const by = demandSize(number!, "Invalid number") * block;
  if (by === 0 && (sign === "/" || sign === "%")) throw new Failure("division by zero");
  return (size) => RELATIVE[sign!]!(size, by);
}

function sizeOf(process: Process, path: string): number {
  try {
    return find(process.context, path).size;
  } catch (error) {
    throw new Failure(`cannot stat ${nameQuoted(path)}: ${describeErrno(error)}`);
  }
}

export const truncate = command({
  name: "truncate",
  usage: "OPTION... FILE...",
  about: "Shorten or lengthen each FILE to a size; one that is not there is made.",
  options: {
    noCreate: ["-c, --no-create", "do not make files"],
    blocks: ["-o, --io-blocks", "count SIZE in blocks of 4096 bytes"],
    reference: ["-r, --reference=FILE", "the size of FILE"],
    size: ["-s, --size=SIZE", "the size; +, -, <, >, / or % in front make it relative"],
  },
  run(process, options, operands) {
    const [size, reference] = [options.value("size"), options.value("reference")];
    if (size === undefined && reference === undefined) throw new UsageFault(`you must specify either ${quoted("--size")} or ${quoted("--reference")}`);
    if (size !== undefined && reference !== undefined && !/^\s*[-+<>/%]/.test(size)) throw new UsageFault(`you must specify a relative ${quoted("--size")} with ${quoted("--reference")}`);
    if (options.has("blocks") && size === undefined) throw new UsageFault(`${quoted("--io-blocks")} was specified but ${quoted("--size")} was not`);
    demandFiles(operands);
    const resize: Resize = size === undefined ? (old) => old : resizeOf(size, options.has("blocks") ? 4096 : 1);
    const base = reference === undefined ? undefined : sizeOf(process, reference);
    const attempts = new Attempts(process);
    const { context } = process;
    for (const path of operands) {
      if (options.has("noCreate") && nodeAt(process, path) === undefined) continue;
      attempts.done(() => `cannot open ${nameQuoted(path)} for writing`, () => {
        const node = target(context, path, O_WRONLY | O_CREAT, 0o666);
        if (node instanceof RegularFile) context.volume.truncate(node, resize(base ?? node.size));
      });
    }
    return attempts.status;
  },
});

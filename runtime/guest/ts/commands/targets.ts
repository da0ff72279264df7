/** Where cp, mv, ln and install put things: a file, or one after the other into a directory. */

import { describeErrno } from "../shell/io/errors";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { Directory, type Inode } from "../vfs/inode";
import { find } from "../vfs/walk";
import { Failure } from "./command";
import { missingDestination, demandFiles } from "./operands";
import { UsageFault } from "./options";
import { baseName, joined } from "./paths";
import { nameQuoted } from "./quoting";

export interface Pair {
  readonly source: string;
  readonly target: string;
}

export const TARGET_OPTIONS = {
  directory: ["-t, --target-directory=DIRECTORY", "put everything into DIRECTORY"],
  plain: ["-T, --no-target-directory", "take the last operand as a file, whatever it is"],
} as const;

interface Given {
  has(key: "plain"): boolean;
  value(key: "directory"): string | undefined;
}

/** The node, or undefined where none is. */
export function nodeAt(process: Process, path: string, follow = true): Inode | undefined {
  try {
    return find(process.context, path, follow);
  } catch (error) {
    if (error instanceof Errno) return undefined;
    throw error;
  }
}

/** Which operand goes where. `follow`: whether a link to a directory counts as one. */
export function pairs(process: Process, options: Given, operands: readonly string[], follow = true): Pair[] {
  const directory = options.value("directory");
  if (directory !== undefined) {
    if (options.has("plain")) throw new Failure("cannot combine --target-directory (-t) and --no-target-directory (-T)");
    demandFiles(operands);
    demandDirectory(process, directory, "target directory");
    return operands.map((source) => ({ source, target: inside(directory, source) }));
  }
  demandFiles(operands);
  const last = operands.at(-1)!;
  const sources = operands.slice(0, -1);
  if (sources.length === 0) missingDestination(last);
  if (options.has("plain")) {
    if (sources.length > 1) throw new UsageFault(`extra operand ${nameQuoted(operands[2]!)}`);
    return [{ source: sources[0]!, target: last }];
  }
  const node = nodeAt(process, last);
  if (node instanceof Directory && (follow || nodeAt(process, last, false) === node)) return sources.map((source) => ({ source, target: inside(last, source) }));
  if (sources.length > 1) demandDirectory(process, last, "target");
  return [{ source: sources[0]!, target: last }];
}

function inside(directory: string, source: string): string {
  const name = baseName(source);
  return joined(directory, name === "/" ? "" : name);
}

function demandDirectory(process: Process, path: string, role: string): void {
  let reason = "Not a directory";
  try {
    if (find(process.context, path) instanceof Directory) return;
  } catch (error) {
    reason = describeErrno(error);
  }
  throw new Failure(`${role} ${nameQuoted(path)}: ${reason}`);
}

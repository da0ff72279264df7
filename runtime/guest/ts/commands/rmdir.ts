import { describeErrno } from "../shell/io/errors";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import * as tree from "../vfs/tree";
import { command, complain } from "./command";
import { demandOperands } from "./operands";
import { dirName, withoutSlashes } from "./paths";
import { nameQuoted } from "./quoting";

/** A directory and, `parents`, those above it, from the bottom up. */
function chain(path: string, parents: boolean): string[] {
  const all = [path];
  for (let at = withoutSlashes(path); parents; all.push(at)) {
    const up = dirName(at);
    if (up === "." || up === "/" || up === at) break;
    at = up;
  }
  return all;
}

function removeOne(process: Process, path: string, first: boolean, ignore: boolean): boolean {
  try {
    tree.rmdir(process.context, path);
    return true;
  } catch (error) {
    const reason = describeErrno(error);
    if (ignore && (error as Errno).code === "ENOTEMPTY") return false;
    complain(process, `failed to remove ${first ? "" : "directory "}${nameQuoted(path)}: ${reason}`);
    throw error;
  }
}

export const rmdir = command({
  name: "rmdir",
  usage: "[OPTION]... DIRECTORY...",
  about: "Remove each DIRECTORY, which must be empty.",
  options: {
    ignore: ["--ignore-fail-on-non-empty", "no error for what is not empty"],
    parents: ["-p, --parents", "remove the directories above it as well"],
    verbose: ["-v, --verbose", "tell of each directory"],
  },
  run(process, options, operands) {
    demandOperands(operands, 1);
    let status = 0;
    for (const operand of operands) {
      try {
        for (const path of chain(operand, options.has("parents"))) {
          if (options.has("verbose")) process.stdout.print(`${process.name}: removing directory, ${nameQuoted(path)}\n`);
          if (!removeOne(process, path, path === operand, options.has("ignore"))) break;
        }
      } catch (error) {
        if (!(error instanceof Errno)) throw error;
        status = 1;
      }
    }
    return status;
  },
});

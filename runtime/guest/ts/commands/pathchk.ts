import { native } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { NAME_MAX, PATH_MAX } from "../vfs/limits";
import { find } from "../vfs/walk";
import { command, complain } from "./command";
import { demandOperands } from "./operands";
import { nameQuoted } from "./quoting";
import { quoted } from "./sizes";

const PORTABLE_NAME = 14;
const PORTABLE_PATH = 256;

interface Checks {
  readonly portable: boolean;
  readonly extra: boolean;
}

/** What is wrong with a path; undefined when nothing is. */
function fault(process: Process, path: string, { portable, extra }: Checks): string | undefined {
  const parts = path.split("/").filter((part) => part !== "");
  const length = native.bytes.utf8Length(path);
  if (extra && parts.some((part) => part.startsWith("-"))) return `leading '-' in a component of file name ${nameQuoted(path)}`;
  if (path === "" && (portable || extra)) return "empty file name";
  const odd = portable ? /[^A-Za-z0-9._\-/]/u.exec(path)?.[0] : undefined;
  if (odd !== undefined) return `nonportable character ${quoted(odd)} in file name ${nameQuoted(path)}`;
  const [most, longest] = portable ? [PORTABLE_PATH, PORTABLE_NAME] : [PATH_MAX + 1, NAME_MAX];
  if (length >= most) return `limit ${most - 1} exceeded by length ${length} of file name ${nameQuoted(path)}`;
  const long = parts.find((part) => native.bytes.utf8Length(part) > longest);
  if (long !== undefined) return `limit ${longest} exceeded by length ${native.bytes.utf8Length(long)} of file name component ${nameQuoted(long)}`;
  return portable ? undefined : unreachable(process, path);
}

function unreachable(process: Process, path: string): string | undefined {
  try {
    find(process.context, path, false);
  } catch (error) {
    if (!(error instanceof Errno) || error.code !== "ENOENT" || path === "") return `${nameQuoted(path)}: ${describeErrno(error)}`;
  }
  return undefined;
}

export const pathchk = command({
  name: "pathchk",
  usage: "[OPTION]... NAME...",
  about: "Tell of file names that are not possible, or not portable.",
  options: {
    portable: ["-p", "check for most POSIX systems"],
    extra: ["-P", "check for empty names and leading dashes"],
    all: ["--portability", "as -p -P"],
  },
  run(process, options, operands) {
    demandOperands(operands, 1);
    const checks = { portable: options.has("portable") || options.has("all"), extra: options.has("extra") || options.has("all") };
    let status = 0;
    for (const path of operands) {
      const message = fault(process, path, checks);
      if (message === undefined) continue;
      complain(process, message);
      status = 1;
    }
    return status;
  },
});

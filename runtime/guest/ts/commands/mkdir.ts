import type { Process } from "../shell/process";
import { Directory } from "../vfs/inode";
import { chmod } from "../vfs/meta";
import * as tree from "../vfs/tree";
import { find, walk } from "../vfs/walk";
import { fail } from "../vfs/errors";
import { Attempts } from "./attempts";
import { command, Failure } from "./command";
import { type ModeChange, parseMode } from "./modes";
import { demandOperands } from "./operands";
import { nameQuoted } from "./quoting";
import { quoted } from "./sizes";

const ALL = 0o777;

/** Each directory on the way, as far as it is written. */
export function prefixes(path: string): string[] {
  const ends = [...path.matchAll(/[^/](?=\/|$)/g)].map((match) => match.index + 1);
  return ends.length === 0 ? [path] : ends.map((end) => path.slice(0, end));
}

const nothing = (): void => {};

/** Makes what is missing of a path; `made` is told of each directory made, `coming` of each that is looked at. */
export function makePath(process: Process, path: string, made: (prefix: string, last: boolean) => void = nothing, coming: (prefix: string) => void = nothing): void {
  const { context } = process;
  const all = prefixes(path);
  for (const prefix of all) {
    coming(prefix);
    const { node } = walk(context, prefix);
    if (node === undefined) {
      tree.mkdir(context, prefix, ALL);
      made(prefix, prefix === all.at(-1));
    } else if (!(node instanceof Directory)) fail(prefix === all.at(-1) ? "EEXIST" : "ENOTDIR");
  }
}

function demandMode(text: string | undefined): ModeChange | undefined {
  if (text === undefined) return undefined;
  const change = parseMode(text);
  if (!change) throw new Failure(`invalid mode ${quoted(text)}`);
  return change;
}

export const mkdir = command({
  name: "mkdir",
  usage: "[OPTION]... DIRECTORY...",
  about: "Make each DIRECTORY.",
  options: {
    mode: ["-m, --mode=MODE", "set the permissions, as chmod does"],
    parents: ["-p, --parents", "make missing directories above it; no error if it is there"],
    verbose: ["-v, --verbose", "tell of each directory made"],
    context: ["-Z", "ignored"],
  },
  run(process, options, operands) {
    demandOperands(operands, 1);
    const { context } = process;
    const change = demandMode(options.value("mode"));
    const attempts = new Attempts(process);
    const made = (path: string, last: boolean): void => {
      if (last && change) chmod(context, find(context, path), change(ALL, true, context.umask));
      if (options.has("verbose")) process.stdout.print(`${process.name}: created directory ${nameQuoted(path)}\n`);
    };
    for (const path of operands) {
      let at = path;
      attempts.done(
        () => `cannot create directory ${quoted(at)}`,
        () => {
          if (options.has("parents")) makePath(process, path, made, (prefix) => (at = prefix));
          else {
            tree.mkdir(context, path, ALL);
            made(path, true);
          }
        },
      );
    }
    return attempts.status;
  },
});

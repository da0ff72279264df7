import { describeErrno } from "../shell/io/errors";
import { Directory } from "../vfs/inode";
import { fail } from "../vfs/errors";
import { canonical, type Demand, type Links, relativePath } from "./canonical";
import { command, complain, Failure } from "./command";
import { demandOperands } from "./operands";
import { type Options } from "./options";
import { find } from "../vfs/walk";
import { nameShown } from "./quoting";
import type { Process } from "../shell/process";

const TABLE = {
  existing: ["-e, --canonicalize-existing", "every component must be there"],
  missing: ["-m, --canonicalize-missing", "no component has to be there"],
  logical: ["-L, --logical", "resolve .. before symbolic links"],
  physical: ["-P, --physical", "resolve symbolic links as they come"],
  quiet: ["-q, --quiet", "no messages about files"],
  relativeTo: ["--relative-to=DIR", "print paths from DIR"],
  relativeBase: ["--relative-base=DIR", "print paths below DIR from there"],
  strip: ["-s, --strip, --no-symlinks", "leave symbolic links as they are"],
  zero: ["-z, --zero", "end lines with a NUL byte"],
} as const;

function ways(options: Options<typeof TABLE>): { demand: Demand; links: Links } {
  const which = options.last("existing", "missing");
  const links = options.last("logical", "physical", "strip");
  return { demand: which ?? "parents", links: links === "logical" ? "logical" : links === "strip" ? "kept" : "physical" };
}

function demandFolder(process: Process, path: string, demand: Demand): void {
  if (demand === "existing" && !(find(process.context, path) instanceof Directory)) fail("ENOTDIR");
}

function within(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}

export const realpath = command({
  name: "realpath",
  usage: "[OPTION]... FILE...",
  about: "Print each FILE as an absolute path without links and dots; all but its last component must be there.",
  options: TABLE,
  run(process, options, operands) {
    demandOperands(operands, 1);
    const { demand, links } = ways(options);
    const folder = (path: string | undefined): string | undefined => {
      if (path === undefined) return undefined;
      try {
        const full = canonical(process.context, path, demand, links);
        demandFolder(process, full, demand);
        return full;
      } catch (error) {
        throw new Failure(`${nameShown(path)}: ${describeErrno(error)}`);
      }
    };
    const base = folder(options.value("relativeBase"));
    let from = folder(options.value("relativeTo")) ?? base;
    if (base !== undefined && from !== undefined && !within(from, base)) from = undefined;
    let status = 0;
    for (const path of operands) {
      try {
        const full = canonical(process.context, path, demand, links);
        const relative = from !== undefined && (base === undefined || within(full, base));
        process.stdout.print((relative ? relativePath(full, from!) : full) + (options.has("zero") ? "\0" : "\n"));
      } catch (error) {
        const reason = describeErrno(error);
        if (!options.has("quiet")) complain(process, `${nameShown(path)}: ${reason}`);
        status = 1;
      }
    }
    return status;
  },
});

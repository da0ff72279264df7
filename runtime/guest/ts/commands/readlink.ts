import { describeErrno } from "../shell/io/errors";
import { readlink as target } from "../vfs/tree";
import { canonical, type Demand } from "./canonical";
import { command, complain } from "./command";
import { demandOperands } from "./operands";
import { nameShown } from "./quoting";

const DEMANDS: Readonly<Record<string, Demand>> = { canonicalize: "parents", existing: "existing", missing: "missing" };

export const readlink = command({
  name: "readlink",
  usage: "[OPTION]... FILE...",
  about: "Print where symbolic links lead, or the absolute paths of files.",
  options: {
    canonicalize: ["-f, --canonicalize", "absolute paths; all but the last component must be there"],
    existing: ["-e, --canonicalize-existing", "absolute paths; every component must be there"],
    missing: ["-m, --canonicalize-missing", "absolute paths; nothing has to be there"],
    noNewline: ["-n, --no-newline", "no newline at the end"],
    quiet: ["-q, --quiet", "no messages"],
    silent: ["-s, --silent", "no messages"],
    verbose: ["-v, --verbose", "messages"],
    zero: ["-z, --zero", "end lines with a NUL byte"],
  },
  run(process, options, operands) {
    demandOperands(operands, 1);
    const demand = DEMANDS[options.last("canonicalize", "existing", "missing") ?? ""];
    const loud = options.last("quiet", "silent", "verbose") === "verbose";
    const end = options.has("zero") ? "\0" : options.has("noNewline") && operands.length === 1 ? "" : "\n";
    let status = 0;
    for (const path of operands) {
      try {
        process.stdout.print((demand ? canonical(process.context, path, demand) : target(process.context, path)) + end);
      } catch (error) {
        const reason = describeErrno(error);
        if (loud) complain(process, `${nameShown(path)}: ${reason}`);
        status = 1;
      }
    }
    return status;
  },
});

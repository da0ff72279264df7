import { describeErrno } from "../shell/io/errors";
import { find } from "../vfs/walk";
import { command, complain } from "./command";
import { HUMAN, KIBIBYTES, parseScale, type Scale, scaled, SI } from "./human";
import { nameShown } from "./quoting";

/** What stands for "no limit", in bytes and in files. */
const PLENTY = 2 ** 40;

function percent(used: number, all: number): string {
  return `${Math.ceil((used / Math.max(all, 1)) * 100)}%`;
}

function heading(scale: Scale): string {
  if (scale.unit === 0) return "Size";
  return scale.unit === 1024 ? "1K-blocks" : scale.suffix !== "" ? `1${scale.suffix}-blocks` : `${scaled(scale.unit, HUMAN).replace(/\.0/, "")}-blocks`;
}

export const df = command({
  name: "df",
  usage: "[OPTION]... [FILE]...",
  about: "Print how much the sandbox's files take and may take.",
  options: {
    all: ["-a, --all", "ignored"],
    blockSize: ["-B, --block-size=SIZE", "scale sizes by SIZE"],
    human: ["-h, --human-readable", "sizes like 1K 234M 2G"],
    si: ["-H, --si", "as -h with powers of 1000"],
    inodes: ["-i, --inodes", "count files instead of blocks"],
    kibibytes: ["-k", "as --block-size=1K"],
    local: ["-l, --local", "ignored"],
    mebibytes: ["-m", "as --block-size=1M"],
    portability: ["-P, --portability", "the POSIX format"],
    sync: ["--sync, --no-sync", "ignored"],
    type: ["-T, --print-type", "print the type of the file system"],
    only: ["-t, --type=TYPE", "ignored"],
    without: ["-x, --exclude-type=TYPE", "ignored"],
    total: ["--total", "ignored"],
  },
  run(process, options, operands) {
    let status = 0;
    const rows: string[][] = [];
    const { maxBytes, maxFiles, bytes, files } = process.context.volume.quota;
    const last = options.last("human", "si", "blockSize", "kibibytes", "mebibytes");
    const scale = last === "human" ? HUMAN : last === "si" ? SI : last === "mebibytes" ? parseScale("1M") : last === "blockSize" ? parseScale(options.value("blockSize")!, "-B") : KIBIBYTES;
    const [all, used] = options.has("inodes") ? [Math.min(maxFiles, PLENTY), files] : [Math.min(maxBytes, PLENTY), bytes];
    const show = (count: number): string => (options.has("inodes") ? String(count) : scaled(count, scale));
    const numbers = [show(all), show(used), show(all - used), percent(used, all)];
    const type = options.has("type") ? ["tmpfs"] : [];
    for (const path of operands.length > 0 ? operands : ["/"]) {
      try {
        find(process.context, path);
        rows.push(["amla", ...type, ...numbers, "/"]);
      } catch (error) {
        complain(process, `${nameShown(path)}: ${describeErrno(error)}`);
        status = 1;
      }
    }
    if (rows.length === 0) return status;
    const titles = options.has("inodes") ? ["Inodes", "IUsed", "IFree", "IUse%"] : [heading(scale), "Used", scale.unit === 0 ? "Avail" : "Available", options.has("portability") ? "Capacity" : "Use%"];
    process.stdout.print(table([["Filesystem", ...(type.length > 0 ? ["Type"] : []), ...titles, "Mounted on"], ...rows], type.length));
    return status;
  },
});

/** The first columns are flush left, at least 14 wide as df has it; numbers are flush right. */
function table(rows: readonly string[][], types: number): string {
  const widths = rows[0]!.map((_, column) => Math.max(column === 0 ? 14 : 0, ...rows.map((row) => row[column]!.length)));
  const cell = (text: string, column: number): string => {
    if (column === rows[0]!.length - 1) return text;
    return column <= types ? text.padEnd(widths[column]!) : text.padStart(widths[column]!);
  };
  return rows.map((row) => `${row.map(cell).join(" ")}\n`).join("");
}

import { command } from "./command";
import { eachInput } from "./files";
import { Filter } from "./filter";

export const sum = command({
  name: "sum",
  usage: "[OPTION]... [FILE]...",
  about: "Print a checksum and the number of blocks of each file, or of standard input.",
  options: {
    bsd: ["-r", "the algorithm of BSD, with blocks of 1024 bytes (default)"],
    sysv: ["-s, --sysv", "the algorithm of System V, with blocks of 512 bytes"],
  },
  run(process, options, operands) {
    const sysv = options.last("bsd", "sysv") === "sysv";
    const filter = new Filter(process, "sums", { kind: sysv ? "sysv" : "bsd" });
    return eachInput(process, operands, async (reader, name) => {
      filter.configure({});
      await filter.pump(reader);
      await filter.end();
      const [value, bytes] = filter.report as [number, number];
      const shown = operands.length > 0 ? ` ${name}` : "";
      const blocks = Math.ceil(bytes / (sysv ? 512 : 1024));
      process.stdout.print(sysv ? `${value} ${blocks}${shown}\n` : `${String(value).padStart(5, "0")} ${String(blocks).padStart(5)}${shown}\n`);
    });
  },
});

import { command } from "./command";
import { demandOperands } from "./operands";

export const nproc = command({
  name: "nproc",
  usage: "[OPTION]...",
  about: "Print the number of processors: one.",
  options: { all: ["--all", "ignored"], ignore: ["--ignore=N", "ignored"] },
  run(process, _options, operands) {
    demandOperands(operands, 0, 0);
    process.stdout.print("1\n");
    return 0;
  },
});

import { command } from "./command";
import { demandOperands } from "./operands";
import { dirName } from "./paths";

export const dirname = command({
  name: "dirname",
  usage: "[OPTION] NAME...",
  about: "Print each NAME without its last component; . for one that has no slash.",
  options: { zero: ["-z, --zero", "end each name with a NUL byte instead of a newline"] },
  run(process, options, operands) {
    demandOperands(operands, 1);
    for (const name of operands) process.stdout.print(dirName(name) + (options.has("zero") ? "\0" : "\n"));
    return 0;
  },
});

import { command } from "./command";

export const nproc = command({
  name: "nproc",
  usage: "[OPTION]...",
  about: "Print the number of processors: one.",
  options: { all: ["--all", "ignored"], ignore: ["--ignore=N", "ignored"] },
  run(process) {
    process.stdout.print("1\n");
    return 0;
  },
});

import { command } from "./command";

export const tty = command({
  name: "tty",
  usage: "[OPTION]",
  about: "Print the terminal's name, if standard input were one.",
  options: { silent: ["-s, --silent, --quiet", "print nothing"] },
  failure: 2,
  run(process, options) {
    if (!options.has("silent")) process.stdout.print("not a tty\n");
    return 1;
  },
});

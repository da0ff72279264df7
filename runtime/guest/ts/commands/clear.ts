import { command } from "./command";

export const clear = command({
  name: "clear",
  usage: "[OPTION]",
  about: "Clear the terminal's screen.",
  options: { terminal: ["-T TERM", "ignored"], keep: ["-x", "leave what has scrolled away"] },
  run(process, options) {
    process.stdout.print(`\x1b[H\x1b[2J${options.has("keep") ? "" : "\x1b[3J"}`);
    return 0;
  },
});

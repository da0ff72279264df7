import { native } from "../bridge/native";
import { command } from "./command";

const GATHERED = 16 * 1024;

export const yes = command({
  name: "yes",
  usage: "[STRING]...",
  about: "Print a line with all STRINGs, or y, until nobody reads any more.",
  options: {},
  async run(process, _options, operands) {
    const line = `${operands.length > 0 ? operands.join(" ") : "y"}\n`;
    const bytes = native.text.encode(line.repeat(Math.max(1, Math.floor(GATHERED / line.length))));
    for (;;) {
      const wait = process.stdout.write(bytes);
      if (wait) await wait;
      const pause = process.pause();
      if (pause) await pause;
    }
  },
});

import { command } from "./command";
import { parseDuration } from "./durations";
import { demandOperands } from "./operands";
import { UsageFault } from "./options";
import { quoted } from "./sizes";

/** The longest that a timer can wait at once. */
const MOST = 2 ** 31 - 1;

export const sleep = command({
  name: "sleep",
  usage: "NUMBER[SUFFIX]...",
  about: "Wait for the sum of the times given: seconds, or minutes (m), hours (h), days (d).",
  options: {},
  async run(process, _options, operands) {
    demandOperands(operands, 1);
    const times = operands.map((text) => parseDuration(text));
    const wrong = operands.filter((_, index) => times[index] === undefined);
    if (wrong.length > 0) throw new UsageFault(wrong.map((text, index) => `${index > 0 ? `${process.name}: ` : ""}invalid time interval ${quoted(text)}`).join("\n"));
    let left = times.reduce<number>((sum, each) => sum + each!, 0);
    for (; left > MOST; left -= MOST) await process.sleep(MOST);
    await process.sleep(left);
    return 0;
  },
});

import { native } from "../bridge/native";
import { then } from "../shell/io/maybe";
import { SIGNALS } from "../shell/io/signals";
import { command, complain } from "./command";
import { parseDuration } from "./durations";
import { demandOperands } from "./operands";
import { UsageFault } from "./options";
import { refusal } from "./programs";
import { quoted } from "./sizes";

const TIMED_OUT = 124;
const TROUBLE = 125;
const KILL = 9;
/** The longest that a timer can wait. */
const MOST = 2 ** 31 - 1;

function demandDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new UsageFault(`invalid time interval ${quoted(text)}`);
  return Math.min(ms, MOST);
}

function demandSignal(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : SIGNALS[text.toUpperCase().replace(/^SIG/, "")];
  if (number === undefined || number > 64) throw new UsageFault(`${quoted(text)}: invalid signal`);
  return number;
}

function nameOf(signal: number): string {
  return Object.entries(SIGNALS).find(([, number]) => number === signal)?.[0] ?? String(signal);
}

export const timeout = command({
  name: "timeout",
  usage: "[OPTION] DURATION COMMAND [ARG]...",
  about: "Run COMMAND, and end it when it still runs after DURATION (seconds, or with m, h, d). The status is then 124.",
  options: {
    preserve: ["--preserve-status", "end with the status of COMMAND all the same"],
    foreground: ["--foreground", "ignored"],
    kill: ["-k, --kill-after=DURATION", "also send KILL when it still runs that long after the first signal"],
    signal: ["-s, --signal=SIGNAL", "the signal to send instead of TERM"],
    verbose: ["-v, --verbose", "tell of signals sent"],
  },
  failure: TROUBLE,
  inOrder: true,
  run(process, options, operands) {
    demandOperands(operands, 2);
    const [duration, ...argv] = operands as [string, ...string[]];
    const ms = demandDuration(duration);
    const signal = demandSignal(options.value("signal") ?? "TERM");
    const kill = options.value("kill");
    const killAfter = kill === undefined ? undefined : demandDuration(kill);
    const refused = refusal(process, argv[0]!, `failed to run command ${quoted(argv[0]!)}`);
    if (refused) return refused;
    const started = native.clock.monotonic();
    const limit = ms === 0 ? undefined : { ms, signal, ...(killAfter ? { killAfter } : {}) };
    return then(process.launch(argv, limit ? { timeout: limit } : {}), (status) => {
      const elapsed = native.clock.monotonic() - started;
      if (!limit || elapsed < ms) return status;
      if (options.has("verbose")) complain(process, `sending signal ${nameOf(signal)} to command ${quoted(argv[0]!)}`);
      if (options.has("preserve") || status === 128 + KILL) return status;
      return TIMED_OUT;
    });
  },
});

import { native } from "../bridge/native";
import { formatTime } from "../shell/format/time";
import { command } from "./command";

const HOUR = 60;
const DAY = 24 * HOUR;

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** `1 day, 2 hours, 3 minutes` */
function pretty(minutes: number): string {
  const parts = [
    [Math.floor(minutes / DAY), "day"],
    [Math.floor(minutes / HOUR) % 24, "hour"],
    [minutes % HOUR, "minute"],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, word]) => plural(count, word));
  return shown.join(", ") || "0 minutes";
}

function short(minutes: number): string {
  const days = minutes >= DAY ? `${plural(Math.floor(minutes / DAY), "day")}, ` : "";
  const rest = minutes % DAY;
  if (rest < HOUR) return `${days}${rest} min`;
  return `${days}${String(Math.floor(rest / HOUR)).padStart(2)}:${String(rest % HOUR).padStart(2, "0")}`;
}

export const uptime = command({
  name: "uptime",
  usage: "[OPTION]",
  about: "Print how long the run has been going on.",
  options: { pretty: ["-p, --pretty", "in words"], since: ["-s, --since", "when it began"] },
  run(process, options) {
    const [now, run] = [native.clock.now() / 1000, native.clock.monotonic() / 1000];
    const tz = process.env.get("TZ");
    const minutes = Math.floor(run / 60);
    if (options.has("since")) process.stdout.print(`${formatTime("%F %T", Math.floor(now - run), tz)}\n`);
    else if (options.has("pretty")) process.stdout.print(`up ${pretty(minutes)}\n`);
    else process.stdout.print(` ${formatTime("%T", Math.floor(now), tz)} up ${short(minutes)},  0 user,  load average: 0.00, 0.00, 0.00\n`);
    return 0;
  },
});

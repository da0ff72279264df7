/** `time`: what a pipeline took, told as TIMEFORMAT says. */

import { native } from "../../bridge/native";
import { then, type Maybe } from "../io/maybe";
import type { Code } from "./code";
import type { Shell } from "./shell";

const USUAL = "\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS";
const POSIX = "real %2R\nuser %2U\nsys %2S";
const PLACES_MOST = 3;

export function timed(shell: Shell, code: Code, posix: boolean): Maybe<number> {
  const started = native.clock.monotonic();
  return then(code(shell), (status) => {
    const seconds = (native.clock.monotonic() - started) / 1000;
    const format = posix ? POSIX : (shell.variables.get("TIMEFORMAT") ?? USUAL);
    if (format === "") return status;
    return then(shell.stderr.write(`${report(format, seconds)}\n`), () => status);
  });
}

/** A guest has one clock: what passed is all called user time. */
function report(format: string, real: number): string {
  const values: Readonly<Record<string, number>> = { R: real, U: real, S: 0 };
  return format.replace(/%(?:(\d)?(l)?([RUS])|([P%]))/g, (_, digits?: string, long?: string, what?: string, other?: string) => {
    if (what === undefined) return other === "P" ? "100.00" : "%";
    const seconds = values[what]!;
    const places = Math.min(Number(digits ?? PLACES_MOST), PLACES_MOST);
    return long ? `${Math.floor(seconds / 60)}m${(seconds % 60).toFixed(places)}s` : seconds.toFixed(places);
  });
}

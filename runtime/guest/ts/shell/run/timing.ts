/** The reserved word `time`. */

import { native } from "../../bridge/native";
import { then, type Maybe } from "../io/maybe";
import type { Code } from "./code";
import type { Shell } from "./shell";

export function timed(shell: Shell, code: Code, posix: boolean): Maybe<number> {
  const started = native.clock.monotonic();
  return then(code(shell), (status) => {
    const seconds = (native.clock.monotonic() - started) / 1000;
    return then(shell.stderr.write(posix ? posixReport(seconds) : report(seconds)), () => status);
  });
}

/** A guest has one clock: what passed is all called user time. */
function report(seconds: number): string {
  const text = `${Math.floor(seconds / 60)}m${(seconds % 60).toFixed(3)}s`;
  return `\nreal\t${text}\nuser\t${text}\nsys\t0m0.000s\n`;
}

function posixReport(seconds: number): string {
  const text = seconds.toFixed(2);
  return `real ${text}\nuser ${text}\nsys 0.00\n`;
}

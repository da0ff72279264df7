import process from "node:process";
import type { Readable } from "./readable";
import type { Writable } from "./writable";

/** The script's own outputs stay open when a pipe into them ends. */
function staysOpen(target: unknown): boolean {
  return target === process.stdout || target === process.stderr;
}

/** Sends what `source` gives to `target`, at the target's pace. Returns what ends that. */
export function connect(source: Readable, target: Writable, endsTarget: boolean): () => void {
  const onData = (chunk: unknown): void => {
    if (target.write(chunk) === false) source.pause();
  };
  const onDrain = (): void => void source.resume();
  const onEnd = (): void => {
    if (endsTarget && !staysOpen(target)) target.end();
  };
  source.on("data", onData);
  target.on("drain", onDrain);
  source.once("end", onEnd);
  return () => {
    source.removeListener("data", onData);
    target.removeListener("drain", onDrain);
    source.removeListener("end", onEnd);
  };
}

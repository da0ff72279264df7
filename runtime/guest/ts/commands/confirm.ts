import { then, type Maybe } from "../shell/io/maybe";
import type { Process } from "../shell/process";

/** Asks on stderr and reads the answer from stdin: whether it begins with a y. */
export function confirm(process: Process, question: string): Maybe<boolean> {
  return agreed(process, `${process.name}: ${question}`);
}

/** The same without the command's name. */
export function agreed(process: Process, question: string): Maybe<boolean> {
  process.stderr.print(`${question}? `);
  return then(process.stderr.flush(), () => then(process.stdin.line(), (line) => /^[yY]/.test(line ?? "")));
}

/** `coproc`: a job that its shell writes to and reads from. */

import type { OpenFile } from "../../vfs/openfile";
import { createPipe } from "../../vfs/pipe";
import { assignValues } from "../expand/assign";
import type { Command, Coprocess } from "../syntax/ast";
import { unparse } from "../syntax/unparse";
import type { Code } from "./code";
import { isCommandFault } from "./errors";
import { detach } from "./jobs";
import { opening } from "./redirect";
import type { Shell } from "./shell";

/** Descriptors for the ends go down from here. */
const CHOSEN_MOST = 63;

export function compileCoprocess({ name, body, position }: Coprocess, compile: (command: Command) => Code): Code {
  const code = compile(body);
  return (shell) => {
    shell.line = position.line;
    start(shell, name, code, body);
    return 0;
  };
}

/** NAME holds the descriptors to read from and to write to, NAME_PID the process. */
function start(shell: Shell, name: string, code: Code, body: Command): void {
  const [input, toChild] = createPipe();
  const [fromChild, output] = createPipe();
  const child = shell.fork();
  child.context.descriptors.set(0, input);
  child.context.descriptors.set(1, output);
  const ends = opening("coproc", () => chosen(shell, fromChild, toChild));
  detach(shell, child, code, `coproc ${name} ${unparse(body)}`);
  trying(shell, () => assignValues(shell, name, ends));
  trying(shell, () => shell.variables.set(`${name}_PID`, String(child.pid)));
}

/** In bash the ends of the process have the two numbers between, until they are closed. */
function chosen({ context }: Shell, fromChild: OpenFile, toChild: OpenFile): string[] {
  const { descriptors } = context;
  const [first, , , last] = descriptors.highest(CHOSEN_MOST, 4) as [number, number, number, number];
  return [descriptors.addHigh(fromChild, first), descriptors.addHigh(toChild, last)].map(String);
}

/** A variable that is not to be set is told of; the process runs all the same. */
function trying(shell: Shell, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isCommandFault(error)) throw error;
    shell.tell(error);
  }
}

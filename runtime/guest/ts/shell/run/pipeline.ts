/** Pipelines: each stage a process of its own, joined by pipes, all running at once. */

import { each, then, type Maybe } from "../io/maybe";
import type { Command, Pipeline } from "../syntax/ast";
import { createPipe } from "../../vfs/pipe";
import { beforeTurn } from "./attention";
import { type Code, guarded } from "./code";
import { compileChild, compileCommand } from "./command";
import { live } from "./life";
import { timed } from "./timing";
import type { Shell } from "./shell";
import { concluded } from "./results";

export function compilePipeline(pipeline: Pipeline): Code {
  const code = pipeline.commands.length === 1 ? single(pipeline) : stages(pipeline);
  const checked = pipeline.negated ? negate(code) : code;
  return pipeline.timed ? (shell) => timed(shell, checked, pipeline.timed === "time -p") : checked;
}

function single({ commands }: Pipeline): Code {
  const command = commands[0];
  return command === undefined ? () => 0 : compileCommand(command);
}

function negate(code: Code): Code {
  const flip = (shell: Shell, status: number): number => (shell.status = status === 0 ? 1 : 0);
  return (shell) => {
    const status = guarded(shell, code);
    return typeof status === "number" ? flip(shell, status) : status.then((value) => flip(shell, value));
  };
}

function stages({ commands, both, position }: Pipeline): Code {
  const codes = commands.map(compileChild);
  const whole = compileCommand(commands[commands.length - 1]!);
  const named = commands.findLast(({ kind }) => kind === "simple" || kind === "subshell");
  const run: Code = (shell) => {
    shell.line = position.line;
    const here = shell.options.has("lastpipe") ? codes.length - 1 : codes.length;
    const results = start(shell, commands, here < codes.length ? [...codes.slice(0, -1), whole] : codes, both, here);
    return results.every((result) => typeof result === "number")
      ? conclude(shell, results as number[], named)
      : Promise.all(results).then((statuses) => conclude(shell, statuses, named));
  };
  const simple = commands.filter(({ kind }) => kind === "simple");
  return (shell) => (shell.attention ? then(each(simple, (command) => beforeTurn(shell, command)), () => run(shell)) : run(shell));
}

/** Starts all stages from the left; the one at `here` runs in the shell itself. */
function start(shell: Shell, commands: readonly Command[], codes: readonly Code[], both: readonly boolean[], here: number): Maybe<number>[] {
  const results: Maybe<number>[] = [];
  let input: ReturnType<typeof createPipe>[0] | undefined;
  codes.forEach((code, index) => {
    const [read, write] = index + 1 < codes.length ? createPipe() : [];
    if (index === here) results.push(last(shell, code, input!));
    else {
      const child = shell.fork();
      const { descriptors } = child.context;
      if (input) descriptors.set(0, input);
      const command = commands[index]!;
      if (command.kind === "simple") {
        // For BASH_SUBSHELL it is none, but for a function.
        const [first] = command.words;
        if (first?.kind !== "word" || !shell.functions.has(first.source)) child.level = shell.level;
        child.alone = child.calls.length;
        if (input) child.ownInput = input;
        if (shell.attention) child.seen = command;
      }
      if (write) descriptors.set(1, write);
      if (write && both[index]) descriptors.set(2, write);
      results.push(live(child, code));
    }
    input = read;
  });
  return results;
}

/** `lastpipe`: the last stage changes the shell that it is in. */
function last(shell: Shell, code: Code, input: ReturnType<typeof createPipe>[0]): Maybe<number> {
  const { descriptors } = shell.context;
  const saved = descriptors.get(0);
  saved.references += 1;
  descriptors.set(0, input);
  const restore = (status: number): number => {
    descriptors.set(0, saved);
    saved.references -= 1;
    return status;
  };
  const status = guarded(shell, code);
  return typeof status === "number" ? restore(status) : status.then(restore);
}

/** An ERR trap is told of the last command that is simple or a subshell, whichever of them failed. */
function conclude(shell: Shell, statuses: readonly number[], last: Command | undefined): Maybe<number> {
  shell.pipeStatus = statuses;
  if (last) {
    shell.running = last;
    shell.line = (last.kind === "simple" ? last.line : undefined) ?? last.position.line;
  }
  const status = shell.options.has("pipefail") ? (statuses.findLast((each) => each !== 0) ?? 0) : statuses[statuses.length - 1]!;
  return concluded(shell, status);
}

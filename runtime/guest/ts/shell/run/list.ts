/** Lists, `&&` and `||`, background jobs. */

import type { Maybe } from "../io/maybe";
import type { AndOr, Item, List } from "../syntax/ast";
import { type Code, guarded, nothing } from "./code";
import { compileChild } from "./command";
import { compilePipeline } from "./pipeline";
import { startJob } from "./jobs";
import type { Shell } from "./shell";

const compiled = new WeakMap<List, Code>();

/** The code of a list; made once for each tree. */
export function compileList(list: List): Code {
  let code = compiled.get(list);
  if (!code) compiled.set(list, (code = sequence(list.map(compileItem))));
  return code;
}

function compileItem({ command, background }: Item): Code {
  if (!background) return compileAndOr(command);
  const code = lone(command) ?? compileAndOr(command);
  return (shell) => startJob(shell, code, command);
}

/** `( … ) &`: the job is the subshell. */
function lone({ first, rest }: AndOr): Code | undefined {
  const { commands, negated, timed } = first;
  return rest.length === 0 && commands.length === 1 && !negated && !timed ? compileChild(commands[0]!) : undefined;
}

function sequence(codes: readonly Code[]): Code {
  if (codes.length === 0) return nothing;
  if (codes.length === 1) return codes[0]!;
  if (codes.length <= CHAINED) return codes.reduceRight((rest, first) => pair(first, rest));
  return (shell) => runFrom(shell, codes, 0);
}

/** Longer lists are run in a loop: each pair takes some of the stack. */
const CHAINED = 4;

function pair(first: Code, second: Code): Code {
  return (shell) => {
    const status = first(shell);
    if (typeof status !== "number") return status.then((late) => runOn(shell, [second], 0, late));
    shell.status = status;
    return second(shell);
  };
}

function runFrom(shell: Shell, codes: readonly Code[], from: number): Maybe<number> {
  let status = 0;
  for (let index = from; index < codes.length; index += 1) {
    const result = codes[index]!(shell);
    if (typeof result !== "number") {
      return index + 1 === codes.length ? result : result.then((late) => runOn(shell, codes, index + 1, late));
    }
    shell.status = status = result;
  }
  return status;
}

function runOn(shell: Shell, codes: readonly Code[], from: number, status: number): Maybe<number> {
  shell.status = status;
  return runFrom(shell, codes, from);
}

function compileAndOr({ first, rest }: AndOr): Code {
  const links = rest.map(({ operator, pipeline }) => ({ wantsSuccess: operator === "&&", code: compilePipeline(pipeline) }));
  const code = compilePipeline(first);
  return links.length <= CHAINED ? links.reduce((left, right) => join(left, right.wantsSuccess, right.code), code) : joinAll(code, links);
}

interface Joined {
  readonly wantsSuccess: boolean;
  readonly code: Code;
}

function join(left: Code, wantsSuccess: boolean, right: Code): Code {
  const go = (shell: Shell, status: number): Maybe<number> => {
    shell.status = status;
    return (status === 0) === wantsSuccess ? right(shell) : status;
  };
  return (shell) => {
    const status = guarded(shell, left);
    return typeof status === "number" ? go(shell, status) : status.then((value) => go(shell, value));
  };
}

/** As `join` for each, in a loop. */
function joinAll(first: Code, links: readonly Joined[]): Code {
  return (shell) => {
    const status = guarded(shell, first);
    return typeof status === "number" ? joinFrom(shell, links, 0, status) : status.then((late) => joinFrom(shell, links, 0, late));
  };
}

function joinFrom(shell: Shell, links: readonly Joined[], from: number, before: number): Maybe<number> {
  let status = (shell.status = before);
  for (let index = from; index < links.length; index += 1) {
    const { wantsSuccess, code } = links[index]!;
    if ((status === 0) !== wantsSuccess) continue;
    const result = index + 1 === links.length ? code(shell) : guarded(shell, code);
    if (typeof result !== "number") return result.then((late) => joinFrom(shell, links, index + 1, late));
    status = shell.status = result;
  }
  return status;
}

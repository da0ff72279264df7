/** What is looked at before a command: signals, the DEBUG trap, `set -n`. */

import { then, type Maybe } from "../io/maybe";
import type { Command } from "../syntax/ast";
import type { Code } from "./code";
import { runTrap } from "./results";
import type { Shell } from "./shell";

/** Runs `code` after what the shell must attend to; `shell.attention` says whether there is anything. */
export function attended(shell: Shell, code: Code): Maybe<number> {
  return then(attend(shell), (verdict) => {
    if (shell.options.has("noexec")) return shell.status;
    return verdict !== 0 && shell.options.has("extdebug") ? (shell.status = 0) : code(shell);
  });
}

/** The status of the DEBUG trap: under `extdebug` a command that it does not want is left out. */
function attend(shell: Shell): Maybe<number> {
  return then(shell.signals.waiting ? shell.signals.deliver() : undefined, () => debug(shell));
}

/** Runs the DEBUG trap, if there is one that is heard here. */
function debug(shell: Shell): Maybe<number> {
  if (shell.seen !== undefined && shell.seen === shell.running) {
    shell.seen = undefined;
    return 0;
  }
  const action = shell.traps.get("DEBUG");
  return action ? runTrap(shell, action, "debug trap") : 0;
}

/** A compound command that the DEBUG trap sees as a command. */
export function attending(node: Command, code: Code): Code {
  const { line } = node.position;
  return (shell) => {
    if (!shell.attention) return code(shell);
    shell.line = line;
    shell.running = node;
    return attended(shell, code);
  };
}

/** What the DEBUG trap sees besides: a turn of `for` or `select`, and simple commands that get a process of their own. */
export function beforeTurn(shell: Shell, node: Command): Maybe<void> {
  if (!shell.attention) return undefined;
  shell.line = node.position.line;
  shell.running = node;
  return then(attend(shell), () => undefined);
}

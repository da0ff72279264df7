/** Commands without a name: assignments and redirections alone. */

import { each, type Maybe, then } from "../io/maybe";
import type { Simple } from "../syntax/ast";
import type { Assign } from "./assignments";
import type { Code } from "./code";
import { giveBack } from "./finish";
import { live } from "./life";
import type { Redirect } from "./redirect";
import { failed } from "./results";
import type { Shell } from "./shell";
import { undoing } from "./undoing";

/** A command that has no words. */
export function compileBare(node: Simple, assigns: readonly Assign[], redirect: Redirect | undefined): Code {
  return assigns.length === 1 && !redirect ? oneAssignment(assigns[0]!) : severalAssignments(compileAssignments(node, assigns, redirect));
}

/** `name=value`, of which scripts are full. */
function oneAssignment(assign: Assign): Code {
  return (shell) => {
    shell.substituted = undefined;
    const done = assign(shell);
    if (done !== undefined) return (done as Promise<void>).then(() => finish(shell));
    if (shell.substituted !== undefined || shell.borrowed !== undefined) return finish(shell);
    shell.lastArgument = "";
    return (shell.status = shell.pipeStatus = 0);
  };
}

function severalAssignments(assign: Code): Code {
  return (shell) => {
    shell.substituted = undefined;
    return assign(shell);
  };
}

/** What a command does whose words come to nothing. */
export function compileAssignments({ redirections }: Simple, assigns: readonly Assign[], redirect: Redirect | undefined): Code {
  const [only] = assigns;
  const assignAll: Code = (shell) => {
    const done = assigns.length === 1 ? only!(shell) : each(assigns, (assign) => assign(shell));
    return done === undefined ? finish(shell) : (done as Promise<void>).then(() => finish(shell));
  };
  if (!redirect) return assignAll;
  // Without a command `{name}>file` is a child's, in bash: here there is neither the variable nor the open file afterwards.
  if (redirections.some(({ descriptor }) => typeof descriptor === "object")) {
    const tried: Code = (child) => then(redirect(child), (saved) => (saved ? 0 : 1));
    return (shell) => then(live(shell.fork(), tried), (status) => (status === 0 ? assignAll(shell) : failed(shell, status)));
  }
  return (shell) => then(redirect(shell), (saved) => (saved ? undoing(() => assignAll(shell), () => saved.restore()) : failed(shell, 1)));
}

/** The status is that of the last command substitution. */
function finish(shell: Shell): Maybe<number> {
  const status = shell.substituted ?? 0;
  if (shell.borrowed !== undefined) giveBack(shell, shell.borrowed);
  shell.lastArgument = "";
  return status === 0 ? (shell.status = shell.pipeStatus = 0) : failed(shell, status);
}

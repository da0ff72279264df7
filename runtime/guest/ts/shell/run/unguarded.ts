/** Expansions whose commands are no part of a condition, though what they are expanded for is one: redirections, lists, arithmetic. */

import { finally_, type Maybe } from "../io/maybe";
import type { Word } from "../syntax/ast";
import type { Shell } from "./shell";

type Expand<A extends readonly unknown[], T> = (shell: Shell, ...rest: A) => Maybe<T>;

/** What may stand for commands. */
const COMMANDS = /`|[$<>]\(/;

/** `expand`, with `set -e` and an ERR trap that hold in the commands of these words, but where they are off altogether. */
export function unguarded<A extends readonly unknown[], T>(words: readonly Word[], expand: Expand<A, T>): Expand<A, T> {
  if (!words.some(({ source }) => COMMANDS.test(source))) return expand;
  return (shell, ...rest) => {
    const { guards } = shell;
    if (guards === 0 || shell.excused) return expand(shell, ...rest);
    shell.guards = 0;
    return finally_(() => expand(shell, ...rest), () => (shell.guards = guards));
  };
}

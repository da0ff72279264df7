/** The menu of `select`. */

import { then, type Maybe } from "../io/maybe";
import type { Code } from "./code";
import { Break } from "./control";
import type { Shell } from "./shell";

const WIDTH = 80;

/** One turn: shows the menu if told to, reads an answer, runs the body; the end of the input ends the loop, with status 1. */
export function chooseFrom(shell: Shell, name: string, items: readonly string[], show: boolean, body: Code): Maybe<number> {
  const ask = (menu: string): Maybe<number> =>
    then(shell.stderr.write(menu + (shell.variables.get("PS3") ?? "#? ")), () =>
      then(shell.stdin.line(), (answer) => {
        if (answer === undefined) {
          return then(shell.stdout.write("\n"), () => {
            throw new Break(1, 1);
          });
        }
        const reply = answer.trim();
        if (reply === "") return ask(menuOf(items));
        shell.variables.set("REPLY", answer);
        const choice = /^\d+$/.test(reply) ? items[Number(reply) - 1] : undefined;
        return then(shell.assign(name, choice ?? ""), () => body(shell));
      }),
    );
  return ask(show ? menuOf(items) : "");
}

/** Columns filled from the top, as bash lays them out. */
function menuOf(items: readonly string[]): string {
  const digits = String(items.length).length;
  const longest = Math.max(...items.map((item) => item.length)) + digits + 2;
  const columns = Math.max(1, Math.floor(WIDTH / (longest + 2)));
  const rows = items.length <= columns ? items.length : Math.ceil(items.length / columns);
  const lines: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    const cells: string[] = [];
    for (let at = row; at < items.length; at += rows) cells.push(`${String(at + 1).padStart(digits)}) ${items[at]}`);
    lines.push(cells.map((cell, index) => (index + 1 < cells.length ? cell.padEnd(longest + 2) : cell)).join(""));
  }
  return lines.map((line) => `${line}\n`).join("");
}

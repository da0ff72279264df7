/** `select name in words`, and its menu. */

import { compileFields } from "../expand/fields";
import { then, type Maybe } from "../io/maybe";
import type { Select } from "../syntax/ast";
import type { Code } from "./code";
import { Break } from "./control";
import { compileList } from "./list";
import { loop, type Turn } from "./loop";
import type { Shell } from "./shell";
import { traceHead } from "./trace";
import { unguarded } from "./unguarded";

const WIDTH = 80;
const TAB = 8;

export function compileSelect(node: Select): Code {
  const { name, words, body, position } = node;
  const code = compileList(body);
  const fields = words && unguarded(words, compileFields(words));
  return (shell) => {
    shell.line = position.line;
    const items: string[] = fields ? [] : [...shell.positional];
    traceHead(shell, node);
    // The menu comes again when the body left REPLY empty.
    let turns = 0;
    const turn: Turn = (inside) => chooseFrom(inside, name, items, turns++ === 0 || !inside.variables.get("REPLY"), code);
    return then(fields?.(shell, items), () => (items.length === 0 ? 0 : loop(shell, turn)));
  };
}

/** One turn: shows the menu if told to, reads an answer, runs the body; the end of the input ends the loop, with status 1. */
function chooseFrom(shell: Shell, name: string, items: readonly string[], show: boolean, body: Code): Maybe<number> {
  const width = Number(shell.variables.get("COLUMNS")) || WIDTH;
  const ask = (menu: string): Maybe<number> =>
    then(shell.stderr.write(menu + (shell.variables.get("PS3") ?? "#? ")), () =>
      then(shell.stdin.line(), (answer) => {
        if (answer === undefined) {
          return then(shell.stdout.write("\n"), () => {
            throw new Break(1, 1);
          });
        }
        const reply = answer.trim();
        if (reply === "") return ask(menuOf(items, width));
        const choice = /^\d+$/.test(reply) ? items[Number(reply) - 1] : undefined;
        return then(shell.assign("REPLY", answer), () => then(shell.assign(name, choice ?? ""), () => body(shell)));
      }),
    );
  return ask(show ? menuOf(items, width) : "");
}

/** What fills a line from one place to the other: tabs where there is a stop between them. */
function gap(from: number, to: number): string {
  let blanks = "";
  for (let at = from; at < to; ) {
    const stops = Math.floor(to / TAB) > Math.floor(at / TAB);
    blanks += stops ? "\t" : " ";
    at += stops ? TAB - (at % TAB) : 1;
  }
  return blanks;
}

/** Columns filled from the top, as bash lays them out. */
function menuOf(items: readonly string[], line: number): string {
  const digits = String(items.length).length;
  const width = Math.max(...items.map((item) => item.length)) + digits + 4;
  const filled = Math.ceil(items.length / Math.max(1, Math.floor(line / width)));
  const rows = filled === 1 ? items.length : filled;
  let menu = "";
  for (let row = 0; row < rows; row += 1) {
    for (let at = row; at < items.length; at += rows) {
      const cell = `${String(at + 1).padStart(at < rows ? String(rows).length : digits)}) ${items[at]}`;
      const start = Math.floor(at / rows) * width;
      menu += at + rows < items.length ? cell + gap(start + cell.length, start + width) : `${cell}\n`;
    }
  }
  return menu;
}

/** `for name in words`. */

import { native } from "../../bridge/native";
import { compileFields } from "../expand/fields";
import { parseReference } from "../expand/references";
import { type Maybe, waits } from "../io/maybe";
import type { For } from "../syntax/ast";
import { beforeTurn } from "./attention";
import type { Code } from "./code";
import { Break } from "./control";
import { NameFault, ShellError } from "./errors";
import { compileList } from "./list";
import { loop } from "./loop";
import type { Shell } from "./shell";
import { traceHead } from "./trace";
import { unguarded } from "./unguarded";

export function compileFor(node: For): Code {
  const { name, words, body, position } = node;
  const code = compileList(body);
  const fields = words && unguarded(words, compileFields(words));
  if (!/^[A-Za-z_]\w*$/.test(name)) return invalidName(name, position.line);
  return (shell) => {
    shell.line = position.line;
    if (!fields) return overItems(shell, node, [...shell.positional], code);
    const items: string[] = [];
    const expanded = fields(shell, items);
    return waits(expanded) ? expanded.then(() => overItems(shell, node, items, code)) : overItems(shell, node, items, code);
  };
}

function invalidName(name: string, line: number): Code {
  return (shell) => {
    shell.line = line;
    shell.warn(`\`${name}': not a valid identifier`);
    return (shell.status = shell.pipeStatus = 1);
  };
}

function overItems(shell: Shell, node: For, items: readonly string[], code: Code): Maybe<number> {
  let index = 0;
  const { name } = node;
  return loop(shell, (inside) => {
    if (index >= items.length) return undefined;
    if (!inside.attention && !inside.tracing && !inside.exporting && native.shell.assign(inside.variables, name, items[index]!)) {
      index += 1;
      return code(inside);
    }
    const told = inside.attention ? beforeTurn(inside, node) : undefined;
    if (waits(told)) return told.then(() => turn(inside));
    return turn(inside);
  });
  function turn(inside: Shell): Maybe<number> {
    traceHead(inside, node);
    const assigned = assignItem(inside, name, items[index++]!);
    if (assigned === false) throw new Break(1, 1);
    return waits(assigned) ? assigned.then(() => code(inside)) : code(inside);
  }
}

/** The next item; false when the variable cannot be set. A name reference is pointed at the item; a variable that cannot be set ends the loop. */
function assignItem(shell: Shell, name: string, item: string): Maybe<void> | false {
  if (!shell.exporting && shell.variables.assign(name, item)) return undefined;
  const variable = shell.variables.own(name);
  try {
    if (!variable?.nameref || variable.readonly) return shell.assign(name, item);
    if (!parseReference(item)) throw new NameFault(item);
    shell.variables.declare(name).value = item;
  } catch (error) {
    if (!(error instanceof ShellError) || error.fatal) throw error;
    shell.report(error.message);
    return false;
  }
}

/** Tables as column --json prints them. */

import type { Column } from "./column_table";
import type { Node } from "./column_tree";

const quote = (text: string): string => JSON.stringify(text);
const STEP = 3;

function list(nodes: readonly Node[], columns: readonly Column[], indent: number): string {
  return nodes.map((node) => object(node, columns, indent + STEP)).join(",");
}

function object({ row, children }: Node, columns: readonly Column[], indent: number): string {
  const lead = " ".repeat(indent + STEP);
  const members = columns.flatMap(({ name, hidden }, index) => {
    const cell = row.cells[index] ?? "";
    return hidden ? [] : [`${lead}${quote((name ?? "").toLowerCase())}: ${cell === "" ? "null" : quote(cell)}`];
  });
  if (children.length > 0) members.push(`${lead}"children": [\n${lead}${" ".repeat(STEP)}${list(children, columns, indent + STEP)}\n${lead}]`);
  return `{\n${members.join(",\n")}\n${" ".repeat(indent)}}`;
}

export function layoutJson(nodes: readonly Node[], columns: readonly Column[], name: string): string {
  return `{\n   ${quote(name.toLowerCase())}: [\n      ${list(nodes, columns, STEP)}\n   ]\n}\n`;
}

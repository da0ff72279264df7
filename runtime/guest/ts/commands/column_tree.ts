/** Rows that are children of others, for column --tree and --json. */

import type { Row } from "./column_table";

export interface Node {
  readonly row: Row;
  readonly children: Node[];
}

/** Which cells tell a row's name, its parent's, and hang in the tree. */
export interface TreeColumns {
  readonly tree: number;
  readonly id: number;
  readonly parent: number;
}

/** Each row a node, in order; a row that would be below itself stays where it is. */
export function nodesOf(rows: readonly Row[], columns: TreeColumns | undefined): Node[] {
  const nodes = rows.map((row): Node => ({ row, children: [] }));
  if (!columns) return nodes;
  const named = Map.groupBy(nodes, ({ row }) => row.cells[columns.parent] ?? "");
  const parents = new Map<Node, Node>();
  const isAbove = (node: Node, other: Node | undefined): boolean => other !== undefined && (node === other || isAbove(node, parents.get(other)));
  for (const node of nodes) {
    for (const child of named.get(node.row.cells[columns.id] ?? "") ?? []) {
      if (isAbove(child, node) || parents.has(child)) continue;
      parents.set(child, node);
      node.children.push(child);
    }
  }
  return nodes.filter((node) => !parents.has(node));
}

/** The rows as they are printed: below their parents, with branches in front. */
export function* branches(nodes: readonly Node[], tree: number, lead?: string): Generator<Row> {
  for (const [index, { row, children }] of nodes.entries()) {
    const isLast = index === nodes.length - 1;
    const branch = lead === undefined ? "" : lead + (isLast ? "└─" : "├─");
    yield branch === "" ? row : { cells: row.cells.with(tree, branch + (row.cells[tree] ?? "")), plain: false };
    yield* branches(children, tree, lead === undefined ? "" : lead + (isLast ? "  " : "│ "));
  }
}

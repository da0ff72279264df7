/** Walking the trees that acorn makes. */

import type { AnyNode, Expression, Node } from "acorn";

/** What acorn calls any node, with the kinds that its own type leaves out. */
export type Any = AnyNode;

function isNode(value: unknown): value is Any {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string" && typeof (value as Node).start === "number";
}

/** The nodes directly below one, in the order of the text but for decorators and keys. */
export function children(node: Any): Any[] {
  const found: Any[] = [];
  for (const value of Object.values(node) as unknown[]) {
    if (isNode(value)) found.push(value);
    else if (Array.isArray(value)) for (const each of value as unknown[]) if (isNode(each)) found.push(each);
  }
  // A shorthand property has its one name as key and as value.
  return found.length === 2 && found[0] === found[1] ? [found[0]!] : found;
}

export type FunctionNode = Extract<Any, { type: "FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression" }>;

export function isFunction(node: Any): node is FunctionNode {
  return node.type === "FunctionDeclaration" || node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression";
}

/** A key or property that is written as a name or a constant; undefined for one that is computed. */
export function writtenKey(key: Any, computed: boolean): string | undefined {
  if (!computed && key.type === "Identifier") return key.name;
  if (key.type !== "Literal" || key.regex) return undefined;
  return key.bigint === undefined ? String(key.value) : BigInt(key.bigint).toString();
}

/** The expression without what only groups it. */
export function bare(node: Any): Any {
  return node.type === "ParenthesizedExpression" || node.type === "ChainExpression" ? bare(node.expression as Expression) : node;
}

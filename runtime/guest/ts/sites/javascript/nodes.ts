/** Walking the trees that acorn makes. */

import type { AnyNode, Expression } from "acorn";

/** Any node. `below` are those directly below it, once they were asked for. */
export type Any = AnyNode & { below?: readonly Any[] };

/** Where each kind of node has others below it; what is not here has none. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  ArrayExpression: ["elements"],
  ArrayPattern: ["elements"],
  ArrowFunctionExpression: ["params", "body"],
  AssignmentExpression: ["left", "right"],
  AssignmentPattern: ["left", "right"],
  AwaitExpression: ["argument"],
  BinaryExpression: ["left", "right"],
  BlockStatement: ["body"],
  BreakStatement: ["label"],
  CallExpression: ["callee", "arguments"],
  CatchClause: ["param", "body"],
  ChainExpression: ["expression"],
  ClassBody: ["body"],
  ClassDeclaration: ["id", "superClass", "body"],
  ClassExpression: ["id", "superClass", "body"],
  ConditionalExpression: ["test", "consequent", "alternate"],
  ContinueStatement: ["label"],
  DoWhileStatement: ["body", "test"],
  ExportAllDeclaration: ["exported", "source", "attributes"],
  ExportDefaultDeclaration: ["declaration"],
  ExportNamedDeclaration: ["declaration", "specifiers", "source", "attributes"],
  ExportSpecifier: ["local", "exported"],
  ExpressionStatement: ["expression"],
  ForInStatement: ["left", "right", "body"],
  ForOfStatement: ["left", "right", "body"],
  ForStatement: ["init", "test", "update", "body"],
  FunctionDeclaration: ["id", "params", "body"],
  FunctionExpression: ["id", "params", "body"],
  IfStatement: ["test", "consequent", "alternate"],
  ImportAttribute: ["key", "value"],
  ImportDeclaration: ["specifiers", "source", "attributes"],
  ImportDefaultSpecifier: ["local"],
  ImportExpression: ["source", "options"],
  ImportNamespaceSpecifier: ["local"],
  ImportSpecifier: ["imported", "local"],
  LabeledStatement: ["label", "body"],
  LogicalExpression: ["left", "right"],
  MemberExpression: ["object", "property"],
  MetaProperty: ["meta", "property"],
  MethodDefinition: ["key", "value"],
  NewExpression: ["callee", "arguments"],
  ObjectExpression: ["properties"],
  ObjectPattern: ["properties"],
  ParenthesizedExpression: ["expression"],
  Program: ["body"],
  Property: ["key", "value"],
  PropertyDefinition: ["key", "value"],
  RestElement: ["argument"],
  ReturnStatement: ["argument"],
  SequenceExpression: ["expressions"],
  SpreadElement: ["argument"],
  StaticBlock: ["body"],
  SwitchCase: ["test", "consequent"],
  SwitchStatement: ["discriminant", "cases"],
  TaggedTemplateExpression: ["tag", "quasi"],
  TemplateLiteral: ["expressions"],
  ThrowStatement: ["argument"],
  TryStatement: ["block", "handler", "finalizer"],
  UnaryExpression: ["argument"],
  UpdateExpression: ["argument"],
  VariableDeclaration: ["declarations"],
  VariableDeclarator: ["id", "init"],
  WhileStatement: ["test", "body"],
  WithStatement: ["object", "body"],
  YieldExpression: ["argument"],
};

/** Kinds that are never looked into. */
const LEAVES: ReadonlySet<string> = new Set(
  "DebuggerStatement EmptyStatement Identifier Literal PrivateIdentifier Super TemplateElement ThisExpression".split(" "),
);

const NONE: readonly Any[] = [];

/** The nodes directly below one. Throws for a kind that is not known, in which something might be overlooked. */
export function children(node: Any): readonly Any[] {
  return (node.below ??= find(node));
}

function find(node: Any): readonly Any[] {
  const keys = BELOW[node.type];
  if (!keys) {
    if (LEAVES.has(node.type)) return NONE;
    throw new Error(`nodes of kind ${node.type} are not known`);
  }
  const found: Any[] = [];
  for (const key of keys) {
    const value = (node as unknown as Record<string, Any | readonly (Any | null)[] | null | undefined>)[key];
    if (!value) continue;
    if (!Array.isArray(value)) found.push(value as Any);
    else for (const each of value as readonly (Any | null)[]) if (each) found.push(each);
  }
  return found;
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

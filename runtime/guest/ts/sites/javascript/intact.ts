/**
 * Functions that only look at what they are given: neither they nor their results lead to a call of it. That holds while the
 * globals that have them are those of the language. So a script that names one of these globals anywhere else than where such
 * a function is called, or in any other way, is taken to have put another in its place, or to have changed it.
 */

import type { CallExpression } from "acorn";
import type { Evaluator } from "./evaluate";
import { type Any, children } from "./nodes";
import type { Thing } from "./things";

/** What gives back names, or whether something is so; not `values` or `entries`, whose results hold what is looked at. */
const TELLING = new Set("getOwnPropertyNames hasOwn is isExtensible isFrozen isSealed keys".split(" "));
const SHOWING = new Set("debug dir error info log warn".split(" "));

/** Calls of these leave the globals as they are, and do not give them back. */
const PLAIN: Readonly<Record<string, ReadonlySet<string>>> = {
  Object: new Set([...TELLING, ..."assign create entries freeze fromEntries groupBy seal values".split(" ")]),
  console: new Set([...SHOWING, ..."assert count dirxml group groupCollapsed groupEnd table time timeEnd timeLog trace".split(" ")]),
};

export class Intact {
  private touched: ReadonlySet<string> | undefined;

  constructor(
    private readonly evaluator: Evaluator,
    private readonly program: Any,
  ) {}

  /** Whether a call only looks at its argument, which is `thing`. */
  looksAt(call: CallExpression, thing: Thing): boolean {
    const callee: Any = call.callee;
    if (callee.type !== "MemberExpression") return false;
    const key = this.evaluator.key(callee.property, callee.computed) ?? "";
    if (this.is(callee.object, "Object")) return TELLING.has(key);
    return this.is(callee.object, "console") && SHOWING.has(key) && thing.kind === "tool" && isClosed(thing.tree);
  }

  private is(node: Any, name: string): boolean {
    this.touched ??= new Search(this.evaluator).of(this.program);
    return this.evaluator.isGlobal(node, name) && !this.touched.has(name);
  }
}

/** Whether all its members are known; any name leads to a tool in those of a server, also one that a console may look for. */
function isClosed(tree: object | string): boolean {
  return typeof tree === "string" || Object.entries(tree).every(([name, below]) => name !== "*" && isClosed(below as object | string));
}

/** The globals that a script may touch otherwise than by plain calls. */
class Search {
  private readonly touched = new Set<string>();

  constructor(private readonly evaluator: Evaluator) {}

  of(program: Any): ReadonlySet<string> {
    const left = [program];
    for (let node = left.pop(); node; node = left.pop()) {
      this.look(node);
      left.push(...children(node));
    }
    return this.touched;
  }

  private look(node: Any): void {
    switch (node.type) {
      case "Identifier":
        if (!this.isPlain(node)) this.named(node.name);
        return this.told(node);
      case "Literal":
      case "TemplateLiteral":
      case "BinaryExpression":
        return this.told(node);
      case "ThisExpression": // it may be the global object
        if (!this.isMember(node)) this.all();
    }
  }

  /** A text that is a name, or the name of a module that has the global. */
  private told(node: Any): void {
    const value = this.evaluator.value(node);
    if (value.kind === "literal" && typeof value.value === "string") this.named(value.value.replace(/^node:/, ""));
  }

  private named(name: string): void {
    if (name === "constructor") this.all(); // of a plain object it is Object
    else if (Object.hasOwn(PLAIN, name)) this.touched.add(name);
  }

  private all(): void {
    for (const name in PLAIN) this.touched.add(name);
  }

  /** `Object.keys(…)`; the constructor of a class. */
  private isPlain(node: Extract<Any, { type: "Identifier" }>): boolean {
    const { parents } = this.evaluator.scopes;
    const parent = parents.get(node);
    if (parent?.type === "MethodDefinition") return parent.kind === "constructor" && parent.key === node;
    if (parent?.type !== "MemberExpression" || parent.object !== node || !this.evaluator.isGlobal(node, node.name)) return false;
    const key = this.evaluator.key(parent.property, parent.computed);
    const call = parents.get(parent);
    return call?.type === "CallExpression" && call.callee === parent && key !== undefined && PLAIN[node.name]?.has(key) === true;
  }

  private isMember(node: Any): boolean {
    const parent = this.evaluator.scopes.parents.get(node);
    if (parent?.type !== "MemberExpression" || parent.object !== node) return false;
    return this.evaluator.key(parent.property, parent.computed) !== undefined;
  }
}

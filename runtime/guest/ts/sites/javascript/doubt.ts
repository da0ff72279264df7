/**
 * What makes everything else about a script unsure: code that is not in it, and changes of what all objects share. A script
 * that puts such names together only when it runs is not seen through; what it calls is decided when it runs in any case.
 */

import type { Doubt } from "../site";
import type { Evaluator } from "./evaluate";
import { type Any, children } from "./nodes";

/** Names by which prototypes are reached or changed, or what objects look like in JSON is. */
const TAMPERING: ReadonlySet<string> = new Set(
  "__defineGetter__ __defineSetter__ __proto__ defineProperties defineProperty getPrototypeOf prototype setPrototypeOf toJSON".split(" "),
);
const BORROWING: ReadonlySet<string> = new Set(["apply", "call"]);

export function doubtOf(evaluator: Evaluator, program: Any): Doubt | undefined {
  return new Search(evaluator).below(program);
}

class Search {
  constructor(private readonly evaluator: Evaluator) {}

  below(node: Any): Doubt | undefined {
    for (const child of children(node)) {
      const found = this.at(child) ?? this.below(child);
      if (found) return found;
    }
    return undefined;
  }

  private at(node: Any): Doubt | undefined {
    switch (node.type) {
      case "WithStatement":
        return { note: "`with` may change what each name means" };
      case "MemberExpression":
        return this.named(this.evaluator.key(node.property, node.computed), node) ?? this.hidden(node);
      case "Property":
      case "MethodDefinition":
      case "PropertyDefinition":
        return this.named(this.evaluator.key(node.key, node.computed), node);
      case "Literal":
        return typeof node.value === "string" ? this.named(node.value, node) : undefined;
      case "CallExpression":
      case "NewExpression": {
        const callee = this.evaluator.thing(node.callee);
        return callee.kind === "special" && callee.special === "code" ? { note: "code that is made while the script runs may change anything" } : undefined;
      }
      case "AssignmentExpression":
        return this.replaced(node.left);
      default:
        return undefined;
    }
  }

  private named(name: string | undefined, node: Any): Doubt | undefined {
    if (name === undefined || !TAMPERING.has(name) || this.isBorrowed(node) || this.isCalled(name, node)) return undefined;
    return { note: `the script may change what all objects share (${name})` };
  }

  /** `date.toJSON()` only reads. */
  private isCalled(name: string, node: Any): boolean {
    const call = this.evaluator.scopes.parents.get(node);
    return name === "toJSON" && node.type === "MemberExpression" && call?.type === "CallExpression" && call.callee === node;
  }

  /** `Array.prototype.slice.call(…)` only reads. */
  private isBorrowed(node: Any): boolean {
    const { parents } = this.evaluator.scopes;
    const method = parents.get(node);
    const call = method && parents.get(method);
    if (node.type !== "MemberExpression" || method?.type !== "MemberExpression" || call?.type !== "MemberExpression") return false;
    const name = this.evaluator.key(call.property, call.computed);
    const around = parents.get(call);
    return call.object === method && around?.type === "CallExpression" && around.callee === call && name !== undefined && BORROWING.has(name);
  }

  /** `a[b][c] = …`, where neither name is known. */
  private hidden(node: Extract<Any, { type: "MemberExpression" }>): Doubt | undefined {
    const parent = this.evaluator.scopes.parents.get(node);
    if (parent?.type !== "AssignmentExpression" || parent.left !== node || node.object.type !== "MemberExpression") return undefined;
    const [outer, inner] = [node.object, node].map(({ property, computed }) => this.evaluator.key(property, computed));
    if (outer !== undefined || inner !== undefined || parent.operator !== "=") return undefined;
    const { kind } = this.evaluator.thing(parent.right);
    const isData = kind === "literal" || kind === "object" || kind === "array" || /^(?:Binary|Unary|Update|Template)/.test(parent.right.type);
    return isData ? undefined : { note: "the script may change what all objects share" };
  }

  /** `console.log = …`, `stripe.charges.create = …`: a global's member is not what it was. */
  private replaced(left: Any): Doubt | undefined {
    if (left.type !== "MemberExpression") return undefined;
    const owner = this.evaluator.thing(left.object);
    const leads = owner.kind === "tool" || (owner.kind === "special" && owner.special !== "global");
    const known = KNOWN.find((name) => this.evaluator.isGlobal(left.object, name));
    return leads || known ? { note: `the script changes ${known ?? "what a tool's name means"}` } : undefined;
  }
}

/** Globals whose functions the analysis knows. */
const KNOWN = ["Object", "Array", "JSON", "console"];

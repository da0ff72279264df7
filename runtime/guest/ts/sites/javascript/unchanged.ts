/**
 * Whether the object that a constant is bound to stays as it was written. It does if each use of the name only looks at it:
 * whatever else is done with it, it is taken to be changed.
 */

import type { Expression } from "acorn";
import type { Value } from "../value";
import type { Evaluator } from "./evaluate";
import { type Any, bare, isFunction } from "./nodes";
import type { Binding, Scopes } from "./scope";
import { memberOf, type Thing } from "./things";

/** Methods of arrays that change nothing, and whose results share no objects with the array if its items are no objects. */
const READING = new Set("at concat entries every filter find findIndex findLast flatMap forEach includes indexOf join keys lastIndexOf map reduce slice some toReversed toSorted values".split(" "));

/** Functions that only look at what they are given, and give back nothing of it that could be changed. */
const LOOKING: Readonly<Record<string, ReadonlySet<string>>> = {
  console: new Set("log info debug warn error dir table".split(" ")),
  JSON: new Set(["stringify"]),
  Object: new Set("entries freeze fromEntries isFrozen keys values".split(" ")),
  Array: new Set(["isArray", "from"]),
};

const COMPARISONS = new Set(["===", "!==", "in"]);

export function isUnchanged(evaluator: Evaluator, binding: Binding, thing: Thing): boolean {
  return new Uses(evaluator).ofBinding(binding, thing);
}

class Uses {
  private readonly seen = new Set<Binding>();

  constructor(private readonly evaluator: Evaluator) {}

  ofBinding(binding: Binding, thing: Thing): boolean {
    if (this.seen.has(binding)) return true;
    this.seen.add(binding);
    return binding.writes === 0 && binding.declarations === 1 && binding.references.every((each) => this.isHarmless(each, thing));
  }

  /** Whether the place where `node`, which is `thing`, stands leaves it as it is. */
  private isHarmless(node: Any, thing: Thing): boolean {
    if (!hasChangeable(thing)) return true;
    const parent = this.evaluator.scopes.parents.get(node)!;
    switch (parent.type) {
      case "MemberExpression":
        return parent.object === node ? this.member(parent, thing) : false;
      case "CallExpression":
        return parent.callee !== node && this.argument(parent, node as Expression, thing);
      case "VariableDeclarator":
        return parent.init === node && this.alias(parent, thing);
      case "SpreadElement":
        return isFlat(thing);
      case "Property":
        return this.isHarmlessIn(this.evaluator.scopes.parents.get(parent)!, thing);
      case "ArrayExpression":
        return this.isHarmlessIn(parent, thing);
      case "ParenthesizedExpression":
      case "ChainExpression":
        return this.isHarmless(parent, thing);
      case "ConditionalExpression":
        return parent.test === node || this.isHarmless(parent, thing);
      case "LogicalExpression":
        return this.isHarmless(parent, thing);
      case "BinaryExpression":
        return COMPARISONS.has(parent.operator);
      case "UnaryExpression":
        return parent.operator === "typeof" || parent.operator === "!" || parent.operator === "void";
      case "IfStatement":
      case "WhileStatement":
      case "ExpressionStatement":
      case "ForInStatement":
        return true;
      case "ForOfStatement":
        return parent.right === node && isFlat(thing);
      default:
        return false;
    }
  }

  /** As a part of another object. */
  private isHarmlessIn(outer: Any, thing: Thing): boolean {
    if (outer.type !== "ObjectExpression" && outer.type !== "ArrayExpression") return false;
    const whole = this.evaluator.thing(outer);
    const holds = whole.kind === "object" ? [...whole.entries.values()] : whole.kind === "array" ? whole.items : [];
    return holds.includes(thing as Value) && this.isHarmless(outer, whole);
  }

  private member(member: Extract<Any, { type: "MemberExpression" }>, thing: Thing): boolean {
    const parent = this.evaluator.scopes.parents.get(member)!;
    if (isTarget(member, this.evaluator.scopes)) return false;
    const key = this.evaluator.key(member.property, member.computed);
    const called = (parent.type === "CallExpression" && parent.callee === member) || parent.type === "TaggedTemplateExpression";
    if (key === undefined) return isFlat(thing) && !called;
    const own = memberOf(thing, key, this.evaluator.tools);
    if (called && own.kind !== "tool") return parent.type === "CallExpression" && this.method(parent, key, thing);
    return this.isHarmless(member, own);
  }

  /** A method of an array that only reads; its callback must not be given the array itself. */
  private method(call: Extract<Any, { type: "CallExpression" }>, name: string, thing: Thing): boolean {
    if (thing.kind !== "array" || !isFlat(thing) || !READING.has(name)) return false;
    const most = name === "reduce" ? 3 : 2;
    return call.arguments.every((each) => {
      if (!isFunction(each)) return this.evaluator.value(each).kind === "literal";
      return each.type === "ArrowFunctionExpression" && each.params.length <= most && !each.params.some((one) => one.type === "RestElement");
    });
  }

  private argument(call: Extract<Any, { type: "CallExpression" }>, node: Expression, thing: Thing): boolean {
    const callee = this.evaluator.thing(call.callee);
    if (callee.kind === "tool" || (callee.kind === "special" && callee.special === "tools.call")) return true;
    const member = bare(call.callee);
    if (member.type !== "MemberExpression") return false;
    const name = this.evaluator.key(member.property, member.computed) ?? "";
    const owner = Object.keys(LOOKING).find((each) => this.evaluator.isGlobal(member.object, each));
    if (owner === undefined || !LOOKING[owner]!.has(name)) return false;
    if (owner === "console") return true;
    if (call.arguments[0] !== node || call.arguments.length > 1) return false;
    return name === "freeze" ? this.isHarmless(call, thing) : owner === "JSON" || isFlat(thing);
  }

  /** Another name for it, or for what is in it. */
  private alias({ id }: Extract<Any, { type: "VariableDeclarator" }>, thing: Thing): boolean {
    if (id.type !== "Identifier") return isFlat(thing);
    const binding = this.evaluator.scopes.own.get(id)!;
    return binding.kind !== "var" && this.ofBinding(binding, thing);
  }
}

/** Whether what stands at `node`, a member, is written to there. */
function isTarget(node: Any, scopes: Scopes): boolean {
  const parent = scopes.parents.get(node)!;
  switch (parent.type) {
    case "AssignmentExpression":
    case "AssignmentPattern":
    case "ForInStatement":
    case "ForOfStatement":
      return parent.left === node;
    case "UpdateExpression":
    case "ArrayPattern":
    case "RestElement":
      return true;
    case "Property":
      return scopes.parents.get(parent)!.type === "ObjectPattern";
    case "UnaryExpression":
      return parent.operator === "delete";
    case "ChainExpression":
    case "ParenthesizedExpression":
      return isTarget(parent, scopes);
    default:
      return false;
  }
}

/** Whether a thing is, as far as it is known, an object that could be changed. */
function hasChangeable({ kind }: Thing): boolean {
  return kind === "object" || kind === "array";
}

/** Whether no object, and nothing that can be called, is known to be in the object. */
function isFlat(thing: Thing): boolean {
  const parts: Iterable<Value> = thing.kind === "object" ? thing.entries.values() : thing.kind === "array" ? thing.items : [];
  for (const part of parts) if (hasChangeable(part) || (part.kind === "unknown" && part.thing)) return false;
  return true;
}

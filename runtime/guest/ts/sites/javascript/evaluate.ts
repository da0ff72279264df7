/** What expressions are, as far as can be said without running the script: constants, data made of them, and tools. */

import type { Expression, Identifier, Pattern, Property, SpreadElement } from "acorn";
import type { ToolTable } from "../../bridge/tools";
import { join, joined, literal, type Primitive, UNDEFINED, UNKNOWN, type Value } from "../value";
import { type Any, bare, writtenKey } from "./nodes";
import { binary, unary } from "./operators";
import type { Binding, Scopes } from "./scope";
import { isUnchanged } from "./unchanged";
import { asValue, FUNCTION, globalThing, memberOf, type Thing } from "./things";

/** How often constants are looked at anew before all that are in doubt are given up. */
const ROUNDS = 10;

export class Evaluator {
  private readonly known = new Map<Any, Thing>();
  /** Constants whose objects may be changed. */
  private readonly changed = new Set<Binding>();

  constructor(
    readonly scopes: Scopes,
    readonly tools: ToolTable,
  ) {
    this.findChanged();
  }

  /**
   * Takes all constants' objects for unchanged, and drops those for which a use says otherwise, until no more go: then each
   * use of those that are left is harmless, given that they are what they were.
   */
  private findChanged(): void {
    for (let before = -1, round = 0; before !== this.changed.size; round++) {
      before = this.changed.size;
      for (const binding of this.scopes.declared) {
        if (this.changed.has(binding) || !binding.definition) continue;
        const thing = this.defined(binding);
        if (isChangeable(thing) && (round > ROUNDS || !isUnchanged(this, binding, thing))) this.changed.add(binding);
      }
      this.known.clear();
    }
  }

  /** What the expression is, as data. */
  value(node: Any): Value {
    return asValue(this.thing(node));
  }

  thing(node: Any): Thing {
    let found = this.known.get(node);
    if (found) return found;
    this.known.set(node, UNKNOWN); // what depends on itself
    found = this.evaluate(node);
    this.known.set(node, found);
    return found;
  }

  /** The key of a member or property, if it is known. */
  key(key: Any, computed: boolean): string | undefined {
    const written = writtenKey(key, computed);
    if (written !== undefined) return written;
    const value = this.value(key);
    return value.kind === "literal" ? String(value.value) : undefined;
  }

  private evaluate(node: Any): Thing {
    switch (node.type) {
      case "Literal":
        return constant(node);
      case "Identifier":
        return this.identifier(node);
      case "ParenthesizedExpression":
      case "ChainExpression":
        return this.thing(node.expression);
      case "TemplateLiteral":
        return this.template(node);
      case "ObjectExpression":
        return new ObjectReading(this).read(node.properties);
      case "ArrayExpression":
        return this.array(node.elements);
      case "MemberExpression": {
        const key = this.key(node.property, node.computed);
        return key === undefined ? UNKNOWN : this.member(this.thing(node.object), key);
      }
      case "UnaryExpression":
        return unary(node.operator, this.value(node.argument));
      case "BinaryExpression":
        return binary(node.operator, this.value(node.left), this.value(node.right));
      case "ConditionalExpression":
        return this.condition(node.test, node.consequent, node.alternate);
      case "LogicalExpression":
        return this.logical(node.operator, node.left, node.right);
      case "SequenceExpression":
        return this.thing(node.expressions[node.expressions.length - 1]!);
      case "AwaitExpression":
        return this.awaited(node.argument);
      case "CallExpression":
        return this.call(node.callee, node.arguments);
      case "FunctionExpression":
      case "ArrowFunctionExpression":
      case "ClassExpression":
        return FUNCTION;
      default:
        return UNKNOWN;
    }
  }

  private member(thing: Thing, key: string): Thing {
    const isGlobal = thing.kind === "special" && thing.special === "global";
    return isGlobal && this.scopes.assigned.has(key) ? UNKNOWN : memberOf(thing, key, this.tools);
  }

  /** Whether the name declared here is a constant, and its object stays as it is. */
  isUnchanged(declared: Identifier): boolean {
    const binding = this.scopes.own.get(declared);
    return binding !== undefined && binding.isConstant && !this.changed.has(binding);
  }

  // --- names -------------------------------------------------------------------------------

  private identifier(node: Identifier): Thing {
    const binding = this.scopes.bindings.get(node);
    if (binding) return this.bound(binding, node);
    return this.scopes.assigned.has(node.name) ? UNKNOWN : globalThing(node.name, this.tools);
  }

  private bound(binding: Binding, use: Identifier): Thing {
    if (binding.kind === "function" || binding.kind === "class") return binding.writes === 0 && binding.declarations === 1 ? FUNCTION : UNKNOWN;
    if (!binding.isConstant && !this.isBefore(binding, use)) return UNKNOWN;
    const thing = this.defined(binding);
    return isChangeable(thing) && this.changed.has(binding) ? UNKNOWN : thing;
  }

  /** What a constant is declared to be. */
  defined({ definition, kind, name }: Binding): Thing {
    if (!definition) return kind === "let" ? UNDEFINED : UNKNOWN;
    return this.taken(this.thing(definition.value), definition.pattern, name) ?? UNKNOWN;
  }

  /**
   * Whether a `var` has its value when it is used: it is declared once, by a statement of the function's own list that comes
   * before the use in the same function.
   */
  private isBefore(binding: Binding, use: Identifier): boolean {
    const { definition, scope } = binding;
    if (binding.kind !== "var" || !definition || binding.writes > 0 || binding.declarations > 1) return false;
    const { parents } = this.scopes;
    const list = parents.get(parents.get(definition.declarator)!)!;
    const isOwn = list === scope.owner || (list.type === "BlockStatement" && parents.get(list) === scope.owner);
    return isOwn && this.scopes.ownerOf(use) === scope.owner && use.start >= definition.declarator.end;
  }

  /** What a pattern gives to `name` when a thing is taken apart; undefined if the name is not in it. */
  private taken(thing: Thing, pattern: Pattern, name: string): Thing | undefined {
    switch (pattern.type) {
      case "Identifier":
        return pattern.name === name ? thing : undefined;
      case "AssignmentPattern":
        return this.taken(this.orDefault(thing, pattern.right), pattern.left, name);
      case "ObjectPattern":
        for (const each of pattern.properties) {
          if (each.type === "RestElement") continue;
          const key = this.key(each.key, each.computed);
          const found = this.taken(key === undefined ? UNKNOWN : memberOf(thing, key, this.tools), each.value, name);
          if (found) return found;
        }
        return undefined;
      case "ArrayPattern":
        for (const [at, each] of pattern.elements.entries()) {
          const item = thing.kind === "array" ? memberOf(thing, String(at), this.tools) : UNKNOWN;
          const found = each && each.type !== "RestElement" ? this.taken(item, each, name) : undefined;
          if (found) return found;
        }
        return undefined;
      default:
        return undefined;
    }
  }

  private orDefault(thing: Thing, otherwise: Expression): Thing {
    if (thing.kind === "unknown" || thing.kind === "unresolved") return UNKNOWN;
    return thing.kind === "literal" && thing.value === undefined ? this.thing(otherwise) : thing;
  }

  // --- data --------------------------------------------------------------------------------

  private template(node: Extract<Any, { type: "TemplateLiteral" }>): Value {
    let text = literal("");
    for (const [at, quasi] of node.quasis.entries()) {
      text = joined(text, literal(quasi.value.cooked ?? ""));
      const hole = node.expressions[at];
      if (hole) text = joined(text, this.value(hole));
    }
    return text;
  }

  private array(elements: readonly (Expression | SpreadElement | null)[]): Value {
    const items: Value[] = [];
    for (const each of elements) {
      if (each?.type !== "SpreadElement") {
        items.push(each ? this.value(each) : UNKNOWN);
        continue;
      }
      const spread = this.value(each.argument);
      if (spread.kind !== "array") return { kind: "array", items, open: true };
      items.push(...spread.items);
      if (spread.open) return { kind: "array", items, open: true };
    }
    return { kind: "array", items, open: false };
  }

  private condition(test: Expression, yes: Expression, no: Expression): Thing {
    const truth = this.truth(test);
    if (truth !== undefined) return this.thing(truth ? yes : no);
    return join(this.value(yes), this.value(no));
  }

  private logical(operator: string, left: Expression, right: Expression): Thing {
    const first = this.thing(left);
    if (operator === "??") {
      if (first.kind === "literal") return first.value === null || first.value === undefined ? this.thing(right) : first;
      return first.kind === "object" || first.kind === "array" || first.kind === "text" ? first : UNKNOWN;
    }
    const truth = this.truth(left);
    if (truth === undefined) return UNKNOWN;
    return truth === (operator === "&&") ? this.thing(right) : first;
  }

  private truth(node: Expression): boolean | undefined {
    const thing = this.thing(node);
    if (thing.kind === "literal") return Boolean(thing.value);
    if (thing.kind === "text") return thing.prefix !== "" || thing.suffix !== "" ? true : undefined;
    return isChangeable(thing) || thing.kind === "function" ? true : undefined;
  }

  private awaited(node: Expression): Value {
    const value = this.value(node);
    return value.kind === "literal" || value.kind === "text" ? value : UNKNOWN;
  }

  /** `Object.freeze({…})` is what is frozen. */
  private call(callee: Any, args: readonly (Expression | SpreadElement)[]): Value {
    const member = bare(callee);
    if (member.type !== "MemberExpression" || args.length !== 1 || args[0]!.type === "SpreadElement") return UNKNOWN;
    if (!this.isGlobal(member.object, "Object") || this.key(member.property, member.computed) !== "freeze") return UNKNOWN;
    return this.value(args[0]!);
  }

  /** Whether an expression is the global of that name. */
  isGlobal(node: Any, name: string): boolean {
    const expression = bare(node);
    return expression.type === "Identifier" && expression.name === name && !this.scopes.bindings.get(expression) && !this.scopes.assigned.has(name);
  }
}

function isChangeable({ kind }: Thing): boolean {
  return kind === "object" || kind === "array";
}

function constant(node: Extract<Any, { type: "Literal" }>): Value {
  if (node.regex) return UNKNOWN;
  return literal(node.bigint === undefined ? (node.value as Primitive) : BigInt(node.bigint));
}

/** Reads an object's properties in their order, later ones over earlier ones. */
class ObjectReading {
  private readonly entries = new Map<string, Value>();
  private open = false;

  constructor(private readonly evaluator: Evaluator) {}

  read(properties: readonly (Property | SpreadElement)[]): Value {
    for (const each of properties) {
      if (each.type === "SpreadElement") this.spread(each.argument);
      else if (!this.property(each)) return UNKNOWN;
    }
    const json = this.entries.get("toJSON");
    if (json && json.kind !== "literal") return UNKNOWN;
    return { kind: "object", entries: this.entries, open: this.open };
  }

  /** False where nothing can be said of the object any more: accessors, and another prototype. */
  private property(property: Property): boolean {
    const { key, computed, value, kind, shorthand, method } = property;
    const name = this.evaluator.key(key, computed);
    if (kind !== "init" || (name === "__proto__" && !computed && !shorthand && !method)) return false;
    const held = this.evaluator.value(value);
    if (name !== undefined) this.set(name, held);
    else if (held.kind === "literal") this.blur();
    else return false; // it may be toJSON
    return true;
  }

  /** Anything may have been set. */
  private blur(): void {
    this.open = true;
    for (const key of this.entries.keys()) this.entries.set(key, UNKNOWN);
  }

  private set(key: string, value: Value): void {
    this.entries.set(key, value);
  }

  private spread(argument: Expression): void {
    const source = this.source(argument);
    if (source === undefined) return;
    if (source.kind !== "object") return this.blur();
    if (source.open) this.blur();
    for (const [key, value] of source.entries) this.set(key, value);
  }

  /** What is spread; `condition && {…}` spreads the object's properties or none. Undefined for nothing. */
  private source(argument: Expression): Value | undefined {
    const node = bare(argument);
    if (node.type === "LogicalExpression" && node.operator === "&&") {
      const [first, second] = [this.evaluator.value(node.left), this.evaluator.value(node.right)];
      if (first.kind === "unknown" && !first.thing && second.kind === "object") return this.perhaps(second);
    }
    const value = this.evaluator.value(argument);
    if (value.kind !== "literal") return value;
    return typeof value.value === "string" && value.value !== "" ? UNKNOWN : undefined;
  }

  /** Each property as it is, or as it was before. */
  private perhaps({ entries, open }: Extract<Value, { kind: "object" }>): Value {
    const merged = new Map([...entries].map(([key, value]) => [key, join(value, this.entries.get(key) ?? UNKNOWN)] as const));
    return { kind: "object", entries: merged, open };
  }
}

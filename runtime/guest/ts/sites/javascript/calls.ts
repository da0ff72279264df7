/** The places of a script in JavaScript where tools are called, or may be. */

import type { CallExpression, Expression, Identifier, SpreadElement, TaggedTemplateExpression } from "acorn";
import { UNKNOWN, type Value } from "../value";
import type { Doubt, Finding, Origin, Site } from "../site";
import type { Evaluator } from "./evaluate";
import type { Intact } from "./intact";
import { type Any, bare, children, writtenKey } from "./nodes";
import { commandOf } from "./template";
import { globalThing, hasMembers, memberOf, type Thing, toolPath } from "./things";

const ONE_OBJECT = "a tool takes one object of named arguments";

/** What a call or use is, but for where it is. */
type Found = Omit<Site, "start" | "end">;

export class Calls {
  /** Expressions that stand for tools and need no looking at by themselves: they are called, or bound to constants. */
  private readonly settled = new Set<Any>();
  private readonly scopes;
  private readonly tools;

  constructor(
    private readonly evaluator: Evaluator,
    private readonly finding: Finding,
    private readonly origin: Origin,
    private readonly doubt: Doubt | undefined,
    private readonly intact: Intact,
  ) {
    this.scopes = evaluator.scopes;
    this.tools = evaluator.tools;
  }

  find(node: Any): void {
    this.visit(node);
    for (const child of children(node)) this.find(child);
  }

  private visit(node: Any): void {
    switch (node.type) {
      case "CallExpression":
        return this.call(node);
      case "NewExpression":
        return this.made(node);
      case "TaggedTemplateExpression":
        return this.tagged(node);
      case "ImportExpression":
        return this.loaded(this.evaluator.value(node.source), node);
      case "ImportDeclaration":
      case "ExportAllDeclaration":
        return this.loaded(this.evaluator.value(node.source), node);
      case "ExportNamedDeclaration":
        if (node.source) this.loaded(this.evaluator.value(node.source), node);
        return;
      case "Identifier":
        if (this.scopes.bindings.has(node)) this.used(node);
    }
  }

  // --- calls -------------------------------------------------------------------------------

  private call(node: CallExpression): void {
    const callee = bare(node.callee);
    const thing = this.evaluator.thing(callee);
    const path = toolPath(thing);
    if (path !== undefined) this.add(node, { tool: path, ...this.passed(node.arguments) });
    else if (thing.kind === "unresolved") this.add(node, { tool: thing.name.replaceAll(".", "/"), ...this.passed(node.arguments) });
    else if (thing.kind === "special") this.special(node, thing.special);
    else return this.otherwise(node, callee, thing);
    this.settle(callee);
  }

  private special(node: CallExpression, special: string): void {
    const [first, ...rest] = node.arguments;
    const given = first && first.type !== "SpreadElement" ? this.evaluator.value(first) : UNKNOWN;
    switch (special) {
      case "tools.call":
        return this.byName(node, given, rest);
      case "shell":
        return this.run(given.kind === "literal" && typeof given.value === "string" ? given.value : undefined, node, first!);
      case "code":
        return this.add(node, { tool: undefined, argument: undefined, note: "it runs code that is made while the script runs" });
      case "require":
        return this.loaded(given, node);
    }
  }

  private byName(node: CallExpression, name: Value, args: readonly (Expression | SpreadElement)[]): void {
    if (name.kind !== "literal") return this.add(node, { tool: undefined, argument: undefined, note: "the tool's name is not a constant" });
    const path = this.tools.canonical(String(name.value));
    this.add(node, { tool: this.tools.has(path) ? path : path.replaceAll(".", "/"), ...this.passed(args) });
  }

  /** Calls of what is no tool, or not known to be one. */
  private otherwise(node: CallExpression, callee: Any, thing: Thing): void {
    const shadowed = this.shadowed(callee);
    if (shadowed !== undefined) return this.add(node, { tool: shadowed, ...this.passed(node.arguments), shadowed: true, note: `${nameOf(callee) ?? shadowed} may be the script's own here, not the tool` });
    if (callee.type !== "MemberExpression" || thing.kind !== "unknown") return;
    const owner = this.evaluator.thing(callee.object);
    const key = this.evaluator.key(callee.property, callee.computed);
    if (key === "constructor" && node.arguments.length > 0) return this.special(node, "code");
    if (owner.kind !== "special" || owner.special !== "tools" || key === undefined || key in Object.prototype || ["list", "describe"].includes(key)) return;
    const known = this.tools.canonical(key);
    this.add(node, { tool: known, ...this.passed(node.arguments), fault: `tools.${key} is no function: call tools.call(${JSON.stringify(known)}, {…})` });
    this.settle(callee);
  }

  private made(node: Extract<Any, { type: "NewExpression" }>): void {
    const thing = this.evaluator.thing(node.callee);
    if (thing.kind !== "special" || thing.special !== "code") return;
    this.add(node, { tool: undefined, argument: undefined, note: "it runs code that is made while the script runs" });
    this.settle(bare(node.callee));
  }

  /** What a call passes, if the tool takes it. */
  private passed(args: readonly (Expression | SpreadElement)[]): { argument: Value | undefined; fault?: string } {
    const [first, ...more] = args;
    if (args.some((each) => each.type === "SpreadElement")) return { argument: undefined };
    if (more.length > 0) return { argument: undefined, fault: ONE_OBJECT };
    const value: Value = first ? this.evaluator.value(first) : { kind: "literal", value: undefined };
    if (value.kind === "literal" && value.value === undefined) return { argument: { kind: "object", entries: new Map(), open: false } };
    if (value.kind === "literal" || value.kind === "text" || value.kind === "array") return { argument: undefined, fault: ONE_OBJECT };
    return { argument: value.kind === "object" ? value : undefined };
  }

  // --- other languages and files -------------------------------------------------------------

  private tagged(node: TaggedTemplateExpression): void {
    const tag = bare(node.tag);
    const thing = this.evaluator.thing(tag);
    const path = toolPath(thing);
    if (thing.kind === "special" && thing.special === "shell") {
      const command = commandOf(node.quasi, (each) => this.evaluator.value(each));
      if (command) this.finding.look({ ...command, language: "shell", origin: (offset) => this.origin(command.origin(offset)), doubt: this.doubt, isNested: true });
      else this.add(node, { tool: undefined, argument: undefined, note: "the shell's script is not a constant" });
    } else if (path !== undefined) this.add(node, { tool: path, argument: undefined, fault: ONE_OBJECT });
    else return;
    this.settle(tag);
  }

  private run(text: string | undefined, node: Any, source: Any): void {
    if (text === undefined) return this.add(node, { tool: undefined, argument: undefined, note: "the shell's script is not a constant" });
    this.finding.look({ language: "shell", text, origin: this.within(source, text), doubt: this.doubt, isNested: true });
  }

  /** Offsets in a constant text, where it is written as it is; else all of them are where it begins. */
  private within(source: Any, text: string): Origin {
    const plain = source.type === "Literal" && source.end - source.start === text.length + 2;
    return (offset) => this.origin(plain ? source.start + 1 + offset : source.start);
  }

  private loaded(name: Value, node: Any): void {
    if (name.kind === "literal" && typeof name.value === "string" && /^[^./]/.test(name.value) && !FILE_URL.test(name.value) && !LOADERS.has(name.value.replace("node:", ""))) return;
    this.add(node, { tool: undefined, argument: undefined, note: "code of another file is loaded, which is not looked at" });
  }

  // --- uses that are no calls ----------------------------------------------------------------

  /** A name that leads to tools, used otherwise than by calling it. */
  private used(identifier: Identifier): void {
    const [node, thing] = this.longest(identifier);
    if (this.settled.has(node) || !leadsToTools(thing) || this.isHarmless(node, thing)) return;
    const path = toolPath(thing);
    if (path !== undefined && !hasMembers(thing)) this.add(node, { tool: path, argument: undefined, note: "the tool is used as a value: it may be called with anything" });
    else this.add(node, { tool: undefined, argument: undefined, note: `which tool of ${nameOf(node) ?? "these"} is called is not known` });
  }

  /** The longest chain of members that begins at a name and leads to tools. */
  private longest(identifier: Identifier): [Any, Thing] {
    let node: Any = identifier;
    let thing = this.evaluator.thing(node);
    for (;;) {
      const parent = this.scopes.parents.get(node);
      if (parent?.type === "ChainExpression") node = parent;
      else if (parent?.type === "MemberExpression" && parent.object === node && leadsToTools(this.evaluator.thing(parent))) {
        node = parent;
        thing = this.evaluator.thing(node);
      } else return [bare(node), thing];
    }
  }

  private isHarmless(node: Any, thing: Thing): boolean {
    const parent = this.scopes.parents.get(node)!;
    switch (parent.type) {
      case "ChainExpression":
        return this.isHarmless(parent, thing);
      case "MemberExpression":
        return this.member(parent, node);
      case "CallExpression":
        return this.settled.has(node) || (parent.callee !== node && !this.doubt && this.intact.looksAt(parent, thing));
      case "TaggedTemplateExpression":
        return this.settled.has(node);
      case "ForInStatement":
        return parent.right === node;
      case "UnaryExpression":
      case "UpdateExpression":
      case "ExpressionStatement":
      case "IfStatement":
      case "WhileStatement":
        return true;
      case "BinaryExpression":
        return parent.operator !== "instanceof" || parent.right === node; // what is on the left is given to a function
      case "ConditionalExpression":
        return parent.test === node;
      case "LogicalExpression":
        return parent.operator === "&&" && parent.left === node;
      case "AssignmentExpression":
        return parent.left === node;
      case "VariableDeclarator":
        return this.isBound(parent, thing);
      case "Property":
      case "ArrayExpression":
        return this.isKept(parent, thing);
      default:
        return false;
    }
  }

  private member(member: Extract<Any, { type: "MemberExpression" }>, node: Any): boolean {
    if (member.object !== node) return false;
    const key = this.evaluator.key(member.property, member.computed);
    if (key === undefined) return false;
    return !BORROWED.has(key);
  }

  /** Bound to constants, whose own uses are looked at. */
  private isBound({ id, init }: Extract<Any, { type: "VariableDeclarator" }>, thing: Thing): boolean {
    if (!init || bare(init) !== init) return false;
    if (id.type === "Identifier") return this.isFollowed(id, thing);
    return id.type === "ObjectPattern" && id.properties.every((each) => this.isTaken(each, thing));
  }

  private isTaken(property: Any, thing: Thing): boolean {
    if (property.type !== "Property") return false;
    const key = writtenKey(property.key, property.computed);
    const member = key === undefined ? UNKNOWN : memberOf(thing, key, this.tools);
    if (key === undefined) return false;
    if (property.value.type === "ObjectPattern") return property.value.properties.every((each) => this.isTaken(each, member));
    return !leadsToTools(member) || (property.value.type === "Identifier" && this.isFollowed(property.value, member));
  }

  private isFollowed(id: Identifier, thing: Thing): boolean {
    const binding = this.scopes.own.get(id);
    return binding !== undefined && binding.isConstant && this.evaluator.defined(binding).kind === thing.kind;
  }

  /** Held by an object that is bound to a constant and stays as it is. */
  private isKept(parent: Any, thing: Thing): boolean {
    const outer = parent.type === "Property" ? this.scopes.parents.get(parent)! : parent;
    const whole = this.evaluator.thing(outer);
    const held = whole.kind === "object" ? [...whole.entries.values()] : whole.kind === "array" ? whole.items : [];
    if (!held.some((each) => each === thing || (each.kind === "unknown" && each.thing === thing))) return false;
    const around = this.scopes.parents.get(outer)!;
    if (around.type === "Property" || around.type === "ArrayExpression") return this.isKept(around, whole);
    return around.type === "VariableDeclarator" && around.id.type === "Identifier" && this.evaluator.isUnchanged(around.id);
  }

  /** The tool that a name would mean, were it not the script's own. */
  private shadowed(callee: Any): string | undefined {
    const [root, ...keys] = this.spelling(callee) ?? [];
    if (root === undefined || !(root.isOwn || this.scopes.assigned.has(root.name))) return undefined;
    let thing = globalThing(root.name, this.tools);
    for (const key of keys) thing = memberOf(thing, key.name, this.tools);
    return toolPath(thing);
  }

  /** The names of a chain of members; of the first, whether it is bound. `this` may be the global object. */
  private spelling(node: Any): { name: string; isOwn?: boolean }[] | undefined {
    const expression = bare(node);
    if (expression.type === "Identifier") return [{ name: expression.name, isOwn: this.scopes.bindings.get(expression) !== undefined }];
    if (expression.type !== "MemberExpression") return undefined;
    const key = writtenKey(expression.property, expression.computed);
    if (expression.object.type === "ThisExpression" && key !== undefined) return [{ name: key, isOwn: true }];
    const before = this.spelling(expression.object);
    return before && key !== undefined ? [...before, { name: key }] : undefined;
  }

  private settle(node: Any): void {
    this.settled.add(node);
  }

  private add({ start, end }: Any, found: Found): void {
    const sure = this.doubt && found.tool !== undefined ? { ...found, argument: undefined, note: found.note ?? this.doubt.note } : found;
    this.finding.add({ ...sure, start: this.origin(start), end: this.origin(end - 1) + 1 });
  }
}

const FILE_URL = /^file:/;
/** Modules by which other code can be loaded. */
const LOADERS = new Set(["module"]);
/** Members of functions by which these are called. */
const BORROWED = new Set(["apply", "bind", "call"]);
function leadsToTools(thing: Thing): boolean {
  if (thing.kind === "tool") return true;
  return thing.kind === "special" && thing.special !== "shell";
}

function nameOf(node: Any): string | undefined {
  const expression = bare(node);
  if (expression.type === "Identifier") return expression.name;
  if (expression.type !== "MemberExpression") return undefined;
  const [object, key] = [nameOf(expression.object), writtenKey(expression.property, expression.computed)];
  return object !== undefined && key !== undefined ? `${object}.${key}` : undefined;
}

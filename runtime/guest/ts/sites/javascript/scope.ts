/**
 * The bindings of a script: what each name in it means.
 *
 * Where JavaScript's rules are intricate (functions in blocks, parameters beside variables), names are taken to be bound in
 * more places than they are: a name that is thought to be the script's own is never taken for a tool.
 */

import type { Expression, Identifier, Pattern } from "acorn";
import { type Any, type FunctionNode, children, isFunction, writtenKey } from "./nodes";

type BindingKind = "const" | "let" | "var" | "function" | "class" | "parameter" | "import";

const GLOBAL: ReadonlySet<string> = new Set(["globalThis", "global"]);

export class Binding {
  /** Values that it gets, besides `definition`. */
  writes = 0;
  /** What it is declared to be: the initial value, and the pattern that takes the binding's own out of it. */
  definition: { readonly value: Expression; readonly pattern: Pattern; readonly declarator: Any } | undefined;
  declarations = 0;
  readonly references: Identifier[] = [];

  constructor(
    readonly name: string,
    readonly kind: BindingKind,
    readonly scope: Scope,
  ) {}

  /** Whether it has one value from its declaration on, and cannot be looked at before. */
  get isConstant(): boolean {
    return this.writes === 0 && this.declarations === 1 && (this.kind === "const" || this.kind === "let");
  }
}

export class Scope {
  readonly names = new Map<string, Binding>();

  constructor(
    readonly parent: Scope | undefined,
    /** The function that it is of, or the whole script. */
    readonly owner: Any,
    /** Whether `var` and functions are declared here. */
    readonly isBody: boolean,
  ) {}

  declare(name: string, kind: BindingKind): Binding {
    let binding = this.names.get(name);
    if (!binding) this.names.set(name, (binding = new Binding(name, kind, this)));
    binding.declarations += 1;
    return binding;
  }

  find(name: string): Binding | undefined {
    return this.names.get(name) ?? this.parent?.find(name);
  }

  get body(): Scope {
    return this.isBody ? this : this.parent!.body;
  }
}

/** A script's names, resolved. */
export class Scopes {
  /** Of each identifier that stands for a value: what it is bound to; undefined for a global. */
  readonly bindings = new Map<Identifier, Binding | undefined>();
  readonly parents = new Map<Any, Any>();
  readonly declared = new Set<Binding>();
  /** Globals that the script assigns to. */
  readonly assigned = new Set<string>();
  /** The scope of what is below each node. */
  private readonly scopes = new Map<Any, Scope>();
  /** Identifiers that are given a value where they stand. */
  private readonly given = new Set<Identifier>();
  /** The binding of each identifier that declares one. */
  readonly own = new Map<Identifier, Binding>();

  constructor(private readonly program: Any) {
    this.declareIn(program, new Scope(undefined, program, true));
    this.resolve(program, this.scopes.get(program)!);
  }

  /** The function around a node, or the script. */
  ownerOf(node: Any): Any {
    let at = this.parents.get(node);
    while (at && !isFunction(at)) at = this.parents.get(at);
    return at ?? this.program;
  }

  // --- declarations ------------------------------------------------------------------------

  private declareIn(node: Any, scope: Scope): void {
    this.scopes.set(node, scope);
    for (const child of children(node)) {
      this.parents.set(child, node);
      this.declare(child, scope);
    }
  }

  private declare(node: Any, scope: Scope): void {
    if (isFunction(node)) return this.declareFunction(node, scope);
    switch (node.type) {
      case "ClassDeclaration":
      case "ClassExpression": {
        const own = new Scope(scope, scope.owner, false);
        if (node.type === "ClassDeclaration" && node.id) this.bind(node.id, scope, "class");
        if (node.id) this.bind(node.id, own, "class");
        return this.declareIn(node, own);
      }
      case "StaticBlock":
        return this.declareIn(node, new Scope(scope, node, true));
      case "BlockStatement":
      case "ForStatement":
      case "ForInStatement":
      case "ForOfStatement":
      case "SwitchStatement":
        return this.declareIn(node, new Scope(scope, scope.owner, false));
      case "CatchClause": {
        const own = new Scope(scope, scope.owner, false);
        for (const each of namesIn(node.param)) this.bind(each, own, "parameter");
        return this.declareIn(node, own);
      }
      case "VariableDeclaration": {
        const kind = node.kind === "var" ? "var" : node.kind === "let" ? "let" : "const";
        for (const each of node.declarations) this.declareVariable(each, kind, kind === "var" ? scope.body : scope);
        break;
      }
      case "ImportSpecifier":
      case "ImportDefaultSpecifier":
      case "ImportNamespaceSpecifier":
        this.bind(node.local, scope, "import");
        break;
    }
    this.declareIn(node, scope);
  }

  private bind(identifier: Identifier, scope: Scope, kind: BindingKind): Binding {
    this.given.add(identifier);
    const binding = scope.declare(identifier.name, kind);
    this.declared.add(binding);
    this.own.set(identifier, binding);
    return binding;
  }

  private declareVariable(node: Extract<Any, { type: "VariableDeclarator" }>, kind: "const" | "let" | "var", scope: Scope): void {
    for (const each of namesIn(node.id)) {
      const binding = this.bind(each, scope, kind);
      if (node.init) binding.definition = { value: node.init, pattern: node.id, declarator: node };
    }
  }

  private declareFunction(node: FunctionNode, scope: Scope): void {
    if (node.type === "FunctionDeclaration" && node.id) {
      this.bind(node.id, scope, "function");
      if (scope !== scope.body) scope.body.declare(node.id.name, "function");
    }
    let around = scope;
    if (node.type === "FunctionExpression" && node.id) {
      around = new Scope(scope, scope.owner, false);
      this.bind(node.id, around, "function");
    }
    const own = new Scope(around, node, true);
    for (const parameter of node.params) for (const each of namesIn(parameter)) this.bind(each, own, "parameter");
    if (node.type !== "ArrowFunctionExpression") own.declare("arguments", "parameter");
    this.declareIn(node, own);
  }

  // --- references --------------------------------------------------------------------------

  private resolve(node: Any, scope: Scope): void {
    const inner = this.scopes.get(node) ?? scope;
    for (const target of targets(node)) this.write(target, inner);
    if (node.type === "AssignmentExpression") this.assignMember(node.left);
    for (const child of children(node)) {
      if (child.type !== "Identifier") this.resolve(child, inner);
      else if (!this.given.has(child) && isReference(child, node)) this.refer(child, inner);
    }
  }

  private refer(identifier: Identifier, scope: Scope): void {
    const binding = scope.find(identifier.name);
    this.bindings.set(identifier, binding);
    binding?.references.push(identifier);
  }

  /** `globalThis.name = …`. */
  private assignMember(left: Any): void {
    if (left.type !== "MemberExpression" || left.object.type !== "Identifier" || !GLOBAL.has(left.object.name)) return;
    const key = writtenKey(left.property, left.computed);
    if (key !== undefined) this.assigned.add(key);
  }

  private write(identifier: Identifier, scope: Scope): void {
    const { name } = identifier;
    this.given.add(identifier);
    const binding = scope.find(name);
    if (binding) binding.writes += 1;
    else this.assigned.add(name);
  }
}

/** The identifiers that a pattern binds or assigns to. */
export function namesIn(pattern: Any | null | undefined): Identifier[] {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern];
    case "ObjectPattern":
      return pattern.properties.flatMap((each) => namesIn(each.type === "RestElement" ? each.argument : each.value));
    case "ArrayPattern":
      return pattern.elements.flatMap(namesIn);
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "RestElement":
      return namesIn(pattern.argument);
    case "ParenthesizedExpression":
      return namesIn(pattern.expression);
    default:
      return [];
  }
}

/** The identifiers that a node assigns to, apart from declarations. */
function targets(node: Any): Identifier[] {
  switch (node.type) {
    case "AssignmentExpression":
      return namesIn(node.left);
    case "UpdateExpression":
      return namesIn(node.argument);
    case "ForInStatement":
    case "ForOfStatement":
      if (node.left.type !== "VariableDeclaration") return namesIn(node.left);
      return node.left.declarations.flatMap(({ id }) => namesIn(id));
    default:
      return [];
  }
}

/** Whether an identifier stands for a variable, and not for a name of something else. */
function isReference(identifier: Identifier, parent: Any): boolean {
  switch (parent.type) {
    case "MemberExpression":
      return parent.object === identifier || parent.computed;
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
      return parent.value === identifier || parent.computed;
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
    case "MetaProperty":
    case "ImportSpecifier":
    case "ImportDefaultSpecifier":
    case "ImportNamespaceSpecifier":
    case "ExportAllDeclaration":
    case "ImportAttribute":
      return false;
    case "ExportSpecifier":
      return parent.local === identifier;
    default:
      return true;
  }
}

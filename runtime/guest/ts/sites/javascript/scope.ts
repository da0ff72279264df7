/**
 * The bindings of a script: what each name in it means.
 *
 * Where JavaScript's rules are intricate (functions in blocks, parameters beside variables), names are taken to be bound in
 * more places than they are: a name that is thought to be the script's own is never taken for a tool.
 */

import type { Expression, Identifier, Pattern } from "acorn";
import { type Any, type FunctionNode, children, isFunction } from "./nodes";

type BindingKind = "const" | "let" | "var" | "function" | "class" | "parameter" | "import";

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
  /** Globals that the script assigns to. */
  readonly assigned = new Set<string>();
  /** Functions around each scope's names. */
  private readonly scopes = new Map<Any, Scope>();

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
        if (node.type === "ClassDeclaration" && node.id) scope.declare(node.id.name, "class");
        const own = new Scope(scope, scope.owner, false);
        if (node.id) own.declare(node.id.name, "class");
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
        for (const { name } of namesIn(node.param)) own.declare(name, "parameter");
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
        scope.declare(node.local.name, "import");
        break;
    }
    this.declareIn(node, scope);
  }

  private declareVariable(node: Extract<Any, { type: "VariableDeclarator" }>, kind: "const" | "let" | "var", scope: Scope): void {
    for (const { name } of namesIn(node.id)) {
      const binding = scope.declare(name, kind);
      if (node.init) binding.definition = { value: node.init, pattern: node.id, declarator: node };
    }
  }

  private declareFunction(node: FunctionNode, scope: Scope): void {
    if (node.type === "FunctionDeclaration" && node.id) {
      scope.declare(node.id.name, "function");
      if (scope !== scope.body) scope.body.declare(node.id.name, "function");
    }
    let around = scope;
    if (node.type === "FunctionExpression" && node.id) {
      around = new Scope(scope, scope.owner, false);
      around.declare(node.id.name, "function");
    }
    const own = new Scope(around, node, true);
    for (const parameter of node.params) for (const { name } of namesIn(parameter)) own.declare(name, "parameter");
    if (node.type !== "ArrowFunctionExpression") own.declare("arguments", "parameter");
    this.declareIn(node, own);
  }

  // --- references --------------------------------------------------------------------------

  private resolve(node: Any, scope: Scope): void {
    const inner = this.scopes.get(node) ?? scope;
    for (const child of children(node)) {
      if (child.type !== "Identifier") this.resolve(child, inner);
      else if (isReference(child, node)) this.refer(child, inner);
    }
    for (const target of targets(node)) this.write(target, inner);
  }

  private refer(identifier: Identifier, scope: Scope): void {
    const binding = scope.find(identifier.name);
    this.bindings.set(identifier, binding);
    binding?.references.push(identifier);
  }

  private write({ name }: Identifier, scope: Scope): void {
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

/** declare, typeset, local, export, readonly. */

import { assignArray, assignReference, expandArray, type Item, storeArray } from "../expand/assign";
import { literalOf } from "../expand/literal";
import { givenEnd, parseReference } from "../expand/references";
import { each, then, type Maybe } from "../io/maybe";
import { AssociativeArray, IndexedArray } from "../run/arrays";
import { ExpressionFault } from "../expand/errors";
import { told } from "../run/dispatch";
import { isCommandFault, LineFault, NameFault, refuseReadonly, ScriptFault } from "../run/errors";
import type { Shell } from "../run/shell";
import { CAPITAL, EXPORTED, INTEGER, LOWER, NAMEREF, READONLY, UPPER } from "../run/variable";
import type { Variable } from "../run/variables";
import { type Builtin, refuse } from "./builtin";
import { declareFunctions } from "./declare_functions";
import { readFlags } from "./declaration_flags";
import { keepGiven, keepTemporary, localizeTemporary } from "./declaration_environment";
import { listAll, listFunctions, listGiven, listLocals, printDeclarations } from "./declaration_lists";
import { exportFunctions } from "../run/exported_functions";
import { declaredName } from "../run/references";
import { traceAssignment } from "../run/trace";

const NAME = /^[A-Za-z_]\w*$/;
const START = /^[A-Za-z_]\w*/;
const ASSIGNMENT = /^(?:(\+?)=([^]*))?$/;

/** What a declaration changes: attributes to set and to clear, and the kind of value. */
interface Change {
  readonly on: number;
  readonly off: number;
  readonly indexed: boolean;
  readonly associative: boolean;
  readonly notArray: boolean;
  /** In the innermost function, else where the variable is. */
  readonly local: boolean;
  /** Outside all functions. */
  readonly global: boolean;
  /** export and readonly: a name and a text, no elements. */
  readonly plain: boolean;
  readonly inherits: boolean;
  readonly name: string;
}

const CASES = LOWER | UPPER | CAPITAL;

const DECLARE_USAGE = "declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]";

/** An operand taken apart. */
interface Operand {
  readonly name: string;
  readonly subscript: string | undefined;
  /** Undefined without `=`. */
  readonly value: string | undefined;
  readonly append: boolean;
  /** The words of `name=(…)`, expanded before the variable is touched: they may read what it hides. */
  readonly items: readonly Item[] | undefined;
}

/** Declares one operand. */
function declareOne(shell: Shell, text: string, change: Change): Maybe<void> {
  if (text === "-" && change.name === "local") return keepOptions(shell);
  const { name, subscript, value, append } = takeApart(shell, text);
  if (subscript !== undefined && change.plain) throw new NameFault(`${name}${subscript}`);
  return then(itemsOf(shell, name, subscript, value, change), (items) => {
    const operand: Operand = { name, subscript, value, append, items };
    return change.global ? shell.variables.asGlobal(name, () => apply(shell, operand, change)) : apply(shell, operand, change);
  });
}

function takeApart(shell: Shell, text: string): Omit<Operand, "items"> {
  const name = START.exec(text)?.[0] ?? "";
  const end = text.charAt(name.length) === "[" ? givenEnd(shell, text, name) : name.length;
  const match = ASSIGNMENT.exec(text.slice(end));
  if (name === "" || end < 0 || !match) throw new NameFault(text);
  return { name, subscript: end === name.length ? undefined : text.slice(name.length, end), value: match[2], append: match[1] === "+" };
}

/** `local -`: what the function does with `set` ends with it. */
function keepOptions(shell: Shell): void {
  shell.calls[shell.calls.length - 1]!.options ??= shell.options;
}

function apply(shell: Shell, given: Operand, change: Change): Maybe<void> {
  const refers = (change.on & NAMEREF) !== 0;
  const operand = refers ? whole(shell, given, change) : followed(shell, given, change);
  const { name, value } = operand;
  if (((change.on | change.off) & NAMEREF) !== 0) demandChangeable(shell, name, change);
  if (refers && isArray(shell, operand, change)) return then(operand.items && storeArray(shell, name, operand.items, operand.append), () => refuse(change.name, `${name}${operand.subscript ?? ""}: reference variable cannot be an array`));
  if (refers && !demandTarget(shell, name, value ?? textBefore(shell, name, change), change)) return;
  const referred = value === undefined || (change.off & NAMEREF) === 0 ? name : shell.variables.target(name);
  if (referred !== name) {
    shell.variables.declare(name).nameref = false;
    return apply(shell, { ...operand, name: referred }, { ...change, off: change.off & ~NAMEREF });
  }
  const variable = variableFor(shell, name, change);
  if (variable.readonly && value !== undefined) refuseValue(shell, variable, operand, change);
  giveKind(variable, operand, change, change.local && !change.inherits && shell.variables.insideFunction);
  if (variable.readonly && (change.off & READONLY) !== 0) refuse(change.name, `${name}: readonly variable`);
  setAttributes(variable, change);
  if (shell.tracing && change.plain && value !== undefined && operand.items === undefined) traceAssignment(shell, name, operand.append, value);
  return then(value === undefined ? undefined : store(shell, operand, variable, change), () => {
    if ((change.on & READONLY) !== 0) variable.readonly = true;
    if (shell.exporting && typeof variable.value !== "object") variable.exported = true;
    shell.variables.changed();
  });
}

/** `declare -n r+=text`: where the name then leads. */
function whole(shell: Shell, operand: Operand, change: Change): Operand {
  if (!operand.append || operand.items || operand.value === undefined) return operand;
  return { ...operand, value: (textBefore(shell, operand.name, change) ?? "") + operand.value, append: false };
}

/** What the operand is about where its name is a reference. One whose element is assigned outside functions is none any more. */
function followed(shell: Shell, operand: Operand, change: Change): Operand {
  if ((change.off & NAMEREF) !== 0) return operand;
  const local = change.local && shell.variables.insideFunction;
  if (operand.subscript !== undefined && operand.value !== undefined && !local && shell.variables.own(operand.name)?.nameref) {
    unrefer(shell, operand.name);
    return operand;
  }
  const name = declaredName(shell, operand.name, change.local);
  const variable = shell.variables.own(name);
  if (change.plain && variable?.nameref && variable.value) throw new NameFault(shell.variables.target(name));
  return { ...operand, name };
}

function unrefer(shell: Shell, name: string): void {
  shell.warn(`warning: ${name}: removing nameref attribute`);
  const variable = shell.variables.declare(name);
  variable.nameref = false;
  variable.value = undefined;
}

/** A variable that is readonly and has a value neither becomes a reference nor stops being one. */
function demandChangeable({ variables }: Shell, name: string, { local, name: by }: Change): void {
  const variable = local && variables.insideFunction && !variables.isLocal(name) ? undefined : variables.own(name);
  if (variable?.readonly && variable.value !== undefined) refuse(by, `${name}: readonly variable`);
}

/** The text that is to be read as a name: of a variable that becomes a reference as it is. */
function textBefore({ variables }: Shell, name: string, { local }: Change): string | undefined {
  if (local && variables.insideFunction && !variables.isLocal(name)) return undefined;
  const value = variables.own(name)?.value;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** What no name reference can be. */
function isArray({ variables }: Shell, { name, subscript, items }: Operand, { local }: Change): boolean {
  if (subscript !== undefined || items !== undefined) return true;
  const hidden = local && variables.insideFunction && !variables.isLocal(name);
  return !hidden && typeof variables.own(name)?.value === "object";
}

/** `export` and `readonly` give their attribute all the same; a list ends the line. */
function refuseValue(shell: Shell, variable: Variable, { name, items }: Operand, change: Change): never {
  if (items) {
    shell.report(`${name}: readonly variable`);
    throw new LineFault("");
  }
  if (!change.plain) refuse(change.name, `${name}: readonly variable`);
  setAttributes(variable, change);
  refuseReadonly(name);
}

/**
 * What a name reference may lead to. One that leads to itself is seen in a function as the variable further out: the name
 * then stays as it is.
 */
function demandTarget(shell: Shell, name: string, value: string | undefined, change: Change): boolean {
  if (value === undefined) return true;
  if (value === "") throw new NameFault("");
  if (!parseReference(value)) refuse(change.name, `\`${value}': invalid variable name for name reference`);
  if (value !== name) return true;
  if (!change.local || !shell.variables.insideFunction) refuse(change.name, `${name}: nameref variable self references not allowed`);
  shell.warn(`${change.name}: warning: ${name}: circular name reference`);
  return false;
}

/** The words of the literal that the interpreter put aside for this name, or, for arrays, of one that the operand's text spells. */
function itemsOf(shell: Shell, name: string, subscript: string | undefined, value: string | undefined, change: Change): Maybe<readonly Item[] | undefined> {
  if (subscript !== undefined || value === undefined) return undefined;
  const at = value === "(" && shell.declared ? shell.declared.findIndex((each) => each.name === name) : -1;
  if (at >= 0) {
    const { value: literal, items } = shell.declared!.splice(at, 1)[0]!;
    return items ?? expandArray(shell, literal, change.associative || valueBefore(shell, name, change) instanceof AssociativeArray);
  }
  const known = valueBefore(shell, name, change);
  const keeps = !change.plain && (!change.local || !shell.variables.insideFunction || shell.variables.isLocal(name));
  const array = (change.on & NAMEREF) === 0 && (change.indexed || change.associative || (keeps && (known instanceof IndexedArray || known instanceof AssociativeArray)));
  const literal = array ? literalOf(value) : undefined;
  return literal && expandArray(shell, literal, change.associative || known instanceof AssociativeArray);
}

function valueBefore({ variables }: Shell, name: string, { global }: Change): Variable["value"] {
  return global ? variables.asGlobal(name, () => variables.find(name)?.value) : variables.find(name)?.value;
}

function variableFor(shell: Shell, name: string, change: Change): Variable {
  if (change.local && shell.variables.insideFunction) return localVariable(shell, name, change);
  const target = ((change.on | change.off) & NAMEREF) !== 0 ? name : shell.variables.target(name);
  return shell.variables.declare(NAME.test(target) ? target : name);
}

/** With `-I` a local variable starts as what it hides. */
function localVariable(shell: Shell, name: string, { inherits, name: change }: Change): Variable {
  const outside = shell.variables.find(name);
  const known = shell.variables.isLocal(name);
  if (outside?.readonly && !known && !shell.variables.locals.hides(name)) refuse(change, `${name}: readonly variable`);
  const variable = shell.variables.local(name);
  if (!inherits || known || outside === undefined) return variable;
  const copy = outside.copy();
  copy.nameref = false;
  shell.variables.replace(name, copy);
  return shell.variables.declare(name);
}

/** Makes the variable an array; a text becomes its first element, but for one that is `local`, which loses it. */
function giveKind(variable: Variable, { name: of, subscript, value: given, items }: Operand, { indexed, associative, notArray, name }: Change, local: boolean): void {
  const { value } = variable;
  const kept = typeof value === "string" && !local ? value : undefined;
  const becomes = subscript !== undefined && typeof value !== "object" && (given === undefined || (local && typeof value === "string"));
  const convert = (what: string): never => {
    if (items) throw new LineFault(`${of}: cannot convert ${what}`);
    refuse(name, `${of}: cannot convert ${what}`);
  };
  if (associative && !(value instanceof AssociativeArray)) {
    if (value instanceof IndexedArray) convert("indexed to associative array");
    variable.value = new AssociativeArray();
    variable.value.bare = value === undefined;
    if (kept !== undefined) variable.value.set("0", kept);
  }
  if ((indexed || (becomes && !associative)) && !(value instanceof IndexedArray)) {
    if (value instanceof AssociativeArray) convert("associative to indexed array");
    variable.value = new IndexedArray(kept === undefined ? [] : [kept]);
    variable.value.bare = value === undefined;
  }
  if (typeof variable.value === "object") variable.nameref = false;
  if (notArray && typeof value === "object") refuse(name, `${of}: cannot destroy array variables in this way`);
}

function setAttributes(variable: Variable, { on, off }: Change): void {
  const cases = on & CASES;
  // What becomes a name reference is no number, and has no case.
  const kept = (on & NAMEREF) === 0 ? variable.bits : variable.bits & ~(INTEGER | CASES);
  const bits = (kept | (on & ~READONLY)) & ~off;
  // Two cases at once leave none, as in bash; what `readonly` forbids is still to come.
  if (cases === 0) variable.bits = bits;
  else variable.bits = (bits & ~CASES) | ((cases & (cases - 1)) === 0 ? cases : 0);
}

function store(shell: Shell, { name, subscript, value = "", append, items }: Operand, variable: Variable, change: Change): Maybe<void> {
  if (items) return storeArray(shell, name, items, append);
  if ((change.on & NAMEREF) !== 0) {
    variable.value = value;
    return;
  }
  return assignReference(shell, subscript ? `${name}${subscript}` : name, value, append);
}

export const declare: Builtin = (shell, args, name) => {
  const { flags, off, attributesOn, attributesOff, operands } = readFlags(args, name, "aAcfFgiIlnprtux", DECLARE_USAGE);
  if (name === "local" && !shell.variables.insideFunction) return nowhereLocal(shell, name);
  if (flags.has("f") || flags.has("F")) return declareFunctions(shell, operands, flags, off, name);
  if (flags.has("p")) return printDeclarations(shell, operands, flags, name);
  if (flags.has("x") && !shell.variables.insideFunction) keepTemporary(shell, operands);
  if (operands.length === 0) return name === "local" ? listLocals(shell, name) : listAll(shell, flags, name);
  const change: Change = {
    on: attributesOn,
    off: attributesOff,
    indexed: flags.has("a"),
    associative: flags.has("A"),
    notArray: off.has("a") || off.has("A"),
    local: !flags.has("g"),
    global: flags.has("g"),
    plain: false,
    inherits: flags.has("I") || shell.options.has("localvar_inherit"),
    name,
  };
  if (change.local && shell.variables.insideFunction) localizeTemporary(shell, operands);
  else if ((attributesOn & (EXPORTED | READONLY)) !== 0) keepTemporary(shell, operands);
  return declareAll(shell, operands, change);
};

/** `local` outside a function: an error, but its arrays are assigned all the same, as in bash. */
function nowhereLocal(shell: Shell, name: string): Maybe<number> {
  const arrays = shell.declared ?? [];
  shell.declared = undefined;
  return then(each(arrays, (array) => assignArray(shell, array.name, array.value, array.append)), () => refuse(name, "can only be used in a function"));
}

/** All operands; one that fails is told of, and the rest go on. */
function declareAll(shell: Shell, operands: readonly string[], change: Change): Maybe<number> {
  let status = 0;
  const one = (operand: string): Maybe<void> => {
    const failed = (error: unknown): void => {
      if (!isCommandFault(error)) throw error;
      if (error instanceof ExpressionFault) throw new ScriptFault(`${change.name}: ${error.message}`);
      told(shell, error, change.name, false);
      status = 1;
    };
    try {
      const done = declareOne(shell, operand, change);
      return done instanceof Promise ? done.catch(failed) : done;
    } catch (error) {
      return failed(error);
    }
  };
  return then(each(operands, one), () => status);
}

function simpleChange(name: string, on: number, off: number, flags: ReadonlySet<string>): Change {
  return { on, off, indexed: flags.has("a"), associative: flags.has("A"), notArray: false, local: false, global: false, plain: true, inherits: false, name };
}

export const exportVariable: Builtin = (shell, args, name) => {
  const { flags, operands } = readFlags(args, name, "aAfnp", "export [-fn] [name[=value] ...] or export -p");
  if (flags.has("f")) return exportFunctions(shell, operands, name, !flags.has("n"));
  if (operands.length === 0) return listGiven(shell, name, EXPORTED, flags);
  const change = flags.has("n") ? simpleChange(name, 0, EXPORTED, flags) : simpleChange(name, EXPORTED, 0, flags);
  if (!flags.has("n")) keepGiven(shell, operands);
  return declareAll(shell, operands, change);
};

export const readonlyVariable: Builtin = (shell, args, name) => {
  const { flags, operands } = readFlags(args, name, "aAfnp", "readonly [-aAf] [name[=value] ...] or readonly -p");
  if (flags.has("f")) return fixFunctions(shell, operands, name);
  if (operands.length === 0) return listGiven(shell, name, READONLY, flags);
  keepGiven(shell, operands);
  return declareAll(shell, operands, simpleChange(name, READONLY, 0, flags));
};

function fixFunctions(shell: Shell, operands: readonly string[], name: string): Maybe<number> {
  if (operands.length === 0) return listFunctions(shell, [], new Set("r"), name);
  let status = 0;
  for (const operand of operands) {
    if (shell.functions.has(operand)) shell.fixedFunctions = new Set(shell.fixedFunctions).add(operand);
    else {
      shell.warn(`${name}: ${operand}: not a function`);
      status = 1;
    }
  }
  return status;
}

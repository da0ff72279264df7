/** Variables of one shell process. */

import { native } from "../../bridge/native";
import { AssociativeArray, IndexedArray } from "./arrays";
import { refuseReadonly, ShellError } from "./errors";
import { isBytewise, isLocaleName } from "./locale";
import { Locals } from "./locals";
import type { Shell } from "./shell";
import { startingTable } from "./starting";
import { LOCALE, Variable } from "./variable";

export { type Attributes, type Value, Variable } from "./variable";

/** A variable that the shell makes up when asked, as RANDOM and LINENO. */
export interface Dynamic {
  get(shell: Shell): string | undefined;
  set?(shell: Shell, value: string): void;
  /** For arrays: a variable that shows the value of this moment. */
  variable?(shell: Shell): Variable | undefined;
  /** For associative arrays: an element is assigned. */
  put?(shell: Shell, key: string, value: string): void;
}

/** Longest chain of name references that is followed. */
const NAMEREF_MOST = 8;

/**
 * A fork shares its variables with its parent; each is copied when one of the two first changes it. `owner` is who may
 * change a variable in place.
 */
export class Variables {
  /** Of the functions that run. */
  locals = new Locals();
  /** Whether the locale may be another than UTF-8: a script that leaves its variables alone need not ask. */
  localised = false;
  private isBytewise: boolean | undefined;
  /** What expand/units.ts took apart last. */
  apart: { readonly text: string; readonly bytes: string } | undefined;
  private exportedCopy: ReadonlyMap<string, string> | undefined;
  private owner: object = {};
  /** Names of dynamic variables that were unset, and so are plain names. */
  private removed: Set<string> | undefined;

  /** `shell` is what the dynamic ones tell of; held weakly, so that a process that has ended goes without the collector. */
  constructor(
    private readonly shell: WeakRef<Shell>,
    private readonly dynamic: ReadonlyMap<string, Dynamic>,
    private table = new Map<string, Variable>(),
  ) {}

  /** The state that a subshell starts with. */
  fork(shell: WeakRef<Shell>): Variables {
    this.owner = {};
    const copy = new Variables(shell, this.dynamic, native.types.copyMap(this.table));
    copy.locals = this.locals.copy();
    copy.exportedCopy = this.exportedCopy;
    copy.removed = this.removed && new Set(this.removed);
    copy.localised = this.localised;
    return copy;
  }

  /** Begins with bash's own variables and the environment. */
  start(env: ReadonlyMap<string, string>): void {
    this.table = native.types.copyMap(startingTable(env));
    this.localised = isBytewise((name) => env.get(name));
    this.changed();
  }

  /** Whether each byte is a character, as in the C locale. */
  get bytewise(): boolean {
    return this.localised && (this.isBytewise ??= isBytewise((name) => this.table.get(name)?.scalar));
  }

  /** A variable was set, or is to be: it may be one of the locale. */
  private locate(name: string, variable?: Variable): void {
    if (!isLocaleName(name)) return;
    this.localised = true;
    this.isBytewise = undefined;
    if (variable) variable.bits |= LOCALE;
  }

  names(): string[] {
    return [...this.table.keys()].sort();
  }

  /** The variable itself, name references not followed, to be looked at. */
  own(name: string): Variable | undefined {
    return this.table.get(name);
  }

  /** The variable behind any name references, to be looked at; one that the shell makes up is a copy of the moment. */
  find(name: string): Variable | undefined {
    const found = this.table.get(name);
    if (found === undefined) return this.made(name);
    return found.nameref ? this.referred(name) : found;
  }

  private referred(name: string): Variable | undefined {
    const target = this.reached(name);
    if (target === undefined) this.shell.deref()!.warn(circular(name));
    return target === undefined ? undefined : this.table.get(target);
  }

  /** The name that `name` stands for, if names do not lead in a circle. */
  reached(name: string): string | undefined {
    let at = name;
    for (let links = 0; ; links += 1) {
      const variable = this.table.get(at);
      if (!variable?.nameref || typeof variable.value !== "string" || variable.value === "") return at;
      if (links >= NAMEREF_MOST || variable.value === at) return undefined;
      at = variable.value;
    }
  }

  /** A variable that may be changed; undefined when there is none. */
  private writable(name: string): Variable | undefined {
    const variable = this.table.get(name);
    if (variable === undefined) return undefined;
    if (variable.bits >= LOCALE) this.isBytewise = undefined;
    if (variable.owner === this.owner) return variable;
    const copy = variable.copy();
    this.locate(name, copy);
    copy.owner = this.owner;
    this.table.set(name, copy);
    return copy;
  }

  private add(name: string, variable: Variable): Variable {
    variable.owner = this.owner;
    this.table.set(name, variable);
    this.locate(name, variable);
    return variable;
  }

  private dynamicOf(name: string): Dynamic | undefined {
    const dynamic = this.dynamic.get(name);
    return dynamic === undefined || this.removed?.has(name) ? undefined : dynamic;
  }

  /** Whether the variable's value is worked out when it is looked at. */
  isDynamic(name: string): boolean {
    return !this.table.has(name) && this.dynamicOf(name) !== undefined;
  }

  /** Hands an element to an array that the shell makes up; false where it is no such array's. */
  put(name: string, key: string, value: string): boolean {
    const dynamic = this.table.has(name) ? undefined : this.dynamicOf(name);
    if (!dynamic?.put) return false;
    dynamic.put(this.shell.deref()!, key, value);
    return true;
  }

  private made(name: string): Variable | undefined {
    const dynamic = this.dynamicOf(name);
    if (dynamic?.variable) return dynamic.variable(this.shell.deref()!);
    const value = dynamic?.get(this.shell.deref()!);
    return value === undefined ? undefined : new Variable(value);
  }

  /** The name that `name` stands for; may be an element, `a[1]`. */
  target(name: string): string {
    const target = this.reached(name);
    if (target === undefined) throw new ShellError(circular(name));
    return target;
  }

  /** The value as `$name` reads it; undefined when unset. */
  get(name: string): string | undefined {
    const variable = this.table.get(name);
    if (variable === undefined) return this.dynamicOf(name)?.get(this.shell.deref()!);
    const { value } = variable;
    if (typeof value === "string" && (variable.bits === 0 || !variable.nameref)) return value;
    return variable.nameref ? this.find(name)?.scalar : variable.scalar;
  }

  /** Stores a text if that is all there is to do, which is nearly always; false when the variable needs more. */
  assign(name: string, value: string): boolean {
    return native.shell.assign(this, name, value);
  }

  /** As `assign`, of a number. */
  assignNumber(name: string, value: number): boolean {
    const variable = this.table.get(name);
    if (variable === undefined || variable.bits !== 0 || variable.owner !== this.owner || typeof variable.value !== "string") return false;
    variable.value = variable.counted = `${value}`;
    variable.number = value;
    return true;
  }

  /** The number that a variable was given as such; undefined when its text has to be read. */
  number(name: string): number | undefined {
    const variable = this.table.get(name);
    return variable !== undefined && variable.counted === variable.value && variable.bits === 0 ? variable.number : undefined;
  }

  /** Adds to a variable that was given its number as such; the sum, or undefined when it takes more than that. */
  addNumber(name: string, delta: number): number | undefined {
    const variable = this.table.get(name);
    if (variable === undefined || variable.counted !== variable.value || variable.bits !== 0 || variable.owner !== this.owner) return undefined;
    const sum = variable.number + delta;
    if ((sum | 0) !== sum) return undefined;
    variable.value = variable.counted = `${sum}`;
    return (variable.number = sum);
  }

  /** An array whose elements may be set in place and as they are; undefined for all else. */
  plainArray(name: string): IndexedArray | undefined {
    const variable = this.table.get(name);
    if (variable === undefined || variable.bits !== 0 || variable.owner !== this.owner) return undefined;
    return variable.value instanceof IndexedArray ? variable.value : undefined;
  }

  /** Stores a plain text; throws when the variable is readonly. Attributes that change the text are the caller's part. */
  set(name: string, value: string): void {
    const variable = this.writable(name);
    if (variable === undefined) {
      const dynamic = this.dynamicOf(name);
      if (dynamic) return void dynamic.set?.(this.shell.deref()!, value);
      this.add(name, new Variable(value));
      return;
    }
    if (variable.readonly) refuseReadonly(name);
    if (variable.exported) this.exportedCopy = undefined;
    if (variable.value instanceof IndexedArray) variable.value.set(0, value);
    else if (variable.value instanceof AssociativeArray) variable.value.set("0", value);
    else variable.value = value;
  }

  /** The variable of that name to be changed, made if need be. */
  declare(name: string): Variable {
    return this.writable(name) ?? this.add(name, new Variable(undefined));
  }

  replace(name: string, variable: Variable | undefined): void {
    this.show(name, variable);
    this.locate(name, variable);
    this.changed();
  }

  /**
   * A variable of the running function becomes one without a value; one of a function further out goes, and what it hid is
   * seen again.
   */
  unset(name: string): void {
    const variable = this.table.get(name);
    if (variable?.readonly) throw new ShellError(`${name}: cannot unset: readonly variable`);
    if (variable === undefined && this.dynamic.has(name)) (this.removed ??= new Set()).add(name);
    this.locate(name);
    if (!this.locals.hides(name)) this.table.delete(name);
    else if (this.locals.has(name) || this.shell.deref()!.options.has("localvar_unset")) this.empty(name, variable);
    else this.show(name, this.locals.take(name));
    this.changed();
  }

  /** One that came with the call's environment stays exported. */
  private empty(name: string, before: Variable | undefined): void {
    this.add(name, new Variable(undefined)).exported = before?.exported === true && this.locals.given(name);
  }

  private show(name: string, variable: Variable | undefined): void {
    if (variable) this.table.set(name, variable);
    else this.table.delete(name);
  }

  /** Exports or attributes were changed from outside. */
  changed(): void {
    this.exportedCopy = undefined;
    this.isBytewise = undefined;
  }

  /** Exported variables with their values. */
  get exported(): ReadonlyMap<string, string> {
    if (this.exportedCopy) return this.exportedCopy;
    const exported = new Map<string, string>();
    for (const [name, seen] of this.table) {
      // A local variable without a value does not hide what is exported outside.
      const variable = seen.value === undefined && seen.exported ? this.locals.outside(name) : seen;
      if (variable?.exported && typeof variable.value === "string") exported.set(name, variable.value);
    }
    return (this.exportedCopy = exported);
  }

  // --- functions -----------------------------------------------------------------------------

  /** A function ends: what its `local` hid comes back. */
  leave(depth: number): void {
    this.locals.leave(depth, this);
  }

  get insideFunction(): boolean {
    return this.locals.starts.length > 0;
  }

  /** Makes the name local to the running function; returns the variable, without a value unless it came with the call. */
  local(name: string): Variable {
    const outside = this.table.get(name);
    if (this.locals.has(name)) return this.declare(name);
    if (outside?.readonly && !this.locals.hides(name)) refuseReadonly(name);
    this.locals.push(name, outside);
    const variable = this.add(name, this.locals.given(name) ? outside!.copy() : new Variable(undefined));
    if (outside?.exported) {
      variable.exported = true;
      this.changed();
    }
    return variable;
  }

  /** Makes the name local, with a text, if that is all there is to do; false when it takes more. */
  assignLocal(name: string, text: string): boolean {
    return !isLocaleName(name) && native.shell.local(this, name, text);
  }

  /** The frame of a call's own environment (`x=1 f`): a function further in sees its variables and can unset them. */
  enterEnvironment(values: ReadonlyMap<string, string>): number {
    const depth = this.locals.enter(new Set(values.keys()));
    for (const [name, value] of values) {
      this.locals.hide(name, this.table.get(name));
      this.add(name, new Variable(value)).exported = true;
    }
    this.changed();
    return depth;
  }

  /** Runs `work` with the variable outside all functions in place of what is seen. */
  asGlobal<T>(name: string, work: () => T): T {
    if (!this.locals.hides(name)) return work();
    const seen = this.table.get(name);
    this.show(name, this.locals.global(name));
    try {
      return work();
    } finally {
      this.locals.hideGlobal(name, this.table.get(name));
      this.show(name, seen);
    }
  }

  /** Names local to the running function. */
  localNames(): string[] {
    return this.locals.own().sort();
  }

  /** Whether the name is local to the running function. */
  isLocal(name: string): boolean {
    return this.locals.has(name);
  }
}

function circular(name: string): string {
  return `warning: ${name}: circular name reference`;
}

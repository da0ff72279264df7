/** Variables of one shell process. */

import { ShellError } from "./errors";
import { AssociativeArray, IndexedArray } from "./arrays";

export type Value = string | IndexedArray | AssociativeArray;

export interface Attributes {
  exported: boolean;
  readonly: boolean;
  integer: boolean;
  lower: boolean;
  upper: boolean;
  nameref: boolean;
}

/** A variable; without a value it is declared only. */
export class Variable implements Attributes {
  exported = false;
  readonly = false;
  integer = false;
  lower = false;
  upper = false;
  nameref = false;

  constructor(public value: Value | undefined) {}

  /** Whether assignments need more than to be stored. */
  get special(): boolean {
    return this.readonly || this.integer || this.lower || this.upper || this.nameref;
  }

  /** Element 0 of an array, as `$name` reads it. */
  get scalar(): string | undefined {
    const { value } = this;
    if (value === undefined || typeof value === "string") return value;
    return value instanceof IndexedArray ? value.get(0) : value.get("0");
  }

  copy(): Variable {
    const copy = new Variable(this.value instanceof IndexedArray || this.value instanceof AssociativeArray ? this.value.copy() : this.value);
    copy.exported = this.exported;
    copy.readonly = this.readonly;
    copy.integer = this.integer;
    copy.lower = this.lower;
    copy.upper = this.upper;
    copy.nameref = this.nameref;
    return copy;
  }
}

/** A variable that the shell makes up when asked, as RANDOM and LINENO. */
export interface Dynamic {
  get(): string | undefined;
  set?(value: string): void;
  /** For arrays: a variable that shows the value of this moment. */
  variable?(): Variable | undefined;
}

/** What `local` hid: the variable of that name outside, put back when the function returns. */
class Hidden extends Map<string, Variable | undefined> {
  /** Names that stood before a call, for the function that was called. */
  environment: ReadonlySet<string> | undefined;
}

/** Longest chain of name references that is followed. */
const NAMEREF_MOST = 8;

export class Variables {
  private readonly frames: Hidden[] = [];
  /** Called when a variable is set or unset that something outside watches: PATH, IFS, OPTIND … */
  readonly dynamic = new Map<string, Dynamic>();
  private exportedCopy: ReadonlyMap<string, string> | undefined;

  constructor(private readonly table = new Map<string, Variable>()) {}

  /** The state that a subshell starts with. */
  fork(): Variables {
    const table = new Map<string, Variable>();
    for (const [name, variable] of this.table) table.set(name, variable.copy());
    const copy = new Variables(table);
    for (const hidden of this.frames) copy.frames.push(new Hidden(hidden));
    copy.exportedCopy = this.exportedCopy;
    return copy;
  }

  names(): string[] {
    return [...this.table.keys()].sort();
  }

  /** The variable itself, name references not followed. */
  own(name: string): Variable | undefined {
    return this.table.get(name);
  }

  /** The variable behind any name references; one that the shell makes up is a copy of the moment. */
  find(name: string): Variable | undefined {
    const found = this.table.get(name);
    if (found === undefined) return this.made(name);
    return found.nameref ? this.table.get(this.target(name)) : found;
  }

  private made(name: string): Variable | undefined {
    const dynamic = this.dynamic.get(name);
    if (dynamic?.variable) return dynamic.variable();
    const value = dynamic?.get();
    return value === undefined ? undefined : new Variable(value);
  }

  /** The name that `name` stands for; may be an element, `a[1]`. */
  target(name: string): string {
    let at = name;
    for (let links = 0; ; links += 1) {
      const variable = this.table.get(at);
      if (!variable?.nameref || typeof variable.value !== "string" || variable.value === "") return at;
      if (links >= NAMEREF_MOST || variable.value === at) throw new ShellError(`warning: ${name}: circular name reference`);
      at = variable.value;
    }
  }

  /** The value as `$name` reads it; undefined when unset. */
  get(name: string): string | undefined {
    const variable = this.table.get(name);
    if (variable === undefined) return this.dynamic.get(name)?.get();
    const { value } = variable;
    if (typeof value === "string" && !variable.nameref) return value;
    return variable.nameref ? this.find(name)?.scalar : variable.scalar;
  }

  /** Stores a plain text; throws when the variable is readonly. Attributes that change the text are the caller's part. */
  set(name: string, value: string): void {
    const variable = this.table.get(name);
    if (variable === undefined) {
      const dynamic = this.dynamic.get(name);
      if (dynamic) return dynamic.set?.(value);
      this.table.set(name, new Variable(value));
      return;
    }
    if (variable.readonly) throw new ShellError(`${name}: readonly variable`);
    if (variable.exported) this.exportedCopy = undefined;
    if (variable.value instanceof IndexedArray) variable.value.set(0, value);
    else if (variable.value instanceof AssociativeArray) variable.value.set("0", value);
    else variable.value = value;
  }

  /** The variable of that name, made if need be. */
  declare(name: string): Variable {
    let variable = this.table.get(name);
    if (variable === undefined) this.table.set(name, (variable = new Variable(undefined)));
    return variable;
  }

  replace(name: string, variable: Variable | undefined): void {
    if (variable) this.table.set(name, variable);
    else this.table.delete(name);
    this.changed();
  }

  /**
   * A variable of the running function becomes one without a value; one of a function further out goes, and what it hid is
   * seen again.
   */
  unset(name: string): void {
    const variable = this.table.get(name);
    if (variable?.readonly) throw new ShellError(`${name}: cannot unset: readonly variable`);
    if (variable === undefined) this.dynamic.delete(name);
    const at = this.frames.findLastIndex((frame) => frame.has(name));
    if (at >= 0 && at === this.frames.length - 1) this.table.set(name, new Variable(undefined));
    else if (at >= 0) {
      const hidden = this.frames[at]!.get(name);
      this.frames[at]!.delete(name);
      if (hidden) this.table.set(name, hidden);
      else this.table.delete(name);
    } else this.table.delete(name);
    this.changed();
  }

  /** Exports or attributes were changed from outside. */
  changed(): void {
    this.exportedCopy = undefined;
  }

  /** Exported variables with their values. */
  get exported(): ReadonlyMap<string, string> {
    if (this.exportedCopy) return this.exportedCopy;
    const exported = new Map<string, string>();
    for (const [name, variable] of this.table) {
      if (variable.exported && typeof variable.value === "string") exported.set(name, variable.value);
    }
    return (this.exportedCopy = exported);
  }

  /** A function starts; returns the depth to give to `leave`. */
  enter(): number {
    return this.frames.push(new Hidden());
  }

  /** A function ends: what its `local` hid comes back. */
  leave(depth: number): void {
    while (this.frames.length >= depth) {
      const hidden = this.frames.pop()!;
      for (const [name, variable] of hidden) {
        if (variable) this.table.set(name, variable);
        else this.table.delete(name);
      }
      if (hidden.size > 0) this.changed();
    }
  }

  get insideFunction(): boolean {
    return this.frames.length > 0;
  }

  /** Makes the name local to the running function; returns the variable, without a value unless it came with the call. */
  local(name: string): Variable {
    const frame = this.frames[this.frames.length - 1]!;
    const outside = this.table.get(name);
    if (frame.has(name)) return outside ?? this.declare(name);
    if (outside?.readonly && !this.frames.some((each) => each.has(name))) throw new ShellError(`${name}: readonly variable`);
    frame.set(name, outside);
    const given = this.frames[this.frames.length - 2]?.environment?.has(name) ?? false;
    const variable = given ? outside!.copy() : new Variable(undefined);
    if (outside?.exported) variable.exported = true;
    this.table.set(name, variable);
    this.changed();
    return variable;
  }

  /** The frame of a call's own environment (`x=1 f`): a function further in sees its variables and can unset them. */
  enterEnvironment(values: ReadonlyMap<string, string>): number {
    const depth = this.enter();
    const frame = this.frames[depth - 1]!;
    frame.environment = new Set(values.keys());
    for (const [name, value] of values) {
      frame.set(name, this.table.get(name));
      const variable = new Variable(value);
      variable.exported = true;
      this.table.set(name, variable);
    }
    this.changed();
    return depth;
  }

  /** The variable outside all functions, made if need be. */
  global(name: string): Variable {
    const frame = this.frames.find((each) => each.has(name));
    if (!frame) return this.declare(name);
    let variable = frame.get(name);
    if (!variable) frame.set(name, (variable = new Variable(undefined)));
    return variable;
  }

  /** Runs `work` with the variable outside all functions in place of what is seen. */
  asGlobal<T>(name: string, work: () => T): T {
    const frame = this.frames.find((each) => each.has(name));
    if (!frame) return work();
    const seen = this.table.get(name);
    this.table.set(name, this.global(name));
    try {
      return work();
    } finally {
      frame.set(name, this.table.get(name));
      if (seen) this.table.set(name, seen);
      else this.table.delete(name);
    }
  }

  /** Names local to the running function. */
  localNames(): string[] {
    return [...(this.frames[this.frames.length - 1]?.keys() ?? [])].sort();
  }

  /** Whether the name is local to the running function. */
  isLocal(name: string): boolean {
    return this.frames[this.frames.length - 1]?.has(name) ?? false;
  }
}

/** What a shell has that its forks begin with. */

import { builtins } from "../builtins/table";
import type { Command } from "../syntax/ast";
import type { Code } from "./code";
import { ShellError } from "./errors";

export interface ShellFunction {
  readonly body: Command;
  readonly code: Code;
  readonly line: number;
  readonly source?: string;
}

/** A function, sourced file or the script itself that is running. */
export interface Call {
  readonly name: string;
  /** Where it was called. */
  readonly line: number;
  readonly source: string;
  /** The options that come back at its end: `local -`. */
  options?: ReadonlySet<string>;
}

/** Options that a shell starts with. */
const DEFAULT_OPTIONS: ReadonlySet<string> = new Set([
  "braceexpand", "hashall", "interactive-comments", "cmdhist", "complete_fullquote", "extquote", "force_fignore",
  "checkwinsize", "globasciiranges", "globskipdots", "hostcomplete", "interactive_comments", "patsub_replacement", "progcomp",
  "promptvars", "sourcepath",
]);
const NO_NAMES: ReadonlySet<string> = new Set();
const NO_PATHS: ReadonlyMap<string, string> = new Map();
/** Of a shell that never had a trap. */
export const NO_TRAPS: ReadonlyMap<string, string> = new Map();
const NO_FUNCTIONS: ReadonlyMap<string, ShellFunction> = new Map();

/** Traps that functions and subshells have as well under an option alone. */
export const HEARD_INSIDE: Readonly<Record<string, string>> = { ERR: "errtrace", DEBUG: "functrace", RETURN: "functrace" };

/** Forks share it: nothing in it is changed in place, but for `calls`, which are copied. */
export abstract class State {
  options: ReadonlySet<string>;
  functions: ReadonlyMap<string, ShellFunction>;
  /** Whether the name of a builtin may mean another thing: a function had it, it was switched off, or an option changes `local`. */
  shadowed: boolean;
  /** Functions that `readonly -f` protects. */
  fixedFunctions: ReadonlySet<string>;
  aliases: ReadonlyMap<string, string>;
  /** Builtins that `enable -n` switched off. */
  disabled: ReadonlySet<string>;
  /** By name, the paths that `hash -p` gave. */
  hashed: ReadonlyMap<string, string>;
  /** What PATH was then. */
  hashedBy: string | undefined;
  /** By canonical name; the empty string ignores the signal. */
  traps: ReadonlyMap<string, string> = NO_TRAPS;
  /** The parent's traps, which `trap` lists until the child sets its own. */
  shownTraps: ReadonlyMap<string, string> | undefined;
  /** Signals that were ignored when the shell began: it can neither trap them nor put them back (POSIX, trap). */
  unheard: ReadonlySet<string>;
  /** `set -x`. */
  tracing: boolean;
  /** `set -a`. */
  exporting: boolean;
  /** The present directory by the names that led to it. */
  here: string;
  /** Those behind it on the stack of pushd. */
  directories: readonly string[];
  positional: readonly string[];
  /** Whether its commands came with `-c` or on standard input: a letter of `$-`. */
  source: "" | "c" | "s";
  calls: Call[];
  /** What `innerTraps` found last. */
  private inside: { readonly traps: ReadonlyMap<string, string>; readonly options: ReadonlySet<string>; readonly inner: ReadonlyMap<string, string> } | undefined;
  /** Whether the ERR trap does not hear the next failure: that of the call in which it was set. */
  deaf = false;

  constructor(inherit: State | undefined) {
    this.options = inherit?.options ?? DEFAULT_OPTIONS;
    this.functions = inherit?.functions ?? NO_FUNCTIONS;
    this.shadowed = inherit?.shadowed ?? false;
    this.fixedFunctions = inherit?.fixedFunctions ?? NO_NAMES;
    this.aliases = inherit?.aliases ?? NO_TRAPS;
    this.disabled = inherit?.disabled ?? NO_NAMES;
    this.hashed = inherit?.hashed ?? NO_PATHS;
    this.hashedBy = inherit?.hashedBy;
    this.unheard = inherit?.unheard ?? NO_NAMES;
    this.tracing = inherit?.tracing ?? false;
    this.exporting = inherit?.exporting ?? false;
    this.here = inherit?.here ?? "/";
    this.directories = inherit?.directories ?? [];
    this.positional = inherit?.positional ?? [];
    this.source = inherit?.source ?? "";
    this.calls = inherit && inherit.calls.length > 0 ? [...inherit.calls] : [];
  }

  /** Options, traps or signals were changed: what must be looked at before a command may be another. */
  abstract look(): void;

  setOption(name: string, on: boolean): void {
    if (this.options.has(name) === on) return;
    const options = new Set(this.options);
    if (on) options.add(name);
    else options.delete(name);
    this.options = options;
    this.tracing = options.has("xtrace");
    this.exporting = options.has("allexport");
    this.shadowed ||= name === "localvar_inherit";
    if (name === "extdebug") for (const each of ["functrace", "errtrace"]) this.setOption(each, on);
    this.look();
  }

  /** Whether there may be such a function: one that is readonly stays. */
  defineFunction(name: string, definition: ShellFunction): boolean {
    if (this.fixedFunctions.has(name)) return false;
    this.functions = new Map(this.functions).set(name, definition);
    this.shadowed ||= builtins.has(name);
    return true;
  }

  /** Whether there was one. */
  removeFunction(name: string): boolean {
    if (!this.functions.has(name)) return false;
    if (this.fixedFunctions.has(name)) throw new ShellError(`${name}: cannot unset: readonly function`);
    const functions = new Map(this.functions);
    functions.delete(name);
    this.functions = functions;
    return true;
  }

  /** Sets what a signal does, or with undefined puts it back. */
  setTrap(name: string, action: string | undefined): void {
    const traps = new Map(this.traps);
    if (action === undefined) traps.delete(name);
    else traps.set(name, action);
    this.traps = traps;
    this.look();
  }

  /** The traps that a function has which is called now. */
  innerTraps(): ReadonlyMap<string, string> {
    const { traps, options } = this;
    if (this.inside?.traps !== traps || this.inside.options !== options) {
      const inner = [...traps].filter(([name]) => this.hearsInside(name));
      this.inside = { traps, options, inner: inner.length === traps.size ? traps : new Map(inner) };
    }
    return this.inside.inner;
  }

  /** Has other traps from now on. */
  changeTraps(traps: ReadonlyMap<string, string>): void {
    this.traps = traps;
    this.look();
  }

  private hearsInside(name: string): boolean {
    const option = HEARD_INSIDE[name];
    return option === undefined || this.options.has(option);
  }
}

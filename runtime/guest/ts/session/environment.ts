/**
 * The environment of a session: what its shell exports is in process.env, and the other way round. Neither sees the other
 * change it; whoever runs next catches up.
 */

import type { ChangeVariable } from "../bridge/process";
import type { Shell } from "../shell/run/shell";

type Variables = ReadonlyMap<string, string>;

export class Environment {
  private readonly variables: Map<string, string>;
  /** As the shell exports them. */
  private exported: Variables;
  /** As process.env has them, and how to change it; nothing until a script asks for it. */
  private script: { readonly seen: Map<string, string>; readonly change: ChangeVariable } | undefined;

  constructor(env: Readonly<Record<string, string>>) {
    this.variables = new Map(Object.entries(env));
    this.exported = new Map(this.variables);
  }

  get zone(): string | undefined {
    return this.variables.get("TZ");
  }

  asRecord(): Record<string, string> {
    return Object.fromEntries(this.variables);
  }

  /** A script's process.env begins as the environment is now. */
  openTo(change: ChangeVariable): void {
    this.script = { seen: new Map(this.variables), change };
  }

  /** A script changed process.env. */
  readonly set: ChangeVariable = (name, value) => {
    for (const variables of [this.variables, this.script!.seen]) put(variables, name, value);
  };

  catchUpScript(): void {
    if (!this.script) return;
    const { seen, change } = this.script;
    for (const [name, value] of differences(seen, this.variables)) {
      put(seen, name, value);
      change(name, value);
    }
  }

  catchUpShell(shell: Shell): void {
    for (const [name, value] of differences(this.exported, this.variables)) {
      if (shell.variables.own(name)?.readonly) continue;
      if (value === undefined) shell.variables.unset(name);
      else shell.export(name, value);
    }
  }

  /** Takes over what the shell exports now. */
  takeFrom(shell: Shell): void {
    this.exported = new Map(shell.variables.exported);
    this.variables.clear();
    this.exported.forEach((value, name) => this.variables.set(name, value));
  }
}

function put(variables: Map<string, string>, name: string, value: string | undefined): void {
  if (value === undefined) variables.delete(name);
  else variables.set(name, value);
}

function differences(before: Variables, after: Variables): [string, string | undefined][] {
  const gone = [...before.keys()].filter((name) => !after.has(name));
  const changed = [...after].filter(([name, value]) => before.get(name) !== value);
  return [...gone.map((name): [string, undefined] => [name, undefined]), ...changed];
}

/** What a parameter expands to. */

import { eachPolled } from "../../bridge/poll";
import { joiner } from "./ifs";
import type { Scope } from "./scope";

/** Several values: `$@`, `${a[*]}` and the like. */
export class List {
  constructor(
    readonly values: readonly string[],
    /** Whether `"…"` keeps them apart. */
    readonly joined: "@" | "*",
    /** What stands between them in the one field that they are, unquoted, where IFS is empty; without it each is a field. */
    readonly glue?: string,
  ) {}

  map(change: (value: string) => string): List {
    const changed: string[] = [];
    eachPolled(this.values, (value) => changed.push(change(value)));
    return new List(changed, this.joined);
  }
}

/** Undefined: not set. */
export type Value = string | List | undefined;

/** The value where only one string can stand. */
export function joinedText(scope: Scope, value: Value): string {
  if (typeof value === "string") return value;
  if (value === undefined) return "";
  return value.values.join(value.joined === "*" ? joiner(scope) : " ");
}

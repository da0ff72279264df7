/** The variables of a new shell, made once for each environment and shared until they are changed. */

import { IndexedArray } from "./arrays";
import { INTEGER, READONLY as READONLY_BIT, Variable } from "./variable";

/** What bash sets that is no part of the environment. */
const OWN: Readonly<Record<string, string>> = {
  BASH: "/bin/bash",
  BASH_VERSION: "5.2.15(1)-release",
  HOSTNAME: "sandbox",
  HOSTTYPE: "wasm32",
  IFS: " \t\n",
  MACHTYPE: "wasm32-amla-linux-gnu",
  OPTERR: "1",
  OPTIND: "1",
  OSTYPE: "linux-gnu",
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  PS4: "+ ",
  SHELL: "/bin/bash",
  TERM: "dumb",
};
const READONLY: Readonly<Record<string, string | readonly string[]>> = {
  BASH_VERSINFO: ["5", "2", "15", "1", "release", "wasm32-amla-linux-gnu"],
  EUID: "1000",
  PPID: "1",
  UID: "1000",
};

function build(env: ReadonlyMap<string, string>): Map<string, Variable> {
  const table = new Map<string, Variable>();
  for (const [name, value] of Object.entries(OWN)) table.set(name, new Variable(value));
  for (const [name, value] of env) {
    const variable = new Variable(value);
    variable.exported = true;
    table.set(name, variable);
  }
  for (const [name, value] of Object.entries(READONLY)) {
    const variable = new Variable(typeof value === "string" ? value : new IndexedArray([...value]));
    variable.bits = typeof value === "string" ? READONLY_BIT | INTEGER : READONLY_BIT;
    table.set(name, variable);
  }
  return table;
}

let latest: { readonly env: ReadonlyMap<string, string>; readonly key: string; readonly table: ReadonlyMap<string, Variable> } | undefined;

/** The table that a shell with this environment starts with; the variables in it belong to nobody. */
export function startingTable(env: ReadonlyMap<string, string>): ReadonlyMap<string, Variable> {
  if (latest?.env === env) return latest.table;
  const key = JSON.stringify([...env]);
  latest = { env, key, table: latest?.key === key ? latest.table : build(env) };
  return latest.table;
}

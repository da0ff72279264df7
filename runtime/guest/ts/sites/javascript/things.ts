/** What an expression of a script can stand for besides data: tools, and the globals that lead to them. */

import { native } from "../../bridge/native";
import type { ToolTable } from "../../bridge/tools";
import type { globals } from "../../node/globals";
import { type Value, UNKNOWN } from "../value";

/** A tool, or what has tools as members, as `ToolTable.root` has it. */
type Tree = string | { readonly [name: string]: Tree };

/** Globals through which a script can reach tools, or code that is not in it. */
export type Special = "tools" | "tools.call" | "global" | "shell" | "code" | "require";

export type Thing =
  | Value
  | { readonly kind: "tool"; readonly tree: Tree; readonly name: string }
  /** A name that neither the script nor the sandbox knows. */
  | { readonly kind: "unresolved"; readonly name: string }
  | { readonly kind: "special"; readonly special: Special }
  /** A function or class of the script. */
  | { readonly kind: "function" };

export const FUNCTION: Thing = { kind: "function" };

const DATA: ReadonlySet<string> = new Set(["literal", "text", "object", "array", "unknown"]);

export function isData(thing: Thing): thing is Value {
  return DATA.has(thing.kind);
}

/** A thing as a part of data. */
export function asValue(thing: Thing): Value {
  return isData(thing) ? thing : { kind: "unknown", thing };
}

function asThing(value: Value): Thing {
  return value.kind === "unknown" && value.thing ? (value.thing as Thing) : value;
}

const SPECIAL: Readonly<Record<string, Special>> = Object.assign(Object.create(null) as Record<string, Special>, {
  tools: "tools",
  globalThis: "global",
  global: "global",
  $: "shell",
  eval: "code",
  Function: "code",
  require: "require",
});

const CONSTANTS: ReadonlyMap<string, Value> = new Map([
  ["undefined", { kind: "literal", value: undefined }],
  ["NaN", { kind: "literal", value: NaN }],
  ["Infinity", { kind: "literal", value: Infinity }],
]);

/** What stands for a network gives way to a tool of its name (ts/node/prelude.ts). */
const ABSENT = "amla:fetch";

/** What a script's realm adds to the language. */
const added = (native.host.module("amla:globals") as { globals: typeof globals }).globals;

/** Names that any object has. */
const INHERITED = new Set([...Object.getOwnPropertyNames(Object.prototype), ...Object.getOwnPropertyNames(Function.prototype)]);

/** What a global of that name is. */
export function globalThing(name: string, tools: ToolTable): Thing {
  const constant = CONSTANTS.get(name);
  if (constant) return constant;
  const special = SPECIAL[name];
  if (special) return { kind: "special", special };
  const entry = added[name];
  if (!entry || entry[0] === ABSENT) {
    const tree = tools.root(name) as Tree | undefined;
    if (tree !== undefined) return { kind: "tool", tree, name };
  }
  if (entry || name in globalThis) return UNKNOWN;
  return { kind: "unresolved", name };
}

/** What the member of a thing is. */
export function memberOf(thing: Thing, key: string, tools: ToolTable): Thing {
  switch (thing.kind) {
    case "tool":
      return toolMember(thing.tree, `${thing.name}.${key}`, key);
    case "unresolved":
      return { kind: "unresolved", name: `${thing.name}.${key}` };
    case "special":
      if (thing.special === "global") return globalThing(key, tools);
      return thing.special === "tools" && key === "call" ? { kind: "special", special: "tools.call" } : UNKNOWN;
    case "object":
      return asThing(thing.entries.get(key) ?? UNKNOWN);
    case "array":
      if (key === "length" && !thing.open) return { kind: "literal", value: thing.items.length };
      return /^(?:0|[1-9]\d{0,8})$/.test(key) ? asThing(thing.items[Number(key)] ?? UNKNOWN) : UNKNOWN;
    case "literal":
      return typeof thing.value === "string" && key === "length" ? { kind: "literal", value: thing.value.length } : UNKNOWN;
    default:
      return UNKNOWN;
  }
}

function toolMember(tree: Tree, name: string, key: string): Thing {
  if (typeof tree === "object") {
    if (Object.hasOwn(tree, key) && key !== "" && key !== "*") return { kind: "tool", tree: tree[key]!, name };
    const open = tree["*"];
    if (open !== undefined && key !== "then" && !INHERITED.has(key)) return { kind: "tool", tree: { "*": `${open as string}/${key}` }, name };
  }
  return INHERITED.has(key) ? UNKNOWN : { kind: "unresolved", name };
}

/** The path of the tool that a thing is when it is called. */
export function toolPath(thing: Thing): string | undefined {
  if (thing.kind !== "tool") return undefined;
  if (typeof thing.tree === "string") return thing.tree;
  return (thing.tree[""] ?? thing.tree["*"]) as string | undefined;
}

/** Whether further tools can be reached as members. */
export function hasMembers(thing: Thing): boolean {
  return thing.kind === "tool" && typeof thing.tree === "object";
}

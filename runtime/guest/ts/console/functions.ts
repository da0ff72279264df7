/** Functions and classes. */

import { native } from "../bridge/native";
import { ownKeys } from "./property";
import { braces, type Describe, isEmpty, type Subject } from "./subject";

const TYPES = {
  function: "Function",
  async: "AsyncFunction",
  generator: "GeneratorFunction",
  asyncgenerator: "AsyncGeneratorFunction",
} as const;

function functionBase({ value, name, tag }: Subject, type: string): string {
  const own: unknown = (value as { name?: unknown }).name;
  const noPrototype = name === null ? " (null prototype)" : "";
  const called = own === "" ? " (anonymous)" : `: ${String(own)}`;
  const other = name !== type && name !== null ? ` ${name}` : "";
  return `[${type}${noPrototype}${called}]${other}${tag !== "" && tag !== name ? ` [${tag}]` : ""}`;
}

function classBase({ value, name, tag }: Subject): string {
  const own: unknown = Object.hasOwn(value, "name") ? (value as { name?: unknown }).name : "";
  const kind = name !== "Function" && name !== null ? ` [${name}]` : "";
  const label = tag !== "" && tag !== name ? ` [${tag}]` : "";
  const parent: unknown = name === null ? "null" : (Object.getPrototypeOf(value) as { name?: unknown }).name;
  return `[class ${String(own || "(anonymous)")}${kind}${label}${parent ? ` extends ${String(parent)}` : ""}]`;
}

/** Node knows a class by its text, of which no heritage may have a parenthesis in front of its first brace. */
function looksLikeClass(value: object): boolean {
  const text = Function.prototype.toString.call(value);
  const head = text.slice(0, text.indexOf("{"));
  return !head.includes("(") || !text.replace(/\/\*[^]*?\*\/|\/\/.*/g, "").split("{", 1)[0]!.includes("(");
}

export const describeFunction: Describe = (ctx, subject) => {
  const found = native.types.functionKind(subject.value) ?? "function";
  const kind = found === "class" && !looksLikeClass(subject.value) ? "function" : found;
  const base = kind === "class" ? classBase(subject) : functionBase(subject, TYPES[kind]);
  const keys = ownKeys(ctx, subject.value);
  return isEmpty(subject, keys) ? ctx.stylize(base, "special") : { ...braces("", keys), base };
};

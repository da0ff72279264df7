/** Keys of YAML mappings, and what they are given. */

import { doubleQuoted, plainValue, singleQuoted, type Value } from "./yaml_scalars";
import type { YamlSource } from "./yaml_source";

/** The text that a key has, when what follows is one; the place stays. */
export function keyAhead({ rest }: YamlSource): string | undefined {
  if (!rest.includes(":")) return undefined;
  const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*:(?=\s|$)/.exec(rest);
  if (quoted) return quoted[0];
  if (/^["'[{]/.test(rest)) return undefined;
  return /^(?:[^\s#:]|:(?=\S)|#(?<=\S#)|[ \t]+(?![#\s])(?!:(?:\s|$)))+?[ \t]*:(?=\s|$)/.exec(rest)?.[0];
}

/** What that text stands for. */
export function keyText(ahead: string): string {
  const text = ahead.replace(/[ \t]*:$/, "");
  if (text.startsWith('"')) return doubleQuoted(text.slice(1, -1));
  if (text.startsWith("'")) return singleQuoted(text.slice(1, -1));
  const value = plainValue(text);
  return value === null && text !== "" ? text : typeof value === "string" ? value : text;
}

/** Also for `__proto__`. */
export function define(target: Record<string, Value>, key: string, value: Value): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** `<<: source`: what `target` has itself stays. */
export function merge(source: YamlSource, target: Record<string, Value>, merged: Value): void {
  for (const each of Array.isArray(merged) ? merged : [merged]) {
    if (each === null || typeof each !== "object" || Array.isArray(each)) source.fault("map merge requires map or sequence of maps as the value");
    for (const [key, value] of Object.entries(each)) if (!Object.hasOwn(target, key)) define(target, key, value);
  }
}

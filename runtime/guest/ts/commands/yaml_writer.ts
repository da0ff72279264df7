/** Values to YAML, in blocks. */

import { scalarText, type Value } from "./yaml_scalars";

export function yamlText(value: Value, indent: number): string {
  return value !== null && typeof value === "object" ? collection(value, 0, indent) : `${scalar(value, indent)}\n`;
}

function scalar(value: Value, depth: number): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return isBlock(value) ? block(value, depth) : scalarText(value);
}

/** Text of several lines that can stand as such. */
function isBlock(text: string): boolean {
  return text.includes("\n") && !/[\0-\x08\x0b-\x1f\x7f-\x9f\ufeff]/.test(text) && !/^[ \n]|[ \t]\n/.test(text);
}

function block(text: string, depth: number): string {
  const sign = text.endsWith("\n\n") ? "+" : text.endsWith("\n") ? "" : "-";
  const lines = text.replace(/\n$/, "").split("\n");
  return `|${sign}\n${lines.map((line) => (line === "" ? "" : " ".repeat(depth) + line)).join("\n")}`;
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

function collection(value: Value[] | { [key: string]: Value }, depth: number, indent: number): string {
  if (isEmpty(value)) return Array.isArray(value) ? "[]\n" : "{}\n";
  const margin = " ".repeat(depth);
  if (Array.isArray(value)) return value.map((item) => `${margin}- ${entry(item, depth, indent)}`).join("");
  return Object.entries(value).map(([key, item]) => `${margin}${scalarText(key)}:${field(item, depth, indent)}`).join("");
}

/** What stands behind a dash: a collection begins on the same line. */
function entry(item: Value, depth: number, indent: number): string {
  if (item === null || typeof item !== "object" || isEmpty(item)) return inline(item, depth + indent);
  return collection(item, depth + 2, indent).slice(depth + 2);
}

/** What stands behind a key's colon. */
function field(item: Value, depth: number, indent: number): string {
  if (item === null || typeof item !== "object" || isEmpty(item)) return ` ${inline(item, depth + indent)}`;
  return `\n${collection(item, depth + indent, indent)}`;
}

function inline(item: Value, depth: number): string {
  if (item !== null && typeof item === "object") return Array.isArray(item) ? "[]\n" : "{}\n";
  return `${scalar(item, depth)}\n`;
}

/** One word of a call of a tool as the JSON value that the tool's schema wants. */

import { plainInteger } from "../expand/arithmetic/numbers";
import type { Kind } from "./tool_schema";

/** Words that make no arguments. */
export class ArgumentFault {
  constructor(readonly message: string) {}
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const TOKEN = /"(?:[^"\\]|\\[^])*"|-?\d[\d.eE+-]*/g;

/** `where` is how messages name the value. */
export function typedValue(text: string, { types, isNumeric }: Kind, where: string): unknown {
  if (isNumeric) {
    const value = plainInteger(text) ?? numberIn(text, where);
    if (value !== undefined) return value;
  }
  if (types.size === 0) return guessed(text, where);
  if (types.has("boolean") && /^(true|false)$/.test(text)) return text === "true";
  if (types.has("null") && text === "null") return null;
  if ((types.has("object") && /^\s*\{/.test(text)) || (types.has("array") && /^\s*\[/.test(text))) return parsed(text, where);
  if (types.has("string")) return text;
  throw new ArgumentFault(`${where} wants ${[...types].join(" or ")}, not '${text}'`);
}

export function parsed(text: string, where: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ArgumentFault(`${where} is no JSON: ${(error as Error).message}`);
  }
  for (const [token] of text.matchAll(TOKEN)) if (!token.startsWith('"')) number(token, where);
  return value;
}

/** Undefined for a text that is no number. */
function numberIn(text: string, where: string): number | undefined {
  return NUMBER.test(text) ? number(text, where) : undefined;
}

/** A number, if it is one that a double holds: a tool must not be given another than was written. */
function number(text: string, where: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && (!/^-?\d+$/.test(text) || Number.isSafeInteger(value))) return value;
  throw new ArgumentFault(`${where}: the number ${text.length > 40 ? `${text.slice(0, 40)}...` : text} is too large to be kept exactly; pass it as a string if the tool takes one`);
}

/** Without a schema: JSON where the text is such, else the text. */
function guessed(text: string, where: string): unknown {
  const value = numberIn(text, where);
  if (value !== undefined) return value;
  if (!/^(true|false|null)$|^\s*[[{]/.test(text)) return text;
  return isJson(text) ? parsed(text, where) : text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

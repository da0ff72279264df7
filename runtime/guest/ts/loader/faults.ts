/** Which of several errors about a script's syntax is told, and where it lies. */

import { describeFailure } from "../bridge/failure";
import { faultAt } from "./fault";

/** As acorn and sucrase throw; acorn's columns count from 0, sucrase's from 1. The message repeats the place. */
interface ParserError {
  message: string;
  loc?: { line: number; column: number };
}

const PLACE = / \(\d+:\d+\)$/;
const SUCRASE = /^Error transforming [^:]*: /;

/**
 * The error that is furthest into the text. Where plain JavaScript goes wrong, sucrase goes on for longer than it makes sense, so
 * it is heard only if nobody else is.
 */
export function furthest(errors: readonly unknown[], source: string, filename: string): unknown {
  const others = errors.filter((error) => !SUCRASE.test((error as ParserError).message));
  const faults = (others.length > 0 ? others : errors).map((error) => placed(error, source, filename));
  return faults.reduce((best, next) => (isBehind(next, best) ? next : best));
}

function placed(error: unknown, source: string, filename: string): unknown {
  const { message, loc } = error as ParserError;
  if (!loc) return error;
  const told = message.replace(SUCRASE, "").replace(PLACE, "");
  const column = SUCRASE.test(message) ? loc.column : loc.column + 1;
  return faultAt(told === "Unexpected token" ? unexpected(source, loc.line, column) : told, filename, loc.line, column);
}

/** V8's words for what stands at a place. */
function unexpected(source: string, line: number, column: number): string {
  const rest = source.split("\n").slice(line - 1).join("\n").slice(column - 1);
  const token = /^(?:[\w$]+|[^\w\s])/.exec(rest)?.[0];
  if (token === undefined) return "Unexpected end of input";
  return `Unexpected ${/^[A-Za-z_$]/.test(token) ? "identifier" : "token"} '${token}'`;
}

function isBehind(one: unknown, other: unknown): boolean {
  const a = describeFailure(one);
  const b = describeFailure(other);
  const lines = (a.line ?? 0) - (b.line ?? 0);
  return lines > 0 || (lines === 0 && (a.column ?? 0) > (b.column ?? 0));
}

/** What to say instead where the fault is a decorator. */
export function unsupported(fault: unknown, source: string, filename: string): SyntaxError | undefined {
  const { line = 0, column = 1 } = describeFailure(fault);
  const text = source.split("\n")[line - 1] ?? "";
  if (text[column - 1] !== "@" && !/^\s*@/.test(text)) return undefined;
  const message = "decorators are not supported; call the function instead, as in `A = decorator(A)`";
  return faultAt(message, filename, line, text.indexOf("@") + 1);
}

/** Scripts that are one function which nobody calls, `async () => {…}`: models write them, and mean its body. */

const BEFORE = /^(?:\s+|\/\/[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/;
const AFTER = /[\s;]+$/;

/** Whether `value` is a function without parameters that makes up the whole script. */
export function isWholeScript(value: unknown, text: string): value is () => unknown {
  if (typeof value !== "function" || value.length > 0) return false;
  const source = Function.prototype.toString.call(value);
  const bare = text.replace(BEFORE, "").replace(AFTER, "");
  return !source.startsWith("class") && (bare === source || inParentheses(bare) === source);
}

function inParentheses(text: string): string | undefined {
  return text.startsWith("(") && text.endsWith(")") ? text.slice(1, -1).trim() : undefined;
}

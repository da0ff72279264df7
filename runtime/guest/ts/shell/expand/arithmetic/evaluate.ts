/** Evaluation of an expression whose text is known only now: values of variables, operands of `let` and `[[ -eq ]]`. */

import { ShellError } from "../../run/errors";
import { parseExpanded } from "../../syntax/arithmetic-tree";
import { ArithmeticFault } from "../../syntax/errors";
import { ExpressionFault } from "../errors";
import type { Scope } from "../scope";
import { SETTINGS } from "../settings";
import { type Compute, compileTree, NOTHING_HELD } from "./compile";
import { type Integer, plainInteger } from "./numbers";

/** As deep as bash lets variables lead to variables. Ours costs more stack, so it is less. */
const DEEPEST = 200;
const CACHED_MOST = 500;

const cache = new Map<string, Compute>();

/** An empty text is 0. Throws ShellError in bash's words. */
export function evaluateText(scope: Scope, text: string): Integer {
  const plain = plainInteger(text);
  if (plain !== undefined) return plain;
  if (scope.evaluating >= DEEPEST) {
    const shown = text.trimStart();
    throw new ShellError(`${shown}: expression recursion level exceeded (error token is "${shown}")`);
  }
  scope.evaluating += 1;
  try {
    return compiled(text)(scope, NOTHING_HELD);
  } catch (error) {
    throw told(error, text);
  } finally {
    scope.evaluating -= 1;
  }
}

function compiled(text: string): Compute {
  let compute = cache.get(text);
  if (compute === undefined) {
    compute = compileTree(parseExpanded(text, { line: 1, column: 1 }, SETTINGS), []);
    if (cache.size >= CACHED_MOST) cache.clear();
    cache.set(text, compute);
  }
  return compute;
}

/** A number that is none is found while it is read: bash shows the expression up to there. */
function shown(text: string, { message, token }: ArithmeticFault): string {
  if (!/^(?:value too great|invalid (?:integer constant|arithmetic base|number))/.test(message)) return text;
  const at = text.indexOf(token);
  return at < 0 ? text : text.slice(0, at + token.length);
}

/** What bash prints of a fault in an expression. */
export function told(error: unknown, text: string): unknown {
  if (!(error instanceof ArithmeticFault)) return error;
  return new ExpressionFault(`${shown(text.trimStart(), error)}: ${error.message}`);
}

/** The source text of a failed assertion, which its message shows. */

type Operator = (...args: never[]) => unknown;

/** The message of `assert(value)`: the expression where its source can be found. */
export function failedExpression(_assertion: Operator): string | undefined {
  return undefined;
}

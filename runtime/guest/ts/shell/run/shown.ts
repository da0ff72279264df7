/** Expressions under `set -x`: shown with their expansions in place, then evaluated. */

import { compileExpanded, evaluateText, type Integer } from "../expand/arithmetic";
import { then, type Maybe } from "../io/maybe";
import type { Arithmetic } from "../syntax/ast";
import type { Shell } from "./shell";
import { trace } from "./trace";
import { unguarded } from "./unguarded";

export function compileShown({ text }: Arithmetic, between: (expanded: string) => string = (expanded) => expanded): (shell: Shell) => Maybe<Integer> {
  const expand = unguarded([text], compileExpanded(text));
  return (shell) =>
    then(expand(shell), (expanded) => {
      trace(shell, `(( ${between(expanded)} ))`);
      return evaluateText(shell, expanded);
    });
}

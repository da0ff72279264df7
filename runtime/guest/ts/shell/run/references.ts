/** Name references that are declared anew. */

import { isName } from "../syntax/chars";
import type { Shell } from "./shell";

/** What a declaration of the name without `-n` is about: what it refers to, unless the reference is that of a function further out. */
export function declaredName({ variables }: Shell, name: string, local: boolean): string {
  if (!variables.own(name)?.nameref) return name;
  if (local && variables.insideFunction && !variables.isLocal(name)) return name;
  const target = variables.target(name);
  return isName(target) ? target : name;
}

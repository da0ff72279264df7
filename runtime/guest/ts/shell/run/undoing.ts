/** Work whose effects are undone when it ends, however it ends. */

import type { Maybe } from "../io/maybe";

export function undoing(work: () => Maybe<number>, undo: () => void): Maybe<number> {
  let status: Maybe<number>;
  try {
    status = work();
  } catch (error) {
    undo();
    throw error;
  }
  if (typeof status !== "number") return status.finally(undo);
  undo();
  return status;
}

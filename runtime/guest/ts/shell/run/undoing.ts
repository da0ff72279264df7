/** Work whose effects are undone when it ends, however it ends. */

import type { Maybe } from "../io/maybe";
import { tellHere } from "./errors";
import type { Shell } from "./shell";

/** `speaker` tells of an error before anything is undone: its message goes where the work's messages go. */
export function undoing(work: () => Maybe<number>, undo: () => void, speaker?: Shell): Maybe<number> {
  const failed = (error: unknown): never => {
    if (speaker) tellHere(speaker, error);
    undo();
    throw error;
  };
  let status: Maybe<number>;
  try {
    status = work();
  } catch (error) {
    return failed(error);
  }
  const done = (late: number): number => {
    undo();
    return late;
  };
  return typeof status === "number" ? done(status) : status.then(done, failed);
}

/** What long work does now and then, so that it can be ended and others get their turn. */

import { native } from "../../bridge/native";
import type { Shell } from "./shell";

/** Pauses until others get their turn. */
const PAUSES = 16;

/** What a pause resolves to, which no status is. */
export const PAUSED = -1;

/** Sees signals and the run's end, and lets others run. */
export function pause(shell: Shell): Promise<number> | undefined {
  shell.ticks = 0;
  native.host.poll();
  shell.signals.ringDue();
  shell.signals.check();
  const turn = (shell.pauses = (shell.pauses + 1) % PAUSES) === 0;
  return (turn && shell.session.shared) || shell.session.crowded ? othersTurn(shell).then(() => PAUSED) : undefined;
}

/** Comes back after all that is ready has run. */
function othersTurn(shell: Shell): Promise<void> {
  return new Promise<void>((resolve) => void shell.session.host.timer(0, resolve));
}

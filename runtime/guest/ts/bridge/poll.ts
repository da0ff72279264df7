/** Long loops of the system's own: the host can end them only where they look whether to go on. */

import { native } from "./native";

const POLLED = 4096;

/** Does `work` for each item, looking now and then whether to go on. */
export function eachPolled<T>(items: readonly T[], work: (item: T, index: number) => void): void {
  for (let index = 0; index < items.length; index += 1) {
    pollAt(index);
    work(items[index]!, index);
  }
}

/** Looks whether to go on, at some of the places of a loop. */
export function pollAt(index: number): void {
  if (index % POLLED === POLLED - 1) native.host.poll();
}

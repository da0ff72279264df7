import { kernel } from "amla:kernel";
import { requireFunction } from "../errors";

type Callback = (...args: never[]) => unknown;

/** Runs the callback after the present synchronous work; ticks queued meanwhile run in the same turn. */
export function nextTick(callback: Callback, ...args: unknown[]): void {
  requireFunction("callback", callback);
  kernel.process.tick(() => void callback.apply(undefined as never, args as never[]));
}

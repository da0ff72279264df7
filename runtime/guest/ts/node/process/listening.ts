import type { EventEmitter } from "node:events";
import { kernel } from "amla:kernel";
import type { ProcessEvents } from "../../bridge/process";

type Raise = { [Name in keyof ProcessEvents]: ProcessEvents[Name] };

const METHODS = [
  "addListener",
  "on",
  "once",
  "prependListener",
  "prependOnceListener",
  "removeListener",
  "off",
] as const;

/**
 * Events that the run itself raises once a script listens; a listener replaces what would happen otherwise. So each change
 * to the listeners of `emitter` tells the run whether there are any.
 */
export function followListeners(emitter: EventEmitter, raise: Raise): void {
  const follow = (name: keyof ProcessEvents): void => {
    kernel.process.listen(name, emitter.listenerCount(name) > 0 ? raise[name] : null);
  };
  for (const method of METHODS) {
    const original = emitter[method];
    const watched = (name: string, listener: never): EventEmitter => {
      original.call(emitter, name, listener);
      if (Object.hasOwn(raise, name)) follow(name as keyof ProcessEvents);
      return emitter;
    };
    Object.defineProperty(emitter, method, { value: watched, configurable: true, writable: true });
  }
}

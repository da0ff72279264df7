import { addAbortListener, on, once } from "./events/async";
import { captureRejectionSymbol, defaults, EventEmitter as Emitter, errorMonitor, init } from "./events/emitter";
import type { EventName, Listener } from "./events/store";

type Target = { getMaxListeners?(): number; listeners?(name: EventName): Listener[] };

const statics = {
  addAbortListener,
  once,
  on,
  getEventListeners: (emitter: Target, name: EventName): Listener[] =>
    emitter.listeners ? emitter.listeners(name) : require("amla:event_target").listenersOf(emitter, name),
  getMaxListeners: (emitter: Target): number => emitter.getMaxListeners?.() ?? defaults.maxListeners,
  EventEmitter: Emitter,
  usingDomains: false,
  captureRejectionSymbol,
  errorMonitor,
  setMaxListeners(count: number = defaults.maxListeners, ...emitters: Emitter[]): void {
    if (emitters.length === 0) defaults.maxListeners = count;
    for (const emitter of emitters) emitter.setMaxListeners?.(count);
  },
  init,
  listenerCount: (emitter: Emitter, name: EventName): number => emitter.listenerCount(name),
};

Object.assign(Emitter, statics);
Object.defineProperties(Emitter, {
  name: { value: "EventEmitter", configurable: true },
  defaultMaxListeners: {
    get: () => defaults.maxListeners,
    set: (count: number) => {
      defaults.maxListeners = count;
    },
    enumerable: true,
  },
  captureRejections: {
    get: () => defaults.captureRejections,
    set: (enabled: boolean) => {
      defaults.captureRejections = enabled;
    },
    enumerable: true,
  },
});

export default Emitter as typeof Emitter & typeof statics;
export const EventEmitter = Emitter;
export type EventEmitter = Emitter;
export type { Listener };

module.exports = Emitter;

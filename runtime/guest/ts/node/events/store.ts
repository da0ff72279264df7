/**
 * Where an emitter keeps its listeners: in properties of the names and shapes that Node's have, since scripts print
 * emitters and read `_events`.
 */

export type Listener = (...args: never[]) => unknown;
export type EventName = string | symbol;

/** A `once` wrapper remembers whom it stands for. */
export type Wrapped = Listener & { listener?: Listener };

export interface Store {
  /** One listener by itself, several in a list. */
  _events: Record<EventName, Listener | Listener[]>;
  _eventsCount: number;
  _maxListeners: number | undefined;
}

const shapeMode = Symbol("shapeMode");
export const capture = Symbol("kCapture");

function emptyEvents(): Store["_events"] {
  return Object.create(null) as Store["_events"];
}

export function initialize(emitter: object, captureRejections: boolean): Store {
  const store = emitter as Store & Record<symbol, unknown>;
  if (!Object.hasOwn(store, "_events") || store._events === undefined) {
    store._events = emptyEvents();
    store._eventsCount = 0;
  }
  store._maxListeners ??= undefined;
  store[shapeMode] = false;
  store[capture] = captureRejections;
  return store;
}

/** The store of an emitter whose constructor may never have run. */
export function storeOf(emitter: object): Store {
  const store = emitter as Store;
  if (store._events === undefined) {
    store._events = emptyEvents();
    store._eventsCount = 0;
  }
  return store;
}

/** Never changed in place once an event may be walking it, unless it is a copy. */
export function listed(store: Store, name: EventName): readonly Listener[] {
  const found = store._events[name];
  return found === undefined ? [] : typeof found === "function" ? [found] : found;
}

export function keep(store: Store, name: EventName, list: Listener[]): void {
  const present = name in store._events;
  if (list.length === 0) {
    if (present) store._eventsCount--;
    delete store._events[name];
    return;
  }
  if (!present) store._eventsCount++;
  store._events[name] = list.length === 1 ? list[0]! : list;
}

export function forget(store: Store, name?: EventName): void {
  if (name !== undefined) {
    keep(store, name, []);
    return;
  }
  store._events = emptyEvents();
  store._eventsCount = 0;
}

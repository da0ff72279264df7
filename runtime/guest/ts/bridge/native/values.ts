/** What JavaScript does not tell of its values (c/native_types.c, c/native_trace.c). */

/** Where execution is, noted cheaply. */
export interface Trace {
  readonly trace: unique symbol;
}

export interface NativeTrace {
  take(): Trace;
  /** The lines of an error's stack. */
  text(trace: Trace): string;
}

export interface NativeTypes {
  isMap(value: unknown): boolean;
  isSet(value: unknown): boolean;
  isMapIterator(value: unknown): boolean;
  isSetIterator(value: unknown): boolean;
  isWeakMap(value: unknown): boolean;
  isWeakSet(value: unknown): boolean;
  isWeakRef(value: unknown): boolean;
  isDate(value: unknown): boolean;
  isRegExp(value: unknown): boolean;
  isNativeError(value: unknown): boolean;
  isPromise(value: unknown): boolean;
  isProxy(value: unknown): boolean;
  isArrayBuffer(value: unknown): boolean;
  isSharedArrayBuffer(value: unknown): boolean;
  isDataView(value: unknown): boolean;
  isArgumentsObject(value: unknown): boolean;
  isModuleNamespaceObject(value: unknown): boolean;
  isSymbolObject(value: unknown): boolean;
  isBigIntObject(value: unknown): boolean;
  isNumberObject(value: unknown): boolean;
  isStringObject(value: unknown): boolean;
  isBooleanObject(value: unknown): boolean;
  isGeneratorObject(value: unknown): boolean;
  isBoxedPrimitive(value: unknown): boolean;
  isTypedArray(value: unknown): boolean;
  isAsyncFunction(value: unknown): boolean;
  isGeneratorFunction(value: unknown): boolean;
  typedArrayName(value: unknown): string | undefined;
  functionKind(value: unknown): "class" | "function" | "async" | "generator" | "asyncgenerator" | undefined;
  /** Target and handler, or undefined for what is no proxy; both null when it was revoked. */
  proxyDetails(value: unknown): [unknown, unknown] | undefined;
  /** State (0 pending, 1 fulfilled, 2 rejected) and result, or undefined for what is no promise. */
  promiseDetails(value: unknown): [0 | 1 | 2, unknown] | undefined;
  /** Whether it is a promise that is neither fulfilled nor rejected. */
  isPending(value: unknown): boolean;
  /** `[k, v, k, v…]` when `previewsPairs`, else `[v, v…]`; undefined for what is no Map, Set or their iterator. */
  previewEntries(value: unknown): unknown[] | undefined;
  previewsPairs(value: unknown): boolean;
  ownNonIndexKeys(value: unknown, onlyEnumerable?: boolean): (string | symbol)[];
  /** As `new Map(map)`, but quick. */
  copyMap<K, V>(map: ReadonlyMap<K, V>): Map<K, V>;
}

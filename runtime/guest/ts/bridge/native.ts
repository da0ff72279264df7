/**
 * The C functions that the system realm is given, typed (`c/native_*.c`, `c/step.c`, `c/realm.c`).
 *
 * Values of a script's realm appear here as `unknown`: nothing about their prototypes may be relied on.
 */

import type { Variables } from "../shell/run/variables";

export interface NativeBytes {
  utf8Encode(text: string): Uint8Array;
  utf8Decode(bytes: Uint8Array, fatal?: boolean, ignoreBOM?: boolean): string;
  utf8Length(text: string): number;
  latin1Encode(text: string): Uint8Array;
  latin1Decode(bytes: Uint8Array): string;
  asciiDecode(bytes: Uint8Array): string;
  hexEncode(bytes: Uint8Array): string;
  hexDecode(text: string): Uint8Array;
  base64Encode(bytes: Uint8Array, url?: boolean): string;
  base64Decode(text: string): Uint8Array;
  utf16leEncode(text: string): Uint8Array;
  utf16leDecode(bytes: Uint8Array): string;
  isAscii(bytes: Uint8Array): boolean;
  isUtf8(bytes: Uint8Array): boolean;
  copy(source: Uint8Array, sourceStart: number, target: Uint8Array, targetStart: number, length: number): number;
  compare(left: Uint8Array, right: Uint8Array): number;
  indexOf(bytes: Uint8Array, wanted: Uint8Array, from?: number): number;
  lastIndexOf(bytes: Uint8Array, wanted: Uint8Array, from?: number): number;
  fill(bytes: Uint8Array, value: Uint8Array | number, from?: number, to?: number): void;
  swap(bytes: Uint8Array, width: number): void;
}

export interface HashHandle {
  readonly hash: unique symbol;
}

export interface NativeHash {
  create(algorithm: string): HashHandle | undefined;
  update(handle: HashHandle, bytes: Uint8Array): void;
  digest(handle: HashHandle): Uint8Array;
  copy(handle: HashHandle): HashHandle;
  blockSize(handle: HashHandle): number;
  /** Rounds of PBKDF2 with HMAC, whose padded keys `inner` and `outer` were fed: block = HMAC(block); sum ^= block. */
  stretch(inner: HashHandle, outer: HashHandle, block: Uint8Array, sum: Uint8Array, rounds: number): void;
}

/** A running awk of c/awk/. */
export interface AwkHandle {
  readonly awk: unique symbol;
}

/** What `run` ended with: what it asks for, or why it is over. */
export const AwkState = { done: 0, open: 1, read: 2, write: 3, close: 4, system: 5, memory: 7, paused: 8 } as const;

/** How a stream is to be opened. */
export const AwkMode = { operand: 0, readFile: 1, readCommand: 2, writeFile: 3, appendFile: 4, writeCommand: 5 } as const;

export interface NativeAwk {
  /** `inPlace`: what was printed is to be written before a file of the command line is closed. */
  create(bytewise: boolean, inPlace: boolean): AwkHandle;
  source(handle: AwkHandle, name: string | undefined, text: Uint8Array): void;
  assign(handle: AwkHandle, assignment: Uint8Array): void;
  argument(handle: AwkHandle, text: Uint8Array): void;
  environment(handle: AwkHandle, name: Uint8Array, value: Uint8Array): void;
  /** The local time zone: rows of two numbers, from when (seconds) local time is ahead by how much; names end in NUL. */
  zone(handle: AwkHandle, changes: Uint8Array, names: Uint8Array): void;
  /** Throws, uncatchably, when the host interrupts. */
  run(handle: AwkHandle): number;
  request(handle: AwkHandle): [mode: number, stream: number, text: Uint8Array];
  opened(handle: AwkHandle, reason: string | undefined, isFolder: boolean): void;
  /** Answers `read`; nothing means the end. */
  feed(handle: AwkHandle, bytes: Uint8Array): void;
  /** Answers `close` and `system`. */
  reply(handle: AwkHandle, status: number): void;
  status(handle: AwkHandle): number;
  free(handle: AwkHandle): void;
}

/** A running sed of c/sed/. */
export interface SedHandle {
  readonly sed: unique symbol;
}

/** What `run` ended with: what it asks for, or why it is over. */
export const SedState = { done: 0, create: 1, open: 2, read: 3, line: 4, copy: 5, write: 6, failed: 7, interrupted: 8, memory: 9, paused: 10 } as const;

export interface NativeSed {
  create(options: Readonly<Record<string, unknown>>): SedHandle;
  source(handle: SedHandle, name: string | undefined, text: Uint8Array): void;
  run(handle: SedHandle): number;
  request(handle: SedHandle): [stream: number, text: Uint8Array];
  /** Answers `open`; nothing means that there is no more input. */
  opened(handle: SedHandle, name: string | undefined): void;
  /** Answers `read` and `line`; nothing means the end. */
  feed(handle: SedHandle, bytes: Uint8Array): void;
  status(handle: SedHandle): number;
  /** Bytes of the input that were fed but not used. */
  unused(handle: SedHandle): number;
  fault(handle: SedHandle): string;
  free(handle: SedHandle): void;
}

/** What c/diff/ finds: lines are counted from 0, and `left` and `right` tell where they begin, and the length. */
export interface LineChanges {
  /** `[first left, count left, first right, count right, …]` */
  readonly changes: Uint32Array;
  readonly left: Uint32Array;
  readonly right: Uint32Array;
}

export interface NativeDiff {
  /** Nothing when the host interrupts; `flags` as in c/diff/diff.h; `horizon`: lines of the same start and end that take part in the comparison. */
  compare(left: Uint8Array, right: Uint8Array, flags: number, horizon: number): LineChanges | undefined;
}

/** A running filter of c/filters/. */
export interface FilterHandle {
  readonly filter: unique symbol;
}

/** What a filter's call ended with: it wants more input, has more output, or needs no more input. */
export const FilterState = { more: 0, full: 1, done: 2, interrupted: -1 } as const;

export interface NativeFilter {
  create(name: string, options: Readonly<Record<string, unknown>>): FilterHandle;
  /** Options of the next file. */
  configure(handle: FilterHandle, options: Readonly<Record<string, unknown>>): void;
  feed(handle: FilterHandle, bytes: Uint8Array): number;
  end(handle: FilterHandle, moreFiles: boolean): number;
  /** What the last call left for the output. */
  output(handle: FilterHandle): Uint8Array | undefined;
  report(handle: FilterHandle): unknown;
}

/** Arithmetic compiled to instructions of c/shell/arithmetic.h. */
export interface ProgramHandle {
  readonly program: unique symbol;
}

/** Words compiled for c/shell/phrase.h. */
export interface PhraseHandle {
  readonly phrase: unique symbol;
}

export interface NativeShell {
  /** See expand/phrase.ts. */
  phrase(pieces: readonly (string | number)[]): PhraseHandle;
  /** The fields of its words; undefined where they have to be expanded in the usual way. */
  words(phrase: PhraseHandle, variables: Variables, positional: readonly string[]): string[] | undefined;
  /** The same of one word that is not split. */
  text(phrase: PhraseHandle, variables: Variables, positional: readonly string[]): string | undefined;
  /** The fields of a text where blanks separate them; undefined where it may hold patterns, or the host wants the run to end. */
  split(text: string): string[] | undefined;
  /** Puts `by` in place of each `wanted`; undefined where the host wants the run to end. */
  replace(text: string, wanted: string, by: string): string | undefined;
  /** Makes a name local to the innermost call, with a text; false, with nothing done, where it takes more than that. */
  local(variables: Variables, name: string, text: string): boolean;
  /** Ends the calls from that depth on, and gives back what their names hid; whether there were any. */
  leave(variables: Variables, depth: number): boolean;
  /** Gives a variable a text; false, with nothing done, where it takes more than that. */
  assign(variables: Variables, name: string, text: string): boolean;
  /** The same of a phrase's text. */
  put(phrase: PhraseHandle, variables: Variables, positional: readonly string[], name: string): boolean;
  /**
   * What `read` makes of the line at `from`: the bytes it takes, then its fields. Undefined for a line that needs more: without
   * an end before `to`, with NULs, or, unless `raw`, with backslashes.
   */
  fields(variables: Variables, bytes: Uint8Array, from: number, to: number, raw: boolean): [taken: number, ...fields: string[]] | undefined;
  /** The same into variables, the last of which gets the rest; only the bytes it takes. */
  read(variables: Variables, bytes: Uint8Array, from: number, to: number, raw: boolean, names: readonly string[]): number | undefined;
  /** See expand/arithmetic/program.ts. */
  program(code: readonly number[], constants: readonly number[], places: readonly (string | number)[], uses: readonly number[], split: boolean): ProgramHandle;
  /** The value; undefined where the expression has to be evaluated in the usual way. */
  run(program: ProgramHandle, variables: Variables, positional: readonly string[]): number | undefined;
}

/** A compiled regular expression of c/regex/. */
export interface RegexHandle {
  readonly regex: unique symbol;
}

export interface NativeRegex {
  /** `flags` as in c/regex/regex.h; throws a SyntaxError in the GNU tools' words. */
  create(pattern: Uint8Array, flags: number): RegexHandle;
  /** `[start, end, …]` of the match and its groups, -1 where one took no part; throws a RangeError when it is too complex. */
  search(handle: RegexHandle, text: Uint8Array, from: number, spans: number): number[] | undefined;
  groups(handle: RegexHandle): number;
}

/** A running jq program (c/jq_filter.h). */
export interface JqHandle {
  readonly jq: unique symbol;
}

export const JqState = { output: 0, want: 1, done: 2, interrupted: 3, pause: 4 } as const;

export interface JqOptions {
  readonly nullInput?: boolean;
  readonly rawInput?: boolean;
  readonly slurp?: boolean;
  readonly stream?: boolean;
  readonly seq?: boolean;
  readonly rawOutput?: boolean;
  readonly joinOutput?: boolean;
  readonly rawOutput0?: boolean;
  readonly asciiOutput?: boolean;
  readonly sortKeys?: boolean;
  readonly colorOutput?: boolean;
  readonly tab?: boolean;
  readonly exitStatus?: boolean;
  /** 0 (compact) to 7. */
  readonly indent?: number;
  /** JSON texts of `$ARGS.named` and `$ARGS.positional`. */
  readonly named?: string;
  readonly positional?: string;
}

export interface NativeJq {
  /** A program that does not compile is a run that is done, with status 3. */
  create(program: string, options: JqOptions, environment: readonly string[]): JqHandle;
  feed(handle: JqHandle, bytes: Uint8Array): void;
  end(handle: JqHandle): void;
  source(handle: JqHandle, name: string): void;
  /** Goes on; a value of JqState. */
  next(handle: JqHandle): number;
  output(handle: JqHandle): Uint8Array | undefined;
  errors(handle: JqHandle): Uint8Array | undefined;
  status(handle: JqHandle): number;
}

/** Bytes as text without loss: a byte that is no valid UTF-8 is the lone surrogate U+DC00 + byte. */
export interface NativeText {
  decode(bytes: Uint8Array): string;
  encode(text: string): Uint8Array;
  /** The text with what is no ASCII as its bytes. */
  bytes(text: string): string;
  /** The text with each character whole whose bytes have come together in it. */
  whole(text: string): string;
  /** How many characters it has. */
  count(text: string): number;
  /** Characters `from` up to `to`. */
  slice(text: string, from: number, to: number): string;
}

/** Where execution is, noted cheaply. */
export interface Trace {
  readonly trace: unique symbol;
}

export interface NativeTrace {
  take(): Trace;
  /** The lines of an error's stack. */
  text(trace: Trace): string;
}

export interface NativeRandom {
  fill(bytes: Uint8Array): void;
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

/** Why a line does not compile: whether its end came too soon, and the text from what is not wanted on. */
export type LineFault = [message: string, atEnd: boolean, rest: string];

/** A realm of a script's: opaque here, a context in C. */
export interface Realm {
  readonly realm: unique symbol;
}

export interface NativeRealm {
  create(): Realm;
  /** Runs the prelude module's `boot` in the realm; returns what that returned (a value of the realm). */
  boot(realm: Realm, prelude: string, kernel: (group: string) => unknown): unknown;
  /** Gives the realm its own randomness: call when it comes into use. */
  seed(realm: Realm): void;
  /** The source as an async function of the realm; throws the realm's SyntaxError. */
  compile(realm: Realm, source: string, filename: string, strict: boolean): () => Promise<unknown>;
  /** `[value]` when a script ended with its last expression's value, undefined when it returned `result`. */
  completion(result: unknown): [unknown] | undefined;
  /** As `compile`, of a line of a session; undefined, or why it does not compile, if it is only checked. */
  line(realm: Realm, source: string, filename: string, isExpression: boolean, isCheck: false): () => Promise<unknown>;
  line(realm: Realm, source: string, filename: string, isExpression: boolean, isCheck: true): LineFault | undefined;
  /** Names of what lines declared with `let`, `const` and `class`. */
  variables(realm: Realm): (string | symbol)[];
  // What follows looks at values without running code of the script: undefined or null where that would be needed.
  variable(realm: Realm, name: string): unknown;
  peek(object: unknown, name: string | symbol): unknown;
  proto(realm: Realm, value: unknown): unknown;
  /** JSON text to a value of the realm. */
  parse(realm: Realm, json: Uint8Array): unknown;
  /** JSON text of a value of the realm, or undefined as JSON.stringify has it. */
  stringify(realm: Realm, value: unknown): string | undefined;
  global(realm: Realm): object;
  /** A copy of a system value in the realm, as wrapped functions return it. */
  adopt(realm: Realm, value: unknown): unknown;
  dispose(realm: Realm): void;
  /** Remembers the realm's state; only while the guest is built. */
  remember(realm: Realm): void;
  /** Puts the remembered state back; false when the realm cannot be used again. */
  restore(realm: Realm): boolean;
}

export interface Handlers {
  message(kind: number, id: number, payload: Uint8Array): void;
  /** Called when no job is left: does the next thing that is due; false when all waits for the host. */
  idle(): boolean;
  /** While the guest is built: starts a run like those to come. */
  rehearse(language: "javascript" | "shell"): void;
  rejection(promise: unknown, reason: unknown, handled: boolean): void;
  uncaught(error: unknown): void;
  /** The host interrupted the run; its jobs are gone. */
  interrupted(): void;
  /** The script left by `leave`; its jobs are gone. */
  left(): void;
  resolve(base: string, name: string): string;
  load(path: string): [exports: unknown] | [meta: unknown, source: string];
  localTimes(): [changes: ArrayBuffer, standard: string, daylight: string] | undefined;
}

export interface NativeHost {
  handlers(handlers: Handlers): void;
  emit(kind: number, id: number, head?: string | Uint8Array, body?: string | Uint8Array): void;
  /** Like `emit`, with the head's length before it as u32 (named and headed payloads). */
  send(kind: number, id: number, head: string, body?: string | Uint8Array): void;
  /** Output, gathered in frames that the host can see soon, also while the guest computes. */
  print(kind: number, text: string | Uint8Array): void;
  /** Stands still until input frames have come, and takes them; false if the run is to end instead. */
  starve(): boolean;
  /** Ends the run at once; never returns to the script. */
  leave(): never;
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a clock that never goes back. */
  monotonic(): number;
  /** Bytes of linear memory. */
  memory(): number;
  /** Between runs: frees what the last one left and cannot be reached, where that is much. */
  tidy(): void;
  modules(): string[];
  /** The exports of a module of the guest, run anew in the system realm. */
  module(name: string, require?: (name: string) => unknown): unknown;
  interrupted(): boolean;
  /** Lets the host see what was printed; where it wants the run to end, throws what no code can catch. */
  poll(): void;
  /**
   * Runs work that the engine may interrupt at any call and turn of a loop, as it does with a script's own code and with
   * jobs of the shell. What answers the host is not interrupted, and what changes files says so (`spare`).
   */
  exposed<T>(work: () => T): T;
  /** Before what must not end halfway: throws as `poll` does, or keeps the engine from interrupting so many calls and turns. */
  spare(polls: number): void;
}

/** A list of all files for the host to find after a hard stop (c/keep.h). */
export interface NativeKeep {
  begin(): void;
  add(
    parent: number,
    mode: number,
    uid: number,
    link: number,
    mtime: number,
    name: string,
    content: string | Uint8Array | undefined,
    size: number,
  ): void;
  publish(): void;
  drop(): void;
}

export interface NativeZone {
  /** The local time zone of `Date` is UTC, or what the handler `localTimes` tells. */
  set(isUtc: boolean): void;
}

export interface Native {
  readonly zone: NativeZone;
  readonly keep: NativeKeep;
  readonly bytes: NativeBytes;
  readonly hash: NativeHash;
  readonly awk: NativeAwk;
  readonly diff: NativeDiff;
  readonly filter: NativeFilter;
  readonly jq: NativeJq;
  readonly regex: NativeRegex;
  readonly sed: NativeSed;
  readonly shell: NativeShell;
  readonly text: NativeText;
  readonly random: NativeRandom;
  readonly types: NativeTypes;
  readonly realm: NativeRealm;
  readonly host: NativeHost;
  readonly clock: { now(): number; monotonic(): number };
}

declare const __native: Omit<Native, "clock">;

export const native: Native = {
  ...__native,
  clock: { now: __native.host.now, monotonic: __native.host.monotonic },
};

/** Realms of scripts (c/realm.c, c/realm_values.c). */

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

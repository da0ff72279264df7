/** jq (c/native_jq.c, c/jq_filter.h). */

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

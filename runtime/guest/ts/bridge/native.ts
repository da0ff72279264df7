/**
 * The C functions that the system realm is given, typed: each file of native/ declares what some files of c/ define.
 *
 * Values of a script's realm appear there as `unknown`: nothing about their prototypes may be relied on.
 */

import type { NativeAwk } from "./native/awk";
import type { NativeBytes, NativeText } from "./native/bytes";
import type { NativeDiff, NativeFilter } from "./native/filter";
import type { NativeHash, NativeRandom } from "./native/hash";
import type { NativeHost, NativeKeep, NativeZone } from "./native/host";
import type { NativeJq } from "./native/jq";
import type { NativeRealm } from "./native/realm";
import type { NativeRegex } from "./native/regex";
import type { NativeSed } from "./native/sed";
import type { NativeShell } from "./native/shell";
import type { NativeTypes } from "./native/values";

export * from "./native/awk";
export type * from "./native/bytes";
export * from "./native/filter";
export type * from "./native/hash";
export type * from "./native/host";
export * from "./native/jq";
export type * from "./native/realm";
export type * from "./native/regex";
export * from "./native/sed";
export type * from "./native/shell";
export type * from "./native/values";

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

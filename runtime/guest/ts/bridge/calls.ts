/** Calls of tools: what the script asked for and waits for. */

import { ToHost } from "./frames";
import { native } from "./native";

/** How a call ends: with JSON bytes of the value, or of `{name, code, message, …}`. */
export type Settle = (ok: boolean, json: Uint8Array) => void;

export class Calls {
  private readonly waiting = new Map<number, Settle>();

  /** Asks the host to call a tool; `json` is the argument object. */
  call(path: string, json: string | Uint8Array, settle: Settle): void {
    this.request(ToHost.call, path, json, settle);
  }

  /** Asks the host for a tool's schema and description. */
  describe(path: string, settle: Settle): void {
    this.request(ToHost.describe, path, "", settle);
  }

  private request(kind: number, path: string, json: string | Uint8Array, settle: Settle): void {
    identity = (identity + 1) >>> 0;
    this.waiting.set(identity, settle);
    native.host.send(kind, identity, path, json);
  }

  /** Hands an answer to the call that waits for it; answers to calls of earlier runs find none. Whether it did. */
  answer(id: number, ok: boolean, json: Uint8Array): boolean {
    const settle = this.waiting.get(id);
    this.waiting.delete(id);
    settle?.(ok, json);
    return settle !== undefined;
  }

  get pending(): boolean {
    return this.waiting.size > 0;
  }
}

/** Identities are never used twice in a sandbox's life, so that a late answer cannot reach another call. */
let identity = 0;

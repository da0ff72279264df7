/** Parts of the system realm that lie in the guest as modules and are loaded when they are first needed (build/parts.mjs). */

import { shared } from "amla:shared";
import { native } from "./native";

type Exports = Record<string, unknown>;

const loaded = new Map<string, Exports>();

/** The exports of a part, or what parts share with the rest of the system. */
export function part(path: string): Exports {
  let exports = loaded.get(path);
  if (exports) return exports;
  exports = path.startsWith("amla:") ? (native.host.module(path, part) as Exports) : shared(path);
  loaded.set(path, exports);
  return exports;
}

/** A function of a part. */
export function lazily(path: string, name: string): (...args: unknown[]) => unknown {
  return (...args) => (part(path)[name] as (...args: unknown[]) => unknown)(...args);
}

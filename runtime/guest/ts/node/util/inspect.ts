/** `util.inspect` and `util.format` as scripts see them. */

import { kernel } from "amla:kernel";
import type { InspectOptions } from "../../console/kernel";
import { invalidType } from "../errors";
import { lazily } from "../lazily";

const ours = kernel.console;

/** Text for any value. The old form `inspect(value, showHidden, depth, colors)` works too. */
export function inspect(value: unknown, opts?: InspectOptions | boolean, ...old: unknown[]): string {
  return ours.inspect(value, opts, ...(old as [number?, boolean?]));
}

/** Defaults that a script may change one by one. */
function writableDefaults(): object {
  const defaults = new Proxy(ours.tables().defaults, {
    set(target, key, value) {
      ours.setDefaults({ [key]: value as unknown });
      return Reflect.set(target, key, value);
    },
  });
  ours.disguise(defaults);
  return defaults;
}

inspect.custom = Symbol.for("nodejs.util.inspect.custom");

lazily(inspect, {
  colors: () => Object.setPrototypeOf(ours.tables().colors, null) as unknown,
  styles: () => Object.setPrototypeOf(ours.tables().styles, null) as unknown,
});

let defaults: object | undefined;

Object.defineProperty(inspect, "defaultOptions", {
  get: () => (defaults ??= writableDefaults()),
  set(options: unknown) {
    if (typeof options !== "object" || options === null) throw invalidType("options", "of type object", options);
    ours.setDefaults(options);
    defaults = undefined;
  },
});

ours.useInspect(inspect);

export function format(...values: unknown[]): string {
  return ours.formatWithOptions(undefined, values);
}

export function formatWithOptions(options: InspectOptions, ...values: unknown[]): string {
  if (typeof options !== "object" || options === null) throw invalidType("inspectOptions", "of type object", options);
  return ours.formatWithOptions(options, values);
}

export function stripVTControlCharacters(text: unknown): string {
  if (typeof text !== "string") throw invalidType("str", "of type string", text);
  return ours.stripColors(text);
}

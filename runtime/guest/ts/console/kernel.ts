/** What the console's area offers to scripts' modules (`util`, `assert`, `console`). */

import { native } from "../bridge/native";
import { colors, stripColors, styles } from "./colors";
import { type Console, type ConsoleHost, createConsole } from "./console";
import { type InspectOptions, defaultOptions } from "./context";
import { crossing } from "./crossing";
import { isDeepEqual, isDeepStrictEqual } from "./equal";
import { formatWithOptions } from "./format";
import { disguise, inspect } from "./inspect";

export type { InspectOptions } from "./context";

export const consoleKernel = {
  inspect,
  disguise,
  formatWithOptions,
  isDeepEqual,
  isDeepStrictEqual,
  stripColors,
  /** A console of its own, for `new Console`. */
  create: (write: ConsoleHost["write"], warn: (text: string) => void): Console =>
    createConsole({ write, warn, now: native.clock.monotonic }),
  /** The tables of colours and styles, and the defaults of `inspect`. */
  tables: () => ({ colors: { ...colors }, styles: { ...styles }, defaults: { ...defaultOptions } }),
  /** Changes the defaults of `inspect` for this run. */
  setDefaults(options: InspectOptions): void {
    for (const key of Object.keys(defaultOptions) as (keyof InspectOptions)[]) {
      if (key in options) Object.assign(defaultOptions, { [key]: options[key] });
    }
  },
  /** Makes `userInspect` what custom inspectors are given in this run. */
  useInspect: (userInspect: (...args: never[]) => unknown): void => {
    crossing.inspect = userInspect;
  },
};

/** What a run's realm is given: the above, and its own console. */
export type ConsoleKernel = typeof consoleKernel & { readonly console: Console };

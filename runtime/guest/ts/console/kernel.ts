/** What the console's area offers to scripts' modules (`util`, `assert`, `console`). */

import { colors, stripColors, styles } from "./colors";
import { type InspectOptions, defaultOptions } from "./context";
import { crossing } from "./crossing";
import { isDeepEqual, isDeepStrictEqual } from "./equal";
import { formatWithOptions } from "./format";
import { inspect } from "./inspect";

export type { InspectOptions } from "./context";

export const consoleKernel = {
  inspect,
  formatWithOptions,
  isDeepEqual,
  isDeepStrictEqual,
  stripColors,
  /** The tables of colours and styles, and the defaults of `inspect`. */
  tables: () => ({ colors: { ...colors }, styles: { ...styles }, defaults: { ...defaultOptions } }),
  /** Changes the defaults of `inspect` for this run. */
  setDefaults: (options: InspectOptions): void => void Object.assign(defaultOptions, options),
  /** Makes `userInspect` what custom inspectors are given in this run. */
  useInspect: (userInspect: (...args: never[]) => unknown): void => {
    crossing.inspect = userInspect;
  },
};

export type ConsoleKernel = typeof consoleKernel;

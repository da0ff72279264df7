import { kernel } from "amla:kernel";

const { inspect } = kernel.console;

/** The whole value, each property on a line of its own, so that two values can be compared line by line. */
export function inspectValue(value: unknown): string {
  return inspect(value, {
    compact: false,
    customInspect: false,
    depth: 1000,
    maxArrayLength: Infinity,
    showHidden: false,
    showProxy: false,
    sorted: true,
    getters: true,
  });
}

export { inspect };

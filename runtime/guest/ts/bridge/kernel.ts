/**
 * What a script's realm reaches of the system, by group. The groups are made once and wrapped once, so each function looks
 * up the run that is under way.
 */

import { type Console, createConsole } from "../console/console";
import { consoleKernel } from "../console/kernel";
import { vfsKernel } from "../vfs/kernel";
import { moduleKernel } from "./modules";
import { native } from "./native";
import { processKernel, timerKernel } from "./process_kernel";
import { current } from "./current";
import { shellKernel } from "./shell_kernel";
import { toolKernel } from "./tools";
import { zlibKernel } from "./zlib_kernel";

const write = (fd: number, text: string): void => current().run.output.write(fd, text);
const consoleHost = { write, now: native.clock.monotonic };

let console: Console = createConsole(consoleHost);

/** Methods that leave nothing behind in the console. */
const STATELESS = new Set(["log", "info", "debug", "warn", "error", "dir", "dirxml", "table", "assert", "trace"]);

let used = false;

/** A console with nothing counted, timed or grouped, for a new run. */
export function resetConsole(): void {
  if (used) console = createConsole(consoleHost);
  used = false;
}

type Method = (...args: unknown[]) => unknown;

/** The methods of the present run's console. */
function delegates(): Record<string, Method> {
  const names = Object.keys(console) as (keyof Console)[];
  return Object.fromEntries(
    names.map((name) => {
      const stateless = STATELESS.has(name);
      const method: Method = (...args) => {
        if (!stateless) used = true;
        return (console[name] as Method)(...args);
      };
      return [name, Object.defineProperty(method, "name", { value: name })];
    }),
  );
}

const groups: Record<string, () => unknown> = {
  vfs: () => vfsKernel,
  print: delegates,
  console: () => consoleKernel,
  timers: () => timerKernel,
  process: () => processKernel(current()),
  tools: () => toolKernel,
  modules: () => moduleKernel,
  shell: () => shellKernel,
  zlib: () => zlibKernel,
};

export const kernel = (group: string): unknown => groups[group]?.();

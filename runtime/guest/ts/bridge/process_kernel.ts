/** A run as its script's `process` and timers see it. */

import { vfs } from "../vfs/vfs";
import { type Current, current } from "./current";
import { native } from "./native";
import type { KernelProcess, KernelTimers } from "./process";
import { setZone } from "./zone";

/** Bytes that one read of standard input gives at most. */
const STDIN_CHUNK = 64 * 1024;

/** A realm's process. In a session the realm outlives its runs, so each function looks up the present one. */
export function processKernel(active: Current): KernelProcess {
  const { run } = active;
  return {
    argv: ["/usr/bin/node", run.path, ...run.header.args],
    env: run.header.env,
    environment(change) {
      active.environment?.openTo(change);
      return active.environment?.asRecord() ?? run.header.env;
    },
    setVariable(name, value) {
      active.environment?.set(name, value);
      if (name === "TZ") setZone(value);
    },
    cwd: () => vfs.cwd,
    chdir: (path) => vfs.chdir(path),
    exit: (code) => active.run.leave(code),
    setExitCode: (code) => void (active.run.exitCode = code),
    write: (fd, data) => active.run.output.write(fd, data),
    readStdin: () => active.input.read(STDIN_CHUNK),
    waitStdin: (wake) => active.input.wait(wake),
    holdStdin: (holds) => void (active.input.holds = holds),
    tick: (callback) => active.run.tick(callback),
    listen(event, listener) {
      if (listener) active.run.listeners[event] = listener;
      else delete active.run.listeners[event];
    },
    now: native.clock.now,
    monotonic: () => native.clock.monotonic() - run.started,
    memory: native.host.memory,
  };
}

const timers = () => current().run.timers;

export const timerKernel: KernelTimers = {
  set: (ms, repeat, callback) => timers().set(ms, repeat, callback),
  setImmediate: (callback) => timers().setImmediate(callback),
  clear: (id) => timers().clear(id),
  hold: (id, holds) => timers().hold(id, holds),
};

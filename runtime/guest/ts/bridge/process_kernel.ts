/** A run as its script's `process` sees it. */

import { vfs } from "../vfs/vfs";
import type { Input } from "./input";
import { native } from "./native";
import type { KernelProcess, KernelTimers } from "./process";
import type { Run } from "./run";

const STDIN_CHUNK = 64 * 1024;

export function processKernel(run: Run, input: Input): KernelProcess {
  return {
    argv: ["/usr/bin/node", run.path, ...run.header.args],
    env: run.header.env,
    cwd: () => vfs.cwd,
    chdir: (path) => vfs.chdir(path),
    exit: (code) => run.leave(code),
    setExitCode: (code) => void (run.exitCode = code),
    write: (fd, data) => run.output.write(fd, data),
    readStdin: () => input.read(STDIN_CHUNK),
    waitStdin: (wake) => input.wait(wake),
    tick: (callback) => run.tick(callback),
    listen(event, listener) {
      if (listener) run.listeners[event] = listener;
      else delete run.listeners[event];
    },
    now: native.clock.now,
    monotonic: () => native.clock.monotonic() - run.started,
    memory: native.host.memory,
  };
}

export function timerKernel({ timers }: Run): KernelTimers {
  return {
    set: (ms, repeat, callback) => timers.set(ms, repeat, callback),
    setImmediate: (callback) => timers.setImmediate(callback),
    clear: (id) => timers.clear(id),
    hold: (id, holds) => timers.hold(id, holds),
  };
}

/** The sandbox's shell, as a script in JavaScript uses it. */

import { then } from "../shell/io/maybe";
import { createPipe } from "../vfs/pipe";
import { current } from "./current";
import { native } from "./native";
import { createShell, runShell } from "./shell";

export type ShellDone = (status: number, stdout: string, stderr: string) => void;

export const shellKernel = {
  /** Runs a script in a shell of its own with no input; `done` is called with what it printed. */
  run(source: string, env: Readonly<Record<string, string>>, done: ShellDone): void {
    const shell = createShell({ run: current().run }, env);
    const { descriptors } = shell.context;
    const [nothing, ended] = createPipe();
    descriptors.set(0, nothing);
    ended.close();
    const [stdout, stderr] = [1, 2].map((number) => {
      const [read, write] = createPipe(Number.POSITIVE_INFINITY);
      descriptors.set(number, write);
      read.references += 1;
      return read;
    });
    const text = (read: typeof stdout): string => {
      descriptors.closeAll();
      return native.bytes.utf8Decode(read!.readAll());
    };
    void then(runShell(shell, source), (status) => done(status, text(stdout), text(stderr)));
  },
};

export type ShellKernel = typeof shellKernel;

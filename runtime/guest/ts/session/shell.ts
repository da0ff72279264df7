/** Lines of the session's shell. */

import { then, type Maybe } from "../shell/io/maybe";
import { Exit } from "../shell/run/control";
import { fatalStatus } from "../shell/run/life";
import { nested } from "../shell/run/nesting";
import type { Shell } from "../shell/run/shell";
import type { Line } from "./line";

/** Goes where the session went meanwhile. */
export function follow(shell: Shell, cwd: string): void {
  if (shell.context.cwd === cwd) return;
  shell.export("OLDPWD", shell.here);
  shell.context.cwd = shell.here = cwd;
  shell.export("PWD", cwd);
}

/** Runs a line and what it left in the background; its status. */
export function runLine(shell: Shell, source: string, line: Line): Maybe<number> {
  const status = caught(shell, line, () => nested(shell, () => shell.runSource(source)));
  return then(status, (ended) =>
    then(shell.session.drain(), () => {
      line.isConcluded = true;
      return (shell.status = ended);
    }),
  );
}

/** What ends a shell ends the line. */
function caught(shell: Shell, line: Line, work: () => Maybe<number>): Maybe<number> {
  const handle = (error: unknown): Maybe<number> => {
    const status = fatalStatus(shell, error);
    return error instanceof Exit && error.isAsked ? leave(shell, line, status) : status;
  };
  try {
    const status = work();
    return typeof status === "number" ? status : status.catch(handle);
  } catch (error) {
    return handle(error);
  }
}

/** `exit`: the session is to end. */
function leave(shell: Shell, line: Line, status: number): Maybe<number> {
  line.exit();
  const action = shell.traps.get("EXIT");
  if (!action) return status;
  shell.setTrap("EXIT", undefined);
  shell.status = status;
  return caught(shell, line, () => then(shell.runSource(action), () => status));
}

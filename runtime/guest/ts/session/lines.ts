/** The lines of a session, one after the other: how each starts and ends. */

import { resetInspect } from "../console/crossing";
import { setCurrent } from "../bridge/current";
import { Input } from "../bridge/input";
import { native } from "../bridge/native";
import type { RunHeader } from "../bridge/run";
import { createShell } from "../bridge/shell";
import { setZone } from "../bridge/zone";
import type { Shell } from "../shell/run/shell";
import { vfs } from "../vfs/vfs";
import { compileLine } from "./compile";
import { Line } from "./line";
import { follow, runLine } from "./shell";
import { type Session, sessionOf } from "./session";

interface Started {
  /** Starts the line, once all frames that came with it are read. */
  readonly begin: () => void;
  /** Keeps what the session needs for its next line. */
  readonly suspend: () => void;
}

export function startLine(id: number, header: RunHeader, source: string): Started {
  const session = sessionOf(header);
  const line = new Line(id, session, { ...header, cwd: session.process.cwd });
  const input = (line.input = new Input());
  Object.assign(session.active, { run: line, input });
  setCurrent(session.active);
  session.renewInput();
  vfs.resume(session.process);
  return header.language === "shell" ? shellLine(session, line, source) : scriptLine(session, line, source);
}

function scriptLine(session: Session, line: Line, source: string): Started {
  const { realm, require } = session.active.realm;
  setZone(session.environment.zone);
  resetInspect(
    (value) => native.realm.adopt(realm, value),
    () => (require("node:util") as { inspect: never }).inspect,
  );
  const { filename } = line.header;
  line.where = () => vfs.cwd;
  return {
    begin: () => {
      session.environment.catchUpScript();
      line.startScript(source, () => compileLine(realm, source, filename));
    },
    suspend: () => {
      session.process = vfs.suspend();
    },
  };
}

function shellLine(session: Session, line: Line, source: string): Started {
  const shell = (session.shell ??= newShell(session));
  shell.name = line.header.filename;
  session.environment.catchUpShell(shell);
  follow(shell, session.process.cwd);
  line.where = () => shell.context.cwd;
  const { descriptors } = shell.context;
  const before = descriptors.clone();
  return {
    begin: () => line.startShell(() => runLine(shell, source, line)),
    suspend: () => {
      if (line.isConcluded) before.closeAll();
      else {
        descriptors.closeAll();
        shell.context.descriptors = before;
        shell.status = INTERRUPTED;
      }
      shell.rest();
      session.environment.takeFrom(shell);
      session.process = { ...vfs.suspend(), cwd: shell.context.cwd };
    },
  };
}

/** `$?` after a line that did not come to its end. */
const INTERRUPTED = 130;

function newShell(session: Session): Shell {
  const shell = createShell(session.active, session.environment.asRecord());
  shell.setOption("expand_aliases", true);
  shell.goesOn = true;
  return shell;
}

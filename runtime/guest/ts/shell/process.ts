/** What a command is given, and what it is. Commands touch the world through this and nothing else. */

import type { Context } from "../vfs/context";
import type { OpenFile } from "../vfs/openfile";
import type { Maybe } from "./io/maybe";
import type { Reader } from "./io/reader";
import type { Writer } from "./io/writer";

export interface Process {
  /** As it was called: messages begin with it. */
  readonly name: string;
  /** Behind the name. */
  readonly args: readonly string[];
  /** For the operations of ts/vfs: cwd, umask, descriptors. The process's own. */
  readonly context: Context;
  /** Exported variables; the process's own copy is made where one is changed. */
  readonly env: ReadonlyMap<string, string>;
  readonly stdin: Reader;
  readonly stdout: Writer;
  readonly stderr: Writer;
  /** Writes what was printed to stdout and stderr. */
  flush(): Maybe<void>;
  /** To be called now and then in long work: ends the process when a signal came, and lets others run. */
  pause(): Maybe<unknown>;
  readonly pid: number;
  /** What the command opened and has not closed yet; see commands/files.ts. */
  readonly opened: Set<Reader | Writer>;
  /** Runs another command and ends with its status; 127 with a message when there is none. */
  launch(argv: readonly string[], setup?: Launch): Maybe<number>;
  /** Ends after that many milliseconds; throws Killed when a signal ends the process meanwhile. */
  sleep(ms: number): Promise<void>;
  /** Runs shell source in a child shell with these positional parameters, as `sh -c` does. */
  shell(source: string, name: string, args: readonly string[], setup?: Launch): Maybe<number>;
}

/** How a launched command differs from its parent. */
export interface Launch {
  /** In place of descriptors 0, 1 and 2. */
  readonly stdin?: OpenFile;
  readonly stdout?: OpenFile;
  readonly stderr?: OpenFile;
  readonly env?: ReadonlyMap<string, string>;
  readonly cwd?: string;
  /** Sends the command a signal after so many milliseconds, and SIGKILL so many later; the status is then 128 + signal. */
  readonly timeout?: { readonly ms: number; readonly signal: number; readonly killAfter?: number };
}

/** The exit status, 0 to 255. */
export type Command = (process: Process) => Maybe<number>;

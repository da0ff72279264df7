/** Files that a command cannot do without: where one cannot be opened, the command ends. */

import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { Failure } from "./command";
import { describeErrno } from "../shell/io/errors";
import { openReader } from "./files";
import { nameQuoted, nameShown } from "./quoting";

/** What `work` returns; where the file system refuses, the command ends with `what` and the reason. */
export function orFail<T>(what: string, work: () => T, status = 1): T {
  try {
    return work();
  } catch (error) {
    throw new Failure(`${what}: ${describeErrno(error)}`, status);
  }
}

/** The reader of a file that the command cannot do without; `words` begin the message. */
export function openNamed(process: Process, name: string, words = "", status = 1): Reader {
  return orFail(words + nameShown(name), () => openReader(process, name), status);
}

/** As openNamed, for the commands that say it so. */
export function openForReading(process: Process, name: string): Reader {
  return orFail(`cannot open ${nameQuoted(name)} for reading`, () => openReader(process, name));
}

/** Files one after the other under their names, as head and tail print them. */

import { each, then, type Maybe } from "../shell/io/maybe";
import { describeErrno } from "../shell/io/errors";
import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { Errno } from "../vfs/errors";
import { complain } from "./command";
import { openReader, using } from "./files";
import { nameQuoted } from "./quoting";

/** `==> name <==`, with an empty line in front where something was printed before. */
export class Titles {
  private any = false;

  constructor(
    private readonly process: Process,
    private readonly shown: boolean,
  ) {}

  print(name: string): void {
    if (this.shown) this.process.stdout.print(`${this.any ? "\n" : ""}==> ${name === "-" ? "standard input" : name} <==\n`);
    this.any = true;
  }
}

function tryOpen(process: Process, name: string, titles: Titles): Reader | undefined {
  try {
    return openReader(process, name);
  } catch (error) {
    const directory = error instanceof Errno && error.code === "EISDIR";
    if (directory) titles.print(name);
    complain(process, directory ? `error reading ${nameQuoted(name)}: Is a directory` : `cannot open ${nameQuoted(name)} for reading: ${describeErrno(error)}`);
    return undefined;
  }
}

/** Calls `work` for each file that can be read; returns the status. */
export function eachTitled(
  process: Process,
  operands: readonly string[],
  mode: "quiet" | "verbose" | undefined,
  work: (reader: Reader, name: string) => Maybe<void>,
): Maybe<number> {
  const names = operands.length > 0 ? operands : ["-"];
  const titles = new Titles(process, mode === "verbose" || (mode !== "quiet" && names.length > 1));
  let status = 0;
  const done = each(names, (name) => {
    const reader = tryOpen(process, name, titles);
    if (reader) {
      titles.print(name);
      return using(process, reader, () => work(reader, name));
    }
    status = 1;
  });
  return then(done, () => status);
}

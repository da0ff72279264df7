/** The files that a command is given as operands. */

import { native } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import { each, finally_, then, type Maybe } from "../shell/io/maybe";
import { readerOf } from "../shell/io/own_output";
import type { Reader } from "../shell/io/reader";
import { Writer } from "../shell/io/writer";
import type { Process } from "../shell/process";
import { fail } from "../vfs/errors";
import { O_APPEND, O_CREAT, O_RDONLY, O_TRUNC, O_WRONLY } from "../vfs/flags";
import { open } from "../vfs/open";
import { OpenDirectory } from "../vfs/openfile";
import { complain } from "./command";
import { nameShown } from "./quoting";

const STDIN = ["-"];

/** Opens a file for reading; `-` is stdin. Throws Errno, also for a directory. */
export function openReader(process: Process, path: string): Reader {
  if (path === "-") return process.stdin;
  const file = open(process.context, path, O_RDONLY, 0);
  if (file instanceof OpenDirectory) fail("EISDIR");
  file.references += 1;
  return held(process, readerOf(process.context.descriptors, file));
}

export function openWriter(process: Process, path: string, append = false): Writer {
  const file = open(process.context, path, O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC), 0o666);
  file.references += 1;
  return held(process, new Writer(file));
}

/** Where what is open is noted, to be closed when its command ends without doing so. */
const holders = new WeakMap<Reader | Writer, Set<Reader | Writer>>();

function held<T extends Reader | Writer>(process: Process, end: T): T {
  holders.set(end, process.opened.add(end));
  return end;
}

/** Closes what openReader or openWriter opened, once; stdin stays open. */
export function close(end: Reader | Writer): void {
  const { file } = end;
  if (holders.get(end)?.delete(end) === false) return;
  if (file.references > 0 && --file.references === 0) file.close();
}

/** Calls `work` for each operand in turn, or for stdin without any; one that can't be opened is told of and makes status 1. */
export function eachInput(
  process: Process,
  operands: readonly string[],
  work: (reader: Reader, name: string, index: number) => Maybe<void>,
  failure = 1,
  unreadable = usualMessage,
): Maybe<number> {
  let status = 0;
  const done = each(operands.length > 0 ? operands : STDIN, (name, index) => {
    const reader = tryOpen(process, name, unreadable);
    if (reader) return using(process, reader, () => work(reader, name, index));
    status = failure;
  });
  return then(done, () => status);
}

/** Does `work`, then closes the reader unless it is stdin. */
export function using<T>(process: Process, reader: Reader, work: () => Maybe<T>): Maybe<T> {
  if (reader === process.stdin) return work();
  return finally_(work, () => close(reader));
}

/** The message on a file that cannot be opened. */
export type Unreadable = (name: string, reason: string) => string;

const usualMessage: Unreadable = (name, reason) => `${nameShown(name)}: ${reason}`;

/** The reader, or undefined after a message. */
export function tryOpen(process: Process, name: string, unreadable = usualMessage): Reader | undefined {
  try {
    return openReader(process, name);
  } catch (error) {
    complain(process, unreadable(name, describeErrno(error)));
    return undefined;
  }
}

/** A whole file as text. */
export async function readText(process: Process, path: string): Promise<string> {
  const reader = openReader(process, path);
  try {
    return native.text.decode(await reader.all());
  } finally {
    if (reader !== process.stdin) close(reader);
  }
}

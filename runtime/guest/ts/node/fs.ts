/** Node's `fs`: each operation in its synchronous, callback and promise form. */

import { kernel } from "amla:kernel";
import { absent } from "./fs/absent";
import { cp } from "./fs/cp";
import { Dir, opendir } from "./fs/dir";
import * as files from "./fs/files";
import { constants } from "./fs/flags";
import { callbacked, mapped, Operation, takeCallback } from "./fs/forms";
import * as meta from "./fs/meta";
import { promises } from "./fs/promises";
import { BigIntStats, Dirent, Stats } from "./fs/stats";
import { operations as streamOperations, streams } from "./fs/streams";
import * as tree from "./fs/tree";
import { lazily } from "./lazily";

const operations: Record<string, Operation> = {
  ...files.operations,
  ...tree.operations,
  ...meta.operations,
  cp,
  opendir,
};

/** These call back with what they worked on, too. */
const withSubject = (value: unknown, args: unknown[]): unknown[] => [value, args[1]];

/** The one callback that gets no error first. */
function exists(...args: unknown[]): void {
  const callback = takeCallback(args) as unknown as (there: boolean) => void;
  const there = meta.exists(args[0]);
  kernel.timers.setImmediate(() => callback(there));
}

/** Node has a second `realpath`, the operating system's. Ours is that one. */
function native<F extends object>(realpath: F): F & { native: F } {
  return Object.assign(realpath, { native: realpath });
}

export const fs = {
  ...mapped(operations, callbacked),
  ...mapped(operations, (operation) => operation, "Sync"),
  ...absent,
  ...streamOperations,
  read: callbacked(files.read, withSubject),
  write: callbacked(files.write, withSubject),
  readv: callbacked(files.readv, withSubject),
  writev: callbacked(files.writev, withSubject),
  exists,
  existsSync: meta.exists,
  realpath: native(callbacked(tree.realpath)),
  realpathSync: native(tree.realpath),
  F_OK: constants.F_OK,
  R_OK: constants.R_OK,
  W_OK: constants.W_OK,
  X_OK: constants.X_OK,
  Stats,
  BigIntStats,
  Dirent,
  Dir,
  constants,
  promises,
};

lazily(fs, {
  ReadStream: () => streams().ReadStream,
  WriteStream: () => streams().WriteStream,
});

module.exports = fs;

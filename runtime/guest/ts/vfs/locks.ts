/** Locks on whole files, as flock(2) has them: an open file description holds one until it gives it up or is closed. */

import type { Inode } from "./inode";
import type { OpenFile } from "./openfile";

interface Lock {
  /** Those who hold it, and whether they share it. */
  readonly holders: Map<OpenFile, boolean>;
  readonly waiting: (() => void)[];
}

/** Those that somebody holds. */
const locks = new Map<Inode | OpenFile, Lock>();

function subject(file: OpenFile): Inode | OpenFile {
  return file.node ?? file;
}

/** Takes the lock, if nobody is in the way. */
export function tryLock(file: OpenFile, shared: boolean): boolean {
  const lock = locks.get(subject(file)) ?? { holders: new Map<OpenFile, boolean>(), waiting: [] };
  for (const [holder, shares] of lock.holders) if (holder !== file && !(shared && shares)) return false;
  lock.holders.set(file, shared);
  locks.set(subject(file), lock);
  return true;
}

/** Settled once it is worth trying again. */
export function lockFreed(file: OpenFile): Promise<void> {
  return new Promise((wake) => void locks.get(subject(file))?.waiting.push(wake));
}

/** Gives the lock up, if the description holds it. */
export function unlock(file: OpenFile): void {
  const lock = locks.size === 0 ? undefined : locks.get(subject(file));
  if (!lock?.holders.delete(file)) return;
  if (lock.holders.size === 0) locks.delete(subject(file));
  for (const wake of lock.waiting.splice(0)) wake();
}

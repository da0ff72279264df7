/**
 * Results that are there at once or come later. Nearly all of what a shell does ends at once, and a promise costs more
 * than the work; so everything returns its result where it can and a promise only where it has to wait.
 */

export type Maybe<T> = T | Promise<T>;

export function waits<T>(result: Maybe<T>): result is Promise<T> {
  return result instanceof Promise;
}

/** Goes on with the result, now if it is there. */
export function then<T, R>(result: Maybe<T>, next: (value: T) => Maybe<R>): Maybe<R> {
  return result instanceof Promise ? result.then(next) : next(result);
}

/** Runs `last` after `work`, however that ends. */
export function finally_<T>(work: () => Maybe<T>, last: () => void): Maybe<T> {
  let result: Maybe<T>;
  try {
    result = work();
  } catch (error) {
    last();
    throw error;
  }
  if (result instanceof Promise) return result.finally(last);
  last();
  return result;
}

/** Does `step` again and again while that comes to true. */
export function repeat(step: () => Maybe<boolean>): Maybe<void> {
  for (;;) {
    const more = step();
    if (more instanceof Promise) return goOn(more, step);
    if (!more) return;
  }
}

async function goOn(first: Promise<boolean>, step: () => Maybe<boolean>): Promise<void> {
  let more: Maybe<boolean> = first;
  while (more instanceof Promise ? await more : more) more = step();
}

/** Does `work` for each item in order, waiting where it has to. */
export function each<T>(items: readonly T[], work: (item: T, index: number) => Maybe<void>, from = 0): Maybe<void> {
  for (let index = from; index < items.length; index += 1) {
    const result = work(items[index]!, index);
    if (result instanceof Promise) return result.then(() => each(items, work, index + 1));
  }
}

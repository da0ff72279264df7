import { coded, invalidType } from "../errors";
import { abortError } from "./base";
import { Readable, type ReadableOptions } from "./readable";

/** Streams as asynchronous iterations, and the other way round. */

type Chunk = unknown;

export async function* chunks(stream: Readable): AsyncGenerator<Chunk> {
  let wake: (() => void) | undefined;
  let ended = stream.readableEnded;
  let failure: Error | undefined = stream.errored ?? undefined;
  const tell = (): void => {
    wake?.();
    wake = undefined;
  };
  const onEnd = (): void => {
    ended = true;
    tell();
  };
  const onError = (error: Error): void => {
    failure = error;
    tell();
  };
  const onClose = (): void => {
    if (!ended) failure ??= stream.readableEnded ? undefined : abortError();
    ended = true;
    tell();
  };
  stream.on("readable", tell).on("end", onEnd).on("error", onError).on("close", onClose);
  try {
    for (;;) {
      const chunk = stream.destroyed ? null : stream.read();
      if (chunk !== null) yield chunk;
      else if (failure) throw failure;
      else if (ended) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    for (const [name, listener] of Object.entries({ readable: tell, end: onEnd, close: onClose }))
      stream.off(name, listener);
    if (!ended) stream.destroy();
    stream.off("error", onError);
  }
}

export async function* mapped(stream: Readable, change: (chunk: Chunk) => unknown): AsyncGenerator<unknown> {
  for await (const chunk of stream) yield await change(chunk);
}

export async function* filtered(stream: Readable, test: (chunk: Chunk) => unknown): AsyncGenerator<unknown> {
  for await (const chunk of stream) if (await test(chunk)) yield chunk;
}

/** Folds a stream; `start` holds the initial value, if one was given. */
export async function reduced(
  stream: Readable,
  combine: (sum: unknown, chunk: Chunk) => unknown,
  start: unknown[],
): Promise<unknown> {
  let [sum] = start;
  let begun = start.length > 0;
  for await (const chunk of stream) {
    sum = begun ? await combine(sum, chunk) : chunk;
    begun = true;
  }
  if (!begun) throw coded(TypeError, "ERR_MISSING_ARGS", "Reduce of an empty stream requires an initial value");
  return sum;
}

type Source = Iterable<Chunk> | AsyncIterable<Chunk>;

function iteratorOf(source: Source): Iterator<Chunk> | AsyncIterator<Chunk> {
  const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now } = source as Partial<
    Iterable<Chunk> & AsyncIterable<Chunk>
  >;
  if (typeof later === "function") return later.call(source);
  if (typeof now === "function") return now.call(source);
  throw invalidType("iterable", "an instance of Iterable", source);
}

/** What need not be waited for is not: a reader then finds it in the same turn. */
function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as Partial<PromiseLike<T>> | null)?.then === "function";
}

/** A text or a buffer is one chunk; of anything else each item is one. */
export function readableFrom(source: Source, options: ReadableOptions): Readable {
  if (source === null || source === undefined) throw invalidType("iterable", "an instance of Iterable", source);
  const whole = typeof source === "string" || ArrayBuffer.isView(source);
  const iterator = iteratorOf(whole ? [source] : source);
  const stream = new Readable({ objectMode: true, highWaterMark: 1, ...options });
  let busy = false;
  const pull = async (): Promise<void> => {
    busy = true;
    try {
      for (;;) {
        const step = iterator.next();
        const { value, done } = isThenable(step) ? await step : step;
        const chunk: unknown = done ? null : isThenable(value) ? await value : value;
        if (!stream.push(chunk) || done) break;
      }
    } catch (error) {
      stream.destroy(error as Error);
    } finally {
      busy = false;
    }
  };
  stream._read = () => {
    if (!busy) void pull();
  };
  stream._destroy = (error, done) => {
    void Promise.resolve(iterator.return?.()).then(() => done(error), done);
  };
  return stream;
}

import process from "node:process";
import { coded, requireFunction } from "../errors";
import { abortError, type Stream, streamError } from "./base";
import { Duplex, PassThrough } from "./duplex";
import { Readable } from "./readable";
import { Writable } from "./writable";

type Done = (error?: Error | null, value?: unknown) => void;

interface FinishedOptions {
  readable?: boolean;
  writable?: boolean;
  signal?: { aborted: boolean; reason: unknown; addEventListener(type: "abort", listener: () => void): void };
}

function sides(stream: Stream, { readable, writable }: FinishedOptions): [boolean, boolean] {
  return [
    readable !== false && stream instanceof Readable,
    writable !== false && (stream instanceof Writable || stream instanceof Duplex),
  ];
}

/** Calls back once the stream is over on both sides, or failed. Returns a function that stops listening. */
export function finished(stream: Stream, options: FinishedOptions | Done, done?: Done): () => void {
  const callback = (typeof options === "function" ? options : done) as Done;
  requireFunction("callback", callback);
  const given = typeof options === "function" ? {} : options;
  const [reads, writes] = sides(stream, given);
  const over = (): boolean =>
    (!reads || (stream as Readable).readableEnded) && (!writes || (stream as unknown as Writable).writableFinished);
  const finish = (error?: Error | null): void => {
    stop();
    callback(error);
  };
  const check = (): void => {
    if (over()) finish();
  };
  const onClose = (): void => {
    if (over()) finish();
    else finish(stream.errored ?? streamError("ERR_STREAM_PREMATURE_CLOSE", "Premature close"));
  };
  const listeners = { end: check, finish: check, error: finish, close: onClose };
  const stop = (): void => {
    for (const [name, listener] of Object.entries(listeners)) stream.off(name, listener as () => void);
  };
  for (const [name, listener] of Object.entries(listeners)) stream.on(name, listener as () => void);
  given.signal?.addEventListener("abort", () => finish(abortError(given.signal?.reason)));
  if (stream.closed || over()) process.nextTick(onClose);
  return stop;
}

type Stage = Stream | ((source: unknown) => unknown) | Iterable<unknown> | AsyncIterable<unknown>;

function isStream(stage: unknown): stage is Readable & Writable {
  return stage instanceof Readable || stage instanceof Writable;
}

/** A function between streams takes what comes before as an iteration and returns the next one. */
function sourceOf(stage: Stage, before: Stream | undefined): Readable {
  const made = typeof stage === "function" ? stage(before) : stage;
  return isStream(made) ? made : Readable.from(made as Iterable<unknown>);
}

function connect(stages: Stage[], done: Done): Stream[] {
  const streams: Stream[] = [];
  let result: Promise<unknown> | undefined;
  stages.forEach((stage, index) => {
    const before = streams.at(-1);
    const last = index === stages.length - 1;
    if (typeof stage === "function" && last && index > 0) {
      result = Promise.resolve(stage(before));
      return;
    }
    const stream = isStream(stage) ? stage : sourceOf(stage, before);
    if (isStream(stage) && before) (before as Readable).pipe(stage as never);
    streams.push(stream);
  });
  if (result)
    result.then(
      (value) => process.nextTick(done, null, value),
      (error: Error) => process.nextTick(done, error),
    );
  return streams;
}

/** Pipes streams, iterations and functions into each other; the first failure destroys all of them. */
export function pipeline(...args: unknown[]): unknown {
  const callback = args.at(-1) as Done;
  requireFunction("streams[stream.length - 1]", callback);
  const stages = args.slice(0, -1).flat() as Stage[];
  if (stages.length < 2) throw coded(TypeError, "ERR_MISSING_ARGS", 'The "streams" argument must be specified');
  let settled = false;
  const settle: Done = (error, value) => {
    if (settled) return;
    settled = true;
    if (error) for (const stream of streams) stream.destroy();
    callback(error ?? undefined, value);
  };
  const streams: Stream[] = connect(stages, settle);
  const endsInFunction = typeof stages.at(-1) === "function";
  let open = streams.length;
  for (const [index, stream] of streams.entries()) {
    const options = { readable: index < streams.length - 1, writable: index > 0 };
    finished(stream, options, (error) => {
      open--;
      if (error) settle(error);
      else if (open === 0 && !endsInFunction) settle();
    });
    stream.on("error", () => {});
  }
  return streams.at(-1) ?? new PassThrough();
}

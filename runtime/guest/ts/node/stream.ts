import { applySignal, Stream as Base, type StreamOptions } from "./stream/base";
import { Duplex, PassThrough, Transform } from "./stream/duplex";
import { finished, pipeline } from "./stream/pipeline";
import { Readable } from "./stream/readable";
import { Writable } from "./stream/writable";
import { lazily } from "./lazily";

const members = {
  Stream: Base,
  Readable,
  Writable,
  Duplex,
  Transform,
  PassThrough,
  finished,
  pipeline,
  addAbortSignal: <S extends Base>(signal: NonNullable<StreamOptions["signal"]>, stream: S): S => {
    applySignal(stream, signal);
    return stream;
  },
  isReadable: (stream: Readable): boolean => Boolean(stream?.readable),
  isErrored: (stream: Base): boolean => Boolean(stream?.errored),
  getDefaultHighWaterMark: (objectMode: boolean): number => (objectMode ? 16 : 16 * 1024),
};

Object.assign(Base, members);
lazily(Base, { promises: () => require("node:stream/promises") });

export { Duplex, finished, PassThrough, pipeline, Readable, Transform, Writable };

module.exports = Base;

/** Compression for `node:zlib`: whole bytes in, whole bytes out, without what formats put around them. */

import { joinedBytes } from "./bytes";
import { type FilterHandle, FilterState, native } from "./native";

interface Report {
  readonly crc: number;
  readonly done?: boolean;
  readonly unused?: number;
}

/** What came out, its CRC-32 and how many bytes stand behind the stream; a text says what is wrong with it. */
type Outcome = string | [bytes: Uint8Array, crc: number, unused: number];

const NOTHING = new Uint8Array(0);
const CUT_SHORT = "unexpected end of file";

/** Takes what the filter has until it wants more; whether it needs no more. */
function drain(handle: FilterHandle, pieces: Uint8Array[], first: () => number, again: () => number): boolean {
  for (let next = first; ; next = again) {
    const state = next();
    if (state === FilterState.interrupted) native.host.poll();
    const output = native.filter.output(handle);
    if (output) pieces.push(output);
    if (state === FilterState.done || state === FilterState.more) return state === FilterState.done;
  }
}

function whole(name: string, options: Readonly<Record<string, unknown>>, bytes: Uint8Array): Outcome {
  const handle = native.filter.create(name, options);
  const pieces: Uint8Array[] = [];
  const end = (): number => native.filter.end(handle, false);
  const fed = drain(handle, pieces, () => native.filter.feed(handle, bytes), () => native.filter.feed(handle, NOTHING));
  if (!fed) drain(handle, pieces, end, end);
  const { crc, done = true, unused = 0 } = native.filter.report(handle) as Report;
  return done ? [joinedBytes(pieces), crc, unused] : CUT_SHORT;
}

export const zlibKernel = {
  deflate: (bytes: Uint8Array, level: number): Outcome => whole("deflate", { level }, bytes),
  inflate(bytes: Uint8Array): Outcome {
    try {
      return whole("inflate", {}, bytes);
    } catch (error) {
      if (error instanceof TypeError) return error.message;
      throw error;
    }
  },
};

export type ZlibKernel = typeof zlibKernel;

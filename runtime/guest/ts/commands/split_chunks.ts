/** How a whole text is parted in a number of chunks. */

/** Ends of `count` chunks of equal size, the last with what is left. */
export function byteEnds(size: number, count: number): number[] {
  const each = Math.max(1, Math.floor(size / count));
  return Array.from({ length: count }, (_, index) => (index + 1 === count ? size : Math.min(size, each * (index + 1))));
}

/** As byteEnds, but each chunk goes on to the end of its last line. */
export function lineEnds(bytes: Uint8Array, count: number, end: number): number[] {
  let last = 0;
  return byteEnds(bytes.length, count).map((wanted, index) => {
    if (index + 1 === count) return bytes.length;
    if (wanted > last) {
      const found = bytes.indexOf(end, Math.max(wanted - 1, 0));
      last = found < 0 ? bytes.length : found + 1;
    }
    return last;
  });
}

/** The lines, dealt out in turn. */
export function dealt(bytes: Uint8Array, count: number, end: number): Uint8Array[][] {
  const hands: Uint8Array[][] = Array.from({ length: count }, () => []);
  for (let at = 0, turn = 0; at < bytes.length; turn = (turn + 1) % count) {
    const found = bytes.indexOf(end, at);
    const stop = found < 0 ? bytes.length : found + 1;
    hands[turn]!.push(bytes.subarray(at, stop));
    at = stop;
  }
  return hands;
}

/** The pieces between the ends. */
export function pieces(bytes: Uint8Array, ends: readonly number[]): Uint8Array[][] {
  return ends.map((end, index) => [bytes.subarray(index === 0 ? 0 : ends[index - 1]!, end)]);
}

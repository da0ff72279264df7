/** Filters over files that are read side by side: join, comm, paste (c/filters/inputs.h). */

import { native } from "../bridge/native";
import { repeat, then, type Maybe } from "../shell/io/maybe";
import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { complain } from "./command";
import { Filter } from "./filter";

/** Runs a filter to its end; `wanted` says of its report which file it wants to go on with. */
export function merge(process: Process, filter: Filter, readers: readonly Reader[], wanted: () => number): Maybe<void> {
  return repeat(() => {
    if (filter.done) return false;
    const source = wanted();
    filter.configure({ source });
    return then(readers[source]!.chunk(), (chunk) =>
      then(chunk.length > 0 ? filter.feed(chunk) : filter.end(), () => then(process.pause(), () => true)),
    );
  });
}

/** A line that is out of order: of which file, its number, its bytes. */
type Stray = readonly [file: 0 | 1, number: number, line: Uint8Array];

/** How often two files are checked to be in order: never, once a line was alone, always. */
export const Checking = { never: 0, unpaired: 1, always: 2 } as const;

/** A filter over two files in order (c/filters/ordered.h), which tells of lines that are not. */
export class OrderedFilter extends Filter {
  /** Files of which a line was told. */
  private readonly told = new Set<number>();

  constructor(
    private readonly own: Process,
    name: string,
    options: Readonly<Record<string, unknown>>,
    private readonly messageOf: (stray: Stray) => string,
  ) {
    super(own, name, options);
  }

  /** Whether a line was out of order. */
  get disordered(): boolean {
    return this.told.size > 0;
  }

  get wanted(): number {
    return (this.report as [number])[0];
  }

  protected override settled(): void {
    const [, strays] = this.report as [number, Stray[]];
    for (const stray of strays) {
      if (this.told.has(stray[0])) continue;
      this.told.add(stray[0]);
      complain(this.own, this.messageOf(stray));
    }
  }
}

/** Which of --check-order and --nocheck-order holds. */
export const checkingOf = (last: "check" | "noCheck" | undefined): number =>
  last === "check" ? Checking.always : last === "noCheck" ? Checking.never : Checking.unpaired;

/** 32-bit numbers as the bytes that a filter reads. */
export const words = (numbers: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(numbers).buffer);

export const decodeLine = (line: Uint8Array): string => native.text.decode(line);

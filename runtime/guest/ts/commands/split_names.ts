/** Names of split's output files, one after the other. */

import { Failure } from "./command";
import { quoted } from "./sizes";

interface Naming {
  readonly prefix: string;
  /** What follows the suffix. */
  readonly additional: string;
  readonly digits: string;
  /** The first suffix's number. */
  readonly from: number;
  readonly length: number;
  /** Whether suffixes may grow. */
  readonly grows: boolean;
}

export class Names {
  private index: number;
  private length: number;
  private lead = "";

  constructor(private readonly naming: Naming) {
    this.index = naming.from;
    this.length = naming.length;
    if (naming.additional.includes("/")) throw new Failure(`invalid suffix ${quoted(naming.additional)}, contains directory separator`);
  }

  next(): string {
    const { prefix, additional, digits, grows } = this.naming;
    const base = digits.length;
    // Suffixes that begin with the last digit are left out: with them begin the longer ones, so that names stay in order.
    const room = base ** this.length - (grows ? base ** (this.length - 1) : 0);
    if (this.index >= room) {
      if (!grows) throw new Failure("output file suffixes exhausted");
      this.lead += digits.at(-1)!;
      this.length += 1;
      this.index = 0;
    }
    let suffix = "";
    for (let place = 0, rest = this.index; place < this.length; place += 1, rest = Math.floor(rest / base)) suffix = digits[rest % base]! + suffix;
    this.index += 1;
    return `${prefix}${this.lead}${suffix}${additional}`;
  }
}

/** Lines that tell of members. */

import { formatTime } from "../shell/format/time";
import { modeText } from "./modes";
import { escapedInPlace } from "./quoting";
import { Kind, type Member } from "./tar_format";

const TYPE_BITS: Readonly<Record<string, number>> = { [Kind.directory]: 0o040000, [Kind.symlink]: 0o120000, [Kind.fifo]: 0o010000 };

export interface Listing {
  readonly tz: string | undefined;
  readonly numeric: boolean;
  readonly fullTime: boolean;
}

export class MemberPrinter {
  /** Of owner, group and size together; grows with what does not fit. */
  private width = 19;

  constructor(private readonly listing: Listing) {}

  long(member: Member): string {
    const { kind, mode, size, time, target, name } = member;
    const letters = modeText((TYPE_BITS[kind] ?? 0o100000) | mode);
    const shown = kind === Kind.hardlink ? `h${letters.slice(1)}` : letters;
    const { numeric, fullTime, tz } = this.listing;
    const owner = `${numeric || member.owner === "" ? member.uid : member.owner}/${numeric || member.group === "" ? member.gid : member.group}`;
    this.width = Math.max(this.width, owner.length + 1 + String(size).length);
    const when = formatTime(fullTime ? "%Y-%m-%d %H:%M:%S" : "%Y-%m-%d %H:%M", time, tz);
    const link = kind === Kind.symlink ? ` -> ${escapedInPlace(target)}` : kind === Kind.hardlink ? ` link to ${escapedInPlace(target)}` : "";
    return `${shown} ${owner}${String(size).padStart(this.width - owner.length)} ${when} ${escapedInPlace(name)}${link}\n`;
  }
}

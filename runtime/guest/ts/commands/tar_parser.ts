/** Takes an archive's bytes as they come, and hands out its members. */

import { joinedBytes } from "../bridge/bytes";
import { native } from "../bridge/native";
import type { Maybe } from "../shell/io/maybe";
import { BLOCK, extended, isHeader, isZero, Kind, type Member, readHeader, roundUp } from "./tar_format";

/** Takes a member's bytes; called without any behind the last. */
export type Content = (bytes: Uint8Array | undefined) => Maybe<void>;

/** The bytes are no archive. */
export class NoArchive {}

const HELD_MOST = 1 << 20;

export class TarParser {
  private held = new Uint8Array(0);
  private changes: Partial<Member> = {};
  private common: Partial<Member> = {};
  /** The member that is being read. */
  private content: Content | undefined;
  private left = 0;
  private padding = 0;
  /** A long name or extended header that is being gathered. */
  private gathered: { readonly kind: string; readonly bytes: Uint8Array; filled: number } | undefined;
  private seen = 0;
  private over = false;
  /** Bytes up to the end of the last member. */
  end = 0;

  /** `member` tells what to do with a member's bytes; nothing skips them. */
  constructor(private readonly member: (member: Member) => Maybe<Content | undefined>) {}

  async feed(chunk: Uint8Array): Promise<void> {
    if (this.over) return;
    let bytes = this.held.length > 0 ? joinedBytes([this.held, chunk]) : chunk;
    while (bytes.length > 0 && !this.over) {
      const used = await this.step(bytes);
      if (used === 0) break;
      bytes = bytes.subarray(used);
    }
    this.held = this.over ? new Uint8Array(0) : bytes.slice();
  }

  /** Throws NoArchive when there was nothing that could be one; true when the archive is cut off. */
  finish(): boolean {
    if (this.seen === 0 && !this.over) throw new NoArchive();
    return this.left > 0 || this.gathered !== undefined;
  }

  /** How many bytes were used. */
  private async step(bytes: Uint8Array): Promise<number> {
    if (this.gathered) return this.gather(bytes);
    if (this.left > 0) return this.take(bytes);
    if (this.padding > 0) {
      const used = Math.min(this.padding, bytes.length);
      this.padding -= used;
      return used;
    }
    if (bytes.length < BLOCK) return 0;
    await this.header(bytes.subarray(0, BLOCK));
    return BLOCK;
  }

  private async take(bytes: Uint8Array): Promise<number> {
    const used = Math.min(this.left, bytes.length);
    this.left -= used;
    await this.content?.(bytes.subarray(0, used));
    if (this.left === 0) await this.content?.(undefined);
    return used;
  }

  private gather(bytes: Uint8Array): number {
    const { kind, bytes: target, filled } = this.gathered!;
    const used = Math.min(target.length - filled, bytes.length);
    target.set(bytes.subarray(0, used), filled);
    this.gathered!.filled += used;
    if (this.gathered!.filled < target.length) return used;
    this.gathered = undefined;
    if (kind === "g") this.common = { ...this.common, ...extended(target) };
    else this.changes = { ...this.changes, ...(kind === "x" ? extended(target) : longName(kind, target)) };
    return used;
  }

  private async header(block: Uint8Array): Promise<void> {
    if (isZero(block)) {
      this.over = true;
      return;
    }
    if (!isHeader(block)) throw new NoArchive();
    const found = readHeader(block);
    this.seen += 1;
    if ("LKxg".includes(found.kind)) {
      if (found.size > HELD_MOST) throw new NoArchive();
      this.gathered = { kind: found.kind, bytes: new Uint8Array(found.size), filled: 0 };
      this.padding = roundUp(found.size) - found.size;
      this.end += BLOCK + roundUp(found.size);
      return;
    }
    const member = { ...found, ...this.common, ...this.changes };
    this.changes = {};
    const size = member.kind === Kind.file ? member.size : 0;
    this.end += BLOCK + roundUp(size);
    this.content = await this.member(member);
    this.left = size;
    this.padding = roundUp(size) - size;
    if (size === 0) await this.content?.(undefined);
  }
}

function longName(kind: string, bytes: Uint8Array): Partial<Member> {
  const end = bytes.indexOf(0);
  const name = native.text.decode(end < 0 ? bytes : bytes.subarray(0, end));
  return kind === "L" ? { name } : { target: name };
}

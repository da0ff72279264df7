/** Values of array variables. */

import { native } from "../../bridge/native";

/** In the order of indices. Nearly all arrays are dense: one list from 0 on; one with gaps is a table. */
export class IndexedArray {
  /** Undefined when there are gaps. */
  private list: string[] | undefined;
  private gapped: GappedArray | undefined;
  /** Declared, but never given a value: shown without one. */
  bare = false;

  /** `values` becomes the array's own. */
  constructor(values: string[] = []) {
    this.list = values;
    this.gapped = undefined;
  }

  get size(): number {
    return this.list?.length ?? this.gapped!.size;
  }

  /** One more than the highest index. */
  get end(): number {
    return this.list?.length ?? this.gapped!.end;
  }

  get(index: number): string | undefined {
    const { list } = this;
    const place = index < 0 ? index + this.end : index;
    return list === undefined ? this.gapped!.get(place) : list[place];
  }

  /** `index` is not negative. */
  set(index: number, value: string): void {
    const { list } = this;
    if (list !== undefined && index < list.length) list[index] = value;
    else if (list !== undefined && index === list.length) list.push(value);
    else this.sparse().set(index, value);
  }

  delete(index: number): void {
    const place = index < 0 ? index + this.end : index;
    const { list } = this;
    if (list === undefined) this.gapped!.delete(place);
    else if (place === list.length - 1) list.pop();
    else if (place >= 0 && place < list.length) this.sparse().delete(place);
  }

  push(value: string): void {
    if (this.list !== undefined) this.list.push(value);
    else this.gapped!.set(this.end, value);
  }

  keys(): number[] {
    return this.list?.map((_, index) => index) ?? this.gapped!.keys();
  }

  values(): string[] {
    return this.list?.slice() ?? this.gapped!.values();
  }

  copy(): IndexedArray {
    const copy = new IndexedArray(this.list?.slice());
    copy.bare = this.bare;
    if (this.gapped) {
      copy.list = undefined;
      copy.gapped = this.gapped.copy();
    }
    return copy;
  }

  private sparse(): GappedArray {
    if (this.list === undefined) return this.gapped!;
    this.gapped = new GappedArray(this.list.map((value, index) => [index, value]));
    this.list = undefined;
    return this.gapped;
  }
}

class GappedArray {
  private items: Map<number, string>;
  private last: number;
  private sorted = true;

  /** By rising indices. */
  constructor(items: readonly (readonly [number, string])[]) {
    this.items = new Map(items);
    this.last = items.length > 0 ? items[items.length - 1]![0] : -1;
  }

  get size(): number {
    return this.items.size;
  }

  get end(): number {
    if (!this.sorted) this.sort();
    return this.last + 1;
  }

  get(index: number): string | undefined {
    return this.items.get(index);
  }

  set(index: number, value: string): void {
    if (index > this.last) this.last = index;
    else if (!this.items.has(index)) this.sorted = false;
    this.items.set(index, value);
  }

  delete(index: number): void {
    this.items.delete(index);
    if (index === this.last) this.sorted = false;
  }

  keys(): number[] {
    if (!this.sorted) this.sort();
    return [...this.items.keys()];
  }

  values(): string[] {
    if (!this.sorted) this.sort();
    return [...this.items.values()];
  }

  copy(): GappedArray {
    if (!this.sorted) this.sort();
    return new GappedArray([...this.items]);
  }

  private sort(): void {
    const items = [...this.items].sort(([a], [b]) => a - b);
    this.items = new Map(items);
    this.last = items.length > 0 ? items[items.length - 1]![0] : -1;
    this.sorted = true;
  }
}

/** Buckets of bash's hash table, as long as there are not thousands of keys. */
const BUCKETS = 1024;

/** FNV-1 as bash computes it, over signed bytes. */
function bucketOf(key: string): number {
  let hash = 2166136261;
  for (const byte of native.text.encode(key)) hash = Math.imul(hash, 16777619) ^ ((byte << 24) >> 24);
  return hash & (BUCKETS - 1);
}

/** Keys are in the order of bash's hash table, which scripts' outputs show though it means nothing. */
export class AssociativeArray {
  /** As of IndexedArray. */
  bare = false;

  private order: readonly string[] | undefined;

  constructor(private readonly items = new Map<string, string>()) {}

  get size(): number {
    return this.items.size;
  }

  get(key: string): string | undefined {
    return this.items.get(key);
  }

  set(key: string, value: string): void {
    if (this.order && !this.items.has(key)) this.order = undefined;
    this.items.set(key, value);
  }

  delete(key: string): void {
    this.items.delete(key);
    this.order = undefined;
  }

  keys(): readonly string[] {
    return (this.order ??= this.sorted());
  }

  values(): string[] {
    return this.keys().map((key) => this.items.get(key)!);
  }

  copy(): AssociativeArray {
    const copy = new AssociativeArray(new Map(this.items));
    copy.bare = this.bare;
    return copy;
  }

  /** By buckets, the newest first in each. */
  private sorted(): string[] {
    const places = [...this.items.keys()].reverse().map((key) => ({ key, bucket: bucketOf(key) }));
    return places.sort((a, b) => a.bucket - b.bucket).map(({ key }) => key);
  }
}

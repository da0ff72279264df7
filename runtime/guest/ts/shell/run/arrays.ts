/** Values of array variables. */

import { native } from "../../bridge/native";

/** Sparse, in the order of indices. */
export class IndexedArray {
  private items: Map<number, string>;
  private last = -1;
  private sorted = true;
  /** Declared, but never given a value: shown without one. */
  bare = false;

  constructor(values: Iterable<string> = []) {
    this.items = new Map();
    for (const value of values) this.set(this.last + 1, value);
  }

  get size(): number {
    return this.items.size;
  }

  /** One more than the highest index. */
  get end(): number {
    if (!this.sorted) this.sort();
    return this.last + 1;
  }

  get(index: number): string | undefined {
    return this.items.get(index < 0 ? index + this.end : index);
  }

  /** `index` is not negative. */
  set(index: number, value: string): void {
    if (index > this.last) this.last = index;
    else if (!this.items.has(index)) this.sorted = false;
    this.items.set(index, value);
  }

  delete(index: number): void {
    const place = index < 0 ? index + this.end : index;
    this.items.delete(place);
    if (place === this.last) this.sorted = false;
  }

  push(value: string): void {
    this.set(this.end, value);
  }

  keys(): number[] {
    if (!this.sorted) this.sort();
    return [...this.items.keys()];
  }

  values(): string[] {
    if (!this.sorted) this.sort();
    return [...this.items.values()];
  }

  copy(): IndexedArray {
    const copy = new IndexedArray();
    copy.items = new Map(this.items);
    copy.last = this.last;
    copy.sorted = this.sorted;
    return copy;
  }

  private sort(): void {
    this.items = new Map([...this.items].sort(([a], [b]) => a - b));
    this.last = -1;
    for (const index of this.items.keys()) this.last = index;
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
    return new AssociativeArray(new Map(this.items));
  }

  /** By buckets, the newest first in each. */
  private sorted(): string[] {
    const places = [...this.items.keys()].reverse().map((key) => ({ key, bucket: bucketOf(key) }));
    return places.sort((a, b) => a.bucket - b.bucket).map(({ key }) => key);
  }
}

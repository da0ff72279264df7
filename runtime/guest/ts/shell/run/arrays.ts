/** Values of array variables. */

/** Sparse, in the order of indices. */
export class IndexedArray {
  private items: Map<number, string>;
  private last = -1;
  private sorted = true;

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
    this.items.delete(index < 0 ? index + this.end : index);
    if (index === this.last) this.sorted = false;
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

/** Keys in the order in which they came: bash's own order is that of its hash table and means nothing. */
export class AssociativeArray {
  constructor(readonly items = new Map<string, string>()) {}

  get size(): number {
    return this.items.size;
  }

  get(key: string): string | undefined {
    return this.items.get(key);
  }

  set(key: string, value: string): void {
    this.items.set(key, value);
  }

  delete(key: string): void {
    this.items.delete(key);
  }

  keys(): string[] {
    return [...this.items.keys()];
  }

  values(): string[] {
    return [...this.items.values()];
  }

  copy(): AssociativeArray {
    return new AssociativeArray(new Map(this.items));
  }
}

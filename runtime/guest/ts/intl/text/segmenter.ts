/** Intl.Segmenter. */
import { resolveLocale, supportedLocalesOf } from "../locale/negotiate";
import { readLocaleMatcher, stringOption } from "../locale/options";
import { service } from "../locale/service";
import { strictOptions } from "./list";
import { boundaries, type Granularity, isWordLike } from "./segments";

const SERVICE = "Intl.Segmenter";

interface Segment {
  readonly segment: string;
  readonly index: number;
  readonly input: string;
  readonly isWordLike?: boolean;
}

class SegmenterClass {
  readonly #locale: string;
  readonly #granularity: Granularity;

  constructor(locales?: unknown, given?: unknown) {
    this.#locale = resolveLocale(locales).locale;
    const options = strictOptions(given);
    readLocaleMatcher(SERVICE, options);
    this.#granularity = stringOption(SERVICE, options, "granularity", ["grapheme", "word", "sentence"] as const, "grapheme");
  }

  static supportedLocalesOf(locales: unknown, options?: unknown): string[] {
    return supportedLocalesOf(SERVICE, locales, options);
  }

  segment(input: unknown): Segments {
    return new Segments(String(input), this.#granularity);
  }

  resolvedOptions(): Record<string, unknown> {
    return { locale: this.#locale, granularity: this.#granularity };
  }
}

class Segments {
  readonly #input: string;
  readonly #granularity: Granularity;
  readonly #ends: readonly number[];

  constructor(input: string, granularity: Granularity) {
    this.#input = input;
    this.#granularity = granularity;
    this.#ends = boundaries(input, granularity);
  }

  /** The segment that the code unit at the index is in, or undefined outside the text. */
  containing(index: unknown): Segment | undefined {
    const at = Math.trunc(Number(index)) || 0;
    if (at < 0 || at >= this.#input.length) return undefined;
    return this.#segment(this.#ends.findIndex((end) => end > at));
  }

  *[Symbol.iterator](): Generator<Segment, undefined> {
    for (let i = 0; i < this.#ends.length; i++) yield this.#segment(i);
  }

  #segment(i: number): Segment {
    const index = this.#ends[i - 1] ?? 0;
    const segment = this.#input.slice(index, this.#ends[i]);
    const base = { segment, index, input: this.#input };
    return this.#granularity === "word" ? { ...base, isWordLike: isWordLike(segment) } : base;
  }
}

export const Segmenter = service("Segmenter", SegmenterClass);

import { kernel } from "amla:kernel";
import { coded, requireString } from "./errors";

interface EntryFields {
  name: string;
  entryType: string;
  startTime: number;
  duration: number;
  detail: unknown;
}

export class PerformanceEntry {
  readonly name!: string;
  readonly entryType!: string;
  readonly startTime!: number;
  readonly duration!: number;
  readonly detail!: unknown;

  constructor(fields: EntryFields) {
    Object.assign(this, fields);
  }
  toJSON(): EntryFields {
    return { ...this };
  }
}

export class PerformanceMark extends PerformanceEntry {}
export class PerformanceMeasure extends PerformanceEntry {}

interface MarkOptions {
  startTime?: number;
  detail?: unknown;
}

interface MeasureOptions {
  start?: string | number;
  end?: string | number;
  duration?: number;
  detail?: unknown;
}

/** Milliseconds since the run began, marks and measures. */
class Performance {
  #entries: PerformanceEntry[] = [];

  get timeOrigin(): number {
    return kernel.process.now() - kernel.process.monotonic();
  }

  now(): number {
    return kernel.process.monotonic();
  }

  mark(name: string, { startTime = this.now(), detail = null }: MarkOptions = {}): PerformanceMark {
    const entry = new PerformanceMark({ name: `${name}`, entryType: "mark", startTime, duration: 0, detail });
    this.#entries.push(entry);
    return entry;
  }

  measure(name: string, startOrOptions?: string | MeasureOptions, endMark?: string): PerformanceMeasure {
    requireString("name", name);
    const options: MeasureOptions =
      typeof startOrOptions === "object"
        ? startOrOptions
        : { ...(startOrOptions === undefined ? {} : { start: startOrOptions }) };
    const end = endMark ?? options.end;
    const endTime = end !== undefined ? this.#time(end) : this.#endOf(options);
    const startTime = this.#startOf(options, endTime);
    const { detail = null } = options;
    const entry = new PerformanceMeasure({
      name,
      entryType: "measure",
      startTime,
      duration: endTime - startTime,
      detail,
    });
    this.#entries.push(entry);
    return entry;
  }

  #endOf({ start, duration }: MeasureOptions): number {
    return start !== undefined && duration !== undefined ? this.#time(start) + duration : this.now();
  }

  #startOf({ start, duration }: MeasureOptions, endTime: number): number {
    if (start !== undefined) return this.#time(start);
    return duration !== undefined ? endTime - duration : 0;
  }

  #time(mark: string | number): number {
    if (typeof mark === "number") return mark;
    const entry = this.#entries.findLast((each) => each.entryType === "mark" && each.name === mark);
    if (entry) return entry.startTime;
    const error = new DOMException(`The "${mark}" performance mark has not been set`, "SyntaxError");
    throw error;
  }

  getEntries(): PerformanceEntry[] {
    return this.#entries.toSorted((a, b) => a.startTime - b.startTime);
  }
  getEntriesByName(name: string, type?: string): PerformanceEntry[] {
    return this.getEntries().filter((each) => each.name === name && (type === undefined || each.entryType === type));
  }
  getEntriesByType(type: string): PerformanceEntry[] {
    return this.getEntries().filter((each) => each.entryType === type);
  }
  clearMarks(name?: string): void {
    this.#clear("mark", name);
  }
  clearMeasures(name?: string): void {
    this.#clear("measure", name);
  }
  #clear(type: string, name: string | undefined): void {
    this.#entries = this.#entries.filter(
      (each) => each.entryType !== type || (name !== undefined && each.name !== name),
    );
  }

  /** A function that behaves as `fn`; there are no observers that its times could reach. */
  timerify<F extends (...args: never[]) => unknown>(fn: F): F {
    return fn;
  }

  eventLoopUtilization(): { idle: number; active: number; utilization: number } {
    return { idle: 0, active: 0, utilization: 0 };
  }

  toJSON(): { timeOrigin: number } {
    return { timeOrigin: this.timeOrigin };
  }
  get [Symbol.toStringTag](): string {
    return "Performance";
  }
}

export const performance = new Performance();

export class PerformanceObserver {
  constructor() {
    const message = "PerformanceObserver is not available in the sandbox: call performance.getEntries() instead";
    throw coded(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", message);
  }
}

export type { Performance };

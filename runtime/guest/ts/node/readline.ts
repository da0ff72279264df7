import { EventEmitter } from "node:events";
import { lazily } from "./lazily";
import { invalidType } from "./errors";

interface Input extends EventEmitter {
  setEncoding?(encoding: string): unknown;
  resume?(): unknown;
  pause?(): unknown;
}

interface Options {
  input: Input;
  output?: { write(text: string): unknown };
  prompt?: string;
  crlfDelay?: number;
  terminal?: boolean;
  historySize?: number;
}

type Waiting = { resolve(result: IteratorResult<string>): void };

/** Lines of a stream, as "line" events or an asynchronous iteration. */
export class Interface extends EventEmitter {
  closed = false;
  line = "";
  terminal = false;
  #prompt: string;
  #rest = "";
  #afterReturn = false;
  #question: ((answer: string) => void) | undefined;
  #early: string[] = [];
  readonly #options: Options;
  readonly #onData = (chunk: unknown): void => this.#take(String(chunk));
  readonly #onEnd = (): void => {
    if (this.#rest !== "") this.#tell(this.#rest);
    this.#rest = "";
    this.close();
  };

  constructor(options: Options) {
    super();
    this.#options = options;
    this.#prompt = options.prompt ?? "> ";
    const { input } = options;
    if (typeof input?.on !== "function") throw invalidType("input", "an instance of Stream", input);
    input.setEncoding?.("utf8");
    input.on("data", this.#onData).on("end", this.#onEnd);
    input.resume?.();
  }

  /** LF, CR or CRLF ends a line; a CRLF may be cut in two by chunks. */
  #take(chunk: string): void {
    const text = this.#afterReturn && chunk.startsWith("\n") ? chunk.slice(1) : chunk;
    this.#afterReturn = chunk === "" ? this.#afterReturn : chunk.endsWith("\r");
    const lines = (this.#rest + text).split(/\r\n|[\n\r]/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#tell(line);
  }

  #tell(line: string): void {
    const question = this.#question;
    this.#question = undefined;
    if (question) question(line);
    else if (this.listenerCount("line") > 0) this.emit("line", line);
    else this.#early.push(line);
  }

  setPrompt(prompt: string): void {
    this.#prompt = prompt;
  }
  getPrompt(): string {
    return this.#prompt;
  }
  prompt(): void {
    this.#options.output?.write(this.#prompt);
  }

  question(query: string, options: unknown, done?: (answer: string) => void): void {
    const callback = (typeof options === "function" ? options : done) as (answer: string) => void;
    this.#options.output?.write(query);
    const early = this.#early.shift();
    if (early === undefined) this.#question = callback;
    else callback(early);
  }

  override on(name: string | symbol, listener: (...args: never[]) => unknown): this {
    super.on(name, listener);
    if (name === "line") for (const line of this.#early.splice(0)) this.emit("line", line);
    return this;
  }

  write(data: string | null): void {
    if (data !== null) this.#take(data);
  }
  pause(): this {
    this.#options.input.pause?.();
    this.emit("pause");
    return this;
  }
  resume(): this {
    this.#options.input.resume?.();
    this.emit("resume");
    return this;
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.#options.input.off("data", this.#onData).off("end", this.#onEnd);
    this.#options.input.pause?.();
    this.emit("close");
  }

  [Symbol.dispose](): void {
    this.close();
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    const lines: string[] = [];
    const waiting: Waiting[] = [];
    this.on("line", (line: string) => {
      const next = waiting.shift();
      if (next) next.resolve({ value: line, done: false });
      else lines.push(line);
    });
    this.once("close", () => {
      for (const next of waiting.splice(0)) next.resolve({ value: undefined, done: true });
    });
    const iterator = {
      next: (): Promise<IteratorResult<string>> => {
        const line = lines.shift();
        if (line !== undefined) return Promise.resolve({ value: line, done: false });
        if (this.closed) return Promise.resolve({ value: undefined, done: true });
        return new Promise((resolve) => waiting.push({ resolve }));
      },
      return: (): Promise<IteratorResult<string>> => {
        this.close();
        return Promise.resolve({ value: undefined, done: true });
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }
}

function optionsOf(input: Options | Input, output?: Options["output"]): Options {
  if ("input" in (input as object)) return input as Options;
  return { input: input as Input, ...(output ? { output } : {}) };
}

export function createInterface(input: Options | Input, output?: Options["output"]): Interface {
  return new Interface(optionsOf(input, output));
}

type Done = () => void;

/** There is no terminal, so nothing moves; callbacks are called. */
function still(args: unknown[]): boolean {
  const done = args.at(-1);
  if (typeof done === "function") (done as Done)();
  return true;
}

export const clearLine = (...args: unknown[]): boolean => still(args);
export const clearScreenDown = (...args: unknown[]): boolean => still(args);
export const cursorTo = (...args: unknown[]): boolean => still(args);
export const moveCursor = (...args: unknown[]): boolean => still(args);
export function emitKeypressEvents(): void {}

lazily(module.exports, { promises: () => require("node:readline/promises") });

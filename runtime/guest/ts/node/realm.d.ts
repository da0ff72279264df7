/** What every module here finds around it: CommonJS, and what the engine itself brings. */

declare const module: { exports: object };
declare function require(name: string): any;

declare function queueMicrotask(callback: () => void): void;

declare class DOMException extends Error {
  constructor(message?: string, name?: string);
  readonly code: number;
}

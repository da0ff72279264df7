/** Gives a module's exports further ones that load what they need when a script first asks for them. */
export function lazily(exports: object, makers: Record<string, () => unknown>): void {
  for (const [name, make] of Object.entries(makers)) {
    const settle = (value: unknown): void => {
      Object.defineProperty(exports, name, { value, writable: true, enumerable: true, configurable: true });
    };
    const get = (): unknown => {
      const value = make();
      settle(value);
      return value;
    };
    Object.defineProperty(exports, name, { get, set: settle, enumerable: true, configurable: true });
  }
}

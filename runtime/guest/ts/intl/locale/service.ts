/** What all Intl constructors share: being callable as V8's are, and their toStringTag. */

type Constructor = new (...args: never[]) => object;

/**
 * A constructor function around a class. `callable` ones (NumberFormat, DateTimeFormat, Collator) make an object also
 * when called without `new`; the others throw the TypeError of V8.
 */
export function service<C extends Constructor>(name: string, Class: C, callable = false): C {
  const full = `Intl.${name}`;
  const Service = function (this: unknown, ...args: never[]): object {
    if (new.target === undefined && !callable) throw new TypeError(`Constructor ${full} requires 'new'`);
    return Reflect.construct(Class, args, new.target ?? Service) as object;
  } as unknown as C;
  Object.defineProperty(Service, "name", { value: name, configurable: true });
  Object.defineProperty(Service, "length", { value: 0, configurable: true });
  for (const key of Reflect.ownKeys(Class)) {
    if (key !== "name" && key !== "length" && key !== "prototype") {
      Object.defineProperty(Service, key, Object.getOwnPropertyDescriptor(Class, key) as PropertyDescriptor);
    }
  }
  Object.defineProperty(Service, "prototype", { value: Class.prototype, writable: false });
  Object.defineProperty(Class.prototype, "constructor", { value: Service, writable: true, configurable: true });
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: full, configurable: true });
  return Service;
}

/** A numbered part without empty text, as formatToParts lists them. */
export interface Part {
  type: string;
  value: string;
}

/** Parts with neighbouring literals joined and empty ones dropped. */
export function joinParts<P extends Part>(parts: readonly P[]): P[] {
  const out: P[] = [];
  for (const part of parts) {
    const last = out[out.length - 1];
    if (part.value === "") continue;
    if (part.type === "literal" && last?.type === "literal") out[out.length - 1] = { ...last, value: last.value + part.value };
    else out.push(part);
  }
  return out;
}

export const textOf = (parts: readonly Part[]): string => parts.map((part) => part.value).join("");

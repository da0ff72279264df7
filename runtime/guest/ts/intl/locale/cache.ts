/** Settings kept between calls of toLocaleString and localeCompare, which loops call with equal arguments. */

const LIMIT = 100;

/** A function that makes settings once for equal locales and options, if these are plain. */
export function remember<T>(make: (locales: unknown, options: unknown) => T): (locales: unknown, options: unknown) => T {
  const known = new Map<string, T>();
  return (locales, options) => {
    if (!isPlain(locales, options)) return make(locales, options);
    const key = `${String(locales)} ${JSON.stringify(options)}`;
    let settings = known.get(key);
    if (settings === undefined) {
      settings = make(locales, options);
      if (known.size >= LIMIT) known.clear();
      known.set(key, settings);
    }
    return settings;
  };
}

/** Whether the arguments have no more to them than what JSON shows. */
function isPlain(locales: unknown, options: unknown): boolean {
  if (locales !== undefined && typeof locales !== "string") return false;
  if (options === undefined) return true;
  if (typeof options !== "object" || options === null || Object.getPrototypeOf(options) !== Object.prototype) return false;
  return Object.values(options).every((value) => typeof value === "string" || typeof value === "number" || typeof value === "boolean");
}

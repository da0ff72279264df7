/** Intl.supportedValuesOf: what the constructors here accept. */

const VALUES: Readonly<Record<string, () => string[]>> = {
  calendar: () => ["gregory"],
  collation: () => [],
  currency: () => names("amla:intl-names", "currencyCodes"),
  numberingSystem: () => ["latn"],
  timeZone: () => names("amla:intl-date", "canonicalZoneNames"),
  unit: () => names("amla:intl-number", "unitNames"),
};

/** The values of a key, sorted. Throws RangeError for an unknown key. */
export function supportedValuesOf(key: string): string[] {
  const list = Object.hasOwn(VALUES, key) ? VALUES[key] : undefined;
  if (list === undefined) throw new RangeError(`Invalid key : ${key}`);
  return list();
}

function names(module: string, member: string): string[] {
  return (require(module) as Record<string, () => string[]>)[member]?.() ?? [];
}

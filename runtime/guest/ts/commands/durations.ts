/** Durations as sleep and timeout take them: `1.5`, `2m`, `infinity`. */

const SECONDS: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** Milliseconds, maybe infinite; undefined when it is no duration. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit] = /^\s*\+?(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|0[xX][\da-fA-F]+|inf(?:inity)?)([smhd]?)$/i.exec(text) ?? [];
  if (number === undefined || SECONDS[unit!] === undefined) return undefined;
  const value = /^inf/i.test(number) ? Infinity : Number(number);
  return value * SECONDS[unit!]! * 1000;
}

/** Elapsed time as `console.timeEnd` prints it: `1.234ms`, `2.500s`, `1:02.250 (m:ss.mmm)`. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const two = (count: number): string => String(count).padStart(2, "0");

export function duration(milliseconds: number): string {
  if (milliseconds < SECOND) return `${Number(milliseconds.toFixed(3))}ms`;
  if (milliseconds < MINUTE) return `${(milliseconds / SECOND).toFixed(3)}s`;
  const hours = Math.floor(milliseconds / HOUR);
  const minutes = Math.floor((milliseconds % HOUR) / MINUTE);
  const seconds = ((milliseconds % MINUTE) / SECOND).toFixed(3).padStart(6, "0");
  if (hours === 0) return `${minutes}:${seconds} (m:ss.mmm)`;
  return `${hours}:${two(minutes)}:${seconds} (h:mm:ss.mmm)`;
}

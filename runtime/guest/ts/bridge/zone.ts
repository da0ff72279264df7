/** The local time zone of the run, which `Date` asks for when it first needs it. */

import type { localTimes } from "../intl/local-times";
import { native } from "./native";
import { part } from "./parts";

type LocalTimes = ReturnType<typeof localTimes>;

const UTC = /^(?:Etc\/)?(?:UTC|UCT|Zulu)?$/;

let name = "";
/** What TZ said. */
let said: string | undefined = "";

/** Takes over what the environment variable TZ says. */
export function setZone(tz: string | undefined): void {
  if (tz === said) return;
  said = tz;
  name = (tz ?? "").replace(/^:/, "");
  native.zone.set(UTC.test(name));
}

/** The zone's changes; those of UTC when there is no such zone, as in Node. */
export function zoneTimes(): LocalTimes {
  const table = part("amla:intl-date") as { localTimes: typeof localTimes };
  return table.localTimes(name) ?? [new Float64Array([-Infinity, 0, 0]).buffer, "Coordinated Universal Time", ""];
}

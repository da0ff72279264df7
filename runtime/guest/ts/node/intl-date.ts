/** amla:intl-date: Intl.DateTimeFormat and time zones. The system realm runs it too, for localTimes. */
export { DateTimeFormat, dateToLocaleString } from "../intl/date/format";
export { localTimes } from "../intl/local-times";
export { canonicalZoneNames } from "../intl/date/zone-name";
export { findZone, localToUtc, localTypeAt, offsetAt } from "../intl/zones";

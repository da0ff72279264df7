/** amla:intl-date: Intl.DateTimeFormat and time zones. */
export { DateTimeFormat, dateToLocaleString } from "../intl/date/format";
export { canonicalZoneNames } from "../intl/date/zone-name";
export { findZone, localToUtc, localTypeAt, offsetAt } from "../intl/zones";

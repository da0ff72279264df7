/** amla:intl-locales: numbers and dates of the locales other than American English. */
export { DATE_LOCALES } from "../intl/data/date-locales";
export { NUMBER_LOCALES } from "../intl/data/number-locales";

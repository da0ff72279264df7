/** amla:intl-locales: numbers and dates of the locales other than American English. */
export { NUMBER_LOCALES } from "../intl/data/number-locales";

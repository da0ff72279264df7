/** amla:intl-number: Intl.NumberFormat and what else writes numbers. */
export { formatNumber, NumberFormat, numberToLocaleString } from "../intl/number/format";
export { readSettings as numberSettings } from "../intl/number/settings";
export { applyDigits, describeDigits, readDigitSettings } from "../intl/number/digits";
export { toDecimal } from "../intl/number/decimal";
export { unitNames } from "../intl/number/unit";

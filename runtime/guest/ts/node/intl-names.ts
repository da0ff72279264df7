/** amla:intl-names: English names of currencies, regions, languages and the like. */
export { currencyCodes, currencyForms, currencyTitle } from "../intl/text/currency-names";
export { DisplayNames } from "../intl/text/display-names";

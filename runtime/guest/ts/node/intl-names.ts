/** amla:intl-names: English names of currencies. */
export { currencyForms, currencyTitle } from "../intl/text/currency-names";

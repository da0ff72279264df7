/** amla:intl-collate: Intl.Collator and localeCompare. */
export { Collator, localeCompare } from "../intl/collate/collator";

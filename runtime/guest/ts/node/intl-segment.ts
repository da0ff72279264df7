/** amla:intl-segment: Intl.Segmenter. */
export { Segmenter } from "../intl/text/segmenter";

/** Where a text is divided (Unicode Standard Annex #29): grapheme clusters, words, sentences. */

/** Expressions this large are compiled when first used. */
function lazily(source: string, flags: string): () => RegExp {
  let pattern: RegExp | undefined;
  return () => (pattern ??= new RegExp(source, flags));
}

const EXTEND = "[\\p{Grapheme_Extend}\\p{Emoji_Modifier}\\u200d\\p{Mc}]";
const VIRAMA = "[\\u094d\\u09cd\\u0acd\\u0b4d\\u0c4d\\u0d4d]";
const CONSONANT = "[\\p{Script=Deva}\\p{Script=Beng}\\p{Script=Gujr}\\p{Script=Orya}\\p{Script=Telu}\\p{Script=Mlym}]";
const PICTURE = `\\p{Extended_Pictographic}(?:[\\p{Grapheme_Extend}\\p{Emoji_Modifier}]*\\u200d\\p{Extended_Pictographic})*`;
const HANGUL = "[\\u1100-\\u115f\\ua960-\\ua97c]*(?:[\\uac00-\\ud7a3\\u1160-\\u11a7\\ud7b0-\\ud7c6][\\u1160-\\u11a7\\ud7b0-\\ud7c6]*[\\u11a8-\\u11ff\\ud7cb-\\ud7fb]*|[\\u1100-\\u115f\\ua960-\\ua97c])";
const CONJUNCT = `(?=\\p{L})${CONSONANT}(?:${EXTEND}*${VIRAMA}${EXTEND}*(?=\\p{L})${CONSONANT})*`;
const PREPEND = "[\\u0600-\\u0605\\u06dd\\u070f\\u08e2\\u{110bd}\\u{110cd}]*";
const CONTROL = "[\\u00ad\\u061c\\u180e\\p{Cc}\\p{Zl}\\p{Zp}\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff\\ufff0-\\ufffb]";

const GRAPHEME = lazily(
  `\\r\\n|${CONTROL}|${PREPEND}(?:\\p{Regional_Indicator}{2}|${PICTURE}|${HANGUL}|${CONJUNCT}|(?!${CONTROL})[^])${EXTEND}*|[^]`,
  "uy",
);

const JOINED = "[\\p{M}\\p{Cf}\\u200d\\p{Emoji_Modifier}]*";
const LETTER = `(?:(?:(?![\\p{Ideographic}\\p{Script=Hira}\\p{Script=Kana}\\p{Script=Hang}])[\\p{Alphabetic}\\u02c2-\\u02c5\\u02d2-\\u02d7])${JOINED})`;
const DIGIT = `(?:(?:[\\p{Nd}\\u066b])${JOINED})`;
const LINK = `(?:(?:[_\\u203f\\u2040\\u2054\\ufe33\\ufe34\\ufe4d-\\ufe4f\\uff3f\\u202f])${JOINED})`;
const MID_LETTER = "[:\\u00b7\\u0387\\u055f\\u05f4\\u2027\\ufe13\\ufe55\\uff1a'.\\u2018\\u2019\\u2024\\ufe52\\uff07\\uff0e]";
const MID_DIGIT = "[,;\\u037e\\u0589\\u060c\\u060d\\u066c\\u07f8\\u2044\\ufe10\\ufe14\\ufe50\\ufe54\\uff0c\\uff1b'.\\u2018\\u2019\\u2024\\ufe52\\uff07\\uff0e]";
const RUN = `${LINK}*(?:${LETTER}(?:(?:${MID_LETTER}${JOINED})?(?=${LETTER})${LETTER})*|${DIGIT}(?:(?:${MID_DIGIT}${JOINED})?(?=${DIGIT})${DIGIT})*)`;
const WORD = lazily(
  `(?:\\r\\n|[\\r\\n\\v\\f\\u0085\\u2028\\u2029]|(?:${RUN})+${LINK}*|${LINK}+|(?:\\p{Script=Hang}${JOINED})+|\\p{Regional_Indicator}{2}${JOINED}|${PICTURE}${JOINED}| +${JOINED}|[\\u2000-\\u2006\\u2008-\\u200a\\u3000\\u1680\\u205f]+|[^]${JOINED})(?:(?<=\\u200d)\\p{Extended_Pictographic}${JOINED})*`,
  "uy",
);
/** Scripts whose words only a dictionary can tell. */
const NEEDS_DICTIONARY = /[\p{Ideographic}\p{Script=Hira}\p{Script=Kana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmr}\p{Script=Mymr}]/u;

const CLOSE = "[\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}'\"]";
const SPACE = "[ \\t\\v\\f\\u00a0\\p{Zs}]";
const TRAIL = `(?:${CLOSE}${JOINED})*(?:${SPACE}${JOINED})*(?:\\r\\n|[\\r\\n\\u0085\\u2028\\u2029])?`;
const STOP = "[!?\\u203c\\u203d\\u2047-\\u2049\\u3002\\uff01\\uff0e\\uff1f\\uff61\\u061f\\u06d4\\u0964\\u0965]";
const SENTENCE_END = lazily(`(?:\\r\\n|[\\r\\n\\u0085\\u2028\\u2029])|(?:${STOP}|[.\\u2024\\ufe52])+${JOINED}${TRAIL}`, "gu");
const GOES_ON = lazily(`^(?:[-,:;\\u2013\\u2014\\u3001\\uff0c]|${STOP}|\\.)`, "u");
const LOWER_FOLLOWS = /^[^\p{L}.!?\r\n\u0085\u2028\u2029]*\p{Lowercase}/u;

export type Granularity = "grapheme" | "word" | "sentence";

/** The ends of the segments, ascending. Throws RangeError for words of a script that needs a dictionary. */
export function boundaries(text: string, granularity: Granularity): number[] {
  if (granularity === "sentence") return sentenceEnds(text);
  if (granularity === "word" && NEEDS_DICTIONARY.test(text)) {
    throw new RangeError("Intl.Segmenter cannot tell words of Chinese, Japanese, Thai, Lao, Khmer or Burmese here");
  }
  const pattern = (granularity === "word" ? WORD : GRAPHEME)();
  const ends: number[] = [];
  pattern.lastIndex = 0;
  while (pattern.lastIndex < text.length && pattern.test(text)) ends.push(pattern.lastIndex);
  return ends;
}

export const isWordLike = (segment: string): boolean => /[\p{Alphabetic}\p{Nd}]/u.test(segment);

function sentenceEnds(text: string): number[] {
  const ends: number[] = [];
  for (const match of text.matchAll(SENTENCE_END())) {
    const end = match.index + match[0].length;
    if (end < text.length && !continues(text, match[0], match.index, end)) ends.push(end);
  }
  return text === "" ? [] : [...ends, text.length];
}

/** Whether what looks like an end is not one: "3.5", "U.S.A", "etc. and", "!?". */
function continues(text: string, found: string, at: number, end: number): boolean {
  if (/[\r\n\u0085\u2028\u2029]$/.test(found)) return false;
  const rest = text.slice(end);
  if (GOES_ON().test(rest)) return true;
  const terms = /^[^\p{Ps}\p{Pe}\p{Pi}\p{Pf}'"\s]+/u.exec(found)?.[0] ?? "";
  if (!/[.\u2024\ufe52]$/.test(terms)) return false;
  if (/^[.\u2024\ufe52]$/.test(found)) {
    if (/^\p{Nd}/u.test(rest)) return true;
    if (/[\p{Uppercase}\p{Lowercase}]$/u.test(text.slice(0, at)) && /^\p{Uppercase}/u.test(rest)) return true;
  }
  return LOWER_FOLLOWS.test(rest);
}

/** What stands for a character that an encoding has not, as the C library's `//TRANSLIT` writes it. */

const TABLE =
  "\u00ad- ¡! ¢c £GBP ¥JPY ¦| ©(C) «<< ®(R) ±+- ´' µu ·. ¸, »>> ÆAE ÐD ×x ØO ÞTH ßss æae ðd ÷/ øo þth ĐD đd ĦH ħh ıi ĸq ŁL łl ŊN ŋn ŒOE œoe ŦT ŧt ƒf ẞSS " +
  "‐- ‑- ‒- –- —-- ―- ‘' ’' ‚, ‛' “\" ”\" „,, ‟\" †+ •o ‹< ›> ⁄/ €EUR ₩KRW ₪ILS ₫Dong ₱PHP ₴UAH ₹INR ₺TL ₽RUB ™(TM) ←<- →-> ↔<-> ⇐<= ⇒=> ⇔<=> −- ∕/ ∖\\ ∗* ∣| ∥|| ∶: ∼~ " +
  "≠!= ≤<= ≥>= ≪<< ≫>> ☺:) ☻:)";

const known = new Map(TABLE.split(" ").map((entry) => [entry.charAt(0), entry.slice(1)]));

/** `has`: which characters the encoding has. */
export function transliterated(character: string, has: (character: string) => boolean): string {
  if (/^[\u200b\u2060-\u2063]$/.test(character)) return "";
  const mapped = known.get(character) ?? character.normalize("NFKD").replace(/\p{M}/gu, "");
  const text = mapped.includes("⁄") ? ` ${mapped.replace("⁄", "/")} ` : /[①-⓪]/.test(character) ? `(${mapped})` : mapped;
  return [...text].every(has) && text !== "" ? text : "?";
}

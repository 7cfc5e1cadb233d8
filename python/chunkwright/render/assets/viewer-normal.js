/**
 * @file Normal form of a text for its terms, as the library's own search has it: one spelling for
 * what Unicode holds to be the same, with the digits of ASCII and without what is not seen; and
 * words without their accents.
 */

/** What is not seen, and the tatweel. */
const UNSEEN = new RegExp("[\\u00ad\\u034f\\u061c\\u0640\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f"
  + "\\u202a-\\u202e\\u2060-\\u206f\\u3164\\uffa0\\ufe00-\\ufe0f\\ufeff\\u{e0000}-\\u{e0fff}]", "gu");
/** Marks of those classes in which Unicode orders accents and vowel points. */
const ACCENT = /[/* ACCENTS */]/gu;
const BARE = new Map(Object.entries({
  ł: "l", ø: "o", đ: "d", ð: "d", ħ: "h", ŧ: "t", ı: "i", æ: "ae", œ: "oe", þ: "th",
  "\u0671": "\u0627", "\u0649": "\u064a", "\u06cc": "\u064a", "\u06a9": "\u0643", "\u0629": "\u0647",
}));
const IS_ASCII = /^[\0-\x7f]*$/;
const OPENS = new Map();

/** The digit of ASCII that a digit is: those of a script stand in a row, from its zero on. */
function asciiDigit(char) {
  const code = char.codePointAt(0);
  if (code < 0x80 || !/\p{Nd}/u.test(char)) return char;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** The normal form of a part that nothing around it changes. */
function normalPart(part) {
  const seen = part.replace(UNSEEN, "").normalize("NFKC").replace(UNSEEN, "");
  return seen.replace(/\p{Nd}/gu, asciiDigit);
}

/** Whether a character is never changed by the one before it. */
function opensPart(char) {
  let opens = OPENS.get(char);
  if (opens === undefined) {
    opens = !/^(?:$|[\p{M}\u1161-\u1175\u11a8-\u11c2])/u.test(normalPart(char).normalize("NFKD"));
    OPENS.set(char, opens);
  }
  return opens;
}

/**
 * The normal form of a text, and where each of its code units begins and ends in the text, if that
 * is another one.
 */
function normalForm(source) {
  if (IS_ASCII.test(source) || source === normalPart(source)) return { text: source };
  const [starts, ends, parts] = [[], [], []];
  const close = (start, end) => {
    const part = source.slice(start, end);
    const normal = normalPart(part);
    const is_same = normal === part;
    for (let i = 0; i < normal.length; i += 1) {
      starts.push(is_same ? start + i : start);
      ends.push(is_same ? start + i + 1 : end);
    }
    parts.push(normal);
  };
  let start = 0;
  let at = 0;
  for (const char of source) {
    if (at > start && opensPart(char)) {
      close(start, at);
      start = at;
    }
    at += char.length;
  }
  close(start, at);
  return { text: parts.join(""), starts, ends };
}

/** A word without its accents, which may be the word itself. */
function withoutAccents(word) {
  if (IS_ASCII.test(word)) return word;
  const bare = word.normalize("NFD").replace(ACCENT, "").normalize("NFC");
  return Array.from(bare, (char) => BARE.get(char) ?? char).join("");
}

/**
 * @file Terms of a text, as the library's own search has them: words, parts of identifiers, pairs
 * of characters of scripts without spaces and these characters, and the first five letters of
 * longer words. They are those of the text's normal form.
 */

/** What a term is: a word or an alphabetic part of one; another; a character beside its pairs. */
const WORD = 0, OTHER = 1, CHARACTER = 2;
const OUTSIDE = 0, LETTER = 1, CAPITAL = 2, DIGIT = 3, JOINT = 4, SPACELESS = 5, MARK = 6, IGNORED = 7;
const MAX_TERM_CHARS = 64;
const MAX_RUN_BYTES = 4096;
const PREFIX_LETTERS = 5;
const IS_SPACELESS = new RegExp("[\\u0e00-\\u0eff\\u1000-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u1950-\\u19df"
  + "\\u1a20-\\u1aaf\\ua960-\\ua97f\\ua9e0-\\ua9ff\\uaa60-\\uaadf\\u3005-\\u31ff\\u3400-\\u9fff\\uac00-\\ud7ff"
  + "\\uf900-\\ufaff\\u{17000}-\\u{18dff}\\u{1aff0}-\\u{1b16f}\\u{20000}-\\u{3ffff}]", "u");
const IS_IGNORED = /[\u00ad\u200c\u200d\u2060\u180b-\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
const IS_IDEOGRAPHIC_NUMBER = /[〇〡-〩〸-〺]/u;
const IS_WORD_ALONE = /[\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{3ffff}]/u;
const KINDS = new Map();

/** The kind of a code point. */
function kindOf(code) {
  if (code < 0x80) {
    if (code >= 97 && code <= 122) return LETTER;
    if (code >= 65 && code <= 90) return CAPITAL;
    if (code >= 48 && code <= 57) return DIGIT;
    return code === 95 ? JOINT : OUTSIDE;
  }
  let kind = KINDS.get(code);
  if (kind === undefined) {
    kind = kindBeyondAscii(String.fromCodePoint(code));
    KINDS.set(code, kind);
  }
  return kind;
}

function kindBeyondAscii(char) {
  if (/[\p{L}]/u.test(char)) {
    if (IS_SPACELESS.test(char)) return SPACELESS;
    return /\p{Lu}|\p{Lt}/u.test(char) ? CAPITAL : LETTER;
  }
  if (/\p{N}/u.test(char)) return IS_IDEOGRAPHIC_NUMBER.test(char) ? SPACELESS : DIGIT;
  if (IS_IGNORED.test(char)) return IGNORED;
  return /\p{M}/u.test(char) ? MARK : OUTSIDE;
}

const beginsWord = (kind) => kind >= LETTER && kind <= JOINT;
const clings = (kind) => kind >= MARK;
const bytesOf = (code) => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);

/** A character without its case: the lower case of its upper case, so that ß is ss. */
function folded(char) {
  if (char < "\x80") return char.toLowerCase();
  if (!/\p{Lowercase}|\p{Uppercase}|\p{Lt}/u.test(char)) return char;
  // One by one: a sigma at the end of a word has a form of its own.
  return Array.from(char.toUpperCase(), (each) => each.toLowerCase()).join("");
}

/**
 * Give each term of a text, an identifier before its parts, and where it stands in the text.
 * @param {string} source
 * @param {(term: string, kind: number, start: number, end: number) => void} give
 */
function eachTerm(source, give) {
  const { text, starts, ends } = normalForm(source);
  const placed = starts
    ? (term, kind, start, end) => give(term, kind, starts[start], ends[end - 1])
    : give;
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at);
    const kind = kindOf(code);
    if (kind === OUTSIDE || clings(kind)) { at += code > 0xffff ? 2 : 1; continue; }
    const plain = plainWordEnd(text, at);
    if (plain > at) {
      placed(text.slice(at, Math.min(plain, at + MAX_TERM_CHARS)), WORD, at, plain);
      at = plain;
      continue;
    }
    const run = runAt(text, at, kind);
    if (kind === SPACELESS) spacelessTerms(text, run, placed);
    else wordTerms(text, run, placed);
    at = run.end;
  }
}

/** Where a word of nothing but small letters of ASCII ends, as most words are; else its start. */
function plainWordEnd(text, start) {
  let end = start;
  let code = text.charCodeAt(end);
  while (code >= 97 && code <= 122) { end += 1; code = text.charCodeAt(end); }
  const goes_on = end < text.length && (code >= 0x80 || kindOf(code) !== OUTSIDE);
  return goes_on || end - start > MAX_RUN_BYTES ? start : end;
}

/** The characters of a run, each with what clings to it. */
function runAt(text, start, first) {
  const chars = [];
  let [at, bytes, any_clings] = [start, 0, false];
  while (at < text.length && bytes < MAX_RUN_BYTES) {
    const code = text.codePointAt(at);
    const kind = kindOf(code);
    const end = at + (code > 0xffff ? 2 : 1);
    if (chars.length && clings(kind)) {
      chars[chars.length - 1].end = end;
      any_clings = true;
    } else if (chars.length && !(first === SPACELESS ? kind === SPACELESS : beginsWord(kind))) {
      break;
    } else {
      chars.push({ start: at, end, kind });
    }
    at = end;
    bytes += bytesOf(code);
  }
  return { chars, any_clings, end: at };
}

function spacelessTerms(text, { chars }, give) {
  const counted = (start, end) => Array.from(text.slice(start, end)).slice(0, MAX_TERM_CHARS).join("");
  chars.forEach(({ start, end }, i) => {
    const last = chars[i + 1] ?? chars[i];
    if (last !== chars[i] || i === 0) give(counted(start, last.end), OTHER, start, last.end);
    const is_alone = IS_WORD_ALONE.test(String.fromCodePoint(text.codePointAt(start)));
    if (chars.length > 1 && is_alone) give(counted(start, end), CHARACTER, start, end);
  });
}

function wordTerms(text, { chars, any_clings }, give) {
  let [first, last] = [0, chars.length];
  while (first < last && chars[first].kind === JOINT) first += 1;
  while (last > first && chars[last - 1].kind === JOINT) last -= 1;
  const own = chars.slice(first, last);
  const term = (start, end, is_alphabetic) => {
    const [from, to] = [own[start].start, own[end - 1].end];
    const kept = Array.from(text.slice(from, to)).slice(0, MAX_TERM_CHARS).map(folded);
    const may_compose = any_clings || kept.some((each) => each.length > 1);
    const said = may_compose ? kept.join("").normalize("NFC") : kept.join("");
    give(said, is_alphabetic ? WORD : OTHER, from, to);
  };
  if (own.length) eachPart(own, term);
}

/** The whole of a word, and if it has parts each: digits, or capitals and the letters behind them. */
function eachPart(chars, give) {
  const next = (start) => {
    for (let at = start + 1; at < chars.length; at += 1) if (endsPart(chars, at)) return at;
    return chars.length;
  };
  const is_letters = (start) => chars[start].kind !== DIGIT;
  let end = next(0);
  give(0, chars.length, end === chars.length && is_letters(0));
  if (end === chars.length) return;
  for (let start = 0; start < chars.length; [start, end] = [end, next(end)]) {
    if (chars[start].kind !== JOINT) give(start, end, is_letters(start));
  }
}

function endsPart(chars, at) {
  const kind = (place) => chars[place]?.kind;
  const [before, here] = [kind(at - 1), kind(at)];
  if (before === CAPITAL && here === CAPITAL) return kind(at + 1) === LETTER && kind(at + 2) === LETTER;
  if (before === CAPITAL && here === LETTER) {
    return at > 1 && kind(at - 2) === CAPITAL && kind(at + 1) !== LETTER;
  }
  return before !== here;
}

/** The first five letters of a word that has more, with a mark behind them; else null. */
function prefixOf(term, kind) {
  if (kind !== WORD || term.length <= PREFIX_LETTERS / 2) return null;
  let letters = 0;
  let at = 0;
  for (const char of term) {
    if (at > 0 && !clings(kindOf(char.codePointAt(0)))) letters += 1;
    if (letters === PREFIX_LETTERS) return `${term.slice(0, at)}*`;
    at += char.length;
  }
  return null;
}

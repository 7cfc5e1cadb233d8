//! A quotation as it is looked for, and parts of it.

use unicode_normalization_alignments::UnicodeNormalization;

use super::chars::{Sign, is_margin};
use super::normal::Normal;
use super::reader::{Reading, normalised};
use chunkwright_text::error::{Error, Message, Result};
use chunkwright_text::pulse::Beat;
use chunkwright_text::unicode::space::is_space;

/// So many bytes of UTF-8 a quotation of one word has at least: fewer would be found by chance. In bytes, a letter
/// counts for the more the more letters its script has.
pub const MIN_QUOTE_BYTES: usize = 12;

/// So many characters a run of several words has at least that no ellipsis parts from others; ideographs count twice.
const MIN_RUN_CHARS: usize = 12;

/// So many characters of a quotation a message shows.
const SHOWN_CHARS: usize = 40;

/// A quotation.
pub struct Quote {
    /// Its normalised form.
    pub normal: Normal,
}

/// A part of a quotation: bytes of its normalised form that begin and end between words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Quote {
    /// Reads the quotation. O(n).
    ///
    /// # Errors
    /// [`Error::Option`] if it is too short; those of the pulse.
    pub fn new(text: &str, beat: &Beat<'_>) -> Result<Self> {
        let quote = Self { normal: normalised(text, Reading::Quote, beat)? };
        if !quote.is_told(quote.whole()) {
            let n_bytes = quote.n_bytes(quote.whole());
            let shown: String = text.chars().take(SHOWN_CHARS).flat_map(shown).collect();
            let message = format!(
                " must have two words or at least {MIN_QUOTE_BYTES} bytes (12 Latin letters, 6 Cyrillic, 4 \
                 Chinese or Thai) without punctuation around it, got {n_bytes}: \"{shown}\""
            );
            return Err(Error::option("quote", Message::new([("", "quote")], message)));
        }
        Ok(quote)
    }

    /// The same quotation with numbers as those of lists, or with markup as words, if it has such.
    ///
    /// # Errors
    /// Those of the pulse.
    pub fn other_readings(text: &str, beat: &Beat<'_>) -> Result<Vec<Self>> {
        let mut readings = Vec::new();
        let is_number = |word: &str| {
            let digits = word.strip_suffix(['.', ')']).unwrap_or_default();
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        if text.split(is_space).any(is_number) {
            readings.push(Reading::Numbered);
        }
        if text.contains(['<', '&', '`', '[', '*', '_', '~', '=', '$', '^']) {
            readings.push(Reading::Literal);
        }
        let quotes = readings.into_iter().map(|reading| normalised(text, reading, beat));
        quotes.map(|normal| Ok(Self { normal: normal? })).collect()
    }

    /// All but the punctuation at both ends.
    pub fn whole(&self) -> Part {
        self.trimmed(Part { start: 0, end: self.normal.bytes().len() })
    }

    /// A part without the punctuation at its ends.
    pub fn trimmed(&self, Part { start, end }: Part) -> Part {
        let text = self.normal.text(start, end);
        let is_end = |c: char| is_margin(c) || c == '-';
        let first = text.trim_start_matches(is_end);
        // A minus sign is no punctuation.
        let is_number = first.starts_with(|c: char| c.is_ascii_digit());
        let is_minus = is_number && text[..text.len() - first.len()].ends_with('-');
        let start = start + (text.len() - first.len()) - usize::from(is_minus);
        Part { start, end: start + usize::from(is_minus) + first.trim_end_matches(is_end).len() }
    }

    /// Characters and blanks of a part.
    pub fn n_chars(&self, Part { start, end }: Part) -> usize {
        let chars = self.normal.text(start, end).chars();
        chars.filter(|&c| Sign::of(c) != Sign::Mark).count() + self.normal.n_gaps(start, end)
    }

    /// Bytes of a part in UTF-8, its letters composed with their marks.
    fn n_bytes(&self, Part { start, end }: Part) -> usize {
        self.normal.text(start, end).nfc().map(|(c, _)| c.len_utf8()).sum()
    }

    /// Whether a part is long enough to be a quotation: it has two words, or one of many bytes.
    pub fn is_told(&self, part: Part) -> bool {
        self.n_words(part) >= 2 || self.n_bytes(part) >= MIN_QUOTE_BYTES
    }

    /// Words of a part: runs of letters, with blanks or signs between them or of scripts with blanks and without.
    fn n_words(&self, Part { start, end }: Part) -> usize {
        let begins_word = |&(at, c): &(usize, char)| match Sign::of(c) {
            Sign::Word => at == 0 || is_border(&self.normal, start + at),
            Sign::Spaceless => {
                let is_inner = at > 0 && base_before(&self.normal, start + at) == Sign::Spaceless;
                !is_inner
                    || self.normal.has_space(start + at)
                    || self.normal.parts_words(start + at)
            }
            _ => false,
        };
        self.normal.text(start, end).char_indices().filter(begins_word).count()
    }

    /// Whether a part is long enough to be no coincidence where no ellipsis says that it is one: it has two words and
    /// many characters.
    pub fn is_long(&self, part: Part) -> bool {
        let n_inner =
            |part: Part| (part.start + 1..part.end).find(|&at| is_border(&self.normal, at));
        let n_syllables = |part: Part| {
            self.normal.text(part.start, part.end).chars().filter(|&c| is_syllable(c)).count()
        };
        part.start < part.end
            && self.n_chars(part) + n_syllables(part) >= MIN_RUN_CHARS
            && n_inner(part).is_some()
    }

    /// Where parts may begin and end, ascending.
    pub fn borders(&self) -> Vec<usize> {
        let Part { start, end } = self.whole();
        (start..=end).filter(|&at| is_border(&self.normal, at)).collect()
    }
}

/// A character as a message shows it.
fn shown(c: char) -> impl Iterator<Item = char> {
    let escaped = c.is_control().then(|| c.escape_default()).into_iter().flatten();
    escaped.chain((!c.is_control()).then_some(c))
}

/// Whether a letter is an ideograph or a syllable.
fn is_syllable(c: char) -> bool {
    Sign::of(c) == Sign::Spaceless && !matches!(c, '\u{e00}'..='\u{1aaf}' | '\u{a9e0}'..='\u{aadf}')
}

/// Whether `at` lies between two characters and not inside a word.
pub fn is_border(normal: &Normal, at: usize) -> bool {
    let bytes = normal.bytes();
    if at == 0 || at == bytes.len() {
        return true;
    }
    if bytes[at].cast_signed() < -64 {
        return false;
    }
    let next = char_at(normal, at).map_or(Sign::Other, Sign::of);
    next != Sign::Mark
        && (next != Sign::Word || base_before(normal, at) != Sign::Word || normal.parts_words(at))
}

/// Whether the numbers and names at both ends of the place at `start` do not go on behind it: as 5 in -5, 5.3, 5-10,
/// 5 %, and C in C++; signs that the part of the quotation has there as well are its own.
pub fn is_apart(normal: &Normal, start: usize, quote: &Normal, part: Part) -> bool {
    let (bytes, end) = (normal.bytes(), start + part.end - part.start);
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let signs = |at: usize| normal.joints(at, at + 1).iter();
    let others = |at: usize, own: usize| {
        let quoted = quote.joints(own, own + 1);
        signs(at).filter(move |joint| !quoted.iter().any(|other| other.is_same(**joint)))
    };
    if parts_groups(normal, start) || parts_groups(normal, end) {
        return false;
    }
    if is_digit(start) && !normal.has_space(start) && start > 0 {
        let before = char_before(normal, start);
        let follows_digit = start > 1 && is_digit(start - 2) && !normal.has_space(start - 1);
        let goes_on = match before {
            Some('.') => follows_digit || start == 1 || normal.has_space(start - 1),
            Some(',' | ':' | '/' | '\'' | '_') => follows_digit,
            _ => false,
        };
        let is_sign = before.is_some_and(|c| SIGNS_BEFORE.contains(c));
        let is_joint = others(start, part.start).any(|j| {
            let goes_on = |c| c == '*' && is_digit(start - 1);
            j.required().is_some_and(|c| "+>#$".contains(c)) || j.attached().is_some_and(goes_on)
        });
        if goes_on || is_sign || is_joint {
            return false;
        }
    }
    if end == 0 {
        return true;
    }
    // The exponent goes on: s⁻¹.
    if bytes.get(end) == Some(&b'-') && normal.has_form(end) {
        return false;
    }
    let mut attached = others(end, part.end).filter_map(|joint| joint.attached());
    if is_digit(end - 1) && !normal.has_form(end - 1) {
        let next = if normal.has_space(end) { None } else { char_at(normal, end) };
        let is_parted = signs(end).next().is_some();
        let goes_on = matches!(next, Some('.' | ',' | ':' | '/' | '-' | '\'' | '_'))
            && is_digit(end + 1)
            && !normal.has_space(end + 1)
            && !signs(end + 1).any(|joint| joint.parts_words());
        let unit = char_at(normal, end).filter(|&c| UNITS.contains(c));
        let is_of_next =
            |c: char| is_digit(end + c.len_utf8()) && !normal.has_space(end + c.len_utf8());
        let is_sign =
            next.is_some_and(|c| SIGNS_BEHIND.contains(c)) || unit.is_some_and(|c| !is_of_next(c));
        let is_joined = attached.any(|c| "+'\"".contains(c) || c == '*' && is_digit(end));
        (is_parted || !(goes_on || is_sign)) && !is_joined
    } else {
        !attached.any(|c| c == '+' || c == '#')
            && is_grade(normal, end) == is_grade(quote, part.end)
    }
}

/// Whether the sentence that ends at `at` is a question; none if it does not end there.
pub fn question(normal: &Normal, at: usize) -> Option<bool> {
    let signs = normal.text(at, normal.bytes().len().min(at + MAX_MARGIN_BYTES));
    let mut signs = signs.chars().take_while(|&c| is_margin(c)).filter(|&c| "?؟.!。".contains(c));
    let first = signs.next()?;
    let is_ellipsis = first == '.' && signs.next() == Some('.');
    (!is_ellipsis).then_some(matches!(first, '?' | '؟'))
}

/// Whether a dash stands behind the mark of a school or a bank that ends at `end`, as A- and BBB-.
fn is_grade(normal: &Normal, end: usize) -> bool {
    let bytes = normal.bytes();
    let Some(&first) = end.checked_sub(1).and_then(|last| bytes.get(last)) else { return false };
    let n = bytes[..end].iter().rev().take(4).take_while(|&&byte| byte == first).count();
    let is_name = n <= 3
        && first.is_ascii_alphabetic()
        && is_border(normal, end - n)
        && (end - n..end).all(|at| normal.is_capital(at));
    let is_dash = normal.joints(end, end + 1).iter().any(|j| j.attached() == Some('-'))
        || bytes.get(end) == Some(&b'-') && !normal.has_space(end);
    let next = end + usize::from(bytes.get(end) == Some(&b'-'));
    let is_word = char_at(normal, next).is_some_and(|c| Sign::of(c).is_of_word());
    is_name && is_dash && (!is_word || normal.has_space(next))
}

/// Whether a blank at `at` stands between two groups of the digits of one number, as in 10 000.
fn parts_groups(normal: &Normal, at: usize) -> bool {
    let bytes = normal.bytes();
    if !normal.has_space(at) || !normal.joints(at, at + 1).is_empty() {
        return false;
    }
    let n_digits = |run: &mut dyn Iterator<Item = usize>| {
        run.take(4).take_while(|&i| bytes.get(i).is_some_and(u8::is_ascii_digit)).count()
    };
    let first = at
        - n_digits(&mut (0..at).rev().scan(false, |is_over, i| {
            let is_next = !*is_over;
            *is_over = normal.has_space(i);
            is_next.then_some(i)
        }));
    let behind = n_digits(&mut (at..bytes.len()).take_while(|&i| i == at || !normal.has_space(i)));
    let is_fraction = !normal.has_space(first)
        && char_before(normal, first).is_some_and(|c| matches!(c, '.' | ','));
    let is_raised = first < at && normal.has_form(at - 1);
    (1..=3).contains(&(at - first)) && behind == 3 && !is_fraction && !is_raised
}

/// So far the punctuation behind a quotation is read.
const MAX_MARGIN_BYTES: usize = 16;

/// Signs of units that belong to the number before them beyond a blank as well.
const UNITS: &str = "%‰‱°$€£¥₹₽₩₺";

/// Signs that belong to the number behind them; the last one strikes out the sign before it, as in ≠.
const SIGNS_BEFORE: &str = "-±$€£¥₹₽₩₺<≤≥~≈×÷√^@∼\u{338}";

/// Signs that belong to the number before them.
const SIGNS_BEHIND: &str = "%‰‱°^×÷$€£¥₹";

/// The character at a byte.
pub fn char_at(normal: &Normal, at: usize) -> Option<char> {
    let end = normal.bytes().len().min(at + 4);
    let whole = (at + 1..=end).find(|&end| !normal.text(at, end).is_empty())?;
    normal.text(at, whole).chars().next()
}

/// The character before a byte.
pub fn char_before(normal: &Normal, at: usize) -> Option<char> {
    let start =
        (at.saturating_sub(4)..at).rev().find(|&start| !normal.text(start, at).is_empty())?;
    normal.text(start, at).chars().next()
}

/// The sign of the character before a byte, without its marks.
fn base_before(normal: &Normal, mut at: usize) -> Sign {
    while at > 0 {
        at -= 1;
        match char_at(normal, at).map(Sign::of) {
            None | Some(Sign::Mark) => {}
            Some(sign) => return sign,
        }
    }
    Sign::Other
}

//! Scanners for the ends of pre-tokens: the regular expressions of `pattern`, written by hand.
//!
//! Each scanner looks at what is to the right only, so from any boundary on the split depends on the
//! text that follows. `text` ends where its slice ends: a span is scanned by passing `&text[..end]`.
//!
//! A regular expression engine spends its time on deciding which alternative may match. The patterns are fixed,
//! and their alternatives differ in the first one or two characters, so a scanner branches once and then runs
//! over a class ([`swar`]):
//!
//! | it begins with | `cl100k_base`, Llama 3, Qwen 2 | `o200k_base` | GPT-2 |
//! |---|---|---|---|
//! | a letter | letters | capitals, then small letters, and a contraction behind them | letters |
//! | a digit | up to three of them (Qwen 2: one) | up to three | all |
//! | `'` | a contraction (`'s`, `'LL`), else as punctuation | as punctuation | a contraction in small letters, else punctuation |
//! | a blank, or punctuation, before a letter | that, and the letters | that, and the word | a blank and the letters |
//! | a blank before punctuation | both, and newlines behind | both, and newlines or slashes behind | both |
//! | punctuation | all of it, and newlines behind | the same, slashes too | all of it |
//! | whitespace | up to its last newline, else without its last blank if a word follows | the same | without its last blank if a word follows |
//!
//! Letters, numbers and whitespace are Unicode's; what is beyond ASCII leaves the branch by the first byte.

use super::swar;
use crate::unicode::classes::Class;

/// The code point at `at` and where the next one begins.
#[inline]
pub(super) fn class_at(text: &str, at: usize) -> Option<(Class, usize)> {
    let code_point = text[at..].chars().next()?;
    Some((Class::of(code_point), at + code_point.len_utf8()))
}

/// The end of the run of code points from `at` on that `holds` is true of.
#[inline]
fn run(text: &str, at: usize, holds: impl Fn(Class) -> bool) -> usize {
    let other = |&(_, c): &(usize, char)| !holds(Class::of(c));
    text[at..].char_indices().find(other).map_or(text.len(), |(offset, _)| at + offset)
}

/// The end of the run of whitespace from `at` on; that of ASCII is passed over byte by byte.
#[inline]
fn spaces(text: &str, at: usize) -> usize {
    let bytes = &text.as_bytes()[at..];
    let is_space = |byte: &&u8| matches!(byte, b'\t'..=b'\r' | b' ');
    let end = at + bytes.iter().take_while(is_space).count();
    if text.as_bytes().get(end).is_some_and(|byte| !byte.is_ascii()) {
        return run(text, end, Class::is_space);
    }
    end
}

/// What the scanners do with a byte that begins a pre-token.
#[derive(Clone, Copy)]
enum Lead {
    Letter,
    Digit,
    Blank,
    Space,
    Newline,
    Apostrophe,
    Other,
    NonAscii,
}

static LEADS: [Lead; 256] = leads();

const fn leads() -> [Lead; 256] {
    let mut leads = [Lead::Other; 256];
    let mut byte = 0_u8;
    loop {
        leads[byte as usize] = match byte {
            b'a'..=b'z' | b'A'..=b'Z' => Lead::Letter,
            b'0'..=b'9' => Lead::Digit,
            b' ' => Lead::Blank,
            b'\t' | 0x0b | 0x0c => Lead::Space,
            b'\n' | b'\r' => Lead::Newline,
            b'\'' => Lead::Apostrophe,
            0x80.. => Lead::NonAscii,
            _ => Lead::Other,
        };
        if byte == u8::MAX {
            return leads;
        }
        byte += 1;
    }
}

/// The pattern of `cl100k_base` by the first byte; possessive, so no alternative is tried twice.
#[inline(always)]
pub fn cl100k(text: &str, start: usize) -> usize {
    lead_word_pattern::<3>(text, start, cl100k_space)
}

/// That of Llama 3, or of Qwen 2: numbers of up to `DIGITS`, and lines end at the end of a text too.
#[inline(always)]
pub fn llama3<const DIGITS: usize>(text: &str, start: usize) -> usize {
    lead_word_pattern::<DIGITS>(text, start, space)
}

/// A word with any one character before it, numbers of up to `DIGITS`, punctuation with the newlines
/// behind it, and `space`, which is told the run of whitespace.
#[inline(always)]
fn lead_word_pattern<const DIGITS: usize>(
    text: &str,
    start: usize,
    space: impl Fn(&str, usize, usize) -> usize,
) -> usize {
    let bytes = text.as_bytes();
    let after = start + 1;
    match LEADS[usize::from(bytes[start])] {
        Lead::Letter => letters(text, after),
        Lead::Digit => numbers::<DIGITS>(text, after),
        Lead::Apostrophe => match contraction(bytes, start) {
            Some(end) => end,
            None if is_letter(text, after) => letters(text, after),
            None => punctuation(text, after, is_newline),
        },
        Lead::Blank | Lead::Space | Lead::Other if is_letter(text, after) => letters(text, after),
        Lead::Blank if is_punctuation(text, after) => punctuation(text, after, is_newline),
        Lead::Blank | Lead::Space | Lead::Newline => space(text, start, spaces(text, start)),
        Lead::Other => punctuation(text, after, is_newline),
        Lead::NonAscii => lead_word_non_ascii::<DIGITS>(text, start, space),
    }
}

#[cold]
fn lead_word_non_ascii<const DIGITS: usize>(
    text: &str,
    start: usize,
    space: impl Fn(&str, usize, usize) -> usize,
) -> usize {
    let Some((class, after)) = class_at(text, start) else { return text.len() };
    if class.is_letter() || (class.may_lead_word() && is_letter(text, after)) {
        letters(text, after)
    } else if class.is_number() {
        numbers::<DIGITS>(text, after)
    } else if class.is_space() {
        space(text, start, spaces(text, start))
    } else {
        punctuation(text, after, is_newline)
    }
}

/// `\s++$|\s*[\r\n]|\s+(?!\S)|\s` on the whitespace run `start..end`.
fn cl100k_space(text: &str, start: usize, end: usize) -> usize {
    if end == text.len() { end } else { space(text, start, end) }
}

/// The pattern of GPT-2: runs of one class, with a blank before them or not.
#[inline(always)]
pub fn gpt2(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    match LEADS[usize::from(bytes[start])] {
        Lead::Apostrophe => {
            gpt2_contraction(bytes, start).unwrap_or_else(|| punctuation(text, start, |_| false))
        }
        Lead::Blank => gpt2_run(text, start + 1).unwrap_or_else(|| gpt2_space(text, start)),
        _ => gpt2_run(text, start).unwrap_or_else(|| gpt2_space(text, start)),
    }
}

/// The end of `\p{L}+|\p{N}+|[^\s\p{L}\p{N}]+` at `at`, if it is there.
#[inline(always)]
fn gpt2_run(text: &str, at: usize) -> Option<usize> {
    match LEADS[usize::from(*text.as_bytes().get(at)?)] {
        Lead::Letter => Some(letters(text, at)),
        Lead::Digit => Some(run(text, at, Class::is_number)),
        Lead::Apostrophe | Lead::Other => Some(punctuation(text, at, |_| false)),
        Lead::Blank | Lead::Space | Lead::Newline => None,
        Lead::NonAscii => match class_at(text, at)?.0 {
            class if class.is_letter() => Some(letters(text, at)),
            class if class.is_number() => Some(run(text, at, Class::is_number)),
            class if class.is_space() => None,
            _ => Some(punctuation(text, at, |_| false)),
        },
    }
}

/// `'(?:[sdmt]|ll|ve|re)` at `start`, if it is there.
#[inline]
fn gpt2_contraction(bytes: &[u8], start: usize) -> Option<usize> {
    match bytes.get(start + 1..)? {
        [b's' | b'd' | b'm' | b't', ..] => Some(start + 2),
        [b'l', b'l', ..] | [b'v' | b'r', b'e', ..] => Some(start + 3),
        _ => None,
    }
}

/// `\s+(?!\S)|\s` at `start`.
fn gpt2_space(text: &str, start: usize) -> usize {
    blanks(text, start, spaces(text, start))
}

/// The pattern of `o200k_base`: the word with its case classes, then the alternatives by the first byte.
#[inline(always)]
pub fn o200k(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let after = start + 1;
    let lead = LEADS[usize::from(bytes[start])];
    if let Lead::NonAscii = lead {
        return o200k_non_ascii(text, start);
    }
    let word_start = if let Lead::Letter = lead { start } else { after };
    if !matches!(lead, Lead::Digit | Lead::Newline)
        && let Some(end) = ascii_or_any_word(text, word_start)
    {
        return contraction(bytes, end).unwrap_or(end);
    }
    match lead {
        Lead::Digit => numbers::<3>(text, after),
        Lead::Blank if is_punctuation(text, after) => punctuation(text, after, is_newline_or_slash),
        Lead::Blank | Lead::Space | Lead::Newline => space(text, start, spaces(text, start)),
        _ => punctuation(text, after, is_newline_or_slash),
    }
}

#[cold]
fn o200k_non_ascii(text: &str, start: usize) -> usize {
    let Some((class, after)) = class_at(text, start) else { return text.len() };
    // A mark may lead a word or belong to it: the pattern tries the lead first, but only as long
    // as the letters after it include one that may be lower case.
    let word = if class.may_lead_word() {
        let led = word(text, after);
        let itself = class.may_be_lower().then(|| word(text, start)).flatten();
        match led {
            Some((end, true)) => Some(end),
            _ => itself.or(led).map(|(end, _)| end),
        }
    } else {
        word(text, start).map(|(end, _)| end)
    };
    if let Some(end) = word {
        contraction(text.as_bytes(), end).unwrap_or(end)
    } else if class.is_number() {
        numbers::<3>(text, after)
    } else if class.is_space() {
        space(text, start, spaces(text, start))
    } else {
        punctuation(text, after, is_newline_or_slash)
    }
}

/// The end of the cased word that begins at `start`, if one does.
#[inline(always)]
fn ascii_or_any_word(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let upper = match bytes.get(start)? {
        b'a'..=b'z' => start,
        b'A'..=b'Z' => swar::upper_end(bytes, start + 1),
        0x80.. => return word(text, start).map(|(end, _)| end),
        _ => return None,
    };
    let end = swar::lower_end(bytes, upper);
    if bytes.get(end).is_some_and(|byte| !byte.is_ascii()) {
        return word(text, start).map(|(end, _)| end);
    }
    Some(end)
}

/// With `U = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]` and `W = [\p{Ll}\p{Lm}\p{Lo}\p{M}]`: the end of
/// `U*W+`, else of `U+W*`, and whether it was the first.
fn word(text: &str, start: usize) -> Option<(usize, bool)> {
    let mut at = start;
    let mut uncased_end = None;
    while let Some((class, next)) = class_at(text, at) {
        if !class.may_be_upper() {
            if class.may_be_lower() {
                return Some((run(text, next, Class::may_be_lower), true));
            }
            break;
        }
        at = next;
        if class.may_be_lower() {
            uncased_end = Some(at);
        }
    }
    // Without a lower-case letter, W+ is the last letter of the run that has no case.
    uncased_end.map(|end| (end, true)).or((at > start).then_some((at, false)))
}

/// `'(?i:[sdmt]|ll|ve|re)` at `start`, if it is there; `ſ` is a case of `s`.
#[inline]
fn contraction(bytes: &[u8], start: usize) -> Option<usize> {
    if *bytes.get(start)? != b'\'' {
        return None;
    }
    let fold = |at: usize| bytes.get(at).map_or(0, |byte| byte | 0x20);
    match (fold(start + 1), fold(start + 2)) {
        (b's' | b'd' | b'm' | b't', _) => Some(start + 2),
        (b'l', b'l') | (b'v' | b'r', b'e') => Some(start + 3),
        _ => bytes[start + 1..].starts_with("ſ".as_bytes()).then_some(start + 3),
    }
}

/// The end of `\p{L}*` from `at` on.
#[inline(always)]
fn letters(text: &str, at: usize) -> usize {
    let end = swar::letters_end(text.as_bytes(), at);
    match text.as_bytes().get(end) {
        Some(byte) if !byte.is_ascii() => run(text, end, Class::is_letter),
        _ => end,
    }
}

/// The end of a number of up to `DIGITS`, whose first digit is before `at`.
#[inline]
fn numbers<const DIGITS: usize>(text: &str, mut at: usize) -> usize {
    for _ in 1..DIGITS {
        match text.as_bytes().get(at) {
            Some(b'0'..=b'9') => at += 1,
            Some(0x80..) => match class_at(text, at) {
                Some((class, next)) if class.is_number() => at = next,
                _ => break,
            },
            _ => break,
        }
    }
    at
}

/// The end of `[^\s\p{L}\p{N}]*` and then of the bytes that `trails` is true of.
#[inline]
fn punctuation(text: &str, at: usize, trails: impl Fn(u8) -> bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = at;
    while let Some(&byte) = bytes.get(at) {
        match LEADS[usize::from(byte)] {
            Lead::Other | Lead::Apostrophe => at += 1,
            Lead::NonAscii => match class_at(text, at) {
                Some((class, next)) if class.is_punctuation() => at = next,
                _ => break,
            },
            _ => break,
        }
    }
    at + bytes[at..].iter().take_while(|&&byte| trails(byte)).count()
}

/// `\s*[\r\n]+|\s+(?!\S)|\s+` on the whitespace run `start..end`.
fn space(text: &str, start: usize, end: usize) -> usize {
    let run = &text[start..end];
    if let Some(newline) = memchr::memrchr2(b'\r', b'\n', run.as_bytes()) {
        return start + newline + 1;
    }
    blanks(text, start, end)
}

/// `\s+(?!\S)|\s` on the whitespace run `start..end`.
fn blanks(text: &str, start: usize, end: usize) -> usize {
    match text[start..end].char_indices().next_back() {
        Some((last, _)) if last > 0 && end < text.len() => start + last,
        _ => end,
    }
}

#[inline(always)]
fn is_letter(text: &str, at: usize) -> bool {
    match text.as_bytes().get(at) {
        Some(byte) if byte.is_ascii() => byte.is_ascii_alphabetic(),
        Some(_) => class_at(text, at).is_some_and(|(class, _)| class.is_letter()),
        None => false,
    }
}

#[inline]
fn is_punctuation(text: &str, at: usize) -> bool {
    match text.as_bytes().get(at) {
        Some(byte) if byte.is_ascii() => {
            matches!(LEADS[usize::from(*byte)], Lead::Other | Lead::Apostrophe)
        }
        Some(_) => class_at(text, at).is_some_and(|(class, _)| class.is_punctuation()),
        None => false,
    }
}

const fn is_newline(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

const fn is_newline_or_slash(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n' | b'/')
}

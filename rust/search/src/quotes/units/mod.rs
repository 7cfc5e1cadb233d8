//! Case of units and symbols beside numbers: 5 mg is not 5 Mg, and CO2 is not Co2.

mod raised;

use super::chars::Sign;
use super::normal::Normal;
use super::quote::{char_before, is_border};
pub use raised::is_raised_unit;

/// So many letters a unit behind a number and a blank has at most.
const MAX_UNIT_CHARS: usize = 3;

/// Whether words that differ in case are no units, or most other words do so as well, as in a text in capitals.
///
/// The `len` bytes of the quotation at `at` are those of the text at `text_at`. O(len).
pub fn have_case_of(quote: &Normal, at: usize, text: &Normal, text_at: usize, len: usize) -> bool {
    let mut differing = quote.differing_capitals(at, text, text_at, len).peekable();
    if differing.peek().is_none() {
        return true;
    }
    let (mut n_words, mut n_differing, mut has_unit) = (0, 0, false);
    for (start, end) in words(quote, at, at + len) {
        while differing.next_if(|&i| at + i < start).is_some() {}
        let mut differs = false;
        while differing.next_if(|&i| at + i < end).is_some() {
            differs = true;
        }
        let is_after_break = text.has_break(text_at + (start - at));
        if !is_after_break && is_unit(quote, start, end) {
            has_unit |= differs;
        } else {
            n_words += 1;
            n_differing += usize::from(differs);
        }
    }
    !has_unit || 2 * n_differing > n_words
}

/// Runs of letters of `start..end`.
fn words(normal: &Normal, start: usize, end: usize) -> Vec<(usize, usize)> {
    let mut words: Vec<(usize, usize)> = Vec::new();
    for (i, c) in normal.text(start, end).char_indices() {
        let at = start + i;
        let is_letter = match Sign::of(c) {
            Sign::Word => !c.is_numeric(),
            sign => sign == Sign::Mark,
        };
        match words.last_mut() {
            _ if !is_letter => {}
            Some(last) if last.1 == at && !is_border(normal, at) => last.1 = at + c.len_utf8(),
            _ => words.push((at, at + c.len_utf8())),
        }
    }
    words
}

/// Whether a run of letters is a unit or a symbol: it has a digit beside it, or is short and follows one.
fn is_unit(normal: &Normal, start: usize, end: usize) -> bool {
    let bytes = normal.bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let before = char_before(normal, start);
    if is_digit(end) && !normal.parts_words(end) || before == Some('°') {
        return true;
    }
    let follows_number = start > 0 && is_digit(start - 1);
    let n_chars = normal.text(start, end).chars().count();
    follows_number
        && (!normal.parts_words(start)
            || n_chars <= MAX_UNIT_CHARS && normal.joints(start, start + 1).is_empty())
}

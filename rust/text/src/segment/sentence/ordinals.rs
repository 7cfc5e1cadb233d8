//! Ordinal numbers and dates: numbers with a dot behind which a sentence goes on.
//!
//! In languages with ordinals a dot behind a number of one or two digits makes one ("3. Mai"), unless the number is
//! counted ("Art. 12.") or part of another ("3:1."). Dates of numbers alone are told by their parts in every language:
//! day, month and year ("3. 5. 2023"), or the year first ("2023. 12. 31.").

use super::lists;
use super::rules::Context;
use super::words::{self, Next, Word};

/// Digits of a day or a month, at most.
const MAX_DAY_DIGITS: usize = 2;
/// Digits of a year.
const YEAR_DIGITS: usize = 4;

impl Context<'_> {
    /// Whether `word`, which stands before a dot and `following`, is an ordinal or part of a date. O(1).
    pub(super) fn is_ordinal(&self, word: Word<'_>, following: Next<'_>) -> bool {
        let before = self.before(word.start);
        if is_part_of_number(before) {
            return false;
        }
        let is_day = lists::is_number(word.text, MAX_DAY_DIGITS);
        if is_day && is_before_month_and_year(following) {
            return true;
        }
        if is_day && is_behind_day(before) {
            return self.language.ordinals || following.digits().0 == YEAR_DIGITS;
        }
        self.language.ordinals
            && (is_year(word.text, following)
                || ((is_day || words::is_roman(word.text))
                    && (!is_counted(before) || self.is_month(following))))
    }

    fn is_month(&self, following: Next<'_>) -> bool {
        self.language.code() == "de" && following.is_german_month()
    }
}

/// Whether the number behind `before` is the last part of another one, or an amount: `3:1`, `2,5`, `$5`.
fn is_part_of_number(before: &str) -> bool {
    let mut chars = before.chars().rev();
    let Some(sign) = chars.next() else { return false };
    let is_behind_digit = chars.next().is_some_and(char::is_numeric);
    matches!(sign, '=' | '+' | '×' | '#' | '€' | '$' | '£' | '¥')
        || (matches!(sign, ':' | ',') && is_behind_digit)
}

/// Whether `before` ends with a number of one or two digits, a dot and a blank, or with a year written so.
fn is_behind_day(before: &str) -> bool {
    let Some(before) = before.strip_suffix([' ', '\u{a0}', '\u{202f}']) else { return false };
    let Some(before) = before.strip_suffix('.') else { return false };
    let n_digits =
        before.bytes().rev().take(YEAR_DIGITS + 1).take_while(u8::is_ascii_digit).count();
    (1..=MAX_DAY_DIGITS).contains(&n_digits) || n_digits == YEAR_DIGITS
}

/// Whether `following` begins with a month and a year: "5. 2023".
fn is_before_month_and_year(following: Next<'_>) -> bool {
    let (n_digits, behind) = following.digits();
    let year =
        behind.strip_prefix('.').and_then(|year| year.strip_prefix([' ', '\u{a0}', '\u{202f}']));
    (1..=MAX_DAY_DIGITS).contains(&n_digits)
        && year.is_some_and(|year| Next::at(year, 0).digits().0 == YEAR_DIGITS)
}

/// Whether `word` is a year before a month: "2023. 12. 31."
fn is_year(word: &str, following: Next<'_>) -> bool {
    let (n_digits, behind) = following.digits();
    word.len() == YEAR_DIGITS
        && lists::is_number(word, YEAR_DIGITS)
        && (1..=MAX_DAY_DIGITS).contains(&n_digits)
        && behind.starts_with('.')
}

/// Whether a number behind `before` stands behind an abbreviation, which is no ordinal: "Art. 12."
fn is_counted(before: &str) -> bool {
    let abbreviation = before.strip_suffix(' ').and_then(|before| before.strip_suffix('.'));
    abbreviation.is_some_and(|before| !before.ends_with(|c: char| c.is_ascii_digit()))
}

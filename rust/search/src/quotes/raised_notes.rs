//! Grounds on which digits above the line are the mark of a note, and no exponent: what stands before them.

use super::chars::Sign;
use super::normal::Normal;
use super::notes::{MIN_WORD_CHARS, tail};
use super::quote::char_before;
use super::units::is_raised_unit;

/// Whether what was kept ends with a word that `label` above the line is no exponent of.
///
/// That is a word of some letters; behind a number, where units stand, only if it is no unit that is squared or cubed.
/// The power of one says nothing of a unit, and nobody writes it.
pub fn follows_word(normal: &Normal, label: &str) -> bool {
    let mut at = normal.bytes().len();
    let (end, mut n, mut is_parted, mut is_behind_number) = (at, 0, false, false);
    for c in tail(normal, 64).chars().rev() {
        let is_mark = Sign::of(c) == Sign::Mark;
        if is_parted || !is_mark && Sign::of(c) != Sign::Word || c.is_numeric() {
            if c.is_numeric() && !is_parted {
                return false;
            }
            is_behind_number = c.is_numeric();
            break;
        }
        at -= c.len_utf8();
        n += usize::from(!is_mark);
        is_parted = normal.parts_words(at);
    }
    let is_power = matches!(label, "2" | "3") && is_of_length(normal.text(at, end));
    let is_one = label == "1" && (n > 1 || is_raised_unit(normal, "-1"));
    if is_behind_number { is_one || n >= MIN_WORD_CHARS && !is_power } else { n >= MIN_WORD_CHARS }
}

/// Parts of the names of units that are squared and cubed, in languages of Europe.
const LENGTHS: [&str; 17] = [
    "met", "mèt", "мет", "μέτρ", "inch", "feet", "foot", "yard", "mile", "zoll", "fuß", "pied",
    "pouce", "pies", "pulgad", "second", "sekund",
];

fn is_of_length(word: &str) -> bool {
    use unicode_normalization_alignments::UnicodeNormalization;
    let word: String = word.nfc().map(|(c, _)| c).collect();
    LENGTHS.iter().any(|part| word.contains(part))
}

/// Whether what was kept ends with a percent sign, which has no exponent.
pub fn follows_percent(normal: &Normal) -> bool {
    tail(normal, 3).ends_with(['%', '‰'])
}

/// Years that a number of four digits is.
const YEARS: std::ops::RangeInclusive<u32> = 1500..=2100;

/// Whether what was kept ends with a year that is in no formula.
pub fn follows_year(normal: &Normal) -> bool {
    let end = normal.bytes().len();
    let Some(start) = end.checked_sub(4) else { return false };
    let before = char_before(normal, start);
    let is_apart = normal.has_space(start) || before.is_none_or(|c| matches!(c, '(' | '-' | '/'));
    let is_year = normal.text(start, end).parse().is_ok_and(|year| YEARS.contains(&year));
    let has_sign = normal
        .joints(start, start + 1)
        .iter()
        .any(|joint| joint.required().is_some_and(is_of_formula));
    let is_whole = (start + 1..end).all(|at| !normal.has_space(at) && !normal.has_form(at));
    is_year
        && is_whole
        && is_apart
        && !has_sign
        && before.is_none_or(|c| !is_of_formula(c) || c == '-')
}

/// Whether a sign stands in formulas, beside numbers.
pub const fn is_of_formula(c: char) -> bool {
    matches!(
        c,
        '+' | '-'
            | '−'
            | '×'
            | '·'
            | '*'
            | '/'
            | '='
            | '^'
            | '√'
            | '<'
            | '>'
            | '≤'
            | '≥'
            | '≈'
            | '~'
            | '$'
            | '€'
            | '£'
            | '#'
    )
}

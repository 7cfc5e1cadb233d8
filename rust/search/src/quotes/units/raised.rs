//! Units with digits above the line, which a quotation may have on it: m2 is m<sup>2</sup>, s-1 is s<sup>-1</sup>.

use super::super::chars::Sign;
use super::super::normal::Normal;
use super::super::quote::{char_before, is_border};

/// Units that nothing else is called, of which digits above the line make areas and volumes, by their scripts.
const LENGTHS: [&str; 27] = [
    "km",
    "cm",
    "mm",
    "dm",
    "nm",
    "μm",
    "км",
    "см",
    "мм",
    "дм",
    "нм",
    "мкм",
    "χλμ",
    "εκ",
    "χιλ",
    "կմ",
    "սմ",
    "კმ",
    "სმ",
    "كم",
    "سم",
    "קמ",
    "סמ",
    "किमी",
    "กม",
    "ซม",
    "公里",
];

/// Units whose names are those of other things, but behind a number, a slash or another unit.
const SHORT: [&str; 15] =
    ["m", "s", "ft", "yd", "mi", "in", "м", "с", "μ", "մ", "მ", "م", "מ", "मी", "ม"];

/// Units that nothing else is called, of which something is counted for each.
const OTHERS: [&str; 12] =
    ["mol", "kg", "mg", "min", "hz", "pa", "ha", "kj", "моль", "кг", "мин", "га"];

/// The same, whose names are those of other things, but behind a number, a slash or another unit.
const OTHER_SHORT: [&str; 14] =
    ["g", "h", "d", "l", "k", "j", "w", "v", "n", "yr", "г", "ч", "л", "к"];

/// So many units are read that stand one behind the other.
const MAX_CHAIN: usize = 6;

/// So many letters a unit has at most that no list has: of scripts in which no formulas are written.
const MAX_UNLISTED_CHARS: usize = 3;

/// Whether what was read ends with a unit that `label` above the line makes another one of: an area, a volume, a rate.
pub fn is_raised_unit(normal: &Normal, label: &str) -> bool {
    match label.strip_prefix(['-', '−']) {
        None => matches!(label, "2" | "3") && ends_with_unit(normal, Units::OfLength),
        Some(digits) => {
            matches!(digits, "1" | "2" | "3" | "4") && ends_with_unit(normal, Units::All)
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Units {
    OfLength,
    All,
}

fn ends_with_unit(normal: &Normal, units: Units) -> bool {
    let end = normal.bytes().len();
    let Some((start, name)) = unit_before(normal, end) else { return false };
    let is_length = LENGTHS.contains(&name);
    if is_length || units == Units::All && OTHERS.contains(&name) {
        return is_lower(normal, start, end);
    }
    let is_short = SHORT.contains(&name) && is_lower(normal, start, end)
        || units == Units::All && OTHER_SHORT.contains(&name);
    let is_unlisted = (2..=MAX_UNLISTED_CHARS).contains(&name.chars().count())
        && name.chars().all(|c| Sign::of(c) == Sign::Word && !is_of_formulas(c));
    (is_short || is_unlisted) && is_measured(normal, start)
}

/// Whether a number or a slash stands before the unit at `start`, or before the units that stand before it.
fn is_measured(normal: &Normal, mut start: usize) -> bool {
    for _ in 0..MAX_CHAIN {
        match char_before(normal, start) {
            Some('/') => return true,
            Some('·' | '⋅' | '.') if start > 1 => {
                start -= char_before(normal, start).map_or(0, char::len_utf8);
            }
            Some(c) if c.is_ascii_digit() && !normal.has_form(start - 1) => return true,
            _ => {}
        }
        let end = exponent_start(normal, start);
        let Some((first, name)) = unit_before(normal, end) else { return false };
        let lists: [&[&str]; 4] = [&LENGTHS, &SHORT, &OTHERS, &OTHER_SHORT];
        if !lists.iter().any(|list| list.contains(&name)) {
            return false;
        }
        start = first;
    }
    false
}

/// Where the digits above the line begin that end at `end`; `end` if none do.
fn exponent_start(normal: &Normal, end: usize) -> usize {
    let is_raised = |at: &usize| normal.has_form(*at) && normal.bytes()[*at].is_ascii();
    (0..end).rev().take_while(is_raised).last().unwrap_or(end)
}

/// The run of letters that ends at `end`, and where it begins.
fn unit_before(normal: &Normal, end: usize) -> Option<(usize, &str)> {
    let mut start = end;
    while let Some(c) = char_before(normal, start) {
        let is_letter = Sign::of(c).is_of_word() && !c.is_numeric();
        if !is_letter || start < end && is_border(normal, start) && Sign::of(c) != Sign::Spaceless {
            break;
        }
        start -= c.len_utf8();
        if end - start > 16 {
            return None;
        }
    }
    let name = normal.text(start, end);
    (!name.is_empty()).then_some((start, name))
}

fn is_lower(normal: &Normal, start: usize, end: usize) -> bool {
    (start..end).all(|at| !normal.is_capital(at))
}

/// Whether a letter is of a script in which formulas are written.
const fn is_of_formulas(c: char) -> bool {
    matches!(c, '\0'..='\u{3ff}' | '\u{1d00}'..='\u{1fff}')
}

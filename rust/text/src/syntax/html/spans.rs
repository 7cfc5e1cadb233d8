//! Numbers in attributes, read as Python's `int` reads them.

use crate::unicode::space::is_space;

/// The zeros of the scripts that have decimal digits (Unicode 14, category Nd); nine follow each.
const ZEROS: [u32; 65] = [
    0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66,
    0x0de6, 0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
    0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650,
    0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

/// The most columns that a cell spans, as the HTML standard has it.
pub const MAX_COLSPAN: usize = 1000;
/// The most rows.
pub const MAX_ROWSPAN: usize = 65_534;

/// Most digits that Python reads.
const MAX_DIGITS: usize = 4300;

/// The number that `text` is, as far as an `i64` reaches: a sign, digits, single underscores between
/// them, whitespace around. O(n).
pub fn int(text: &str) -> Option<i64> {
    let text = text.trim_matches(is_space);
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut value: i64 = 0;
    let mut n_digits = 0;
    let mut is_behind_digit = false;
    for c in digits.chars() {
        if c == '_' {
            if !is_behind_digit {
                return None;
            }
            is_behind_digit = false;
            continue;
        }
        value = value.saturating_mul(10).saturating_add(digit(c)?);
        n_digits += 1;
        is_behind_digit = true;
    }
    (is_behind_digit && n_digits <= MAX_DIGITS).then_some(sign * value)
}

/// The value of a decimal digit of any script.
fn digit(c: char) -> Option<i64> {
    if let Some(value) = c.to_digit(10) {
        return Some(value.into());
    }
    let c = u32::from(c);
    let zero = ZEROS[..ZEROS.partition_point(|zero| *zero <= c)].last()?;
    (c - zero < 10).then(|| (c - zero).into())
}

/// The columns that a cell spans: at least 1. O(n).
pub fn colspan(value: Option<&str>) -> usize {
    at_least_one(value.and_then(int).unwrap_or(1))
}

/// The rows that a cell spans: at least 1, or none for `0`, which means the rest of its section. O(n).
pub fn rowspan(value: Option<&str>) -> Option<usize> {
    let value = value.and_then(int).unwrap_or(1);
    (value != 0).then(|| at_least_one(value))
}

fn at_least_one(value: i64) -> usize {
    usize::try_from(value.max(1)).unwrap_or(usize::MAX)
}

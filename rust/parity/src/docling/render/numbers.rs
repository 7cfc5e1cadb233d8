//! Number detection for columns of a table, as Python reads numbers.

use std::sync::LazyLock;

use regex::Regex;

/// Digits from which on Python makes no integer of a string.
const MAX_DIGITS: usize = 4300;

/// Whether a cell of the column is a number and no other is a text; empty cells and `True` or `False` count as
/// neither.
pub fn is_number_column<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    let mut has_number = false;
    for cell in cells.filter(|cell| !matches!(*cell, "" | "True" | "False")) {
        if !is_number(cell) {
            return false;
        }
        has_number = true;
    }
    has_number
}

fn is_number(cell: &str) -> bool {
    static FORMS: LazyLock<Option<[Regex; 3]>> = LazyLock::new(|| {
        let form = |pattern: &str| Regex::new(pattern).ok();
        Some([
            // With separators of thousands.
            form(r"^(?:[+-]?[0-9]{1,3}(?:,[0-9]{3})*(?:\.[0-9]*)?|\.[0-9]+)$")?,
            form(r"^[+-]?\d+(?:_\d+)*$")?,
            form(
                r"^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$",
            )?,
        ])
    });
    if !cell.chars().any(char::is_numeric) {
        return matches!(cell.to_lowercase().as_str(), "inf" | "-inf" | "nan");
    }
    let Some([thousands, whole, any]) = FORMS.as_ref() else { return false };
    let stripped = cell.trim_matches(chunkwright_text::unicode::space::is_space);
    let n_digits = || stripped.chars().filter(|c| c.is_numeric()).count();
    thousands.is_match(cell)
        || (whole.is_match(stripped) && n_digits() <= MAX_DIGITS)
        || (any.is_match(stripped) && is_finite(stripped))
}

/// Whether the number is not too large for a float.
fn is_finite(number: &str) -> bool {
    let plain = |c: char| if c.is_numeric() && !c.is_ascii() { '1' } else { c };
    let plain: String = number.chars().filter(|c| *c != '_').map(plain).collect();
    plain.parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_python_reads_as_such() {
        let numbers =
            ["1", "-2", " 3 ", "1,000", "1,000.5", ".5", "1.", "1e5", "1_000", "nan", "-inf"];
        for cell in numbers {
            assert!(is_number(cell), "{cell}");
        }
        for cell in ["12%", "1,00", "1e999", "a", "-", " nan", "infinity", "1__0", "0x10", "1 2"] {
            assert!(!is_number(cell), "{cell}");
        }
        assert!(is_number_column(["", "True", "1"].into_iter()));
        assert!(!is_number_column(["", "True"].into_iter()));
    }
}

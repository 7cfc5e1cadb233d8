//! Numbering of headings: the numbers in front of them, and whether they count sections.

use crate::pdf::markers;

/// Levels are no deeper.
pub const MAX_LEVEL: u8 = 6;
/// Lines count sections if there are so many.
const MIN_SECTIONS: u32 = 3;

/// The number in front of a heading, which ends with a stop.
pub fn number_of(text: &str) -> Option<&str> {
    text.trim().split_once(' ').and_then(|(number, _)| number.strip_suffix('.'))
}

/// Whether a number is Roman, and no letter.
pub fn is_roman(number: &str) -> bool {
    number.len() > 1 && is_roman_capitals(number)
}

fn is_roman_capitals(number: &str) -> bool {
    markers::is_roman(number) && number.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Whether a number is a capital letter.
pub fn is_letter(number: &str) -> bool {
    number.len() == 1 && number.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// How many numbers the numbering of a heading has: 1 of `3 Results`, 2 of `3.1 Data`.
pub fn depth(text: &str) -> Option<u8> {
    let (number, rest) = text.trim().split_once(' ')?;
    let number = number.trim_end_matches('.');
    let mut parts = number.split('.');
    let is_number = |part: &str| {
        !part.is_empty() && part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let first = parts.next()?;
    let is_roman = !first.is_empty() && is_roman_capitals(first);
    let is_first = is_number(first) || is_roman || is_letter(first) && number.contains('.');
    let begins = rest.chars().find(|c| !c.is_whitespace());
    let is_title = begins.is_some_and(|c| c.is_alphabetic() && !c.is_lowercase());
    (is_first && is_title && parts.all(is_number))
        .then(|| u8::try_from(number.split('.').count()).unwrap_or(MAX_LEVEL).min(MAX_LEVEL))
}

/// Whether numbers are 1, 2, 3 and so on, without a gap.
pub fn is_count(numbers: impl Iterator<Item = u32>) -> bool {
    let mut last = 0;
    for number in numbers {
        if number != last + 1 {
            return false;
        }
        last = number;
    }
    last >= MIN_SECTIONS
}

/// The number of a section that is in no other one: 3 of `3 Results` and `3. Results`.
pub fn section(text: &str) -> Option<u32> {
    let (number, _) = text.trim().split_once(' ')?;
    (depth(text) == Some(1)).then(|| number.trim_end_matches('.').parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_counted() {
        assert_eq!(section("3. Results of it"), Some(3));
        assert_eq!(section("3.1 Results"), None);
        assert_eq!(section("3 results"), None);
        assert!(is_count([1, 2, 3].into_iter()));
        assert!(!is_count([1, 2].into_iter()) && !is_count([1, 3, 4].into_iter()));
    }
}

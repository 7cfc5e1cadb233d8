//! Words that stand before or between texts: bullets, numbers of items, initials, leaders.

/// Whether a word is made of the dots that lead to the number of a page.
pub fn is_leader(word: &str) -> bool {
    word.chars().all(|c| matches!(c, '.' | '\u{b7}' | '\u{2026}' | '\u{2024}' | '_'))
}

/// Whether a text is nothing but what an item of a list, or a numbered heading, begins with.
pub fn is_marker(text: &str) -> bool {
    let text = text.trim();
    let inner = text.trim_start_matches(['(', '[']).trim_end_matches([')', ']', '.', ':']);
    let is_bullet = matches!(text, "-" | "*" | "o" | "\u{2013}" | "\u{2014}")
        || text.chars().count() == 1 && text.chars().all(is_bullet);
    let mut parts = inner.split('.');
    let is_number = !inner.is_empty()
        && inner.len() <= 10
        && parts.all(|part| {
            !part.is_empty() && part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit())
        });
    let is_letter = inner.len() < text.len()
        && (inner.len() == 1 && inner.bytes().all(|byte| byte.is_ascii_alphabetic())
            || !inner.is_empty() && inner.len() <= 5 && is_roman(inner));
    is_bullet || is_number || is_letter
}

/// Whether a word is the number of a section in another one: `2.1`, `2.1.1.`.
pub fn is_section_number(word: &str) -> bool {
    let number = word.strip_suffix('.').unwrap_or(word);
    let is_part = |part: &str| {
        (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    number.contains('.') && number.len() <= 10 && number.split('.').all(is_part)
}

/// Whether a number is that of the first section in the one with the number `outer`: `4.1` in `4`, `A.1` in `A`.
pub fn is_first_within(number: &str, outer: &str) -> bool {
    let inner = |text: &str| text.strip_suffix('.').unwrap_or(text).to_owned();
    let outer = inner(outer);
    let is_number = outer.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    is_number && is_marker(&format!("{outer}.")) && inner(number) == outer + ".1"
}

/// Whether a character marks an item of a list.
pub const fn is_bullet(c: char) -> bool {
    matches!(
        c,
        '\u{2022}'
            | '\u{b7}'
            | '\u{25aa}'
            | '\u{25cf}'
            | '\u{25cb}'
            | '\u{25e6}'
            | '\u{25a0}'
            | '\u{25a1}'
            | '\u{2023}'
            | '\u{2043}'
            | '\u{2219}'
            | '\u{25b6}'
            | '\u{25ba}'
            | '\u{2713}'
            | '\u{2714}'
            | '\u{27a2}'
            | '\u{27a4}'
            | '\u{2610}'
            | '\u{2612}'
            | '\u{25c6}'
            | '\u{2756}'
            | '\u{25fc}'
    )
}

/// Whether a text is made of the letters of small Roman numbers.
pub fn is_roman(text: &str) -> bool {
    text.bytes().all(|byte| b"ivxIVX".contains(&byte))
}

/// Whether a word is a capital with a stop, as the initial of a name is.
pub const fn is_initial(word: &str) -> bool {
    matches!(word.as_bytes(), [b'A'..=b'Z', b'.'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_sections_are_known() {
        assert!(["2.1", "2.1.1", "3.10."].iter().all(|word| is_section_number(word)));
        assert!(["2", "2.", "2.100", "v2.1", "."].iter().all(|word| !is_section_number(word)));
        assert!(is_first_within("4.1", "4") && is_first_within("4.1.1.", "4.1."));
        assert!(is_first_within("A.1", "A"));
        assert!(!is_first_within("4.2", "4") && !is_first_within("5.1", "4"));
        assert!(!is_first_within("The.1", "The"));
    }
}

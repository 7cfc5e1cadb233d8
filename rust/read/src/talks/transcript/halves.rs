//! Halves of the day as chats write them beside a time: `p. m.`, `下午`, `오전`, `ÖS`, `م`.

/// Halves of the day, without dots and blanks, in small letters: those before noon, and those after it.
const HALVES: [&[&str]; 2] = [
    &[
        "am",
        "πμ",
        "上午",
        "午前",
        "凌晨",
        "清晨",
        "早上",
        "오전",
        "ص",
        "öö",
        "de",
        "fm",
        "sa",
        "dop",
        "fh",
        "पूर्वाह्न",
        "ก่อนเที่ยง",
    ],
    &[
        "pm",
        "μμ",
        "下午",
        "午後",
        "中午",
        "傍晚",
        "晚上",
        "오후",
        "م",
        "ös",
        "du",
        "em",
        "ch",
        "odp",
        "eh",
        "अपराह्न",
        "หลังเที่ยง",
    ],
];
/// Code points of the words beside a time, at most.
const MAX_CHARS: usize = 16;

/// Whether a word beside a time says that it is after noon; none if it is another word.
pub fn is_pm(word: &str) -> Option<bool> {
    let is_bare = |c: &char| !c.is_whitespace() && !is_bidi(*c) && *c != '.';
    let bare: String = word.to_lowercase().chars().filter(is_bare).collect();
    let half = HALVES.iter().position(|words| words.contains(&&*bare))?;
    Some(half == 1)
}

/// The half of the day behind a time that has a day, and where it ends. A word that is not known is one, too, if a dash
/// or a bracket follows, as before a name.
pub fn behind(text: &str) -> (Option<bool>, usize) {
    let is_end =
        |c: char| matches!(c, ']' | ')' | '-' | '\u{2013}' | ',' | ':' | '،') || c.is_ascii_digit();
    let most = text.char_indices().nth(MAX_CHARS).map_or(text.len(), |(at, _)| at);
    let Some(end) = text[..most].find(is_end).or((most == text.len()).then_some(most)) else {
        return (None, 0);
    };
    let word = text[..end].trim_end();
    let half = is_pm(word);
    let is_word = !text[end..].starts_with([':', ',']) && has_blank_before(text, end);
    let is_known = half.is_some();
    (half, if is_known || is_word { word.len() } else { 0 })
}

/// Whether a dash stands apart; a bracket needs not.
fn has_blank_before(text: &str, end: usize) -> bool {
    let is_dash = text[end..].starts_with(['-', '\u{2013}']);
    text[end..].starts_with([']', ')']) || is_dash && text[..end].ends_with(char::is_whitespace)
}

/// Whether a character says nothing but in which direction a text runs.
pub const fn is_bidi(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_told() {
        assert_eq!(
            ["p. m.", "PM", "ÖÖ", "下午", "uhr"].map(is_pm),
            [Some(true), Some(true), Some(false), Some(true), None]
        );
        assert_eq!(behind(" p.\u{a0}m. - María: x"), (Some(true), 7));
        assert_eq!(behind(" Uhr - Bo: x"), (None, 4));
        assert_eq!(behind(" م - x"), (Some(true), 3));
        assert_eq!([behind(" - Bo: x"), behind(" Bo: x"), behind("")], [(None, 0); 3]);
    }
}

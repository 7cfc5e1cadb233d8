//! Quotes with a blank on either side, as tokenized text has them: `" He left . "`

use super::enclosure::{BACK_BYTES, ahead, blank_and_quote, closes_soon};

/// The length of the blank and the quote at `at`, if the quote closes the sentence that began at `start`.
///
/// It closes what a quote before it has opened. Where none stands before it, it opens if another one
/// follows. O(1).
pub fn closer(text: &str, start: usize, at: usize) -> Option<usize> {
    let length = blank_and_quote(text, at)?;
    let known = text.floor_char_boundary(at.saturating_sub(BACK_BYTES)).max(start);
    let before = &text[known..at];
    let closes = match usize::from(before.starts_with(['\'', '"'])) + count(before) {
        0 => !closes_soon(text, at + length) && count(ahead(text, at + length)) == 0,
        n_before => n_before % 2 == 1,
    };
    closes.then_some(length)
}

fn count(text: &str) -> usize {
    memchr::memchr_iter(b' ', text.as_bytes())
        .filter(|&at| blank_and_quote(text, at).is_some())
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closes(text: &str) -> bool {
        let at = text.find('|').unwrap();
        closer(&text.replacen('|', "", 1), 0, at).is_some()
    }

    #[test]
    fn a_quote_closes_what_another_one_opened() {
        assert!(closes("the ' Old Mill .| ' It"));
        assert!(closes("\" He left .| \" Then"));
        assert!(closes("What to do ?| '' Ames left ."));
        assert!(!closes("' No , ' she said .| ' Why ?"));
        assert!(!closes("He sang .| ' Blue ' and ' Red ' were hits"));
        assert!(!closes("He left.| 'Then"));
    }
}

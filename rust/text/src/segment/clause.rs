//! Starts of clauses: where a sentence that is too long may be cut, behind a comma or a bracket.
//!
//! A clause begins behind `,` `;` `:` a dash or a closing bracket and the whitespace that follows,
//! and behind the full-width marks of Chinese and Japanese, which no whitespace follows.

use crate::unicode::space::skip_space;

/// Quotes and brackets that still belong to the clause they close; more are taken for noise.
const MAX_CLOSERS: usize = 8;

/// The first start of a clause in `start + 1..end`, if there is one. O(`end - start`).
///
/// ```
/// use chunkwright_text::segment::clause::{first_start, last_start};
///
/// let text = "Rain fell, then it stopped (at noon) for good.";
/// assert_eq!(first_start(text, 0, text.len()), Some(11));
/// assert_eq!(last_start(text, 0, text.len()), Some(37));
/// ```
pub fn first_start(text: &str, start: usize, end: usize) -> Option<usize> {
    let marks = text[start..end].char_indices().filter(|&(_, c)| is_mark(c));
    marks.filter_map(|(at, mark)| start_behind(text, start + at, mark)).find(|&at| at < end)
}

/// The last start of a clause in `start + 1..=end`, if there is one. O(`end - start`).
pub fn last_start(text: &str, start: usize, end: usize) -> Option<usize> {
    let marks = text[start..end].char_indices().rev().filter(|&(_, c)| is_mark(c));
    marks.filter_map(|(at, mark)| start_behind(text, start + at, mark)).find(|&at| at <= end)
}

/// Where the clause behind the `mark` at `at` begins.
fn start_behind(text: &str, at: usize, mark: char) -> Option<usize> {
    let behind = at + mark.len_utf8();
    let mut closers = text[behind..].chars();
    let n_closing: usize =
        closers.by_ref().take(MAX_CLOSERS).take_while(|&c| is_closer(c)).map(char::len_utf8).sum();
    let closed = behind + n_closing;
    let start = skip_space(text, closed);
    (start < text.len() && (start > closed || is_wide_mark(mark))).then_some(start)
}

const fn is_mark(c: char) -> bool {
    matches!(c, ',' | ';' | ':' | '–' | '—' | ')' | ']' | '}' | '،' | '؛') || is_wide_mark(c)
}

const fn is_wide_mark(c: char) -> bool {
    matches!(c, '、' | '，' | '；' | '：' | '､')
}

const fn is_closer(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '}' | '»' | '’' | '”' | '」' | '』' | '）' | '】' | '》')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All starts of clauses, first to last.
    fn starts(text: &str) -> Vec<usize> {
        let mut starts = Vec::new();
        let mut at = 0;
        while let Some(next) = first_start(text, at, text.len()) {
            starts.push(next);
            at = next;
        }
        starts
    }

    fn clauses(text: &str) -> Vec<&str> {
        let bounds: Vec<usize> = [0].into_iter().chain(starts(text)).chain([text.len()]).collect();
        bounds.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
    }

    #[test]
    fn a_clause_ends_behind_its_mark_and_what_closes() {
        assert_eq!(clauses("He came, saw; won."), ["He came, ", "saw; ", "won."]);
        assert_eq!(
            clauses("\"Yes,\" she said (twice) to me"),
            ["\"Yes,\" ", "she said (twice) ", "to me"]
        );
        assert_eq!(clauses("no – not yet — ever"), ["no – ", "not yet — ", "ever"]);
        assert_eq!(clauses("天気、晴れ，風：強い"), ["天気、", "晴れ，", "風：", "強い"]);
        assert_eq!(clauses("1,000 at 12:30, f(x)[1] a:b"), ["1,000 at 12:30, ", "f(x)[1] ", "a:b"]);
        assert_eq!(clauses("none here, "), ["none here, "]);
    }

    #[test]
    fn the_last_start_is_within_reach() {
        let text = "one, two, three";
        assert_eq!(last_start(text, 0, 15), Some(10));
        assert_eq!(last_start(text, 0, 10), Some(10));
        assert_eq!(last_start(text, 0, 9), Some(5));
        assert_eq!(last_start(text, 5, 9), None);
        assert_eq!(first_start(text, 0, 5), None);
        assert_eq!(first_start(text, 0, 6), Some(5));
    }

    proptest! {
        #[test]
        fn both_sides_find_the_same(text in "[ab,;)\" —、]{0,40}") {
            let starts = starts(&text);
            for (at, _) in text.char_indices() {
                let last = starts.iter().copied().rfind(|&start| start <= at);
                prop_assert_eq!(last_start(&text, 0, at), last);
            }
        }
    }
}

//! Stops: ends of sentences judged one by one, from the words around each.
//!
//! [`Sentences`](super::Sentences) reads a text from its beginning; here only what is near a place is read.
//! The rules are the same, but for a sentence they see a bounded part of, so a place may be found inside a
//! quotation or a list that began long before.

use super::language::Language;
use super::rules::{Context, Verdict};
use super::terminators::terminator;

/// So many bytes before a terminator are seen.
const BACK_BYTES: usize = 256;
/// So many bytes behind the last place asked for are seen.
const AHEAD_BYTES: usize = 512;
/// After so many terminators that end nothing there is none.
const MAX_TRIES: usize = 16;

/// The last start behind a stop in `after + 1..=upto`. O(`upto - after`), most often O(its distance to `upto`).
pub fn last_start(text: &str, after: usize, upto: usize, language: &Language) -> Option<usize> {
    let text = seen(text, upto);
    let mut end = text.floor_char_boundary(upto);
    for _ in 0..MAX_TRIES {
        let (at, mark) = last_mark(text, after, end)?;
        let start = start_behind(text, after, at, mark, language);
        if start.is_some_and(|start| start <= upto) {
            return start;
        }
        end = at;
    }
    None
}

/// The text as far as it is looked at: a run of terminators or blanks may be endless.
fn seen(text: &str, upto: usize) -> &str {
    &text[..text.floor_char_boundary(upto.saturating_add(AHEAD_BYTES))]
}

/// The first of the terminators that stand last in a row in `after..end`.
fn last_mark(text: &str, after: usize, end: usize) -> Option<(usize, char)> {
    let ascii = memchr::memrchr3(b'.', b'!', b'?', &text.as_bytes()[after..end]);
    let behind = ascii.map_or(after, |offset| after + offset);
    let wide = if text.as_bytes()[behind..end].is_ascii() {
        None
    } else {
        text[behind..end].char_indices().rev().find(|(_, c)| terminator(*c).is_some())
    };
    let mut last = match wide {
        Some((offset, mark)) => (behind + offset, mark),
        None => (after + ascii?, char::from(text.as_bytes()[behind])),
    };
    while let Some(before) = text[after..last.0].chars().next_back()
        && terminator(before).is_some()
    {
        last = (last.0 - before.len_utf8(), before);
    }
    Some(last)
}

/// The first start behind a stop in `after + 1..=upto`. O(`upto - after`).
pub fn first_start(text: &str, after: usize, upto: usize, language: &Language) -> Option<usize> {
    let text = seen(text, upto);
    let (mut is_run, mut n_tries) = (false, 0);
    for (offset, c) in text[after..text.floor_char_boundary(upto)].char_indices() {
        let is_first = terminator(c).is_some() && !is_run;
        is_run = terminator(c).is_some();
        if is_first {
            let start = start_behind(text, after, after + offset, c, language);
            n_tries += 1;
            if start.is_some() || n_tries == MAX_TRIES {
                return start.filter(|&start| start <= upto);
            }
        }
    }
    None
}

/// Where the sentence behind the `mark` at `at` begins, if one ends there and another follows in sight.
fn start_behind(
    text: &str,
    after: usize,
    at: usize,
    mark: char,
    language: &Language,
) -> Option<usize> {
    let start = text.floor_char_boundary(at.saturating_sub(BACK_BYTES)).max(after);
    match Context::new(text, start, language).judge(at, mark) {
        Verdict::Ends(next) if next < text.len() => Some(next),
        Verdict::Ends(_) | Verdict::GoesOn(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Sentences;
    use super::*;
    use proptest::prelude::*;

    /// The starts behind the stops of `text`, last to first.
    fn starts(text: &str) -> Vec<usize> {
        let next = |&upto: &usize| last_start(text, 0, upto - 1, &Language::english());
        let starts = last_start(text, 0, text.len(), &Language::english());
        std::iter::successors(starts, next).collect()
    }

    #[test]
    fn stops_of_prose_are_those_of_its_sentences() {
        let text = "Dr. Rain came at 5 p.m. and left... \"Why?\" asked Mrs. Snow. It cost $3.50! \
                    He said (no. 7 did not). 雨が降った。雪も。 The U.S. Army came, i.e. all of it. End.";
        let mut sentences: Vec<usize> =
            Sentences::new(text).map(|sentence| sentence.start).skip(1).collect();
        sentences.reverse();
        assert_eq!(starts(text), sentences);
        let first = sentences.last().copied();
        assert_eq!(first_start(text, 0, text.len(), &Language::english()), first);
    }

    #[test]
    fn endless_runs_are_looked_at_as_far_as_a_bounded_way() {
        let english = Language::english();
        for text in [".".repeat(4000), ". ".repeat(2000), format!("One.{}Two", " ".repeat(4000))] {
            assert_eq!(last_start(&text, 0, 100, &english), None, "{:?}", &text[..20]);
            assert_eq!(first_start(&text, 0, 100, &english), None, "{:?}", &text[..20]);
        }
    }

    proptest! {
        #[test]
        fn both_sides_find_the_same(text in "([A-Ca-c]{1,5}[.!?)]{0,2} ?){0,12}") {
            let starts = starts(&text);
            let first = first_start(&text, 0, text.len(), &Language::english());
            prop_assert_eq!(first, starts.last().copied());
        }
    }
}

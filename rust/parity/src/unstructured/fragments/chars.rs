//! Cut of an oversized text in code points.

use super::{Again, Step, Terms, View};
use chunkwright_core::measure::ruler::Ruler;
use chunkwright_core::offsets::{skip_chars, skip_chars_back};
use chunkwright_core::segment::{grapheme, word};
use chunkwright_core::unicode::space::{skip_space, trim_end};

/// Where `view` is cut; none if it fits. O(`max`), but for whitespace that is skipped.
///
/// At the last newline, else the last blank, behind the first `overlap` + 1 and up to `max` code points;
/// else at `max`, or at the grapheme before it.
pub fn step(view: View<'_>, terms: Terms<'_>) -> Option<Step> {
    let View { start, end, .. } = view;
    let text = &view.text[..end];
    let limit = skip_chars(text, start, terms.max);
    if limit == end {
        return None;
    }
    let from = skip_chars(text, start, terms.overlap + 1).max(terms.new.unwrap_or(start));
    let at_separator = [b'\n', b' '].into_iter().find_map(|separator| {
        let at = from + memchr::memrchr(separator, text.as_bytes().get(from..=limit)?)?;
        let fragment = trim_end(text, start, at);
        let next = skip_space(text, at + 1);
        (fragment > start).then(|| match terms.new {
            None => Step { end: fragment, again: repeated(view, fragment, terms.overlap), next },
            Some(_) => {
                Step { end: fragment, again: last_words(view, fragment, terms.overlap), next }
            }
        })
    });
    at_separator.or_else(|| Some(within_word(view, limit, terms)))
}

/// The last words of a fragment, if they have at most `overlap` code points.
fn last_words(view: View<'_>, fragment: usize, overlap: usize) -> Again {
    let from = skip_chars_back(view.text, fragment, overlap).max(view.start);
    match word::first_start(view.text, from, fragment) {
        Some(start) if overlap > 0 => Again::From(start),
        _ => Again::Nothing,
    }
}

/// The blank that stands behind what is repeated is counted too.
fn repeated(view: View<'_>, fragment: usize, overlap: usize) -> Again {
    if overlap <= 1 {
        return Again::Nothing;
    }
    let tail = skip_chars_back(view.text, fragment, overlap - 1).max(view.start);
    Again::Tail(skip_space(&view.text[..fragment], tail))
}

/// A cut at `limit`, behind which the text goes on `overlap` code points before it.
fn within_word(view: View<'_>, limit: usize, terms: Terms<'_>) -> Step {
    let View { start, end, .. } = view;
    let text = &view.text[..end];
    if terms.new.is_some() {
        let cut = last_grapheme(view, limit, terms.ruler);
        let fragment = trim_end(text, start, cut);
        let again = last_words(view, fragment, terms.overlap);
        return Step { end: fragment, again, next: skip_space(text, cut) };
    }
    let next = skip_space(text, limit);
    let back = skip_space(text, skip_chars(text, start, terms.max - terms.overlap));
    let again = if back < next { Again::From(back) } else { Again::Nothing };
    Step { end: trim_end(text, start, limit), again, next }
}

/// The last grapheme boundary up to `at`, but not before the first grapheme's end.
pub fn last_grapheme(view: View<'_>, at: usize, ruler: &dyn Ruler) -> usize {
    let text = &view.text[..view.end];
    let cut = match grapheme::floor(text, view.start, at) {
        floor if floor > view.start => floor,
        _ => grapheme::end(text, view.start).unwrap_or(at),
    };
    match (text[..cut].chars().next_back(), text[cut..].chars().next()) {
        (Some(before), Some(after)) if ruler.are_halves(before, after) => {
            let start = cut - before.len_utf8();
            if start > view.start { start } else { cut + after.len_utf8() }
        }
        _ => cut,
    }
}

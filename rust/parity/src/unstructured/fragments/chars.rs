//! Cut of an oversized text in code points.

use super::{Again, Step, Terms, View};
use chunkwright_text::offsets::{skip_chars, skip_chars_back};
use chunkwright_text::unicode::space::{skip_space, trim_end};

/// Where `view` is cut; none if it fits. O(`max`), but for whitespace that is skipped.
///
/// At the last newline, else the last blank, behind the first `overlap` + 1 and up to `max` code points;
/// else at `max`.
pub fn step(view: View<'_>, terms: Terms) -> Option<Step> {
    let View { start, end, .. } = view;
    let text = &view.text[..end];
    let limit = skip_chars(text, start, terms.max);
    if limit == end {
        return None;
    }
    let from = skip_chars(text, start, terms.overlap + 1);
    let at_separator = [b'\n', b' '].into_iter().find_map(|separator| {
        let at = from + memchr::memrchr(separator, text.as_bytes().get(from..=limit)?)?;
        let fragment = trim_end(text, start, at);
        let next = skip_space(text, at + 1);
        let again = || repeated(view, fragment, terms.overlap);
        (fragment > start).then(|| Step { end: fragment, again: again(), next })
    });
    at_separator.or_else(|| Some(within_word(view, limit, terms)))
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
fn within_word(view: View<'_>, limit: usize, terms: Terms) -> Step {
    let View { start, end, .. } = view;
    let text = &view.text[..end];
    let next = skip_space(text, limit);
    let back = skip_space(text, skip_chars(text, start, terms.max - terms.overlap));
    let again = if back < next { Again::From(back) } else { Again::Nothing };
    Step { end: trim_end(text, start, limit), again, next }
}

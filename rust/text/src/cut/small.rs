//! Small chunks: joined with a neighbour where both fit into one.
//!
//! A chunk of three words is found by accident and answers nothing. It is joined with the neighbour that it
//! belongs to, if both fit into one chunk, and else stays: a least size is a wish, a limit is none. Whether two
//! chunks may be joined at all is the strategy's to say, since only it knows what parts them.

use std::sync::Arc;

use crate::chunks::{Chunks, Content, Origin};
use crate::error::Result;
use crate::measure::Measure;
use crate::measure::ruler::Ruler;
use crate::options::Limits;
use crate::pulse::{Beat, CHUNK_BYTES, Pulse};
use crate::span::{Piece, Role, Span};

/// Joins chunks smaller than the least size of `limits` with the one before or behind, where both fit into
/// one and `may_join` says so of the number of the second; nothing changes where there is no least size.
///
/// What is repeated around them stays: before the first, also from afar, and behind the last. O(n) in the
/// chunks of `text`.
///
/// # Errors
/// Those of the measure and of `pulse`.
pub fn join_small(
    chunks: Chunks,
    text: &str,
    measure: &dyn Measure,
    limits: Limits,
    pulse: Pulse<'_>,
    may_join: impl Fn(usize) -> bool,
) -> Result<Chunks> {
    if limits.min_size() == 0 || chunks.len() < 2 {
        return Ok(chunks);
    }
    let (beat, mut joined) = (Beat::of_bytes(pulse), Chunks::default());
    let mut boundaries = chunks.boundaries().clone();
    let mut neighbours = Neighbours::new(limits.min_size());
    for i in 0..chunks.len() {
        beat.after(CHUNK_BYTES)?;
        let next = Held::of(&chunks, i);
        let both = |held: &Held| -> Result<Option<(Held, usize)>> {
            if !may_join(i) {
                return Ok(None);
            }
            let body = Span::new(held.body.start, next.body.end);
            let both = Held { end: i + 1, body, ..*held };
            let size = both.size_in(&chunks, text, measure)?;
            let Some(size) = size.filter(|&size| size <= limits.hard_max()) else {
                return Ok(None);
            };
            boundaries.join(Span::new(held.body.end, next.body.start));
            Ok(Some((Held { size, ..both }, measure.size(body)?)))
        };
        if let Some(done) = neighbours.add(next, measure.size(next.body)?, both)? {
            done.write(&chunks, &mut joined);
        }
    }
    if let Some(last) = neighbours.finish() {
        last.write(&chunks, &mut joined);
    }
    Ok(joined.with_boundaries(boundaries))
}

/// Neighbours of which one is done as soon as nothing behind it can be joined to it: where either of two is
/// smaller than the least size, they become one.
pub struct Neighbours<T> {
    least: usize,
    /// The last one, and the size of its own text.
    last: Option<(T, usize)>,
}

impl<T> Neighbours<T> {
    /// None yet; nothing is joined where `least` is 0.
    pub const fn new(least: usize) -> Self {
        Self { least, last: None }
    }

    /// Adds one with its size. `both` makes it one with the last, with the size of both, if they may stand
    /// together and fit. Returns the last, if it is done.
    ///
    /// # Errors
    /// Those of `both`.
    pub fn add(
        &mut self,
        next: T,
        size: usize,
        both: impl FnOnce(&T) -> Result<Option<(T, usize)>>,
    ) -> Result<Option<T>> {
        if let Some((last, size_of_last)) = &self.last
            && size.min(*size_of_last) < self.least
            && let Some(joined) = both(last)?
        {
            self.last = Some(joined);
            return Ok(None);
        }
        let done = self.last.replace((next, size));
        Ok(done.map(|(last, _)| last))
    }

    /// The last one.
    pub fn finish(&mut self) -> Option<T> {
        self.last.take().map(|(last, _)| last)
    }
}

/// Neighbouring chunks that are one.
#[derive(Clone, Copy)]
struct Held {
    first: usize,
    end: usize,
    /// Their own text.
    body: Span,
    size: usize,
}

impl Held {
    fn of(chunks: &Chunks, i: usize) -> Self {
        Self { first: i, end: i + 1, body: chunks.body(i), size: chunks.sizes()[i] }
    }

    /// What they cover, with what is repeated at both ends.
    fn span(&self, chunks: &Chunks) -> Span {
        Span::new(chunks.span(self.first).start, chunks.span(self.end - 1).end)
    }

    /// What is repeated from afar in front of them.
    fn afar<'c>(&self, chunks: &'c Chunks) -> &'c [Piece] {
        let pieces = chunks.pieces(self.first);
        let is_near = |piece: &Piece| matches!(piece.role, Role::Body | Role::Overlap);
        &pieces[..pieces.iter().position(is_near).unwrap_or(0)]
    }

    /// Their size as one; none if nothing measures what is put together on the way.
    fn size_in(&self, chunks: &Chunks, text: &str, measure: &dyn Measure) -> Result<Option<usize>> {
        let (afar, span) = (self.afar(chunks), self.span(chunks));
        if afar.is_empty() {
            return measure.size(span).map(Some);
        }
        let mut spans = afar.iter().map(|piece| piece.span).chain([span]);
        let size = |ruler: &dyn Ruler| ruler.size_joined(text, measure, &mut spans);
        measure.ruler().map(size).transpose()
    }

    fn write(&self, chunks: &Chunks, joined: &mut Chunks) {
        let (first, last) = (self.first, self.end - 1);
        if first == last {
            joined.push_row(chunks, first);
            return;
        }
        let (mut pieces, span) = (self.afar(chunks).to_vec(), self.span(chunks));
        let around = [(span.start, self.body.start), (self.body.end, span.end)]
            .map(|(start, end)| Piece::overlap(Span::new(start, end)));
        pieces.extend([around[0], Piece::body(self.body), around[1]]);
        pieces.retain(|piece| !piece.span.is_empty());
        joined.push_pieces(&pieces, self.size);
        if let [Some(origin), Some(of_last)] = [first, last].map(|i| chunks.origins().get(i)) {
            joined.set_origin(Origin { content: Content::Text, end: of_last.end, ..*origin });
        }
        if let [Some(subject), Some(of_last)] = [first, last].map(|i| chunks.subject(i)) {
            joined.set_subject(Arc::new(subject.with(of_last)));
        }
    }
}

/// Whether the own text of chunk `i` is one slice with nothing repeated from afar, so that neighbours are one
/// slice together.
pub fn is_near(chunks: &Chunks, i: usize) -> bool {
    let is_own = |piece: &&Piece| piece.role == Role::Body;
    chunks.is_slice(i) && chunks.pieces(i).iter().filter(is_own).count() == 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cut::sentence::{Sentencing, sentence};
    use crate::document::Document;
    use crate::measure::Chars;
    use crate::options::OverlapAt;
    use crate::pulse::no_pulse;
    use crate::segment::sentence::Language;

    fn bodies(text: &str, hard_max: usize, n: Option<usize>, min_size: usize) -> Vec<String> {
        let (document, chars) = (Document::new(text), Chars::new(Document::new(text)));
        let limits = Limits::new(hard_max, None, 0).unwrap().with_min_size(min_size).unwrap();
        let language = Language::english();
        let how = Sentencing { language, sentences: n, window: 0, repeat_headers: true };
        let at = OverlapAt::Word;
        let chunks = sentence(document, &chars, limits, at, how, no_pulse()).unwrap();
        let joined = join_small(chunks, text, &chars, limits, no_pulse(), |_| true).unwrap();
        joined.spans().map(|span| text[span.range()].to_owned()).collect()
    }

    #[test]
    fn a_small_chunk_joins_the_one_before_or_behind() {
        let text = "One. Two three four. Five six seven. Eight.";
        let alone = ["One.", "Two three four.", "Five six seven.", "Eight."];
        assert_eq!(bodies(text, 23, Some(1), 0), alone);
        let joined = ["One. Two three four.", "Five six seven. Eight."];
        let last = ["One. Two three four.", "Five six seven.", "Eight."];
        assert_eq!(bodies(text, 23, Some(1), 5), last);
        assert_eq!(bodies(text, 23, Some(1), 7), joined);
        assert_eq!(bodies(text, 19, Some(1), 7), alone);
    }

    proptest! {
        #[test]
        fn nothing_small_is_left_beside_what_it_fits_with(
            text in "([a-c]{1,6}[., ]){0,30}",
            max in 1_usize..40,
            min_size in 0_usize..20,
        ) {
            let min_size = min_size.min(max);
            let joined = bodies(&text, max, Some(1), min_size);
            let letters = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(letters(&joined.concat()), letters(&text));
            for pair in joined.windows(2) {
                let is_small = pair.iter().any(|one| one.len() < min_size);
                let at_least = pair[0].len() + pair[1].len();
                prop_assert!(!is_small || at_least + 1 > max, "{pair:?}");
            }
        }
    }
}

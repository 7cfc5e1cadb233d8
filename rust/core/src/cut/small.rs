//! Small chunks: joined with a neighbour where both fit into one.

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
/// Those of the measure, and what `pulse` says.
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
    let mut held = Held::of(&chunks, 0);
    let mut was_small = held.is_small(measure, limits)?;
    for i in 1..chunks.len() {
        beat.after(CHUNK_BYTES)?;
        let next = Held::of(&chunks, i);
        let is_small = next.is_small(measure, limits)?;
        if (was_small || is_small) && may_join(i) {
            let both = Held { end: i + 1, body: Span::new(held.body.start, next.body.end), ..held };
            let size = both.size_in(&chunks, text, measure)?;
            if size.is_some_and(|size| size <= limits.hard_max()) {
                boundaries.join(Span::new(held.body.end, next.body.start));
                held = Held { size: size.unwrap_or_default(), ..both };
                was_small = held.is_small(measure, limits)?;
                continue;
            }
        }
        held.write(&chunks, &mut joined);
        (held, was_small) = (next, is_small);
    }
    held.write(&chunks, &mut joined);
    Ok(joined.with_boundaries(boundaries))
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

    /// Whether its own text is, without what is repeated.
    fn is_small(&self, measure: &dyn Measure, limits: Limits) -> Result<bool> {
        Ok(measure.size(self.body)? < limits.min_size())
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
        let how = Sentencing { language: Language::english(), sentences: n, window: 0 };
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

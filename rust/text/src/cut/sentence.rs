//! Sentence strategy: chunks of whole sentences.
//!
//! As many sentences as the limit allows, or a given number of them. A sentence over the limit is cut
//! behind the last line within reach, as a list that no sign ends is one, else behind the last clause, else behind
//! the last word, else between graphemes; what is left of it begins a chunk, to which the sentences behind are
//! added. Headings go with the sentence that follows them. A table stays whole where it fits, and is cut between its
//! rows where it does not, unless a number of sentences is asked for.
//!
//! Packing reads only what it needs: sentences are looked for near the limit, from the last blank line on
//! ([`Nearby`]), unless an overlap or a number of sentences asks for all of them. A window is found by bisection
//! over the number of neighbours, O(log window) sizes a chunk.

use super::chunker::Chunker;
use super::levels::Natural;
use super::pack::add_chunks;
use super::structure::{Next, Structure};
use super::table::in_text::{add_all, tables};
use crate::chunks::Chunks;
use crate::document::Document;
use crate::error::Result;
use crate::measure::Measure;
use crate::options::{Limits, OverlapAt};
use crate::pulse::{Beat, CHUNK_BYTES, Pulse};
use crate::segment::nearby::Nearby;
use crate::segment::sentence::Language;
use crate::segment::starts::SentenceStarts;
use crate::span::Span;
use crate::unicode::line_ends::unified;
use crate::unicode::space::{skip_space, trim_end};

/// Options of the sentence strategy.
#[derive(Clone, Copy, Debug)]
pub struct Sentencing {
    /// The language of the text; an overlap begins at sentences of the same language.
    pub language: Language,
    /// So many sentences make a chunk; none: as many as fit.
    pub sentences: Option<usize>,
    /// So many neighbouring sentences are repeated on each side, as far as the limit allows.
    pub window: usize,
    /// Whether the parts of a table repeat its header.
    pub repeat_headers: bool,
}

impl Sentencing {
    /// Whether it asks for nothing but as many sentences as fit.
    const fn is_packing(self) -> bool {
        self.sentences.is_none() && self.window == 0
    }
}

/// Cuts a document between sentences.
///
/// With `sentences`, each group of so many makes one chunk, and a group over the limit is cut as a text
/// of its own; headings belong to the sentence behind them, and are not counted. With a `window`, sentences around a chunk's own text are repeated before and behind it;
/// where they are too many for the limit, the outermost are left out, the one before first. A window
/// takes the place of an overlap, which is then not used.
///
/// O(n) in the text's length.
///
/// ```
/// use chunkwright_text::cut::sentence::{Sentencing, sentence};
/// use chunkwright_text::document::Document;
/// use chunkwright_text::measure::Chars;
/// use chunkwright_text::options::{Limits, OverlapAt};
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_text::segment::sentence::Language;
///
/// let document = Document::new("The river rises. It floods the fields. Farmers wait.");
/// let cut = |max, sentences, window| {
///     let language = Language::english();
///     let sentencing = Sentencing { language, sentences, window, repeat_headers: true };
///     let (chars, limits) = (Chars::new(document), Limits::new(max, None, 0)?);
///     let chunks = sentence(document, &chars, limits, OverlapAt::Word, sentencing, no_pulse())?;
///     let texts = (0..chunks.len()).map(|i| chunks.text(i, document.text()).trim_end().to_owned());
///     Ok::<_, chunkwright_text::error::Error>(texts.collect::<Vec<_>>())
/// };
/// assert_eq!(cut(40, None, 0)?, ["The river rises. It floods the fields.", "Farmers wait."]);
/// // One sentence a chunk, with the one before and the one behind it.
/// assert_eq!(cut(60, Some(1), 1)?[1], "The river rises. It floods the fields. Farmers wait.");
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// Those of the measure and of `pulse`.
pub fn sentence(
    document: Document<'_>,
    measure: &dyn Measure,
    limits: Limits,
    overlap_at: OverlapAt,
    sentencing: Sentencing,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let lines = unified(document.text());
    let text = &*lines;
    let limits = if sentencing.window == 0 { limits } else { limits.without_overlap() };
    let chunker = Chunker::new(text, measure, limits, overlap_at, pulse);
    let mut chunker = chunker.of_source(document.text());
    chunker.structure = Structure::of(
        text,
        document.markup(),
        Next::Sentence(sentencing.language),
        measure,
        limits,
    );
    let levels = |sentences| {
        [sentences, Natural::Breaks(text), Natural::Clauses(text), Natural::Words(text)]
    };
    let tables = || tables(document, document.markup());
    if sentencing.is_packing() && !chunker.overlaps_sentences() {
        let nearby = Nearby::new(text, sentencing.language, pulse);
        let mut levels = levels(Natural::Nearby(Box::new(nearby)));
        add_all(&mut chunker, &mut levels, tables(), sentencing.repeat_headers)?;
        return Ok(chunker.chunks);
    }
    let starts = chunker.sentences(sentencing.language)?.clone();
    let mut levels = levels(Natural::Sentences(starts.clone()));
    let is_free = |at| chunker.structure.as_ref().map_or(Ok(true), |kept| kept.is_free(at));
    let starts = starts.only(is_free)?;
    match sentencing.sentences {
        None => {
            // A window shows what stands around a chunk, and nothing else.
            let repeats = sentencing.repeat_headers && sentencing.window == 0;
            add_all(&mut chunker, &mut levels, tables(), repeats)?;
        }
        Some(n) => group(&mut chunker, &mut levels, &starts, n)?,
    }
    if sentencing.window == 0 {
        return Ok(chunker.chunks);
    }
    let windows = Windows { text, measure, limits, starts, most: sentencing.window };
    windows.around(&chunker.chunks, &chunker.beat)
}

/// Makes a chunk of each `n` sentences.
fn group(
    chunker: &mut Chunker<'_>,
    levels: &mut [Natural<'_>],
    starts: &SentenceStarts,
    n: usize,
) -> Result<()> {
    let text = chunker.text;
    let mut first = 0;
    while let Some(body) = starts.get(first) {
        first = first.saturating_add(n);
        let upto = starts.get(first).unwrap_or(text.len());
        // The first of it may be in the chunk before already.
        let body = skip_space(text, body.max(chunker.done()));
        if body >= upto {
            continue;
        }
        let whole = Span::new(body, trim_end(text, body, upto));
        if chunker.fits(whole.start, whole.end)? {
            let open = chunker.open_beside(whole)?;
            chunker.push(open, body, whole.end)?;
            continue;
        }
        add_chunks(chunker, levels, body, upto)?;
    }
    Ok(())
}

/// Sentences around chunks.
struct Windows<'a> {
    text: &'a str,
    measure: &'a dyn Measure,
    limits: Limits,
    starts: SentenceStarts,
    /// Sentences on each side, at most.
    most: usize,
}

impl Windows<'_> {
    /// `chunks`, each with its neighbouring sentences.
    fn around(&self, chunks: &Chunks, beat: &Beat<'_>) -> Result<Chunks> {
        let mut windows = Chunks::default();
        for i in 0..chunks.len() {
            let body = chunks.body(i);
            beat.after(body.len() + CHUNK_BYTES)?;
            let (span, size) = self.widest(body, chunks.sizes()[i])?;
            windows.push_within(span, body, size);
            if size > self.limits.hard_max() {
                windows.mark_oversize();
            }
        }
        Ok(windows)
    }

    /// The widest window around `body` that is within the limit, and its size; O(log `most`) sizes.
    fn widest(&self, body: Span, size: usize) -> Result<(Span, usize)> {
        let (mut widest, mut low, mut high) =
            ((body, size), 0, 2 * self.most.min(self.reach(body)));
        // Most windows fit as they are.
        let mut neighbours = high;
        while low < high {
            let span = self.window(body, neighbours);
            let size = if span == body { size } else { self.measure.size(span)? };
            if size <= self.limits.hard_max() {
                (widest, low) = ((span, size), neighbours);
            } else {
                high = neighbours - 1;
            }
            neighbours = (low + high).div_ceil(2);
        }
        Ok(widest)
    }

    /// Neighbours that there are on the side with more of them, at most.
    fn reach(&self, body: Span) -> usize {
        let before = self.starts.before(body.start);
        before.max(self.starts.before(self.text.len()) - before)
    }

    /// `body` with so many neighbours, half of them on each side, one more behind it if they are odd.
    ///
    /// Next to a part of a sentence, the rest of it is the first neighbour.
    fn window(&self, body: Span, neighbours: usize) -> Span {
        let (before, behind) = (neighbours / 2, neighbours.div_ceil(2));
        let first = self.starts.before(body.start).saturating_sub(before);
        let start =
            if before == 0 { body.start } else { self.starts.get(first).unwrap_or(body.start) };
        if behind == 0 {
            return Span::new(start, body.end);
        }
        let next = skip_space(self.text, body.end);
        let last = self.starts.before(next.saturating_add(1)) + behind - 1;
        let cut = self.starts.get(last).unwrap_or(self.text.len());
        Span::new(start.min(body.start), trim_end(self.text, body.end, cut))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::Markup;
    use crate::measure::{Bpe, Chars, Counter, Encoder, Tokens};
    use crate::oracle;
    use crate::pulse::no_pulse;
    use crate::span::Role;
    use proptest::prelude::*;

    fn packed() -> Sentencing {
        Sentencing {
            language: Language::english(),
            sentences: None,
            window: 0,
            repeat_headers: true,
        }
    }

    fn cut(text: &str, measure: &dyn Measure, max: usize, sentencing: Sentencing) -> Chunks {
        let (document, limits) = (Document::new(text), Limits::new(max, None, 0).unwrap());
        sentence(document, measure, limits, OverlapAt::Word, sentencing, no_pulse()).unwrap()
    }

    fn texts<'t>(text: &'t str, chunks: &Chunks) -> Vec<&'t str> {
        chunks.spans().map(|span| &text[span.range()]).collect()
    }

    #[test]
    fn a_sentence_that_begins_inside_a_grapheme_is_not_cut_twice() {
        let text = "。\u{301}x";
        let bytes = Counter::new(text, |span: Span| Ok(span.len()));
        let one = Sentencing { sentences: Some(1), ..packed() };
        assert_eq!(texts(text, &cut(text, &bytes, 2, one)), ["。\u{301}", "x"]);
    }

    #[test]
    fn a_block_may_end_in_a_character_of_several_bytes() {
        let text = "1. ```\u{a0}\n> # -1000000000";
        let (document, limits) = (Document::new(text), Limits::new(22, Some(1), 0).unwrap());
        let chars = Chars::new(document);
        let document = document.written_in(Markup::Markdown);
        let chunks = sentence(document, &chars, limits, OverlapAt::Word, packed(), no_pulse());
        let chunks = chunks.unwrap();
        assert_eq!(
            texts(text, &chunks).concat().replace(char::is_whitespace, ""),
            "1.```>#-1000000000"
        );
    }

    proptest! {
        #[test]
        fn chunks_are_those_of_the_oracle(
            text in prop_oneof![
                "[a-cA.,!漢、e\u{301}\n ]{0,80}",
                "((# |== |Title\n===\n|```\n)?[a-c漢]{2,6}[.,]?( |\n|\n\n)){0,20}",
            ],
            max in 1_usize..30,
        ) {
            let (chars, packed) = (Chars::new(Document::new(&text)), packed());
            let expected = oracle::sentences(&text, max, |part| part.chars().count());
            prop_assert_eq!(texts(&text, &cut(&text, &chars, max, packed)), expected);
            let bpe = Bpe::named("cl100k_base").unwrap();
            let count = |part: &str| Encoder::new(bpe.clone()).count(part, no_pulse()).unwrap();
            let index = Encoder::new(bpe.clone()).index(&text, no_pulse()).unwrap();
            let tokens = Tokens::new(&text, &index);
            let expected = oracle::sentences(&text, max, count);
            prop_assert_eq!(texts(&text, &cut(&text, &tokens, max, packed)), expected);
        }

        /// The widest window is found by bisection, which sizes that grow allow.
        #[test]
        fn windows_are_as_wide_as_the_limit_allows(
            text in "([a-cA]{1,5}[.,!漢] ){0,20}",
            max in 1_usize..40,
            most in 0_usize..5,
            n in 1_usize..3,
        ) {
            let chars = Chars::new(Document::new(&text));
            let sentencing = Sentencing { sentences: Some(n), ..packed() };
            let bare = cut(&text, &chars, max, sentencing);
            let wide = cut(&text, &chars, max, Sentencing { window: most, ..sentencing });
            prop_assert_eq!(bare.len(), wide.len());
            let starts = SentenceStarts::new(&text, packed().language, no_pulse()).unwrap();
            let limits = Limits::new(max, None, 0).unwrap();
            let windows = Windows { text: &text, measure: &chars, limits, starts, most };
            for i in 0..bare.len() {
                let body = bare.body(i);
                prop_assert_eq!(wide.body(i), body);
                let size = |span: Span| text[span.range()].chars().count();
                let mut spans = (0..=2 * most).map(|neighbours| windows.window(body, neighbours));
                let widest = spans.rfind(|&span| span == body || size(span) <= max);
                prop_assert_eq!(Some(wide.span(i)), widest);
                prop_assert_eq!(wide.sizes()[i], size(wide.span(i)));
            }
        }
    }

    #[test]
    fn a_window_has_a_piece_on_each_side() {
        let text = "One. Two. Three. Four.";
        let chars = Chars::new(Document::new(text));
        let sentencing = Sentencing { sentences: Some(1), window: 1, ..packed() };
        let chunks = cut(text, &chars, 99, sentencing);
        assert_eq!(
            texts(text, &chunks),
            ["One. Two.", "One. Two. Three.", "Two. Three. Four.", "Three. Four."]
        );
        let roles: Vec<Role> = chunks.pieces(1).iter().map(|piece| piece.role).collect();
        assert_eq!(roles, [Role::Overlap, Role::Body, Role::Overlap]);
        let narrow = cut(text, &chars, 12, sentencing);
        assert_eq!(
            texts(text, &narrow),
            ["One. Two.", "Two. Three.", "Three. Four.", "Three. Four."]
        );
    }

    #[test]
    fn next_to_a_part_of_a_sentence_the_rest_is_a_neighbour() {
        let text = "Ab. One two three. Cd.";
        let chars = Chars::new(Document::new(text));
        let limits = Limits::new(13, Some(7), 0).unwrap();
        let sentencing = Sentencing { window: 1, ..packed() };
        let (document, at) = (Document::new(text), OverlapAt::Word);
        let chunks = sentence(document, &chars, limits, at, sentencing, no_pulse()).unwrap();
        let bodies: Vec<_> = (0..chunks.len()).map(|i| &text[chunks.body(i).range()]).collect();
        assert_eq!(bodies, ["Ab.", "One two", "three.", "Cd."]);
        assert_eq!(texts(text, &chunks), ["Ab.", "One two", "three. Cd.", "Cd."]);
        let starts = SentenceStarts::new(text, packed().language, no_pulse()).unwrap();
        let windows = Windows { text, measure: &chars, limits, starts, most: 2 };
        let window = |i, neighbours| &text[windows.window(chunks.body(i), neighbours).range()];
        assert_eq!(window(1, 1), "One two three.");
        assert_eq!(window(1, 2), "Ab. One two three.");
        assert_eq!(window(2, 2), "One two three. Cd.");
        assert_eq!(window(2, 4), text);
    }
}

//! Balanced strategy: chunks of even sizes at strong boundaries, chosen for the whole text at once.
//!
//! `boundary` finds the places where a chunk may end and says how strong each is, `objective` prices
//! chunks, and `programme` finds the cheapest way through the text. `docs/balanced.md` has the prices
//! and a picture.
//!
//! The idea is that of Knuth and Plass for lines of a paragraph (*Breaking Paragraphs into Lines*, 1981): a
//! greedy cut takes what is best for this chunk and leaves the next one what is left, so the last chunk of a
//! section is often a crumb. Here each chunk has a cost, for how far it is from the target and for the boundary
//! that it ends at, and the sum over the whole text is least.
//!
//! Costs are whole numbers, so sums do not depend on what was added before: an edit changes the chunks around it,
//! and the cheapest ways meet again behind it. On plain text that is the strategy whose chunks survive edits
//! best.
//!
//! Memory is 56 bytes a boundary beside the measure's index. Boundaries closer together than a 24th of the target
//! are thinned, so there are few of them.

mod boundary;
mod interior;
mod objective;
mod programme;

use self::boundary::{Mark, marks};
use super::chunker::Chunker;
use super::levels::Natural;
use super::pack::add_chunks;
use super::structure::{Next, Structure};
use super::table::in_text::{TextTable, tables};
use crate::chunks::Chunks;
use crate::document::Document;
use crate::error::Result;
use crate::measure::Measure;
use crate::options::{Limits, OverlapAt};
use crate::pulse::Pulse;
use crate::segment::sentence::Language;
use crate::span::Span;
use crate::unicode::line_ends::unified;
use crate::unicode::space::skip_space;

/// How large chunks should be and may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Room {
    /// What a chunk's own text aims at.
    target: usize,
    /// What the own text of a chunk of several parts may have, the overlap left out.
    several: usize,
    /// What a chunk may have.
    hard: usize,
}

impl Room {
    /// The target is the soft limit, or three quarters of the hard one.
    fn new(limits: Limits) -> Self {
        let (hard, overlap) = (limits.hard_max(), limits.overlap());
        let several = hard - overlap;
        let target = limits.given_soft_max().map_or(several - several / 4, |soft| soft - overlap);
        Self { target, several, hard }
    }
}

/// Cuts a document where the sum of what its chunks cost is least.
///
/// Sentences are those of `language`. One is cut only if it exceeds the limit, together with the headings
/// above it, from which it is not parted; so is a table whose rows are lines, between its rows. The overlap is added to the chunks that were chosen, as far as
/// the limit allows, and moves no cut.
///
/// O(n) in the text's length: each boundary is compared with a bounded number of those before it. The
/// measure is asked for two spans a sentence and a few a chunk.
///
/// ```
/// use chunkwright_text::cut::balanced::balanced;
/// use chunkwright_text::document::Document;
/// use chunkwright_text::measure::Chars;
/// use chunkwright_text::options::{Limits, OverlapAt};
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_text::segment::sentence::Language;
///
/// let text = "Rain fell on Monday. It fell on Tuesday, too. It stopped. The sun came out. It stayed.";
/// let document = Document::new(text);
/// let (chars, limits) = (Chars::new(document), Limits::new(75, None, 0)?);
/// let (at, language) = (OverlapAt::Word, Language::english());
/// let chunks = balanced(document, &chars, limits, at, language, true, no_pulse())?;
/// // As full as the limit allows, the first chunk would have 75 characters and the last one 10.
/// assert_eq!(chunks.sizes(), [45, 40]);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// Those of the measure, and what `pulse` says.
pub fn balanced(
    document: Document<'_>,
    measure: &dyn Measure,
    limits: Limits,
    overlap_at: OverlapAt,
    language: Language,
    repeat_headers: bool,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let lines = unified(document.text());
    let text = &*lines;
    let chunker = Chunker::new(text, measure, limits, overlap_at, pulse);
    let mut chunker = chunker.of_source(document.text());
    let next = Next::Sentence(language);
    chunker.structure = Structure::of(text, document.markup(), next, measure, limits);
    chunker.language = language;
    let body = skip_space(text, 0);
    if body == text.len() {
        return Ok(chunker.chunks);
    }
    let room = Room::new(limits);
    let tables = tables(document, document.markup());
    let marks = marks(&chunker, room, language, document.markup(), &tables)?;
    let fits = |from: &Mark, to: &Mark| chunker.fits(from.start, to.end);
    for [start, end] in programme::cheapest(&marks, room, &fits, pulse)? {
        add(&mut chunker, &marks[start..=end], &tables, repeat_headers)?;
    }
    Ok(chunker.chunks)
}

/// Adds the chunk from the first of `marks` to the last.
///
/// The programme adds up the sizes of parts; where the whole has more than the limit after all, as a
/// caller's own counter may have it, it becomes two chunks or more.
fn add(
    chunker: &mut Chunker<'_>,
    marks: &[Mark],
    tables: &[TextTable<'_>],
    repeat_headers: bool,
) -> Result<()> {
    let mut marks = marks;
    while let [first, rest @ ..] = marks
        && !rest.is_empty()
    {
        let mut n = rest.len();
        while n > 1 && !chunker.fits(first.start, rest[n - 1].end)? {
            n -= 1;
        }
        let body = Span::new(first.start, rest[n - 1].end);
        if n > 1 || chunker.fits(body.start, body.end)? {
            let open = chunker.open_beside(body)?;
            chunker.push(open, body.start, body.end)?;
        } else {
            let behind = tables.partition_point(|table| table.span.start < body.end);
            let table = tables[..behind].last().filter(|table| {
                let ends = [table.span.end, table.captioned.end];
                body.start <= table.span.start && ends.contains(&body.end)
            });
            add_parts(chunker, body, table, repeat_headers)?;
        }
        marks = &marks[n..];
    }
    Ok(())
}

/// Adds a part that exceeds the limit, as chunks as full as it allows: of rows, if it is a table with what
/// stands above it.
fn add_parts(
    chunker: &mut Chunker<'_>,
    part: Span,
    table: Option<&TextTable<'_>>,
    repeat_headers: bool,
) -> Result<()> {
    let text = chunker.text;
    let mut levels = [Natural::Lines(text), Natural::Clauses(text), Natural::Words(text)];
    let start = match table {
        Some(table) => {
            let end = table.add_parts(chunker, &mut levels, part, repeat_headers)?;
            skip_space(text, end)
        }
        None => part.start,
    };
    if start < part.end { add_chunks(chunker, &mut levels, start, part.end) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::objective::{of_boundary, of_size};
    use super::*;
    use crate::markup::Markup;
    use crate::measure::{Bpe, Chars, Encoder, Tokens};
    use crate::oracle;
    use crate::pulse::no_pulse;
    use crate::segment::sentence::Sentences;
    use proptest::prelude::*;

    fn chunker<'a>(text: &'a str, measure: &'a dyn Measure, limits: Limits) -> Chunker<'a> {
        Chunker::new(text, measure, limits, OverlapAt::Word, no_pulse())
    }

    proptest! {
        #[test]
        fn no_way_is_cheaper(
            text in "([a-cA]{1,9}[.,!漢\n]{1,2}[ #\n]?){0,12}",
            max in 1_usize..60,
            soft in 1_usize..60,
        ) {
            let document = Document::new(&text);
            let (measure, limits) = (Chars::new(document), Limits::new(max, Some(soft.min(max)), 0).unwrap());
            let room = Room::new(limits);
            let marks = marks(&chunker(&text, &measure, limits), room, Language::english(), Markup::Unknown, &[]).unwrap();
            prop_assume!(marks.len() < 16);
            let last = marks.len() - 1;
            let cost = |from: usize, to: usize| {
                let size = text[marks[from].start..marks[to].end].chars().count();
                let boundary = of_boundary(marks[to].strength, marks[to].hash);
                let boundary = if to == last { 0 } else { boundary };
                (size <= max || to == from + 1).then(|| of_size(size, room.target) + boundary)
            };
            let chosen = programme::cheapest(&marks, room, &|_, _| Ok(true), no_pulse()).unwrap();
            let sum: i64 = chosen.iter().map(|&[from, to]| cost(from, to).unwrap()).sum();
            prop_assert_eq!(sum, oracle::cheapest(0, last, &cost));
        }

        #[test]
        fn sentences_stay_whole_where_they_fit(
            text in "([a-cA]{1,6}[ ,.!漢\n]{1,2} ?){0,60}",
            max in 1_usize..60,
            overlap in 0_usize..8,
        ) {
            let document = Document::new(&text);
            let limits = Limits::new(max, None, overlap.min(max - 1)).unwrap();
            let bpe = Bpe::named("cl100k_base").unwrap();
            let index = Encoder::new(bpe).index(&text, no_pulse()).unwrap();
            let tokens = Tokens::new(&text, &index);
            let chunks = balanced(document, &tokens, limits, OverlapAt::Word, Language::english(), true, no_pulse()).unwrap();
            let ends: Vec<usize> = (0..chunks.len()).map(|i| chunks.body(i).end).collect();
            let next = Next::Sentence(Language::english());
            let kept = Structure::new(&text, Markup::Unknown, next, &tokens, limits);
            for sentence in Sentences::new(&text) {
                let start = skip_space(&text[..sentence.end], sentence.start);
                // Headings go with the sentence behind them.
                let start = kept.bound(start).unwrap().unwrap_or(start);
                let end = start + text[start..sentence.end].trim_end().len();
                if kept.bound(end).unwrap().is_some() {
                    continue;
                }
                let is_cut = ends.iter().any(|&at| start < at && at < end);
                let broken = text[start..end].contains('\n');
                prop_assert!(!is_cut || broken || tokens.size(Span::new(start, end)).unwrap() > max);
            }
            for (i, span) in chunks.spans().enumerate() {
                prop_assert!(chunks.is_oversize(i) || tokens.size(span).unwrap() <= max);
                prop_assert_eq!(chunks.sizes()[i], tokens.size(span).unwrap());
            }
        }
    }

    #[test]
    fn the_overlap_moves_no_cut_and_a_long_sentence_needs_none() {
        let text = "Aa bb cc dd. Ee ff gg hh ii jj. Kk ll.";
        let document = Document::new(text);
        let measure = Chars::new(document);
        let limits = Limits::new(19, Some(14), 4).unwrap();
        let chunks = balanced(
            document,
            &measure,
            limits,
            OverlapAt::Word,
            Language::english(),
            true,
            no_pulse(),
        )
        .unwrap();
        let texts: Vec<_> = chunks.spans().map(|span| &text[span.range()]).collect();
        assert_eq!(texts, ["Aa bb cc dd.", "Ee ff gg hh ii jj.", "jj. Kk ll."]);
    }

    #[test]
    fn a_whole_that_is_larger_than_its_parts_is_cut_after_all() {
        /// Longer texts cost a unit more.
        struct Dear<'t>(Chars<'t>);
        impl Measure for Dear<'_> {
            fn size(&self, span: Span) -> Result<usize> {
                Ok(self.0.size(span)? + if span.len() > 12 { 9 } else { 0 })
            }
            fn longest(&self, start: usize, max: usize) -> Result<usize> {
                self.0.longest(start, max.min(12))
            }
            fn longest_back(&self, end: usize, max: usize) -> Result<usize> {
                self.0.longest_back(end, max.min(12))
            }
        }
        let text = "Aaaa bbb. Cccc ddd. Eeee fff. Gggg hhh.";
        let document = Document::new(text);
        let measure = Dear(Chars::new(document));
        let limits = Limits::new(20, None, 0).unwrap();
        let chunks = balanced(
            document,
            &measure,
            limits,
            OverlapAt::Word,
            Language::english(),
            true,
            no_pulse(),
        )
        .unwrap();
        let texts: Vec<_> = chunks.spans().map(|span| &text[span.range()]).collect();
        assert_eq!(texts, ["Aaaa bbb.", "Cccc ddd.", "Eeee fff.", "Gggg hhh."]);
    }
}

//! Line-based strategy: chunks of whole lines, the first lines of the text repeated in front.
//!
//! A chunk has as many whole lines as fit, with their indentation; they end as `str.splitlines` has it. A line over the limit is cut between words,
//! and a word between graphemes.
//!
//! For texts in which a line says something by itself: logs, lists, records. Such a line is of little use without
//! the names of its columns, which often stand in the first lines: these are repeated as a piece with the role
//! [`Header`](crate::span::Role::Header), which stands in the document and counts against the limit.
//!
//! Each chunk is measured as header and lines together, since a tokenizer may join what stands on either side of
//! the line break; the sum of both sizes only says where to look. Memory is that of the chunks.

use memchr::{memchr, memrchr};

use super::chunker::Chunker;
use super::levels::Natural;
use super::pack::best_end;
use crate::chunks::Chunks;
use crate::document::Document;
use crate::error::{Error, Result};
use crate::measure::Measure;
use crate::measure::ruler::Ruler;
use crate::options::{Limits, OverlapAt};
use crate::pulse::{CHUNK_BYTES, Pulse};
use crate::span::{Piece, Role, Span};
use crate::unicode::line_ends::unified_lines;
use crate::unicode::space::{skip_space, trim_end};

/// So often less is tried where the header and a text take more than both by themselves.
const MAX_TRIES: usize = 4;
/// A longer header is not repeated, whatever it counts for: each chunk is measured with it.
const MAX_HEADER_BYTES: usize = 1 << 16;

/// Options of the line-based strategy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lining {
    /// How many of the first lines that are not blank each later chunk repeats.
    pub header_lines: usize,
    /// Whether a line that fits without the header only is kept whole without it; else it is cut.
    pub omit_header_on_overflow: bool,
}

/// Cuts a document between lines.
///
/// The header is the first chunk's own text, and what stands in front of the chunks behind it. It is repeated
/// where it takes at most three quarters of the limit. O(n) in the text.
///
/// ```
/// use chunkwright_text::cut::line_based::{Lining, line_based};
/// use chunkwright_text::document::Document;
/// use chunkwright_text::measure::Chars;
/// use chunkwright_text::measure::ruler::{CharRuler, Ruled};
/// use chunkwright_text::options::{Limits, OverlapAt};
/// use chunkwright_text::pulse::no_pulse;
///
/// let log = "time  event\n09:00 started\n09:05 stopped\n09:10 started\n";
/// let document = Document::new(log);
/// // A repeated header makes texts that do not stand in the document, so their unit has to be known.
/// let measure = Ruled::new(Chars::new(document), CharRuler);
/// let lining = Lining { header_lines: 1, omit_header_on_overflow: false };
/// let limits = Limits::new(30, None, 0)?;
/// let chunks = line_based(document, &measure, limits, OverlapAt::Word, lining, no_pulse())?;
/// assert_eq!(chunks.len(), 3);
/// assert_eq!(chunks.text(1, log), "time  event\n09:05 stopped");
/// assert_eq!(&log[chunks.body(1).range()], "09:05 stopped");
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// Those of the measure and its ruler, [`Error::Config`] if lines are to be repeated and it has none, and what
/// `pulse` says.
pub fn line_based(
    document: Document<'_>,
    measure: &dyn Measure,
    limits: Limits,
    overlap_at: OverlapAt,
    lining: Lining,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let lines = unified_lines(document.text());
    let text = &*lines;
    let mut cutter = LineCutter {
        text,
        source: document.text(),
        limits,
        omits_header: lining.omit_header_on_overflow,
        header: Header::new(text, measure, limits, lining.header_lines)?,
        chunker: Chunker::new(text, measure, limits, overlap_at, pulse),
        levels: [Natural::Breaks(text), Natural::Words(text)],
    };
    let mut at = 0;
    while let Some(next) = cutter.add_chunk(at)? {
        at = next;
    }
    Ok(cutter.chunker.chunks)
}

/// What is repeated in front of chunks.
struct Header<'m> {
    span: Span,
    size: usize,
    /// The size of nothing, which each text has on top: special tokens.
    bare: usize,
    ruler: &'m dyn Ruler,
}

impl<'m> Header<'m> {
    /// The first `n_lines` lines of `text` that are not blank; none if they leave too little room.
    fn new(
        text: &str,
        measure: &'m dyn Measure,
        limits: Limits,
        n_lines: usize,
    ) -> Result<Option<Self>> {
        let Some(span) = first_lines(text, n_lines).filter(|span| span.len() <= MAX_HEADER_BYTES)
        else {
            return Ok(None);
        };
        let missing = || Error::Config("a header needs a measure of any text".into());
        let ruler = measure.ruler().ok_or_else(missing)?;
        let (size, bare) = (measure.size(span)?, ruler.size("")?);
        let most = limits.hard_max() - limits.hard_max() / 4;
        Ok((size <= most).then_some(Self { span, size, bare, ruler }))
    }

    /// What it leaves of `limit`, at least 1.
    fn room(&self, limit: usize) -> usize {
        (limit + self.bare).saturating_sub(self.size).max(1)
    }
}

/// The first `n_lines` lines of `text` that are not blank, with what stands between them and the line break
/// behind; none if nothing follows.
fn first_lines(text: &str, n_lines: usize) -> Option<Span> {
    let start = line_start(text, 0, skip_space(text, 0));
    let mut end = start;
    for _ in 0..n_lines {
        end = skip_space(text, end);
        end += memchr(b'\n', &text.as_bytes()[end..])? + 1;
    }
    (end > start && skip_space(text, end) < text.len()).then_some(Span::new(start, end))
}

/// The start of the line that `at` is on, if that is not before `from`, else `from`.
fn line_start(text: &str, from: usize, at: usize) -> usize {
    memrchr(b'\n', &text.as_bytes()[from..at]).map_or(from, |line_break| from + line_break + 1)
}

struct LineCutter<'a> {
    /// The text, with line feeds for all line ends.
    text: &'a str,
    source: &'a str,
    limits: Limits,
    omits_header: bool,
    header: Option<Header<'a>>,
    chunker: Chunker<'a>,
    levels: [Natural<'a>; 2],
}

/// A chunk that could be added.
#[derive(Clone, Copy)]
struct Candidate {
    has_header: bool,
    open: usize,
    body: usize,
    /// Where the next one may begin.
    cut: usize,
}

impl LineCutter<'_> {
    /// Adds the chunk of what follows `at`; returns where the next one begins, if there is anything.
    fn add_chunk(&mut self, at: usize) -> Result<Option<usize>> {
        let first = skip_space(self.text, at);
        if first == self.text.len() {
            return Ok(None);
        }
        // What is left of a line begins with its first word, a whole one with its indentation.
        let is_within = at > 0 && self.text.as_bytes()[at - 1] != b'\n';
        let line = line_start(self.text, at, first);
        let body = if is_within && line == at { first } else { line };
        let has_header = self.header.as_ref().is_some_and(|header| header.span.end <= first);
        let found = match self.whole_line(has_header, body, first)? {
            Some(found) => Some(found),
            None => self.part_of_line(has_header, first)?,
        };
        let found = if let Some(found) = found {
            found
        } else {
            self.chunker.limits = self.limits;
            let cut = self.chunker.indivisible(first)?;
            Candidate { has_header: false, open: first, body: first, cut }
        };
        self.push(found)?;
        Ok(Some(found.cut))
    }

    /// The chunk from `body` on that holds at least all of the line that `first` is on, if there is one:
    /// rather without overlap than without the header.
    fn whole_line(
        &mut self,
        has_header: bool,
        body: usize,
        first: usize,
    ) -> Result<Option<Candidate>> {
        let open = self.open(has_header, body)?;
        let without = (!has_header || self.omits_header).then_some((false, body));
        let tries = [Some((has_header, open)), Some((has_header, body)), without];
        for (i, &(has_header, open)) in tries.iter().flatten().enumerate() {
            if i > 0 && tries[i - 1] == tries[i] {
                continue;
            }
            let found = self.candidate(has_header, open, body)?;
            let is_whole = |found: &Candidate| {
                let own = &self.text.as_bytes()[first..found.cut.max(first)];
                memchr(b'\n', own).is_some() || skip_space(self.text, found.cut) == self.text.len()
            };
            if found.as_ref().is_some_and(is_whole) {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The chunk that begins with as much of a line as fits.
    fn part_of_line(&mut self, has_header: bool, first: usize) -> Result<Option<Candidate>> {
        let open = self.open(has_header, first)?;
        for (has_header, open) in [(has_header, open), (has_header, first), (false, first)] {
            if let Some(found) = self.candidate(has_header, open, first)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Where a chunk whose own text begins at `body` starts with its overlap.
    fn open(&mut self, has_header: bool, body: usize) -> Result<usize> {
        let header = self.header.as_ref().filter(|_| has_header);
        let room = header.map_or(self.limits.hard_max(), |it| it.room(self.limits.hard_max()));
        let overlap = if header.is_some() {
            self.limits.overlap().min(room / 2)
        } else {
            self.limits.overlap()
        };
        self.chunker.limits = Limits::new(room, None, overlap)?;
        let open = self.chunker.open(body)?;
        // What is repeated as the header is not repeated as the overlap, nor are blanks alone.
        let open = header.map_or(open, |header| open.max(header.span.end).min(body));
        Ok(if skip_space(self.text, open) < body { open } else { body })
    }

    /// The chunk from `open` on, its own text from `body` on, that ends best; none if nothing fits.
    fn candidate(
        &mut self,
        has_header: bool,
        open: usize,
        body: usize,
    ) -> Result<Option<Candidate>> {
        let header = self.header.as_ref().filter(|_| has_header);
        let room = |limit| header.map_or(limit, |header| header.room(limit));
        let (most, upto) = (self.limits.hard_max(), self.text.len());
        let (mut hard, soft) = (room(most), room(self.limits.soft_max()));
        for _ in 0..MAX_TRIES {
            self.chunker.limits = Limits::new(hard, Some(soft.min(hard)), 0)?;
            let found = best_end(&self.chunker, &mut self.levels, open, body, upto, 0)?;
            let Some(cut) = found.map(|boundary| boundary.cut) else { return Ok(None) };
            let end = trim_end(self.text, body, cut);
            if end == body {
                return Ok(None);
            }
            let size = self.size(has_header, Span::new(open, end))?;
            if size <= most {
                return Ok(Some(Candidate { has_header, open, body, cut }));
            }
            if size - most >= hard {
                return Ok(None);
            }
            hard -= size - most;
        }
        Ok(None)
    }

    /// The size of `span`, behind the header if it has one.
    fn size(&self, has_header: bool, span: Span) -> Result<usize> {
        match self.header.as_ref().filter(|_| has_header) {
            None => self.chunker.size(span),
            Some(header) => {
                self.chunker.beat.after(header.span.len() + span.len())?;
                let mut spans = [header.span, span].into_iter();
                header.ruler.size_joined(self.source, self.chunker.measure, &mut spans)
            }
        }
    }

    fn push(&mut self, chunk: Candidate) -> Result<()> {
        let Candidate { has_header, open, body, cut } = chunk;
        let end = trim_end(self.text, body, cut).max(self.text.ceil_char_boundary(body + 1));
        self.chunker.beat.after(end - open + CHUNK_BYTES)?;
        let size = self.size(has_header, Span::new(open, end))?;
        let header = self.header.as_ref().filter(|_| has_header);
        let header = header.map(|header| Piece { span: header.span, role: Role::Header });
        let overlap = (open < body).then(|| Piece::overlap(Span::new(open, body)));
        let body = Piece::body(Span::new(body, end));
        let pieces: Vec<Piece> = header.into_iter().chain(overlap).chain([body]).collect();
        self.chunker.chunks.push_pieces(&pieces, size);
        if size > self.limits.hard_max() {
            self.chunker.chunks.mark_oversize();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::measure::ruler::{CharRuler, Ruled};
    use crate::measure::{Bpe, Chars, Encoder, Tokens};
    use crate::oracle;
    use crate::pulse::no_pulse;

    fn cut(text: &str, max: usize, lining: Lining) -> Vec<String> {
        let document = Document::new(text);
        let measure = Ruled::new(Chars::new(document), CharRuler);
        let limits = Limits::new(max, None, 0).unwrap();
        let chunks = line_based(document, &measure, limits, OverlapAt::Any, lining, no_pulse());
        let chunks = chunks.unwrap();
        (0..chunks.len()).map(|i| chunks.text(i, text).into_owned()).collect()
    }

    #[test]
    fn the_header_is_repeated_where_it_leaves_room() {
        let text = "\n ab\n\ncd\nef gh\n";
        let with = |header_lines| Lining { header_lines, ..Lining::default() };
        assert_eq!(cut(text, 9, with(0)), [" ab\n\ncd", "ef gh"]);
        assert_eq!(cut(text, 9, with(1)), [" ab\n\ncd", " ab\nef gh"]);
        // Two lines take eight characters: of eleven, but not of nine.
        assert_eq!(cut(text, 11, with(2)), [" ab\n\ncd", " ab\n\ncd\nef", " ab\n\ncd\ngh"]);
        assert_eq!(cut(text, 9, with(2)), [" ab\n\ncd", "ef gh"]);
        // All lines are no header, for nothing stands behind them.
        assert_eq!(cut(text, 9, with(3)), [" ab\n\ncd", "ef gh"]);
        let lining = Lining { header_lines: 2, omit_header_on_overflow: true };
        assert_eq!(cut(text, 11, lining), [" ab\n\ncd", "ef gh"]);
    }

    #[test]
    fn a_long_header_is_not_repeated() {
        let text = format!("{}\nx y\n", "a".repeat(MAX_HEADER_BYTES));
        let lining = Lining { header_lines: 1, ..Lining::default() };
        assert_eq!(cut(&text, 2 * MAX_HEADER_BYTES, lining).len(), 1);
        assert!(first_lines(&text, 1).is_some_and(|span| span.len() > MAX_HEADER_BYTES));
        assert_eq!(cut(&text, MAX_HEADER_BYTES + 2, lining)[1], "x y");
    }

    proptest! {
        #[test]
        fn chunks_are_those_of_the_oracle(
            text in "([ \t]{0,3}[a-c漢e\u{301}]{0,6}( [a-c]{1,4}){0,3}\r?\n?){0,12}",
            max in 1_usize..30,
        ) {
            let chars = oracle::line_based(&text, max, |part| part.chars().count());
            prop_assert_eq!(cut(&text, max, Lining::default()), chars);
            let bpe = Bpe::named("cl100k_base").unwrap();
            let count = |part: &str| Encoder::new(bpe.clone()).count(part, no_pulse()).unwrap();
            let index = Encoder::new(bpe.clone()).index(&text, no_pulse()).unwrap();
            let limits = Limits::new(max, None, 0).unwrap();
            let (document, lining) = (Document::new(&text), Lining::default());
            let measure = Tokens::new(&text, &index);
            let chunks =
                line_based(document, &measure, limits, OverlapAt::Any, lining, no_pulse()).unwrap();
            let found: Vec<_> = chunks.spans().map(|span| &text[span.range()]).collect();
            prop_assert_eq!(found, oracle::line_based(&text, max, count));
        }
    }
}

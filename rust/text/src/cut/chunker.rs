//! State that the strategies over text share: text, measure, limits and the chunks so far.

use std::cell::{Cell, OnceCell};

use super::structure::Structure;
use crate::chunks::Chunks;
use crate::error::Result;
use crate::measure::Measure;
use crate::offsets::skip_chars;
use crate::options::{Limits, OverlapAt};
use crate::overlap::{self, Begins};
use crate::pulse::{Beat, CHUNK_BYTES, Pulse};
use crate::segment::grapheme;
use crate::segment::sentence::Language;
use crate::segment::starts::SentenceStarts;
use crate::span::Span;
use crate::unicode::space::trim_end;

/// Ends that do not fit although they lie within reach are few (sizes are nearly monotone): after so
/// many, fewer are tried.
const MAX_TRIES: usize = 32;

/// What of a cut is in the chunk before it, and so is measured.
#[derive(Clone, Copy, Debug)]
pub enum Ends {
    /// All but the whitespace before the cut.
    Trimmed,
    /// All.
    AsIs,
}

/// A text on its way to chunks.
pub struct Chunker<'a> {
    /// The text, with line feeds for all line ends where the strategy knows lines.
    pub text: &'a str,
    /// The same as it is, for what is put together of it.
    pub source: &'a str,
    pub measure: &'a dyn Measure,
    pub limits: Limits,
    pub overlap_at: OverlapAt,
    /// The language in which what is over the limit is cut between sentences.
    pub language: Language,
    /// Counts the bytes of chunks, and of what is read to find them.
    pub beat: Beat<'a>,
    pub chunks: Chunks,
    /// What is kept together, if anything.
    pub structure: Option<Structure<'a>>,
    /// Whether what is cut ends where it says, be it inside a grapheme, as a cell of a table may; else the
    /// grapheme goes with it.
    pub is_bounded: bool,
    /// No overlap reaches back over here, the end of a table that was split.
    pub no_overlap_over: usize,
    /// What was measured last: a chunk is often added right after it was seen to fit.
    measured: Cell<(Span, usize)>,
    /// Found when an overlap first asks for them.
    sentences: OnceCell<SentenceStarts>,
}

impl<'a> Chunker<'a> {
    /// A chunker that has no chunks yet.
    pub fn new(
        text: &'a str,
        measure: &'a dyn Measure,
        limits: Limits,
        overlap_at: OverlapAt,
        pulse: Pulse<'a>,
    ) -> Self {
        Self {
            text,
            source: text,
            measure,
            limits,
            overlap_at,
            language: Language::english(),
            beat: Beat::of_bytes(pulse),
            chunks: Chunks::default(),
            structure: None,
            is_bounded: false,
            no_overlap_over: 0,
            measured: Cell::default(),
            sentences: OnceCell::new(),
        }
    }

    /// The same of a text whose line ends were unified: `source` is what it was.
    pub fn of_source(self, source: &'a str) -> Self {
        Self { source, ..self }
    }

    /// The same text without chunks, within other limits.
    pub fn within(&self, limits: Limits) -> Self {
        let new = Self::new(self.text, self.measure, limits, self.overlap_at, self.beat.pulse());
        Self { source: self.source, language: self.language, ..new }
    }

    /// Where the sentences of the text begin; asked for one language only.
    pub fn sentences(&self, language: Language) -> Result<&SentenceStarts> {
        if let Some(starts) = self.sentences.get() {
            return Ok(starts);
        }
        let starts = SentenceStarts::new(self.text, language, self.beat.pulse())?;
        Ok(self.sentences.get_or_init(|| starts))
    }

    /// Whether chunks overlap from a start of a sentence on.
    pub const fn overlaps_sentences(&self) -> bool {
        self.limits.overlap() > 0 && matches!(self.overlap_at, OverlapAt::Sentence(_))
    }

    /// Where a chunk whose own text begins at `body` starts, its overlap included.
    pub fn open(&self, body: usize) -> Result<usize> {
        if self.limits.overlap() == 0 {
            return Ok(body);
        }
        let (floor, begins) = (self.floor(body), self.begins()?);
        overlap::start(self.text, self.measure, self.limits, begins, floor, body)
    }

    /// Where a chunk whose own text is `body` starts: its overlap is as long as the limit allows.
    pub fn open_beside(&self, body: Span) -> Result<usize> {
        if self.limits.overlap() == 0 {
            return Ok(body.start);
        }
        let (floor, begins) = (self.floor(body.start), self.begins()?);
        overlap::start_beside(self.text, self.measure, self.limits, begins, floor, body)
    }

    /// Where the chunk before begins its own text, if that is not a part of a table.
    fn floor(&self, body: usize) -> usize {
        self.chunks.last_body().map_or(body, |span| span.start).max(self.no_overlap_over)
    }

    fn begins(&self) -> Result<Begins<'_>> {
        Ok(match self.overlap_at {
            OverlapAt::Word => Begins::Word,
            OverlapAt::Sentence(language) => Begins::Sentence(self.sentences(language)?),
            OverlapAt::Any => Begins::Any,
        })
    }

    /// Whether all from `body` on is one chunk.
    ///
    /// Asked once, so that a counter for which longer texts are smaller still gets its one chunk.
    pub fn whole_fits(&self, body: usize) -> Result<bool> {
        let whole = Span::new(body, self.trimmed(body, self.text.len()));
        Ok(self.measure.size(whole)? <= self.limits.soft_max())
    }

    /// Whether `start..end` is within the limit.
    pub fn fits(&self, start: usize, end: usize) -> Result<bool> {
        Ok(self.size(Span::new(start, end))? <= self.limits.hard_max())
    }

    /// The size of `span`; the last one is remembered.
    pub fn size(&self, span: Span) -> Result<usize> {
        let (measured, size) = self.measured.get();
        if measured == span && !span.is_empty() {
            return Ok(size);
        }
        let size = self.measure.size(span)?;
        self.measured.set((span, size));
        Ok(size)
    }

    /// The end of as many whole graphemes from `body` on as fit into a chunk that starts at `open` and
    /// ends as `ends` says, at most up to `upto`; none if there is no such grapheme.
    ///
    /// Nearly as many where sizes fall and rise: after some tries, each goes half as far.
    pub fn graphemes(
        &self,
        open: usize,
        body: usize,
        upto: usize,
        ends: Ends,
    ) -> Result<Option<usize>> {
        let text = self.text;
        let mut upto = upto;
        for n_tries in 0_usize.. {
            let end = grapheme::floor(text, body, upto);
            let cut = match ends {
                Ends::Trimmed => self.trimmed(body, end),
                Ends::AsIs => end,
            };
            if cut <= body {
                break;
            }
            if self.fits(open, cut)? {
                return Ok(Some(end));
            }
            upto = text.floor_char_boundary(cut - 1);
            if n_tries >= MAX_TRIES && upto > body {
                let half = text.floor_char_boundary(usize::midpoint(body, upto));
                upto = half.max(grapheme::end(text, body).unwrap_or(half)).min(upto);
            }
        }
        Ok(None)
    }

    /// The end of the first grapheme at `body`, which does not fit; of its first code points, as many
    /// as fit, if it is too long to be kept whole.
    pub fn indivisible(&self, body: usize) -> Result<usize> {
        if let Some(end) = grapheme::end(self.text, body) {
            return Ok(end);
        }
        let longest = self.measure.longest(body, self.limits.hard_max())?;
        Ok(longest.max(skip_chars(self.text, body, 1)))
    }

    /// Adds the chunk `open..end`, whose own text begins at `body`.
    pub fn push(&mut self, open: usize, body: usize, end: usize) -> Result<()> {
        self.beat.after(end - open + CHUNK_BYTES)?;
        let size = self.size(Span::new(open, end))?;
        self.chunks.push(open, body, end, size);
        if size > self.limits.hard_max() {
            self.chunks.mark_oversize();
        }
        Ok(())
    }

    /// Where the text begins that is in no chunk yet: behind a sentence's end, where a grapheme that no
    /// chunk can hold goes on there.
    pub fn done(&self) -> usize {
        self.chunks.last_body().map_or(0, |body| body.end)
    }

    /// The end of a chunk cut at `cut`: without the whitespace before it.
    pub fn trimmed(&self, body: usize, cut: usize) -> usize {
        trim_end(self.text, body, cut)
    }
}

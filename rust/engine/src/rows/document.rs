//! Document whose chunks are written as rows: its chunks, and the facts that the rows tell.

use std::borrow::Cow;
use std::ops::Range;

use chunkwright_text::boundaries::Ending;
use chunkwright_text::chunks::Origin;
use chunkwright_text::error::Result;
use chunkwright_text::read::PageBox;
use chunkwright_text::span::Span;
use chunkwright_text::subject::Subject;

use super::facts::{DocumentChunks, ElementFacts, Places};
use super::whole::Whole;
use crate::arrow_table::Strings;

/// The chunks of a document as its rows tell of them; facts that no column asks for may be empty.
pub struct DocumentRows<'a> {
    /// Its name.
    pub name: Option<&'a str>,
    /// Its id, if it is known.
    pub id: Option<&'a str>,
    /// Its number.
    pub number: i64,
    /// Its chunks.
    pub of: DocumentChunks<'a>,
    /// Where their texts are.
    pub texts: Texts<'a>,
    /// Their ids.
    pub ids: &'a [String],
    /// Their lines and places.
    pub places: &'a Places,
    /// Their sections and kinds; none of a document that could not be cut.
    pub elements: &'a ElementFacts,
    /// How they end.
    pub endings: &'a [Ending],
    /// What scores had to exceed; NaN if there is no such number.
    pub threshold: f64,
    /// Why the document could not be cut.
    pub error: Option<&'a str>,
    /// Makes UTF-8 of the HTML of a chunk, where that has stand-ins for surrogates.
    pub utf8: Option<&'a Repair<'a>>,
    /// What numbers its chunks and elements have in the whole document, if it is a slice.
    pub whole: Option<&'a Whole>,
}

/// Makes UTF-8 of a text with stand-ins for surrogates.
pub type Repair<'a> = dyn Fn(&str) -> String + 'a;

/// Where the texts of chunks are.
#[derive(Clone, Copy)]
pub enum Texts<'a> {
    /// In the text of the document.
    Of(&'a str),
    /// In the column of documents, in that row; errors count rows from the last number.
    Column(&'a Strings, usize, usize),
    /// By themselves.
    Apart(&'a [String]),
}

impl DocumentRows<'_> {
    fn row(&self, chunk: usize) -> usize {
        self.of.rows.start + chunk
    }

    /// Where a chunk stands, in bytes.
    pub fn span(&self, chunk: usize) -> Span {
        self.of.chunks.span(self.row(chunk))
    }

    /// Where a chunk starts, in code points.
    pub fn start(&self, chunk: usize) -> i64 {
        self.of.starts[self.row(chunk)]
    }

    /// Where a chunk ends, in code points.
    pub fn end(&self, chunk: usize) -> i64 {
        self.of.ends[self.row(chunk)]
    }

    /// Whether a chunk is over the limit.
    pub fn is_oversize(&self, chunk: usize) -> bool {
        self.of.chunks.is_oversize(self.row(chunk))
    }

    /// Bytes of a chunk's text.
    pub fn n_bytes(&self, chunk: usize) -> usize {
        self.of.chunks.n_bytes(self.row(chunk))
    }

    /// The text of a chunk.
    ///
    /// # Errors
    /// A `ReadError` if the column that it stands in is no UTF-8.
    pub fn text(&self, chunk: usize) -> Result<Cow<'_, str>> {
        Ok(match self.texts {
            Texts::Of(text) => self.of.chunks.text(self.row(chunk), text),
            Texts::Apart(texts) => Cow::Borrowed(&texts[chunk]),
            Texts::Column(strings, row, first) => {
                Cow::Borrowed(strings.part(row, self.span(chunk), first)?)
            }
        })
    }

    /// The number of a chunk in the whole document.
    pub fn number(&self, chunk: usize) -> usize {
        self.whole.map_or(0, |whole| whole.chunk) + chunk
    }

    /// The number of an element in the whole document.
    pub fn element_number(&self, element: usize) -> usize {
        self.whole.map_or(0, |whole| whole.element) + element
    }

    /// The elements that a chunk is made of, and its part; none of a plain text's.
    pub fn origin(&self, chunk: usize) -> Option<Origin> {
        let origin = || self.of.chunks.origins().get(self.row(chunk)).copied();
        if self.elements.kinds.is_empty() { None } else { origin() }
    }

    /// The numbers of the elements of a chunk; none of a plain text's.
    pub fn elements_of(&self, chunk: usize) -> Option<Range<usize>> {
        self.origin(chunk).map(|origin| origin.first..origin.end)
    }

    /// The HTML of a table or of rows of one.
    pub fn html(&self, chunk: usize) -> Option<Cow<'_, str>> {
        let html = self.of.chunks.html(self.row(chunk))?;
        Some(self.utf8.map_or(Cow::Borrowed(html), |utf8| Cow::Owned(utf8(html))))
    }

    /// What a chunk of source code is about.
    pub fn subject(&self, chunk: usize) -> Option<&Subject> {
        self.of.chunks.subject(self.row(chunk)).map(|subject| &**subject)
    }

    /// The pages that a chunk is on.
    pub fn pages(&self, chunk: usize) -> Vec<i64> {
        let pages = |elements: Range<usize>| {
            self.elements.sections.pages_in(elements.clone(), self.placed(chunk, elements))
        };
        self.elements_of(chunk).map_or_else(Vec::new, pages)
    }

    /// Where a chunk stands on its pages.
    pub fn boxes(&self, chunk: usize) -> impl Iterator<Item = PageBox> {
        let boxes = |elements: Range<usize>| {
            self.elements.sections.boxes_in(elements.clone(), self.placed(chunk, elements))
        };
        self.elements_of(chunk).map_or_else(Vec::new, boxes).into_iter()
    }

    /// The least confidence that the source states in an element of a chunk.
    pub fn confidence(&self, chunk: usize) -> Option<f64> {
        self.elements.sections.confidence(self.elements_of(chunk)?)
    }

    /// The speakers of the turns that a chunk's own text meets, each once.
    pub fn speakers(&self, chunk: usize) -> Vec<&str> {
        let speakers = |elements| self.elements.sections.speakers(elements);
        self.elements_of(chunk).map_or_else(Vec::new, speakers)
    }

    /// The speaker of all turns of a chunk, if they have one.
    pub fn speaker(&self, chunk: usize) -> Option<&str> {
        match self.speakers(chunk)[..] {
            [speaker] => Some(speaker),
            _ => None,
        }
    }

    /// When what a chunk holds of turns is said, as far as that is known.
    pub fn times(&self, chunk: usize) -> [Option<f64>; 2] {
        let Some(elements) = self.elements_of(chunk) else { return [None, None] };
        self.elements.sections.times_in(elements, self.of.chunks.body(self.row(chunk)))
    }

    /// What of a chunk is looked for on pages: its own text, unless it was given elements around that.
    fn placed(&self, chunk: usize, elements: Range<usize>) -> Span {
        let body = self.of.chunks.body(self.row(chunk));
        if self.elements.sections.are_met(elements, body) { body } else { self.span(chunk) }
    }

    /// The headings of the section that a chunk is from, the outermost first.
    pub fn headings(&self, chunk: usize) -> Vec<&str> {
        self.origin(chunk).map_or_else(Vec::new, |origin| self.elements.headings(&origin))
    }

    /// The headings above a chunk's first element, the outermost first.
    pub fn headings_above(&self, chunk: usize) -> Vec<&str> {
        self.origin(chunk).map_or_else(Vec::new, |origin| self.elements.headings_above(&origin))
    }

    /// The block type of a chunk.
    pub fn block_type(&self, chunk: usize) -> &'static str {
        self.elements.block_type(chunk)
    }

    /// The number of the chunk that holds the heading above a chunk's first element.
    pub fn parent(&self, chunk: usize) -> Option<usize> {
        if let Some(whole) = self.whole {
            return whole.parents.get(chunk).copied().flatten();
        }
        self.elements.parent(&self.of, chunk)
    }

    /// The kind of a chunk.
    pub fn kind(&self, chunk: usize) -> &'static str {
        self.elements.kind(chunk)
    }
}

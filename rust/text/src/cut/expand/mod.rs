//! Expansion of chunks: each with what surrounds it, up to its whole element, section or page, or to its
//! neighbours.
//!
//! Small chunks are found more precisely, and a model answers better from larger ones: so small ones are
//! searched, and the hits are expanded ("small to big"). Nothing is cut again: an expanded chunk has the same
//! body and id, and what was added is overlap, which says where it stands.

mod scopes;
pub mod shadows;

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use self::scopes::{block_of, neighbours, scopes};
use super::elements::blocks::{Block, blocks};
use super::elements::boundaries::by_page;
use crate::chunks::{Chunks, Content, Origin};
use crate::document::Document;
use crate::elements::{Element, Kind};
use crate::error::{Error, Result};
use crate::measure::Measure;
use crate::pulse::{Beat, CHUNK_BYTES, Pulse};
use crate::span::{Piece, Role, Span};

/// So many sizes are remembered.
const MAX_SIZES: usize = 1024;

/// How far a chunk is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// To all of what its elements belong to: a list, a table with its caption, a paragraph.
    Element,
    /// To all from the heading right above it to the next one of that level or above.
    Section,
    /// To all that stands on its pages.
    Page,
    /// To the turns before and behind its own, of the same conversation: one on each side, or as many as fit.
    Turns,
    /// To the chunks before and behind it: one on each side, or as many as fit. For texts without elements,
    /// too.
    Neighbours,
}

impl Scope {
    /// The scope of that name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "element" => Some(Self::Element),
            "section" => Some(Self::Section),
            "page" => Some(Self::Page),
            "turns" => Some(Self::Turns),
            "neighbours" => Some(Self::Neighbours),
            _ => None,
        }
    }
}

/// The `rows` of `chunks`, which are of `document`: those that are `wanted` (ascending) expanded to `scope`, or
/// to as many elements or chunks around each as fit into `most`, the others as they are.
///
/// A chunk keeps its own text; what surrounds it is overlap. Repeated headings and headers stay in front unless
/// they stand in what surrounds it. A chunk that is over the limit by itself gets nothing more. Sizes are those
/// of `measure`. O(n) in the elements, and for each chunk in those within the limit.
///
/// ```
/// use chunkwright_text::cut::expand::{Scope, expand};
/// use chunkwright_text::cut::window::window;
/// use chunkwright_text::document::Document;
/// use chunkwright_text::measure::Chars;
/// use chunkwright_text::measure::ruler::{CharRuler, Ruled};
/// use chunkwright_text::options::{Limits, OverlapAt};
/// use chunkwright_text::pulse::no_pulse;
///
/// let text = "one two three four five six";
/// let document = Document::new(text);
/// let measure = Ruled::new(Chars::new(document), CharRuler);
/// let limits = Limits::new(9, None, 0)?;
/// let chunks = window(document, &measure, limits, OverlapAt::Any, no_pulse())?;
/// assert_eq!(chunks.text(1, text), "hree four");
/// // The hit in the middle, with as much of the chunks beside it as 18 characters hold.
/// let scope = Scope::named("neighbours").unwrap();
/// let wide = expand(document, &measure, &chunks, 0..3, &[1], scope, Some(18), no_pulse())?;
/// assert_eq!(wide.body(1), chunks.body(1));
/// assert!(wide.text(1, text).len() <= 18);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// Those of the measure, [`Error::Config`] if it has no ruler or the document has no elements, and what `pulse`
/// says.
#[allow(clippy::too_many_arguments, reason = "what is expanded, and how far")]
pub fn expand(
    document: Document<'_>,
    measure: &dyn Measure,
    chunks: &Chunks,
    rows: Range<usize>,
    wanted: &[usize],
    scope: Scope,
    most: Option<usize>,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let items = document.elements().unwrap_or_default();
    let (blocks, scopes) =
        blocks_and_scopes(document, chunks, rows.clone(), scope, most.is_some())?;
    let expander = Expander {
        document,
        measure,
        items,
        blocks: &blocks,
        scopes: &scopes,
        most: most.unwrap_or(usize::MAX),
        sizes: RefCell::default(),
        htmls: RefCell::default(),
    };
    let first = rows.start;
    let (beat, mut wide) = (Beat::of_bytes(pulse), Chunks::default());
    for row in rows {
        beat.after(CHUNK_BYTES)?;
        if wanted.binary_search(&row).is_ok() {
            let own = match scope {
                Scope::Neighbours => row - first..row - first + 1,
                _ if items.is_empty() => 0..0,
                _ => expander.blocks_of(chunks, row),
            };
            expander.add(chunks, row, own, &mut wide)?;
        } else {
            wide.push_row(chunks, row);
        }
    }
    Ok(wide)
}

/// What chunks are expanded by, elements or the chunks themselves, and for each of these how far; if there is a
/// limit (`has_limit`), chunks may reach as far as they fit.
fn blocks_and_scopes(
    document: Document<'_>,
    chunks: &Chunks,
    rows: Range<usize>,
    scope: Scope,
    has_limit: bool,
) -> Result<(Vec<Block>, Vec<Range<usize>>)> {
    if scope == Scope::Neighbours {
        let blocks: Vec<Block> = rows.map(|row| block_of(chunks, row)).collect();
        let scopes = neighbours(blocks.len(), has_limit);
        return Ok((blocks, scopes));
    }
    let Some(items) = document.elements() else {
        return Err(Error::Config("only documents with elements can be expanded".into()));
    };
    let starts = if scope == Scope::Page { by_page(items) } else { Vec::new() };
    let blocks = blocks(document, document.text(), &starts, false);
    // A text without any element is a block of none.
    let scopes = match items {
        [] => Vec::new(),
        _ => scopes(document, &blocks, scope, has_limit),
    };
    Ok((blocks, scopes))
}

struct Expander<'a> {
    document: Document<'a>,
    measure: &'a dyn Measure,
    items: &'a [Element],
    blocks: &'a [Block],
    scopes: &'a [Range<usize>],
    most: usize,
    /// The sizes of what was measured last.
    sizes: RefCell<HashMap<Vec<Piece>, usize>>,
    /// The HTML of whole tables, by their elements: chunks of one table share it.
    htmls: RefCell<HashMap<usize, Arc<str>>>,
}

/// A chunk with what surrounds it.
struct Wide {
    blocks: Range<usize>,
    pieces: Vec<Piece>,
    size: usize,
}

impl Expander<'_> {
    /// The blocks that chunk `row` has elements of.
    fn blocks_of(&self, chunks: &Chunks, row: usize) -> Range<usize> {
        let origin = chunks.origins().get(row).copied().unwrap_or_default();
        let first = self.blocks.partition_point(|block| block.elements.end <= origin.first);
        let end = self.blocks.partition_point(|block| block.elements.start < origin.end);
        first..end
    }

    /// Adds chunk `row` of `chunks`, which is of the blocks `own`, expanded.
    fn add(
        &self,
        chunks: &Chunks,
        row: usize,
        own: Range<usize>,
        expanded: &mut Chunks,
    ) -> Result<()> {
        let origin = chunks.origins().get(row).copied().unwrap_or_default();
        let wide = if own.is_empty() { None } else { self.widest(chunks, row, own)? };
        // A chunk that gets nothing more keeps its overlap.
        let is_grown = |wide: &Wide| wide.pieces.iter().any(|piece| piece.role == Role::Overlap);
        let Some(wide) = wide.filter(is_grown) else {
            let size = self.size_of(chunks.pieces(row))?;
            expanded.push_sized_row(chunks, row, size);
            return Ok(());
        };
        expanded.push_pieces(&wide.pieces, wide.size);
        if self.items.is_empty() {
            return Ok(());
        }
        let (head, tail) = (&self.blocks[wide.blocks.start], &self.blocks[wide.blocks.end - 1]);
        let mut of = Origin {
            first: head.elements.start.min(origin.first),
            end: tail.elements.end.max(origin.end),
            ..Origin::default()
        };
        let only = &self.items[head.element];
        if wide.blocks.len() == 1 && only.kind == Kind::Table {
            of.content = Content::Table;
        }
        expanded.set_origin(of);
        if let (Content::Table, Some(grid)) = (of.content, only.grid.as_deref())
            && !grid.html.is_empty()
        {
            let mut htmls = self.htmls.borrow_mut();
            let html = htmls.entry(head.element).or_insert_with(|| grid.html.as_str().into());
            expanded.set_html(Arc::clone(html));
        }
        Ok(())
    }

    /// The chunk with as much of its scope as fits; none if nothing can be added.
    fn widest(&self, chunks: &Chunks, row: usize, own: Range<usize>) -> Result<Option<Wide>> {
        let scope =
            self.scopes[own.start].start.min(own.start)..self.scopes[own.end - 1].end.max(own.end);
        if let Some(wide) = self.wide(chunks, row, scope.clone())? {
            return Ok(Some(wide));
        }
        let Some(alone) = self.wide(chunks, row, own.clone())? else { return Ok(None) };
        // The nearest is what was added last; sums of sizes may be a little off.
        for blocks in self.grown(chunks, row, own, &scope)?.into_iter().rev() {
            if let Some(wide) = self.wide(chunks, row, blocks)? {
                return Ok(Some(wide));
            }
        }
        Ok(Some(alone))
    }

    /// What seems to fit from `own` on, a block behind or before it more each time.
    fn grown(
        &self,
        chunks: &Chunks,
        row: usize,
        own: Range<usize>,
        scope: &Range<usize>,
    ) -> Result<Vec<Range<usize>>> {
        let (mut grown, mut widest) = (Vec::new(), own);
        let (mut grows_down, mut grows_up) = (true, true);
        while grows_down || grows_up {
            let longer = widest.start..widest.end + 1;
            grows_down =
                grows_down && longer.end <= scope.end && self.may_fit(chunks, row, &longer)?;
            if grows_down {
                widest = longer;
                grown.push(widest.clone());
            }
            let longer = widest.start.saturating_sub(1)..widest.end;
            grows_up =
                grows_up && widest.start > scope.start && self.may_fit(chunks, row, &longer)?;
            if grows_up {
                widest = longer;
                grown.push(widest.clone());
            }
        }
        Ok(grown)
    }

    /// Whether the sizes of `blocks` and of what stands before them are within the limit together.
    fn may_fit(&self, chunks: &Chunks, row: usize, blocks: &Range<usize>) -> Result<bool> {
        let span = self.span(chunks.body(row), blocks);
        let front = front(chunks, row, span);
        let before = match front[..] {
            [] => 0,
            _ => self.size(&front, Span::default())?,
        };
        Ok(self.measure.size(span)?.saturating_add(before) <= self.most)
    }

    /// The text of `blocks`, which a chunk with the text `body` is in.
    fn span(&self, body: Span, blocks: &Range<usize>) -> Span {
        let (first, last) = (&self.blocks[blocks.start], &self.blocks[blocks.end - 1]);
        Span::new(first.span.start.min(body.start), last.span.end.max(body.end))
    }

    /// The chunk with all of `blocks` around its own text, if that fits.
    fn wide(&self, chunks: &Chunks, row: usize, blocks: Range<usize>) -> Result<Option<Wide>> {
        let body = chunks.body(row);
        let span = self.span(body, &blocks);
        let mut pieces = front(chunks, row, span);
        let size = self.size(&pieces, span)?;
        if size > self.most {
            return Ok(None);
        }
        let around = [(span.start, body.start), (body.end, span.end)];
        let [before, behind] = around.map(|(start, end)| Piece::overlap(Span::new(start, end)));
        pieces.extend([before, Piece::body(body), behind]);
        pieces.retain(|piece| !piece.span.is_empty());
        Ok(Some(Wide { blocks, pieces, size }))
    }

    /// The size of a chunk as it is.
    fn size_of(&self, pieces: &[Piece]) -> Result<usize> {
        let adjoin = pieces.windows(2).all(|two| two[0].span.end == two[1].span.start);
        match pieces {
            [only] => self.measure.size(only.span),
            [first, .., last] if adjoin => {
                self.measure.size(Span::new(first.span.start, last.span.end))
            }
            _ => self.joined(pieces),
        }
    }

    /// The size of `pieces`, put together.
    fn joined(&self, pieces: &[Piece]) -> Result<usize> {
        let missing = || Error::Config("repeated headings need a measure of any text".into());
        let ruler = self.measure.ruler().ok_or_else(missing)?;
        let mut spans = pieces.iter().map(|piece| piece.span);
        ruler.size_joined(self.document.text(), self.measure, &mut spans)
    }

    /// The size of `span` behind `pieces`, or of what is over the limit without them.
    ///
    /// Chunks of one section ask for the same, which may be long.
    fn size(&self, pieces: &[Piece], span: Span) -> Result<usize> {
        let all = [pieces, &[Piece::overlap(span)]].concat();
        if let Some(&size) = self.sizes.borrow().get(&all) {
            return Ok(size);
        }
        let mut size = self.measure.size(span)?;
        if !pieces.is_empty() && size <= self.most {
            size = self.joined(&all)?;
        }
        let mut sizes = self.sizes.borrow_mut();
        if sizes.len() >= MAX_SIZES {
            sizes.clear();
        }
        sizes.insert(all, size);
        Ok(size)
    }
}

/// What chunk `row` repeats of what stands before `span`.
fn front(chunks: &Chunks, row: usize, span: Span) -> Vec<Piece> {
    let is_before = |piece: &&Piece| {
        matches!(piece.role, Role::Heading | Role::Header) && piece.span.end <= span.start
    };
    chunks.pieces(row).iter().filter(is_before).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::Parent;
    use crate::measure::Chars;
    use crate::measure::ruler::{CharRuler, Ruled};
    use crate::pulse::no_pulse;

    /// Elements of one letter, a blank between two: `1` to `3` are headings of that level, `*` is a list
    /// item, `t` a table.
    fn document(text: &str) -> Vec<Element> {
        let of = |(at, letter): (usize, char)| {
            let level = letter.to_digit(10).and_then(|level| u8::try_from(level).ok());
            let kind = match letter {
                '*' => Kind::ListItem,
                't' => Kind::Table,
                _ if level.is_some() => Kind::Heading,
                _ => Kind::Paragraph,
            };
            let span = Span::new(at, at + letter.len_utf8());
            Element { kind, level: level.unwrap_or(0), span, ..Element::default() }
        };
        text.char_indices().filter(|(_, letter)| *letter != ' ').map(of).collect()
    }

    /// The text of the chunk of each element, expanded.
    fn expanded(text: &str, items: &[Element], scope: Scope, most: Option<usize>) -> Vec<String> {
        let document = Document::new(text).with_elements(items);
        let mut chunks = Chunks::default();
        for (i, item) in items.iter().enumerate() {
            chunks.push_pieces(&[Piece::body(item.span)], 1);
            chunks.set_origin(Origin { first: i, end: i + 1, ..Origin::default() });
        }
        let measure = Ruled::new(Chars::new(document), CharRuler);
        let (rows, wanted): (_, Vec<usize>) = (0..items.len(), (0..items.len()).collect());
        let pulse = no_pulse();
        let found = expand(document, &measure, &chunks, rows, &wanted, scope, most, pulse).unwrap();
        assert!((0..items.len()).all(|i| found.body(i) == items[i].span));
        let texts: Vec<String> =
            (0..found.len()).map(|i| found.text(i, text).into_owned()).collect();
        assert!(texts.iter().zip(found.sizes()).all(|(text, &size)| text.len() == size));
        texts
    }

    #[test]
    fn a_section_ends_at_a_heading_that_is_not_below() {
        let text = "a 1 b 2 c 2 d 1 e";
        let found = expanded(text, &document(text), Scope::Section, None);
        let first = "1 b 2 c 2 d";
        let expected = ["a", first, first, "2 c", "2 c", "2 d", "2 d", "1 e", "1 e"];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_under_an_ended_section_is_of_the_one_around_it() {
        let text = "1 2 a 1 b c";
        let mut items = document(text);
        items[5].parent = Parent::of(1);
        let found = expanded(text, &items, Scope::Section, None);
        assert_eq!(found, ["1 2 a", "2 a", "2 a", "1 b c", "1 b c", "1 b c"]);
    }

    #[test]
    fn an_element_is_all_that_belongs_together() {
        let text = "1 a * * b t";
        let found = expanded(text, &document(text), Scope::Element, None);
        assert_eq!(found, ["1 a", "1 a", "* *", "* *", "b", "t"]);
    }

    #[test]
    fn a_page_is_all_that_stands_on_it() {
        let (text, pages) = ("a b c d", [Some(3), None, Some(4), Some(4)]);
        let mut items = document(text);
        for (item, page) in items.iter_mut().zip(pages) {
            item.page = page;
        }
        let found = expanded(text, &items, Scope::Page, None);
        assert_eq!(found, ["a b", "a b", "c d", "c d"]);
    }

    #[test]
    fn a_limit_keeps_what_is_nearest() {
        let text = "1 a b c d";
        let items = document(text);
        let at = |most| expanded(text, &items, Scope::Section, Some(most));
        assert_eq!(at(9), [text; 5]);
        assert_eq!(at(5), ["1 a b", "1 a b", "a b c", "b c d", "b c d"]);
        assert_eq!(at(4), ["1 a", "a b", "b c", "c d", "c d"]);
        assert_eq!(at(1), ["1", "a", "b", "c", "d"]);
    }

    #[test]
    fn headings_stay_in_front_unless_they_are_there() {
        let (text, items) = ("1 a b", document("1 a b"));
        let document = Document::new(text).with_elements(&items);
        let mut chunks = Chunks::default();
        let heading = Piece { span: Span::new(0, 2), role: Role::Heading };
        chunks.push_pieces(&[heading, Piece::body(Span::new(4, 5))], 3);
        chunks.set_origin(Origin { first: 2, end: 3, ..Origin::default() });
        let measure = Ruled::new(Chars::new(document), CharRuler);
        let text_at = |scope, most| {
            let pulse = no_pulse();
            let found =
                expand(document, &measure, &chunks, 0..1, &[0], scope, most, pulse).unwrap();
            found.text(0, text).into_owned()
        };
        let as_is =
            expand(document, &measure, &chunks, 0..1, &[], Scope::Section, None, no_pulse());
        assert_eq!(as_is.unwrap(), chunks);
        assert_eq!(text_at(Scope::Element, None), "1 b");
        assert_eq!(text_at(Scope::Section, None), "1 a b");
        assert_eq!(text_at(Scope::Section, Some(2)), "1 b");
    }
}

//! Elements at places of a text that the caller knows.

use std::collections::HashMap;

use chunkwright_read::{Read, rst};
use chunkwright_text::document::Document;
use chunkwright_text::elements::{Element, Kind, Parent};
use chunkwright_text::grid::{Cell, Grid, PlacedCell, Row, Slot};
use chunkwright_text::markup::Markup;
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::read::{self as result, LineBox, PageBox};
use chunkwright_text::span::Span;
use chunkwright_text::syntax::markdown::cell_words;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::Elements;
use crate::error::named;
use crate::strings::text::Text;

/// A page, the edges of a box on it, and the width and height of the page.
pub type BoxRow = (Option<i64>, [f64; 4], Option<f64>, Option<f64>);

/// Row and column of a cell, where it starts and ends in the text, in code points, rows and columns that it covers,
/// and whether it is a header.
pub type CellRow = (usize, usize, usize, usize, usize, usize, bool);

/// The same, and what it says if that is not the text where it stands.
pub type SaidCellRow = (usize, usize, usize, usize, usize, usize, bool, Option<String>);

/// Where in the text of an element its boxes, its pages and its lines begin, in code points, and the edges of the
/// lines; see [`read::Placed`](chunkwright_text::read::Placed).
pub type Placing = (Vec<usize>, Vec<usize>, Vec<(usize, [f32; 4])>);

/// What is known of an element that stands at `span` of a text.
pub fn placing(read: &Read, index: usize, span: Span, text: &Text<'_>) -> Placing {
    let known = read.placed(index);
    if known.starts.is_empty() && known.page_starts.is_empty() && known.lines.is_empty() {
        return Placing::default();
    }
    // Readers that know as much make the text, so no character of it was two surrogates.
    let own = Document::new(&text.as_str()[span.range()]);
    let chars = |bytes: &mut dyn Iterator<Item = usize>| -> Vec<usize> {
        let mut sweep = own.char_sweep();
        bytes.map(|byte| sweep.at(byte.saturating_sub(span.start).min(span.len()))).collect()
    };
    let starts = |of: &[(usize, usize)]| chars(&mut of.iter().map(|(_, at)| *at));
    let lines = chars(&mut known.lines.iter().map(|(_, line)| line.start as usize));
    let lines = lines.into_iter().zip(known.lines).map(|(at, (_, line))| (at, line.edges));
    (starts(known.starts), starts(known.page_starts), lines.collect())
}

/// Where a part of the text of an element stands, whose boxes and placing are given.
#[pyfunction]
pub fn boxes_in(boxes: Vec<BoxRow>, of: Placing, first: usize, end: usize) -> Vec<BoxRow> {
    let known = Known::new(Vec::new(), boxes, of);
    let row = |PageBox { page, edges, width, height }| (page, edges, width, height);
    known.placed().boxes_in(Span::new(first, end)).map(row).collect()
}

/// The pages that a part of the text of an element is on, whose pages, boxes and placing are given.
#[pyfunction]
pub fn pages_in(
    pages: Vec<i64>,
    boxes: Vec<BoxRow>,
    of: Placing,
    first: usize,
    end: usize,
) -> Vec<i64> {
    let known = Known::new(pages.clone(), boxes, of);
    known.placed().pages_in(Span::new(first, end)).unwrap_or(pages)
}

/// What is known of an element, in the columns of one.
struct Known {
    boxes: Vec<(usize, PageBox)>,
    starts: Vec<(usize, usize)>,
    lines: Vec<(usize, LineBox)>,
    pages: Vec<(usize, i64)>,
    page_starts: Vec<(usize, usize)>,
}

impl Known {
    fn new(pages: Vec<i64>, boxes: Vec<BoxRow>, (starts, page_starts, lines): Placing) -> Self {
        let small = |start| u32::try_from(start).unwrap_or(u32::MAX);
        Self {
            boxes: of_one(boxes, |(page, edges, width, height)| PageBox {
                page,
                edges,
                width,
                height,
            }),
            starts: of_one(starts, |at| at),
            lines: of_one(lines, |(start, edges)| LineBox { start: small(start), edges }),
            pages: of_one(pages, |page| page),
            page_starts: of_one(page_starts, |at| at),
        }
    }

    fn placed(&self) -> result::Placed<'_> {
        result::Placed {
            boxes: &self.boxes,
            starts: &self.starts,
            lines: &self.lines,
            pages: &self.pages,
            page_starts: &self.page_starts,
        }
    }
}

/// An element as the caller knows it; numbers are checked, but for how the places lie.
#[derive(FromPyObject)]
pub struct Placed {
    #[pyo3(item)]
    kind: String,
    #[pyo3(item)]
    start: usize,
    #[pyo3(item)]
    end: usize,
    #[pyo3(item)]
    level: u8,
    #[pyo3(item)]
    parent: Option<usize>,
    #[pyo3(item)]
    caption_of: Option<usize>,
    #[pyo3(item)]
    language: Option<String>,
    #[pyo3(item)]
    confidence: Option<f64>,
    #[pyo3(item)]
    html: Option<Py<PyString>>,
    #[pyo3(item)]
    pages: Vec<i64>,
    #[pyo3(item)]
    boxes: Vec<BoxRow>,
    #[pyo3(item)]
    cells: Vec<CellRow>,
}

/// See [`Elements::of_places`].
///
/// # Errors
/// If elements or cells do not stand in the text one behind the other, or a kind is unknown.
pub fn placed(
    text: Bound<'_, PyString>,
    items: Vec<Placed>,
    n_body: Option<usize>,
) -> PyResult<Elements> {
    let utf8 = Text::of(&text)?;
    let chars = CharIndex::new(utf8.as_str(), utf8.pairs());
    let source = Source { text: utf8.as_str(), chars, n_chars: text.len()? };
    let mut read = Read { n_body, ..Read::default() };
    let (mut htmls, mut before) = (HashMap::new(), 0);
    for (i, item) in items.into_iter().enumerate() {
        let span = source.span(&format!("elements[{i}]"), [item.start, item.end], before)?;
        before = item.end;
        read.elements.push(Element {
            kind: Kind::named(&item.kind)
                .ok_or_else(|| wrong(format!("elements[{i}]: unknown kind {:?}", item.kind)))?,
            level: item.level,
            parent: item.parent.map_or(Parent::default(), Parent::of),
            span,
            page: item.pages.first().copied(),
            grid: source.grid(i, span, &item)?,
            begins_list: false,
        });
        if item.pages.len() > 1 {
            read.pages.extend(item.pages.iter().map(|&page| (i, page)));
        }
        let boxes = item.boxes.iter();
        read.boxes.extend(
            boxes.map(|&(page, edges, width, height)| (i, PageBox { page, edges, width, height })),
        );
        read.captions.extend(item.caption_of.map(|of| (i, of)));
        read.languages.extend(item.language.map(|language| (i, language.into())));
        read.confidences.extend(item.confidence.map(|confidence| (i, confidence)));
        htmls.extend(item.html.map(|html| (i, html)));
    }
    drop(utf8);
    if n_body.is_some_and(|n_body| n_body > read.elements.len()) {
        return Err(wrong(format!("n_body {n_body:?} is more than there are elements")));
    }
    Ok(Elements { htmls, ..Elements::placed(text, read) })
}

/// The cells of a table that stands at `table` of `text`; one without a place stands behind the text before it. What
/// a cell says is told if it is not what stands there.
pub fn cell_rows(
    grid: &Grid,
    table: Span,
    (text, chars): (&str, &CharIndex),
    markup: Markup,
) -> Vec<SaidCellRow> {
    let char = |byte| chars.byte_to_char(text, byte);
    let is_header = |row: &Row| std::iter::repeat_n(row.is_header, row.cells.len());
    let headers = grid.rows.iter().flat_map(is_header);
    let cells = grid.slots().into_iter().zip(&grid.cells).zip(headers);
    let is_source = grid.html.is_empty();
    let said = is_source.then(|| words_of_cells(text, markup, table, grid)).flatten();
    let mut said = said.unwrap_or_default().into_iter();
    let mut before = table.start;
    let cell = |((at, cell), is_header): ((Slot, &Cell), bool)| {
        let has_place = !cell.text.is_empty() || cell.text.start >= table.start;
        let of = if has_place { cell.text } else { Span::new(before, before) };
        before = of.end;
        let span = [of.start, of.end].map(char);
        let words = said.next().filter(|words| *words != text[of.range()]);
        (at.row, at.column, span[0], span[1], at.rows, at.columns, is_header, words)
    };
    cells.map(cell).collect()
}

/// What each cell of a table at `span` says in a markup that draws tables; none if its cells stand in the text as they are.
fn words_of_cells(text: &str, markup: Markup, span: Span, grid: &Grid) -> Option<Vec<String>> {
    match markup {
        Markup::Rst => rst::words(text, span).filter(|words| words.len() == grid.cells.len()),
        _ => cell_words(text, span, grid),
    }
}

/// The text that elements stand in.
struct Source<'t> {
    text: &'t str,
    chars: CharIndex,
    n_chars: usize,
}

impl Source<'_> {
    /// The span of what `name` tells, which stands behind `before`.
    fn span(&self, name: &str, [start, end]: [usize; 2], before: usize) -> PyResult<Span> {
        if start < before || end < start || end > self.n_chars {
            let message = format!("{name} stands at {start}..{end}, which is not");
            return Err(wrong(format!("{message} after {before} in a text of {}", self.n_chars)));
        }
        let at = |char| self.chars.char_to_byte(self.text, char);
        Ok(Span::new(at(start), at(end)))
    }

    /// The grid of element `i`, which stands at `span`, if it has cells.
    fn grid(&self, i: usize, span: Span, item: &Placed) -> PyResult<Option<Box<Grid>>> {
        let (mut cells, mut before) = (Vec::with_capacity(item.cells.len()), item.start);
        let mut last = None;
        for (j, &(row, column, start, end, rows, columns, is_header)) in
            item.cells.iter().enumerate()
        {
            let name = format!("elements[{i}]: cells[{j}]");
            let text = self.span(&name, [start, end], before)?;
            if end > item.end {
                return Err(wrong(format!("{name} ends at {end}, after the end of its table")));
            }
            if last.is_some_and(|last| last >= (row, column)) {
                return Err(wrong(format!("{name} must start after the cell before it")));
            }
            (before, last) = (end, Some((row, column)));
            let slot = Slot { row, column, rows, columns };
            cells.push(PlacedCell { slot, text, is_header });
        }
        let is_table = !cells.is_empty();
        Ok(is_table.then(|| Box::new(Grid::of_cells(self.text, span, &cells))))
    }
}

fn wrong(message: String) -> PyErr {
    named("ConfigError", message)
}

/// Values of element 0.
fn of_one<T, U>(values: Vec<T>, made: impl Fn(T) -> U) -> Vec<(usize, U)> {
    values.into_iter().map(|value| (0, made(value))).collect()
}

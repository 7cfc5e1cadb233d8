//! Slice of what was read: some elements with a text of their own, and where they stand in the whole document.

use serde::{Deserialize, Serialize};

use super::{LineBox, Links, Read, Sparse, entries};
use crate::elements::{Element, Parent};
use crate::grid::{Cell, Grid, Row};
use crate::source_map::SourceMap;
use crate::span::Span;
use crate::turns::{Cue, Turn};

/// Places of the elements of a slice in the document that they are from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Whole {
    /// The number of each element.
    pub numbers: Vec<usize>,
    /// Where each starts and ends, in code points.
    pub chars: Vec<[usize; 2]>,
    /// The lines, from 1, on which each begins and ends.
    pub lines: Vec<[usize; 2]>,
    /// What of each element is kept, in bytes: all of it, or a part of a long one.
    pub kept: Vec<Span>,
    /// The same in code points.
    pub kept_chars: Vec<[usize; 2]>,
    /// The links that stand in the elements: start and end in code points, target, and whether each is an image.
    pub links: Vec<(usize, usize, String, bool)>,
}

impl Whole {
    /// Whether only a part of an element is kept.
    pub fn is_part(&self, row: usize) -> bool {
        self.chars.get(row) != self.kept_chars.get(row)
    }

    /// Whether all is known of `n` elements.
    pub(super) fn is_sound(&self, n: usize) -> bool {
        let Self { numbers, chars, lines, kept, kept_chars, .. } = self;
        [numbers.len(), chars.len(), lines.len(), kept.len(), kept_chars.len()] == [n; 5]
    }
}

impl Read {
    /// The elements of `whole`, ascending, among them those that they belong to, in a text of their own in which what
    /// is kept of each stands at its span of `spans`. Of an element of which a part is kept no cells, lines and boxes'
    /// starts are known.
    ///
    /// ```
    /// use chunkwright_text::read::slice::Whole;
    /// use chunkwright_text::span::Span;
    /// use chunkwright_text::syntax::markdown;
    ///
    /// let read = markdown::read("# Rain\n\nIt fell.\n\nAnd on.");
    /// let whole = Whole { numbers: vec![2], kept: vec![Span::new(18, 25)], ..Whole::default() };
    /// let slice = read.slice(whole, &[Span::new(0, 7)]);
    /// assert_eq!((slice.elements.len(), slice.elements[0].span), (1, Span::new(0, 7)));
    /// ```
    #[must_use]
    pub fn slice(&self, whole: Whole, spans: &[Span]) -> Self {
        let rows = &whole.numbers;
        let row_of = |number: usize| rows.binary_search(&number).ok();
        let moves: Vec<Move> = (0..rows.len())
            .map(|i| Move {
                from: whole.kept[i],
                to: spans[i].start,
                is_whole: self.elements[rows[i]].span == whole.kept[i],
            })
            .collect();
        let element = |i: usize| {
            let element = &self.elements[rows[i]];
            let parent =
                element.parent.get().and_then(row_of).map_or(Parent::default(), Parent::of);
            let grid = element.grid.as_ref().map(|grid| Box::new(moves[i].grid(grid)));
            Element { parent, grid, span: spans[i], ..*element }
        };
        let at = |i: usize, byte: usize| moves[i].is_whole.then(|| moves[i].at(byte));
        Self {
            elements: (0..rows.len()).map(element).collect(),
            n_body: self.n_body.map(|n| rows.partition_point(|&number| number < n)),
            name: self.name.clone(),
            markup: self.markup,
            source: SourceMap::Nowhere,
            places: rows.iter().filter_map(|&number| self.places.get(number)).copied().collect(),
            titles: of_rows(&self.titles, rows, |i, of| {
                moves[i].is_whole.then(|| moves[i].span(*of))
            }),
            languages: of_rows(&self.languages, rows, |_, of| Some(of.clone())),
            pages: of_rows(&self.pages, rows, |_, of| Some(*of)),
            boxes: of_rows(&self.boxes, rows, |_, of| Some(*of)),
            box_starts: of_rows(&self.box_starts, rows, |i, of| at(i, *of)),
            lines: of_rows(&self.lines, rows, |i, of| {
                let start = u32::try_from(at(i, of.start as usize)?).ok()?;
                Some(LineBox { start, ..*of })
            }),
            page_starts: of_rows(&self.page_starts, rows, |i, of| at(i, *of)),
            captions: of_rows(&self.captions, rows, |_, of| row_of(*of)),
            confidences: of_rows(&self.confidences, rows, |_, of| Some(*of)),
            recognised: self.recognised_of(rows),
            turns: of_rows(&self.turns, rows, |i, of| Some(moves[i].turn(of))),
            references: of_rows(&self.references, rows, |_, of| Some(of.clone())),
            links: Links::None,
            whole: Some(Box::new(whole)),
            ..Self::default()
        }
    }
}

/// The entries of some elements in a sparse column, as `value` has them in the slice.
fn of_rows<T, U>(
    column: &[(usize, T)],
    rows: &[usize],
    value: impl Fn(usize, &T) -> Option<U>,
) -> Sparse<U> {
    let own = |(i, &number)| entries(column, number).iter().map(move |(_, of)| (i, of));
    let known = rows.iter().enumerate().flat_map(own);
    known.filter_map(|(i, of)| Some((i, value(i, of)?))).collect()
}

/// Way of what is kept of an element, from the text of the document into that of the slice.
struct Move {
    from: Span,
    to: usize,
    is_whole: bool,
}

impl Move {
    fn at(&self, byte: usize) -> usize {
        self.to + byte.clamp(self.from.start, self.from.end) - self.from.start
    }

    fn span(&self, span: Span) -> Span {
        Span::new(self.at(span.start), self.at(span.end))
    }

    /// A turn whose label, and whose cues, stand where what is kept of them does.
    fn turn(&self, turn: &Turn) -> Turn {
        let moved = |cue: &Cue| Cue { at: self.at(cue.at), ..*cue };
        let cues = turn.cues.iter().map(moved).collect();
        let is_kept = self.from.start <= turn.label.start && turn.label.end <= self.from.end;
        let label = if is_kept { self.span(turn.label) } else { Span::default() };
        Turn { speaker: turn.speaker.clone(), label, cues }
    }

    /// The rows of a table of which all cells with a text are kept, without the HTML that tables are cut by.
    fn grid(&self, grid: &Grid) -> Grid {
        if !grid.texts.is_empty() {
            return grid.clone();
        }
        let is_kept = |cell: &Cell| {
            cell.text.is_empty()
                || self.from.start <= cell.text.start && cell.text.end <= self.from.end
        };
        let mut kept = Grid { shape: grid.shape, ..Grid::default() };
        for row in &grid.rows {
            let cells = &grid.cells[row.cells.range()];
            if !cells.iter().all(is_kept) {
                continue;
            }
            let first = kept.cells.len();
            let moved = cells.iter().map(|cell| Cell {
                // One without a text is placed behind the one before it if it stands before its table.
                text: if cell.text.start < self.from.start {
                    Span::default()
                } else {
                    self.span(cell.text)
                },
                html: Span::default(),
                ..*cell
            });
            kept.cells.extend(moved);
            kept.slots.extend(grid.slots.get(row.cells.range()).unwrap_or_default());
            let cells = Span::new(first, kept.cells.len());
            let (html, source) = (Span::default(), Span::default());
            kept.rows.push(Row { cells, html, source, ..*row });
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::markdown;

    const MARKDOWN: &str = "# A\n\n- b\n  - c\n\n| e | f |\n|---|---|\n| g | h |\n| i | j |\n";

    /// The slice that has `kept` of the elements of these numbers, and its text.
    fn slice(kept: &[(usize, Span)]) -> (Read, String) {
        let read = markdown::read(MARKDOWN);
        let (mut text, mut spans) = (String::new(), Vec::new());
        for (_, span) in kept {
            spans.push(Span::new(text.len(), text.len() + span.len()));
            text += &MARKDOWN[span.range()];
        }
        let chars = |span: Span| [span.start, span.end];
        let whole = Whole {
            numbers: kept.iter().map(|(number, _)| *number).collect(),
            chars: kept.iter().map(|(number, _)| chars(read.elements[*number].span)).collect(),
            lines: vec![[1, 1]; kept.len()],
            kept: kept.iter().map(|(_, span)| *span).collect(),
            kept_chars: kept.iter().map(|(_, span)| chars(*span)).collect(),
            links: Vec::new(),
        };
        (read.slice(whole, &spans), text)
    }

    #[test]
    fn a_slice_stands_in_its_own_text_and_is_stored() {
        let all = markdown::read(MARKDOWN);
        let n = all.elements.len();
        let (read, text) = slice(&[(0, all.elements[0].span), (n - 1, all.elements[n - 1].span)]);
        let again = Read::of_bytes(&read.to_bytes(None).unwrap(), &text).unwrap();
        assert_eq!(format!("{again:?}"), format!("{read:?}"));
        let cells = |read: &Read, text: &str| {
            let grid = read.elements.last().unwrap().grid.clone().unwrap();
            grid.cells.iter().map(|cell| text[cell.text.range()].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(cells(&read, &text), cells(&all, MARKDOWN));
        assert_eq!(&text[read.titles[0].1.range()], "A");
        assert!(Read::of_bytes(&read.to_bytes(None).unwrap(), "# A").is_err());
    }

    #[test]
    fn of_a_part_of_a_table_its_rows_are_kept() {
        let at = MARKDOWN.find("| g").unwrap();
        let n = markdown::read(MARKDOWN).elements.len();
        let (read, text) = slice(&[(n - 1, Span::new(at, at + 9))]);
        let grid = read.elements[0].grid.as_ref().unwrap();
        assert_eq!((grid.rows.len(), text.as_str()), (1, "| g | h |"));
        assert!(read.whole.unwrap().is_part(0));
    }
}

//! Writer of a text with its elements, one behind the other.

use chunkwright_text::elements::{Element, Kind};
use chunkwright_text::grid::Grid;
use chunkwright_text::read::Read;
use chunkwright_text::source_map::SourceMap;
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::{is_space, skip_space, trim_end};

/// What a line is moved by at most: deeper lists are not told from one another.
const MAX_INDENT: usize = 64;

/// Writes the text of a document, element after element.
#[derive(Debug, Default)]
pub struct Writer {
    text: String,
    made: Read,
    /// The list that the last text is in.
    list: Option<usize>,
}

impl Writer {
    /// Adds an element with its text, and returns its number; whitespace around the text is left out.
    ///
    /// A blank line stands before it, or a line end if it is in the same `list` as what is before it, and in
    /// front of it so many blanks. `title` is the heading without its marks, in `text`; empty if that is all of
    /// it.
    pub fn push(
        &mut self,
        element: Element,
        said: &str,
        title: Span,
        list: Option<usize>,
        indent: usize,
    ) -> usize {
        let text = &mut self.text;
        let bare = bare(said, element.kind);
        if !bare.is_empty() {
            let is_next = list.is_some() && list == self.list;
            text.push_str(match text.is_empty() {
                true => "",
                false if is_next => "\n",
                false => "\n\n",
            });
            text.extend(std::iter::repeat_n(' ', indent.min(MAX_INDENT)));
            self.list = list;
        }
        let start = text.len();
        text.push_str(&said[bare.range()]);
        let (span, number) = (Span::new(start, text.len()), self.made.elements.len());
        if !title.is_empty() {
            let at = start - bare.start;
            self.made.titles.push((number, Span::new(at + title.start, at + title.end)));
        }
        self.made.elements.push(Element { span, ..element });
        number
    }

    /// Says in what language the code with that number is.
    pub fn set_language(&mut self, element: usize, language: Option<&str>) {
        self.made.languages.extend(language.map(|language| (element, language.into())));
    }

    /// Says that elements are the captions of one.
    pub fn set_captions(&mut self, captions: &[usize], element: usize) {
        self.made.captions.extend(captions.iter().map(|&caption| (caption, element)));
    }

    /// Gives the last element a grid, whose places are those in its own text.
    pub fn set_grid(&mut self, mut grid: Grid) {
        let Some(element) = self.made.elements.last_mut() else { return };
        let moved = |span: &mut Span| {
            *span = Span::new(span.start + element.span.start, span.end + element.span.start);
        };
        grid.cells.iter_mut().for_each(|cell| moved(&mut cell.text));
        grid.rows.iter_mut().for_each(|row| moved(&mut row.source));
        element.grid = Some(Box::new(grid));
    }

    /// The elements so far, and what else is known of them.
    pub const fn read(&mut self) -> &mut Read {
        &mut self.made
    }

    /// The document.
    pub fn finish(self) -> Read {
        let (text, source) = (Some(self.text), SourceMap::Nowhere);
        let mut read = Read { text, source, ..self.made };
        read.captions.sort_unstable();
        read
    }
}

/// A text without whitespace around it; code keeps the indentation of its first line.
pub fn bare(text: &str, kind: Kind) -> Span {
    let first = skip_space(text, 0);
    let end = trim_end(text, first, text.len());
    let is_feed = |c: char| matches!(c, '\n' | '\r');
    let start = match text[..first].rfind(is_feed) {
        _ if kind != Kind::Code => first,
        Some(feed) => feed + 1,
        None => 0,
    };
    if first == end { Span::new(0, 0) } else { Span::new(start, end) }
}

/// The words of a text, a blank between two.
pub fn on_one_line(text: &str) -> String {
    text.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

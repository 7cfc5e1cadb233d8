//! Elements made of blocks, in the order of the text, and the blocks that they stand in.

use chunkwright_text::elements::{Element, Kind, Parent};
use chunkwright_text::grid::Grid;
use chunkwright_text::read::Read;
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::trim_end;

use super::inline::Inline;

/// What a block stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// A block quote.
    Quote,
    /// An item of a list, or a directive with content, by the number of its element.
    Part(usize),
    /// A footnote or a citation.
    Footnote,
}

/// Makes elements.
pub struct Made<'t> {
    text: &'t str,
    /// What was made.
    pub read: Read,
    /// What links are found in, if they are looked for.
    pub inline: Option<Inline>,
    /// How many lists are open.
    pub lists: usize,
    containers: Vec<Container>,
    quotes: usize,
    /// The element that a paragraph goes on, if one comes next.
    open: Option<usize>,
    /// The definitions that others right below go on.
    definitions: Option<usize>,
    /// Where the next element begins that is not to be read without marks before it.
    marked: Option<usize>,
    /// The end of the last element.
    end: usize,
}

impl<'t> Made<'t> {
    /// Nothing is made yet of `text` from `start` on.
    pub fn new(text: &'t str, start: usize, inline: Option<Inline>) -> Self {
        Self {
            text,
            read: Read::default(),
            inline,
            lists: 0,
            containers: Vec::new(),
            quotes: 0,
            open: None,
            definitions: None,
            marked: None,
            end: start,
        }
    }

    /// Adds an element; returns its number.
    pub fn push(&mut self, kind: Kind, level: usize, span: Span) -> usize {
        (self.open, self.definitions) = (None, None);
        let start = self.marked.take().unwrap_or(span.start).max(self.end);
        let end = trim_end(self.text, start, span.end.max(start));
        let part = self.containers.iter().rev().find_map(|container| match container {
            Container::Part(number) => Some(*number),
            _ => None,
        });
        let parent = part.map_or(Parent::default(), Parent::of);
        let level = u8::try_from(level).unwrap_or(u8::MAX);
        let span = Span::new(start, end);
        self.read.elements.push(Element { kind, level, parent, span, ..Element::default() });
        self.end = end;
        self.read.elements.len() - 1
    }

    /// Adds a paragraph; what stands in quotes and footnotes is of their kind, and the first one behind the mark of
    /// an item goes with it.
    pub fn paragraph(&mut self, span: Span) {
        self.said(span);
        if let Some(open) = self.open.take() {
            return self.extend(open, span.end);
        }
        match self.containers.last() {
            Some(Container::Quote) => self.push(Kind::Quote, self.quotes, span),
            Some(Container::Footnote) => self.push(Kind::Footnote, 0, span),
            _ => self.push(Kind::Paragraph, 0, span),
        };
    }

    /// Adds code.
    pub fn code(&mut self, span: Span, language: Option<&str>) {
        let number = self.push(Kind::Code, 0, span);
        if let Some(language) = language {
            self.read.languages.push((number, language.into()));
        }
    }

    /// Adds a table; returns its number.
    pub fn table(&mut self, span: Span, grid: Grid) -> usize {
        let number = self.push(Kind::Table, 0, span);
        self.read.elements[number].grid = Some(Box::new(grid));
        number
    }

    /// Adds the caption of an element that comes before it, or next.
    pub fn caption(&mut self, span: Span, of: Option<usize>) {
        let number = self.push(Kind::Caption, 0, span);
        self.read.captions.push((number, of.unwrap_or(number + 1)));
    }

    /// Adds definitions of references, right below others to these.
    pub fn definition(&mut self, span: Span) {
        let feeds = |gap: &str| gap.bytes().filter(|byte| *byte == b'\n').count();
        match self.definitions {
            Some(before) if feeds(&self.text[self.end..span.start.max(self.end)]) <= 1 => {
                self.extend(before, span.end);
            }
            _ => {
                let number = self.push(Kind::Paragraph, 0, span);
                self.definitions = Some(number);
            }
        }
    }

    /// Lets the next paragraph go on the element, if nothing comes between.
    pub const fn open(&mut self, element: usize) {
        self.open = Some(element);
    }

    /// Lets the last element, which is not one of the first `n`, reach to `end`.
    pub fn cover(&mut self, n: usize, end: usize) {
        if self.len() > n {
            self.extend(self.len() - 1, end);
        }
    }

    /// Ends what a paragraph might go on.
    pub const fn close(&mut self) {
        (self.open, self.definitions) = (None, None);
    }

    /// Lets the next element begin at `start`.
    pub const fn mark(&mut self, start: usize) {
        self.marked = Some(start);
    }

    /// Begins a container.
    pub fn enter(&mut self, container: Container) {
        self.quotes += usize::from(container == Container::Quote);
        self.containers.push(container);
    }

    /// Ends the last container.
    pub fn leave(&mut self) {
        self.quotes -= usize::from(self.containers.pop() == Some(Container::Quote));
        self.close();
        self.marked = None;
    }

    /// Notes a text in which links may stand.
    pub fn said(&mut self, span: Span) {
        if let Some(inline) = &mut self.inline {
            inline.texts.push(span);
        }
    }

    /// How many elements there are.
    pub const fn len(&self) -> usize {
        self.read.elements.len()
    }

    fn extend(&mut self, element: usize, end: usize) {
        let span = &mut self.read.elements[element].span;
        span.end = span.end.max(trim_end(self.text, span.end.min(end), end));
        self.end = self.end.max(span.end);
    }
}

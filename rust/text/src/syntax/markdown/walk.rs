//! Walk over the parser's events, which makes elements of blocks.
//!
//! The parser speaks in events: a block starts, a text, a block ends. An element is made where a leaf block ends;
//! what it belongs to is on a stack of open quotes, lists and items. All that inline marks say but images and
//! formulas is left as text, since the source is the text.
//!
//! | in Markdown | element |
//! |---|---|
//! | `# Rain`, `Rain` over `====` | heading; inside a quote or an item it is text of that |
//! | a paragraph | paragraph; figure if it is images alone, formula if it is one in `$$` |
//! | `- fell` | list item, up to what is nested in it, whose parent it is |
//! | fenced or indented code | code, with the first word of the info string as its language |
//! | a table | table, whose rows are lines |
//! | `> fell` | quote, of the depth of its marks |
//! | `[^1]: fell` | footnote |
//! | `<table>` | table, whose rows and cells stand in their tags |
//! | `+---+---+` | table that is drawn, if the lines below draw one |
//! | `<div>`, `[1]: log.html` | paragraph |

use std::collections::HashSet;
use std::ops::Range;

use memchr::{memchr2, memrchr2};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Tag, TagEnd};
use unicase::UniCase;

use super::table::GridBuilder;
use super::{drawn_table, heading, html_table};
use crate::elements::{Element, Kind, Parent};
use crate::grid::Grid;
use crate::read::Read;
use crate::span::Span;
use crate::unicode::space::{is_space, skip_space, trim_end};

/// What makes blocks, and what is looked at in paragraphs: all other inline marks are text.
pub const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_HEADING_ATTRIBUTES)
    .union(Options::ENABLE_MATH);

/// Labels of references, as they are compared.
pub type Labels = HashSet<UniCase<String>>;

/// What a block stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    Quote,
    /// An item of a list, by the number of its element.
    Item(usize),
    Footnote,
}

/// What a paragraph has been found to hold.
#[derive(Clone, Copy, Debug, Default)]
struct Inline {
    has_text: bool,
    has_image: bool,
    has_formula: bool,
    /// Images that are open; what they say is not seen.
    images: usize,
}

/// A leaf block that has begun.
#[derive(Default)]
pub struct Leaf<'t> {
    pub range: Range<usize>,
    kind: Kind,
    level: u8,
    has_attributes: bool,
    inline: Inline,
    language: Option<Box<str>>,
    table: Option<GridBuilder<'t>>,
    /// The grid of a table that is drawn, which is known from its start on.
    drawn: Option<Grid>,
    is_html: bool,
}

impl<'t> Leaf<'t> {
    /// A paragraph that has words.
    pub fn paragraph(start: usize) -> Self {
        let inline = Inline { has_text: true, ..Inline::default() };
        Self { range: start..start, inline, ..Self::default() }
    }

    /// A table with rows.
    pub fn table(start: usize, rows: GridBuilder<'t>) -> Self {
        Self { range: start..start, kind: Kind::Table, table: Some(rows), ..Self::default() }
    }

    /// Makes it a heading.
    pub fn head(&mut self, level: HeadingLevel, has_attributes: bool) {
        (self.kind, self.level, self.has_attributes) = (Kind::Heading, level as u8, has_attributes);
    }
}

/// Makes elements of events, in the order of the text.
pub struct Walker<'t> {
    pub text: &'t str,
    /// Bytes that are parsed at once.
    pub piece: usize,
    /// The labels that are defined, if these are what is looked for.
    pub labels: Option<Labels>,
    pub made: Read,
    containers: Vec<Container>,
    /// Lists, and quotes, that are open.
    lists: usize,
    quotes: usize,
    /// Whether the list has no item yet.
    pub begins_list: bool,
    pub leaf: Option<Leaf<'t>>,
    /// Whether the last element is text of an item that goes on until another block begins.
    is_open: bool,
    /// The end of the last element.
    pub end: usize,
}

impl<'t> Walker<'t> {
    /// Nothing has been seen of `text`, which is parsed in pieces of so many bytes.
    pub fn new(text: &'t str, piece: usize) -> Self {
        Self {
            text,
            piece,
            labels: None,
            made: Read::default(),
            containers: Vec::new(),
            lists: 0,
            quotes: 0,
            begins_list: false,
            leaf: None,
            is_open: false,
            end: mark_len(text),
        }
    }

    /// Adds code at `span`, outside of all blocks.
    pub fn push_code(&mut self, span: Span, language: &str) {
        self.made.languages.push((self.made.elements.len(), language.into()));
        self.push(Kind::Code, 0, span);
    }

    /// Adds a line of marks that nest too deep.
    pub fn push_deep(&mut self, line: Span) {
        let start = skip_space(self.text, line.start).min(line.end);
        self.push(Kind::Paragraph, 0, Span::new(start, line.end));
    }

    /// Adds a table in HTML, outside of all blocks; without rows it is a paragraph.
    pub fn push_html_table(&mut self, span: Span) {
        let grid = html_table::read(self.text, span);
        let kind = if grid.is_some() { Kind::Table } else { Kind::Paragraph };
        let number = self.push(kind, 0, span);
        self.made.elements[number].grid = grid.map(Box::new);
    }

    /// The elements.
    pub fn finish(mut self) -> Read {
        self.fill(self.text.len());
        self.made
    }

    /// Takes what the parser says of a part of the text.
    pub fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag),
            Event::Rule => self.is_open = false,
            Event::Text(said) => self.inline(range, |inline| {
                inline.has_text |= inline.images == 0 && !said.chars().all(is_space);
            }),
            Event::DisplayMath(_) => self.inline(range, |inline| inline.has_formula = true),
            Event::SoftBreak | Event::HardBreak | Event::Html(_) => self.inline(range, |_| {}),
            Event::Code(_)
            | Event::InlineMath(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::TaskListMarker(_) => self.inline(range, |inline| {
                inline.has_text |= inline.images == 0;
            }),
        }
    }

    /// Takes the start of a block or of marks.
    pub fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Paragraph => {
                let drawn = drawn_table::find(self.text, Span::new(range.start, range.end));
                if let Some((end, grid)) = drawn {
                    // What stands right below it is found as what no block has.
                    self.begin(Kind::Table, range.start..end);
                    if let Some(leaf) = &mut self.leaf {
                        leaf.drawn = Some(grid);
                    }
                } else if !self.is_open {
                    // A paragraph right behind the text of an item is more of it.
                    self.begin(Kind::Paragraph, range);
                }
            }
            Tag::Heading { level, id, classes, attrs } => {
                let has_attributes = id.is_some() || !classes.is_empty() || !attrs.is_empty();
                self.begin(Kind::Heading, range);
                if let Some(leaf) = &mut self.leaf {
                    leaf.head(level, has_attributes);
                }
            }
            Tag::CodeBlock(kind) => self.code(&kind, range),
            Tag::HtmlBlock => {
                self.begin(Kind::Paragraph, range);
                if let Some(leaf) = &mut self.leaf {
                    leaf.is_html = true;
                }
            }
            Tag::Table(_) => self.table(range),
            Tag::TableHead => self.row(range, true),
            Tag::TableRow => self.row(range, false),
            Tag::TableCell => {
                if let Some(table) = self.leaf.as_mut().and_then(|leaf| leaf.table.as_mut()) {
                    table.cell(range);
                }
            }
            Tag::BlockQuote(_) => {
                self.quotes += 1;
                self.enter(Container::Quote);
            }
            Tag::FootnoteDefinition(_) => self.enter(Container::Footnote),
            Tag::List(_) => {
                self.is_open = false;
                self.lists += 1;
                self.begins_list = true;
            }
            Tag::Item => self.item(range),
            Tag::Image { .. } => self.inline(range, |inline| {
                inline.has_image = true;
                inline.images += 1;
            }),
            _ => self.inline(range, |_| {}),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph
            | TagEnd::Heading(_)
            | TagEnd::CodeBlock
            | TagEnd::HtmlBlock
            | TagEnd::Table => self.finish_leaf(),
            TagEnd::BlockQuote(_) => {
                self.quotes -= 1;
                self.leave();
            }
            TagEnd::FootnoteDefinition | TagEnd::Item => self.leave(),
            TagEnd::List(_) => {
                self.lists -= 1;
                self.is_open = false;
            }
            TagEnd::Image => {
                if let Some(leaf) = &mut self.leaf {
                    leaf.inline.images = leaf.inline.images.saturating_sub(1);
                }
            }
            _ => {}
        }
    }

    fn table(&mut self, range: Range<usize>) {
        self.begin(Kind::Table, range);
        let text = self.text;
        if let Some(leaf) = &mut self.leaf {
            leaf.table = Some(GridBuilder::new(text));
        }
    }

    fn enter(&mut self, container: Container) {
        self.is_open = false;
        self.containers.push(container);
    }

    fn leave(&mut self) {
        self.containers.pop();
        self.is_open = false;
    }

    /// Begins an item: its mark, for the time being.
    fn item(&mut self, range: Range<usize>) {
        self.is_open = false;
        // Its range may begin with the indentation.
        let at = skip_space(self.text, range.start).min(range.end);
        let mark = self.text[at..range.end].find(is_space).map_or(range.end, |end| at + end);
        let start = self.lead(at);
        let number = self.push(Kind::ListItem, depth(self.lists), Span::new(start, mark));
        self.made.elements[number].begins_list = std::mem::take(&mut self.begins_list);
        self.containers.push(Container::Item(number));
        self.is_open = true;
    }

    /// Begins a leaf block.
    fn begin(&mut self, kind: Kind, range: Range<usize>) {
        self.is_open = false;
        self.leaf = Some(Leaf { range, kind, ..Leaf::default() });
    }

    fn code(&mut self, kind: &CodeBlockKind<'_>, range: Range<usize>) {
        let (mut start, mut language) = (range.start, None);
        match kind {
            CodeBlockKind::Fenced(info) => {
                let mut words = info.split([' ', '\t', ',']);
                language = words.find(|word| !word.is_empty()).map(Into::into);
            }
            // The indentation is what makes it code.
            CodeBlockKind::Indented => start = self.line_start(start),
        }
        self.begin(Kind::Code, start..range.end);
        if let Some(leaf) = &mut self.leaf {
            leaf.language = language;
        }
    }

    /// Begins a row of the table, with all of its line.
    fn row(&mut self, range: Range<usize>, is_header: bool) {
        let end = trim_end(self.text, range.start, range.end);
        let start = self.lead(range.start);
        if let Some(table) = self.leaf.as_mut().and_then(|leaf| leaf.table.as_mut()) {
            table.row(Span::new(start, end), is_header);
        }
    }

    /// Takes what stands in a line: it may be text of an item that is no paragraph.
    fn inline(&mut self, range: Range<usize>, look: impl FnOnce(&mut Inline)) {
        if let Some(leaf) = &mut self.leaf {
            return look(&mut leaf.inline);
        }
        let Some(&Container::Item(item)) = self.containers.last() else { return };
        if self.is_open {
            return self.extend(range.end);
        }
        let start = self.lead(range.start);
        self.push(Kind::Paragraph, 0, Span::new(start, range.end));
        if let Some(element) = self.made.elements.last_mut() {
            element.parent = Parent::of(item);
        }
        self.is_open = true;
    }

    /// Lets the last element reach to `end`.
    fn extend(&mut self, end: usize) {
        if let Some(element) = self.made.elements.last_mut()
            && element.span.end < end
        {
            element.span.end = trim_end(self.text, element.span.end, end);
            self.end = element.span.end;
        }
    }

    fn finish_leaf(&mut self) {
        let Some(leaf) = self.leaf.take() else { return };
        let block = Span::new(leaf.range.start, leaf.range.end);
        if leaf.is_html
            && let Some((span, grid)) = html_table::within(self.text, block)
        {
            let start = self.lead(span.start);
            let number = self.push(Kind::Table, 0, Span::new(start, span.end));
            self.made.elements[number].grid = Some(Box::new(grid));
            return self.fill(block.end);
        }
        let is_only = |has_it: bool| has_it && !leaf.inline.has_text;
        let (kind, level) = match (leaf.kind, self.containers.last()) {
            (Kind::Table | Kind::Code, _) => (leaf.kind, 0),
            (_, Some(Container::Quote)) => (Kind::Quote, depth(self.quotes)),
            (_, Some(Container::Footnote)) => (Kind::Footnote, 0),
            (Kind::Heading, None) => (Kind::Heading, leaf.level),
            (Kind::Paragraph, _) if is_only(leaf.inline.has_formula) => (Kind::Formula, 0),
            (Kind::Paragraph, _) if is_only(leaf.inline.has_image) => (Kind::Figure, 0),
            _ => (Kind::Paragraph, 0),
        };
        let start = self.lead(leaf.range.start);
        let number = self.push(kind, level, Span::new(start, leaf.range.end));
        let element = &mut self.made.elements[number];
        element.grid = leaf.table.map(GridBuilder::finish).or(leaf.drawn).map(Box::new);
        if let Some(language) = leaf.language {
            self.made.languages.push((number, language));
        }
        if kind == Kind::Heading {
            let words = heading::words(self.text, element.span, leaf.has_attributes);
            self.made.titles.push((number, words));
        }
    }

    /// Adds an element, what stands before it and the whitespace at its end left out, and returns its number.
    fn push(&mut self, kind: Kind, level: u8, span: Span) -> usize {
        self.fill(span.start);
        let start = span.start.max(self.end);
        let span = Span::new(start, trim_end(self.text, start, span.end.max(start)));
        self.add(kind, level, span)
    }

    fn add(&mut self, kind: Kind, level: u8, span: Span) -> usize {
        let item = self.containers.iter().rev().find_map(|container| match container {
            Container::Item(number) => Some(*number),
            _ => None,
        });
        let parent = item.map_or(Parent::default(), Parent::of);
        self.made.elements.push(Element { kind, level, parent, span, ..Element::default() });
        self.end = span.end;
        self.made.elements.len() - 1
    }

    /// Makes a paragraph of the lines before `end` that no element has, from the first with words to the last.
    fn fill(&mut self, end: usize) {
        let behind = self.end.min(end);
        let gap = &self.text[behind..end];
        let Some(first) = gap.find(char::is_alphanumeric) else { return };
        let last = gap.rfind(char::is_alphanumeric).map_or(end, |at| behind + at);
        let feed = memchr2(b'\n', b'\r', &self.text.as_bytes()[last..end]);
        let stop = feed.map_or(end, |feed| last + feed);
        let start = self.lead(behind + first);
        self.add(Kind::Paragraph, 0, Span::new(start, trim_end(self.text, start, stop)));
    }

    /// Where the block at `at` begins with its marks: in its line, behind the element before it.
    fn lead(&self, at: usize) -> usize {
        skip_space(self.text, self.line_start(at)).min(at)
    }

    fn line_start(&self, at: usize) -> usize {
        let behind = self.end.min(at);
        let feed = memrchr2(b'\n', b'\r', &self.text.as_bytes()[behind..at]);
        feed.map_or(behind, |feed| behind + feed + 1)
    }
}

/// The length of a byte order mark in front of a text, which is no part of its first block.
pub fn mark_len(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// A level, which no document has more of than that.
fn depth(n_open: usize) -> u8 {
    u8::try_from(n_open).unwrap_or(u8::MAX)
}

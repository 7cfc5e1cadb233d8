//! A long text read piece by piece: the parser's tree, which takes up to 72 bytes for each byte of text, is never that
//! of all of it.
//!
//! Which blocks a text has follows from what stands before them, so that a parser that begins where a block begins
//! finds the same ones. A piece is some lines; its last block may go on, and the next piece begins with it. A block
//! that fills its piece is parted itself; where that cannot be, the piece grows.
//!
//! | the last block | what the parser sees of it in the next piece |
//! |---|---|
//! | any that has another one before it | all of it |
//! | a list | its last item |
//! | a table | its header and its last row |
//! | code in fences, HTML | its first and its last line |
//! | a paragraph that begins with a letter or digit | two lines of a letter, and its last line |

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memrchr};
use pulldown_cmark::{BrokenLink, CodeBlockKind, CowStr, Event, Parser, Tag, TagEnd};
use unicase::UniCase;

use super::definitions::{BLANKS, Definitions};
use super::table::GridBuilder;
use super::walk::{Leaf, OPTIONS, Walker};
use crate::read::Read;
use crate::span::Span;
use crate::unicode::space::trim_end;

/// Bytes of a piece, to the end of a line.
pub const PIECE: usize = 1 << 17;
/// How many times as long a piece becomes that cannot be parted.
const GROWTH: usize = 8;

/// Where a piece begins, and what has been made before it.
#[derive(Clone, Copy)]
struct Mark {
    at: usize,
    open: Open,
    /// Elements, titles and languages.
    counts: [usize; 3],
    /// The end of the last element.
    end: usize,
}

/// What a piece begins in.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Nothing,
    List,
    /// A paragraph that has words, by where it begins.
    Paragraph(usize),
    /// A table, by where it begins.
    Table(usize),
    /// Code in fences or HTML, by where it begins.
    Raw(usize),
}

impl Open {
    /// What the parser has to see before the piece.
    fn opening(self, text: &str) -> &str {
        let behind = |at| line_end(text, at, text.len());
        match self {
            Self::Nothing | Self::List => "",
            // One line could be the header of a table.
            Self::Paragraph(_) => "a\na\n",
            Self::Table(start) => &text[line_start(text, start)..behind(behind(start))],
            Self::Raw(start) => &text[line_start(text, start)..behind(start)],
        }
    }
}

/// Where the last block of a piece begins, and the last part of it that another piece could begin with.
struct Borders {
    block: Mark,
    /// Where the last block begins, behind its indentation, if the text could be parted there.
    start: Option<usize>,
    part: Option<Mark>,
}

impl Walker<'_> {
    /// Makes elements of a part of the text, behind those before it.
    pub fn walk(&mut self, part: Span, definitions: &Definitions<'_>) {
        let mut mark = self.mark(part.start, Open::Nothing);
        let mut size = self.piece;
        while mark.at < part.end {
            let end = line_end(self.text, mark.at.saturating_add(size), part.end);
            let is_last = end == part.end;
            let next = self.piece(mark, end, is_last, definitions);
            if is_last {
                return;
            }
            size = if next.at > mark.at { self.piece } else { size.saturating_mul(GROWTH) };
            self.return_to(&next);
            mark = self.mark(next.at, next.open);
        }
    }

    /// Makes elements of the text from `from` to `end`: where the next piece begins, which is `from` if all of this one
    /// is one block that cannot be parted.
    fn piece(
        &mut self,
        from: Mark,
        end: usize,
        is_last: bool,
        definitions: &Definitions<'_>,
    ) -> Mark {
        let opening = from.open.opening(self.text);
        let own = &self.text[from.at..end];
        let text = if opening.is_empty() { own.into() } else { Cow::from([opening, own].concat()) };
        let before = from.at - opening.len();
        let mut defined = |link: BrokenLink<'_>| {
            let is_defined = definitions.have(&link.reference);
            is_defined.then_some((CowStr::Borrowed(""), CowStr::Borrowed("")))
        };
        let parser = Parser::new_with_broken_link_callback(&text, OPTIONS, Some(&mut defined));
        let mut events = parser.into_offset_iter();
        let start = match from.open {
            Open::Paragraph(start) | Open::Table(start) | Open::Raw(start) => Some(start),
            Open::Nothing | Open::List => None,
        };
        let mut borders = Borders { block: from, start, part: None };
        let (mut depth, mut is_reopening) = (0_usize, from.open != Open::Nothing);
        for (event, range) in events.by_ref() {
            let range = before + range.start..before + range.end;
            depth -= usize::from(matches!(event, Event::End(_)));
            let outside = depth;
            depth += usize::from(matches!(event, Event::Start(_)));
            if is_reopening {
                is_reopening = self.reopen(event, range.end, &from, &mut borders);
                continue;
            }
            if outside < 2 {
                self.look(&event, &range, outside, &from, &mut borders);
            }
            self.event(event, range);
        }
        let goes_on = |next: &Mark| next.at > from.at;
        // A header is read with each piece.
        let is_short =
            |part: &Mark| part.open.opening(self.text).len() <= part.at.min(own.len() / GROWTH);
        let part = borders.part.filter(|part| goes_on(part) && is_short(part));
        let next = Some(borders.block).filter(goes_on).or(part).unwrap_or(from);
        if let Some(labels) = &mut self.labels {
            let is_final = |place: &Range<usize>| is_last || before + place.start < next.at;
            let found = events.reference_definitions().iter();
            let found = found.filter(|(_, definition)| is_final(&definition.span));
            labels.extend(found.map(|(label, _)| UniCase::new(label.to_owned())));
        }
        next
    }

    /// Looks for a place where the text could be parted.
    fn look(
        &self,
        event: &Event<'_>,
        range: &Range<usize>,
        depth: usize,
        from: &Mark,
        borders: &mut Borders,
    ) {
        let line = || line_start(self.text, range.start).max(from.at);
        match event {
            Event::Start(_) | Event::Rule if depth == 0 => {
                (borders.start, borders.part) = (None, None);
                if !self.begins_anywhere(event, range.start) {
                    return;
                }
                borders.block = self.mark(line(), Open::Nothing);
                borders.start = Some(range.start);
                borders.part = self.last_line(event, range.end, borders);
            }
            Event::Start(Tag::Item) if depth == 1 => {
                let at = line();
                if !is_indented(&self.text[at..]) {
                    borders.part = Some(self.mark(at, Open::List));
                }
            }
            Event::Start(Tag::TableRow) if depth == 1 => {
                let row = |start| Mark { at: line(), open: Open::Table(start), ..borders.block };
                borders.part = borders.start.map(row);
            }
            _ => {}
        }
    }

    /// Whether the block at `at` is the same without what stands before it: a paragraph right behind a definition
    /// may begin with a mark that would begin another block.
    fn begins_anywhere(&self, event: &Event<'_>, at: usize) -> bool {
        let start = line_start(self.text, at);
        match event {
            Event::Start(Tag::Heading { .. }) if self.text[at..].starts_with('#') => {
                !is_indented(&self.text[start..])
            }
            Event::Start(Tag::Paragraph | Tag::Table(_) | Tag::Heading { .. }) => {
                let before = &self.text[line_start(self.text, start.saturating_sub(1))..start];
                before.trim_end_matches(BLANKS).is_empty()
            }
            _ => true,
        }
    }

    /// The last line of a long block that ends there, if it is code, HTML, or a paragraph that certainly has words.
    fn last_line(&self, event: &Event<'_>, end: usize, borders: &Borders) -> Option<Mark> {
        let start = borders.start.filter(|start| end - start > self.piece / GROWTH)?;
        let open = match event {
            Event::Start(Tag::Paragraph)
                if self.text[start..].starts_with(char::is_alphanumeric) =>
            {
                Open::Paragraph(start)
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_)) | Tag::HtmlBlock) => {
                Open::Raw(start)
            }
            _ => return None,
        };
        let at = line_start(self.text, trim_end(self.text, start, end));
        Some(Mark { at, open, ..borders.block })
    }

    /// Takes an event of what the piece begins in: whether the next one is such an event, too.
    fn reopen(&mut self, event: Event<'_>, end: usize, from: &Mark, borders: &mut Borders) -> bool {
        borders.part = self.last_line(&event, end, borders);
        match (event, &mut self.leaf) {
            (Event::Start(Tag::Table(_)), Some(leaf)) => {
                leaf.range.end = end;
                return true;
            }
            (Event::Start(Tag::Paragraph), Some(leaf)) => leaf.range.end = end,
            (Event::Start(Tag::Heading { level, id, classes, attrs }), Some(leaf)) => {
                leaf.range.end = end;
                let has_attributes = id.is_some() || !classes.is_empty() || !attrs.is_empty();
                leaf.head(level, has_attributes);
            }
            (Event::Start(tag @ Tag::List(_)), None) => {
                self.start(tag, from.at..end);
                self.begins_list = false;
            }
            (Event::Start(tag @ (Tag::CodeBlock(_) | Tag::HtmlBlock)), None) => {
                self.start(tag, borders.start.unwrap_or(from.at)..end);
            }
            (event, _) => return !matches!(event, Event::End(TagEnd::TableHead)),
        }
        false
    }

    /// The state before a block of no container.
    fn mark(&self, at: usize, open: Open) -> Mark {
        let Read { elements, titles, languages, .. } = &self.made;
        let counts = [elements.len(), titles.len(), languages.len()];
        Mark { at, open, counts, end: self.end }
    }

    /// Drops what has been made behind `mark`, but for what is left open.
    fn return_to(&mut self, mark: &Mark) {
        let Read { elements, titles, languages, .. } = &mut self.made;
        let [n_elements, n_titles, n_languages] = mark.counts;
        let mut dropped = elements[n_elements..].iter_mut();
        self.leaf = match mark.open {
            Open::Nothing | Open::List | Open::Raw(_) => None,
            Open::Paragraph(start) => Some(Leaf::paragraph(start)),
            Open::Table(start) => {
                let grid = dropped.find_map(|element| element.grid.take()).unwrap_or_default();
                Some(Leaf::table(start, GridBuilder::up_to(self.text, *grid, mark.at)))
            }
        };
        elements.truncate(n_elements);
        titles.truncate(n_titles);
        languages.truncate(n_languages);
        self.end = mark.end;
        if self.labels.is_some() {
            // Nothing but labels is wanted.
            self.made = Read::default();
        }
    }
}

/// Whether the line has the indentation of code, in which no list begins.
fn is_indented(line: &str) -> bool {
    line.starts_with("    ") || line.trim_start_matches(' ').starts_with('\t')
}

/// The start of the line of `at`.
fn line_start(text: &str, at: usize) -> usize {
    memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |feed| feed + 1)
}

/// Behind the end of the line of `at`, or `end`.
fn line_end(text: &str, at: usize, end: usize) -> usize {
    let bytes = text.as_bytes().get(at..end).unwrap_or_default();
    memchr(b'\n', bytes).map_or(end, |feed| at + feed + 1)
}

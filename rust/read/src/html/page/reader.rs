//! State of the reader of pages: what the tags of a page open and close.

use std::borrow::Cow;

use super::Page;
use super::attributes;
use super::inlines::{Inlines, ends_itself};
use super::links::Links;
use super::stack::{Index, Open, Stack};
use super::table::OpenTable;
use super::tags::Tag;
use super::text::{SEPARATOR, Text};
use chunkwright_text::elements::Parent;
use chunkwright_text::read::link::Link;
use chunkwright_text::span::Span;
use chunkwright_text::syntax::html::landmark::Landmark;
use chunkwright_text::syntax::html::lexer::{Attribute, Lexer, Token};
use chunkwright_text::syntax::html::references::{Place, resolve};
use chunkwright_text::syntax::html::words;

/// An element that is hidden, with all that is in it.
#[derive(Debug)]
pub(super) struct Hidden<'a> {
    pub(super) at: Index,
    /// The name of one whose tag says nothing, by which its end is known.
    pub(super) name: Option<Cow<'a, str>>,
    /// How many of that name are open in it, if only its end tag closes it.
    pub(super) n_nested: usize,
    why: Hiding,
}

/// Why an element is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hiding {
    /// It is not shown, or is to be left out.
    Unshown,
    /// It is a child of the body, hidden from those who cannot see: perhaps most of a page, while a dialog is open.
    Veiled,
}

/// Number of characters that are no whitespace.
fn n_letters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

/// Where the HTML of a run of text begins.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct From {
    pub(super) byte: usize,
    /// The element whose tag it begins with.
    pub(super) element: Option<Index>,
}

/// Ends of what is closed: those of elements that are left open, and of the one that a tag closes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    pub(super) inner: usize,
    pub(super) own: usize,
}

impl Ends {
    pub(super) const fn at(byte: usize) -> Self {
        Self { inner: byte, own: byte }
    }
}

/// What a run is made of.
const WORDS: u8 = 1;
pub(super) const IMAGES: u8 = 2;
pub(super) const FORMULAS: u8 = 4;
pub(super) const BOXES: u8 = 8;

pub(super) struct Reader<'a> {
    pub(super) html: &'a str,
    dropped: &'a [Landmark],
    pub(super) page: Page,
    has_title: bool,
    pub(super) text: Text,
    pub(super) stack: Stack,
    pub(super) from: From,
    pub(super) made_of: u8,
    pub(super) hidden: Option<Hidden<'a>>,
    /// What is open within lines.
    pub(super) inlines: Inlines<'a>,
    /// The outermost table and its place in the stack.
    pub(super) table: Option<(OpenTable, Index)>,
    /// Whether the caption in front of its cells is being read.
    pub(super) is_caption: bool,
    /// Whether a line end that comes now is that behind `<pre>`.
    is_behind_pre: bool,
    pub(super) last_heading: Option<usize>,
    /// Captions whose table or figure is open, by its place in the stack.
    pub(super) captions: Vec<(Index, usize)>,
    /// The languages that open elements state for the code in them, the outermost first.
    pub(super) languages: Vec<(Index, Box<str>)>,
    /// The links, where they are wanted.
    pub(super) links: Option<Links>,
    /// Where the tables begin that lay out the page, once there is a table.
    pub(super) layouts: Option<Vec<usize>>,
    /// How many letters were not read because a child of the body is veiled; none if such children are read.
    n_veiled: Option<usize>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(html: &'a str, dropped: &'a [Landmark]) -> Self {
        Self {
            html,
            dropped,
            page: Page::default(),
            has_title: false,
            text: Text::with_capacity(html.len() / 2),
            stack: Stack::default(),
            from: From::default(),
            made_of: 0,
            hidden: None,
            inlines: Inlines::default(),
            table: None,
            is_caption: false,
            is_behind_pre: false,
            last_heading: None,
            captions: Vec::new(),
            languages: Vec::new(),
            links: None,
            layouts: None,
            n_veiled: Some(0),
        }
    }

    /// The same reader before its page, which reads veiled children of the body.
    pub(super) fn lifting_veils(&self) -> Self {
        let links = self.links.is_some().then(Links::default);
        Self { links, n_veiled: None, ..Self::new(self.html, self.dropped) }
    }

    /// Whether most of the page's text is veiled.
    pub(super) fn misses_most(&self) -> bool {
        self.n_veiled.is_some_and(|n| {
            n > 0 && n > n_letters(self.text.slice(Span::new(0, self.text.said())))
        })
    }

    /// A reader that takes down links.
    pub(super) fn with_links(html: &'a str, dropped: &'a [Landmark]) -> Self {
        Self { links: Some(Links::default()), ..Self::new(html, dropped) }
    }

    /// Whether SVG or `MathML` is open.
    pub(super) fn is_foreign(&self) -> bool {
        self.stack.has(Tag::Svg) || self.stack.has(Tag::Math)
    }

    pub(super) fn finish(self) -> Page {
        self.finish_with_links().0
    }

    /// The page, and its links if they were wanted.
    pub(super) fn finish_with_links(mut self) -> (Page, Vec<Link>) {
        let end = Ends::at(self.html.len());
        self.boundary(end.inner, 0);
        self.close_to(0, end);
        let said = self.text.said();
        self.page.text = self.text.finish();
        let links = self.links.map(|links| links.finish(said, &self.page.text));
        (self.page, links.unwrap_or_default())
    }

    pub(super) fn step(&mut self, token: Token<'a>, start: usize, lexer: &mut Lexer<'a>) {
        let is_behind_pre = std::mem::take(&mut self.is_behind_pre);
        match token {
            Token::Text(text) if is_behind_pre => {
                self.say(text.strip_prefix('\n').unwrap_or(&text));
            }
            Token::Text(text) => self.say(&text),
            Token::Open { name, is_empty } => self.open(name, is_empty, start, lexer),
            Token::Close(name) => self.close(&name, start, lexer.at()),
            Token::Comment(_) => self.skip(lexer.at()),
        }
    }

    // ------------------------------------------------------------------ texts

    /// Whether what is said now is not shown. Browsers show in front of a hidden table what stands in it and in none
    /// of its cells.
    pub(super) fn is_unseen(&self) -> bool {
        let Some(Hidden { at, name: None, .. }) = self.hidden else { return self.hidden.is_some() };
        !matches!(self.stack.get(at).tag, Tag::Table | Tag::Layout)
            || (at + 1..self.stack.len())
                .any(|within| !matches!(self.stack.get(within).tag, Tag::Rows | Tag::Row))
    }

    pub(super) fn say(&mut self, text: &str) {
        if self.is_unseen() {
            if let Some(n) = &mut self.n_veiled
                && self.hidden.as_ref().is_some_and(|hidden| hidden.why == Hiding::Veiled)
            {
                *n += n_letters(text);
            }
            return;
        }
        if self.is_in_cells() {
            if let Some((table, _)) = &mut self.table
                && !text.bytes().all(|byte| byte.is_ascii_whitespace())
            {
                table.stray(&mut self.text);
            }
        } else {
            if !self.text.has_words() {
                self.text.set_separator(SEPARATOR);
            }
            if self.is_verbatim() {
                self.made_of |= WORDS;
                return self.text.push_verbatim(text);
            }
        }
        if self.text.push(text) {
            self.made_of |= if self.stack.has(Tag::Math) { FORMULAS } else { WORDS };
        }
    }

    fn break_line(&mut self) {
        if self.is_unseen() {
            return;
        }
        if self.is_in_cells() {
            self.text.space();
        } else if self.is_verbatim() {
            self.say("\n");
        } else {
            self.text.break_line();
        }
    }

    /// Whether whitespace is kept.
    pub(super) fn is_verbatim(&self) -> bool {
        self.stack.has(Tag::Pre) && !self.stack.has(Tag::Heading)
    }

    /// Whether what is said now belongs to the cells of a table.
    pub(super) fn is_in_cells(&self) -> bool {
        self.table.is_some() && !self.is_caption
    }

    /// What was not shown ends: a run that comes begins behind it.
    pub(super) fn skip(&mut self, end: usize) {
        if !self.text.has_words() && self.from.element.is_none() {
            self.from.byte = end;
        }
    }

    // ------------------------------------------------------------------ tags

    fn open(&mut self, name: Cow<'a, str>, is_empty: bool, start: usize, lexer: &mut Lexer<'a>) {
        let tag = Tag::named(&name);
        let is_foreign = self.is_foreign();
        match tag {
            Tag::LineBreak => self.break_line(),
            Tag::Image => self.say_image(lexer.attributes()),
            Tag::Void if name == "input" => self.say_box(lexer.attributes()),
            Tag::Void => {}
            _ if is_empty && is_foreign => {}
            Tag::Raw => self.skip_raw(&name, lexer),
            Tag::Title if !self.stack.has(Tag::Svg) => self.title(lexer),
            Tag::TextArea => self.text_area(lexer),
            Tag::Break => {
                self.boundary(start, self.stack.len());
                self.restart(lexer.at(), None);
            }
            Tag::Svg | Tag::Math if is_empty => {}
            Tag::Svg | Tag::Math => {
                let hides = self.hides(tag, lexer.attributes());
                self.push(Open::new(tag, 0, start), hides);
            }
            Tag::Inline | Tag::Unseen | Tag::Title => {
                self.open_inline(tag, name, start, lexer.attributes());
            }
            _ => self.open_block(tag, &name, start, lexer.attributes()),
        }
    }

    fn skip_raw(&mut self, name: &str, lexer: &mut Lexer<'a>) {
        lexer.take_raw(name);
        self.skip(lexer.at());
    }

    fn title(&mut self, lexer: &mut Lexer<'a>) {
        let title = lexer.take_raw("title");
        if !std::mem::replace(&mut self.has_title, true) {
            self.page.title = words::normalised(&resolve(title, Place::Text).replace('\0', ""));
        }
        self.skip(lexer.at());
    }

    /// Why an element hides what is in it, if it does so and nothing around it does.
    fn hides(&self, tag: Tag, attributes: &[Attribute<'_>]) -> Option<Hiding> {
        if self.hidden.is_some() {
            None
        } else if matches!(tag, Tag::Unseen | Tag::Title)
            || attributes::is_hidden(attributes)
            || self.is_dropped(tag, attributes)
        {
            Some(Hiding::Unshown)
        } else if !attributes::is_veiled(attributes) {
            None
        } else if tag.is_flow() || self.stack.len() > 0 {
            Some(Hiding::Unshown)
        } else {
            self.n_veiled.map(|_| Hiding::Veiled)
        }
    }

    fn is_dropped(&self, tag: Tag, attributes: &[Attribute<'_>]) -> bool {
        if self.dropped.is_empty() {
            return false;
        }
        let parts = [Tag::Article, Tag::Aside, Tag::Main, Tag::Nav, Tag::Section];
        let is_in_part = parts.into_iter().any(|part| self.stack.has(part));
        let landmark = attributes::landmark(tag, attributes, is_in_part);
        landmark.is_some_and(|landmark| self.dropped.contains(&landmark))
    }

    /// An element within a line is kept only if it is what hides.
    fn open_inline(
        &mut self,
        tag: Tag,
        name: Cow<'a, str>,
        start: usize,
        attributes: &[Attribute<'_>],
    ) {
        if let Some(links) = &mut self.links
            && name == "a"
        {
            links.close(self.text.said());
        }
        if self.stack.has(Tag::Pre) && name == "code" {
            self.note_language(self.stack.last(Tag::Pre), attributes);
        }
        if ends_itself(&name) && self.inlines.has_formatting(&name, self.scope()) {
            self.close_inline(&name, start, start);
        }
        if name == "a" {
            self.begin_permalink(attributes);
        }
        self.inlines.open(name.clone(), start);
        if let Some(hidden) = &mut self.hidden {
            hidden.n_nested += usize::from(hidden.name.as_ref() == Some(&name));
        } else if let Some(why) = self.hides(tag, attributes) {
            self.push(Open::new(Tag::Inline, 0, start), None);
            let at = self.stack.len() - 1;
            self.hidden = Some(Hidden { at, name: Some(name), n_nested: 0, why });
        } else if let Some(links) = &mut self.links
            && name == "a"
            && let Some(target) = attributes::value(attributes, "href")
        {
            links.open(target, self.text.said());
        }
    }

    /// Notes what language the open element `of` states for the code in it; the first one said counts.
    fn note_language(&mut self, of: Option<Index>, attributes: &[Attribute<'_>]) {
        if let Some(of) = of
            && self.languages.last().is_none_or(|(last, _)| *last < of)
            && let Some(language) = attributes::language(attributes)
        {
            self.languages.push((of, language.into()));
        }
    }

    fn push(&mut self, open: Open, hides: Option<Hiding>) {
        if let Some(why) = hides {
            self.hidden = Some(Hidden { at: self.stack.len(), name: None, n_nested: 0, why });
        }
        self.stack.push(open);
    }

    fn open_block(&mut self, tag: Tag, name: &str, start: usize, attributes: &[Attribute<'_>]) {
        let tag = match tag {
            Tag::Table if self.is_layout(start, attributes) => Tag::Layout,
            // What is a caption of no table is a cell more.
            Tag::TableCaption if self.stack.last(Tag::Layout) > self.stack.last(Tag::Table) => {
                Tag::Cell
            }
            tag => tag,
        };
        self.close_before(tag, start);
        if tag.is_of_table() && !self.close_in_table(tag, start) {
            self.boundary(start, self.stack.len());
            return self.restart(start, None);
        }
        if tag == Tag::Table && !self.is_in_cells() {
            // A heading around it has ended all the same.
            self.flush(start);
        }
        if !self.boundary(start, self.stack.len()) {
            self.restart(start, Some(self.stack.len()));
        }
        if !attributes.is_empty() && matches!(tag, Tag::Pre | Tag::Div) {
            self.note_language(Some(self.stack.len()), attributes);
        }
        let hides = self.hides(tag, attributes);
        let level = if tag == Tag::Heading { name.as_bytes()[1] - b'0' } else { 0 };
        let item = self.item().map_or(Parent::default(), Parent::of);
        let mut open = Open::new(tag, level, start);
        open.item = item;
        self.push(open, hides);
        self.is_behind_pre = tag == Tag::Pre;
        if self.hidden.is_none() {
            self.open_in_table(tag, name, start, attributes);
        }
    }

    /// Closes what a tag ends that begins at `start`, as browsers do.
    fn close_before(&mut self, tag: Tag, start: usize) {
        let barrier = self.barrier();
        let is_within = |at: &Index| Some(*at) > barrier;
        let close = |reader: &mut Self, at: Option<Index>| {
            if let Some(at) = at.filter(is_within) {
                reader.close_to(at, Ends::at(start));
            }
        };
        match tag {
            Tag::Item | Tag::Term => {
                let kept = tag.keepers().map(|keeper| self.stack.last(keeper)).max().flatten();
                close(self, self.stack.last(tag).filter(|at| Some(*at) > kept));
            }
            Tag::Table | Tag::Layout => {
                let in_cell = self.stack.last(Tag::Cell).max(self.stack.last(Tag::TableCaption));
                if let Some(at) = self.innermost_table().filter(|at| Some(*at) > in_cell) {
                    self.close_to(at, Ends::at(start));
                }
            }
            _ => {}
        }
        close(self, self.stack.last(Tag::Paragraph));
        // What is within something else that is open there may be hidden, or end by itself.
        let top = self.stack.len().checked_sub(1);
        let innermost = top.map(|top| (top, self.stack.get(top).tag));
        match innermost {
            Some((at, Tag::Heading)) if !tag.is_soft() => drop(self.close_to(at, Ends::at(start))),
            Some((at, Tag::Pre)) if tag.ends_code() => drop(self.close_to(at, Ends::at(start))),
            _ => {}
        }
    }

    fn close(&mut self, name: &str, start: usize, end: usize) {
        let tag = Tag::named(name);
        if matches!(tag, Tag::Inline | Tag::Unseen | Tag::Title) {
            self.close_inline(name, start, end);
        }
        if let Some(links) = &mut self.links
            && name == "a"
        {
            links.close(self.text.said());
        }
        let Some(at) = self.closes(tag) else { return self.close_nothing(tag, start, end) };
        if !self.close_to(at, Ends { inner: start, own: end }) {
            self.restart(end, None);
        }
    }

    /// The element that an end tag closes.
    fn closes(&self, tag: Tag) -> Option<Index> {
        let last = self.stack.last(tag);
        match tag {
            Tag::Inline | Tag::Unseen | Tag::Title => None,
            Tag::Table => self.innermost_table(),
            tag if tag.is_of_table() => last.filter(|at| Some(*at) > self.innermost_table()),
            Tag::Item => {
                last.filter(|at| Some(*at) > self.stack.last(Tag::List).max(self.barrier()))
            }
            _ => last.filter(|at| Some(*at) > self.barrier()),
        }
    }

    /// An end tag closes nothing; a few say something all the same.
    fn close_nothing(&mut self, tag: Tag, start: usize, end: usize) {
        match tag {
            Tag::LineBreak => self.break_line(),
            Tag::Paragraph | Tag::Break | Tag::Row | Tag::Cell => {
                self.boundary(start, self.stack.len());
                self.restart(end, None);
            }
            _ => {}
        }
    }
}

//! Runs of text between two boundaries of blocks, and what elements they become.
//!
//! A run is what stands between two tags that begin or end a block: a paragraph if it has words, whatever block
//! it is in. So text is in elements even where a page has no `<p>`, as most text in `<div>`s.

use super::reader::{BOXES, Ends, FORMULAS, From, IMAGES, Reader};
use super::stack::{Index, Open};
use super::tags::Tag;
use chunkwright_text::elements::{Element, Kind, Parent};
use chunkwright_text::span::Span;

impl Reader<'_> {
    /// What comes is apart from the run before, which ends at byte `end` of the source, while the first
    /// `n_kept` open elements stay open. Whether the run goes on, as in a heading or a cell.
    pub(super) fn boundary(&mut self, end: usize, n_kept: usize) -> bool {
        let stays = |tag| self.stack.last(tag).is_some_and(|at| at < n_kept);
        if self.is_in_cells() || stays(Tag::Heading) {
            self.text.space();
            return true;
        }
        if stays(Tag::Pre) {
            self.text.end_line();
            return true;
        }
        self.flush(end);
        false
    }

    /// A run that comes begins at that byte of the source, with the tag of `element` if there is one.
    pub(super) fn restart(&mut self, byte: usize, element: Option<Index>) {
        if !self.text.has_words() {
            self.from = From { byte, element };
        }
    }

    /// Closes all elements from that one on. Whether the run goes on. O(1) for each.
    pub(super) fn close_to(&mut self, at: Index, ends: Ends) -> bool {
        let Some(top) = self.stack.len().checked_sub(1).filter(|top| at <= *top) else {
            return true;
        };
        let start = self.stack.get(at).start;
        let is_flow = at == top && self.stack.get(at).tag.is_flow();
        let end = if self.from.element == Some(at) { ends.own } else { ends.inner };
        let goes_on = is_flow || self.boundary(end, at);
        while self.stack.len() > at
            && let Some(open) = self.stack.pop()
        {
            let end = if self.stack.len() == at { ends.own } else { ends.inner };
            self.closed(open, end);
        }
        self.inlines.truncate(start);
        while self.languages.pop_if(|(of, _)| *of >= at).is_some() {}
        if self.hidden.take_if(|hidden| hidden.at >= at).is_some() {
            self.skip(ends.own);
        }
        goes_on
    }

    /// An element was closed, whose HTML ends at byte `end`.
    fn closed(&mut self, open: Open, end: usize) {
        if open.tag == Tag::List
            && let Some(list) = open.element.get()
        {
            self.page.places[list].end = end;
        }
        if open.tag == Tag::Figure {
            let owner = open.element.get().or_else(|| self.captioned(open.start));
            self.own_captions(owner);
        }
        if matches!(open.tag, Tag::Cell | Tag::TableCaption) {
            self.inlines.forget(open.start);
        }
        let Some((table, of)) = &mut self.table else { return };
        if self.stack.len() == *of {
            return self.end_table(Span::new(open.start, end));
        }
        if self.stack.last(Tag::Table) == Some(*of) {
            match open.tag {
                Tag::Rows => table.change_section(false, &mut self.text),
                Tag::Row => table.end_row(&mut self.text),
                Tag::Cell => table.end_cell(&mut self.text),
                Tag::TableCaption => self.is_caption = false,
                _ => {}
            }
        }
    }

    fn end_table(&mut self, place: Span) {
        let Some((table, _)) = self.table.take() else { return };
        self.is_caption = false;
        if let Some((grid, span)) = table.finish(&mut self.text) {
            let parent = self.parent();
            let table = self.emit(Kind::Table, 0, parent, span, place);
            if let Some(element) = self.page.elements.last_mut() {
                element.grid = Some(Box::new(grid));
            }
            self.own_captions(table.get());
        }
        self.own_captions(None);
        self.made_of = 0;
        self.restart(place.end, None);
    }

    /// The table or figure that stands beside the captions of a figure without images, whose tag begins at byte
    /// `start`.
    fn captioned(&self, start: usize) -> Option<usize> {
        let at = self.stack.len();
        let own = self.captions.partition_point(|(of, _)| *of < at);
        let (first, last) = (self.captions.get(own)?.1, self.captions.last()?.1);
        let is_one = |i: &usize| {
            let kind = self.page.elements.get(*i).map(|element| element.kind);
            let is_float = matches!(
                kind,
                Some(Kind::Table | Kind::Figure | Kind::Code | Kind::Formula | Kind::Quote)
            );
            is_float && self.page.places[*i].start >= start
        };
        first.checked_sub(1).filter(is_one).or_else(|| Some(last + 1).filter(is_one))
    }

    /// Says what the captions are of whose table or figure was closed, if it is an element.
    fn own_captions(&mut self, owner: Option<usize>) {
        let at = self.stack.len();
        while let Some((_, caption)) = self.captions.pop_if(|(of, _)| *of >= at) {
            self.page.captions.extend(owner.map(|owner| (caption, owner)));
        }
    }

    /// Ends the run, whose HTML ends at byte `end`, and makes an element of it if it says anything.
    pub(super) fn flush(&mut self, end: usize) {
        let made_of = std::mem::take(&mut self.made_of);
        if made_of == BOXES {
            return self.text.discard();
        }
        let Some(span) = self.text.end() else { return };
        let place = trimmed(self.html, Span::new(self.from.byte.min(end), end));
        let last = |tag| self.stack.last(tag);
        let caption = last(Tag::Caption).max(last(Tag::TableCaption));
        let around = [last(Tag::Heading), last(Tag::Pre), caption, self.item(), last(Tag::Quote)];
        let Some(at) = around.into_iter().max().flatten() else {
            return self.paragraph(made_of, Parent::default(), span, place);
        };
        let Open { tag, level, element, .. } = *self.stack.get(at);
        match tag {
            Tag::Heading => {
                let heading = self.emit(Kind::Heading, level, Parent::default(), span, place);
                self.last_heading = heading.get();
            }
            Tag::Item | Tag::Term if element.get().is_none() => self.list_item(at, span, place),
            Tag::Item | Tag::Term => self.paragraph(made_of, element, span, place),
            Tag::Caption | Tag::TableCaption => {
                let figure = self.stack.last(Tag::Figure).map(|at| self.stack.get(at).element);
                let parent = figure.filter(|figure| figure.get().is_some());
                let parent = parent.unwrap_or_else(|| self.parent());
                let caption = self.emit(Kind::Caption, 0, parent, span, place);
                let of = if tag == Tag::Caption { Tag::Figure } else { Tag::Table };
                self.captions.extend(self.stack.last(of).zip(caption.get()));
            }
            Tag::Pre => {
                let parent = self.parent();
                let code = self.emit(Kind::Code, 0, parent, span, place);
                if let (Some(code), Some((_, language))) = (code.get(), self.languages.last()) {
                    self.page.languages.push((code, language.clone()));
                }
            }
            _ => {
                let (level, parent) = (self.stack.depth(Tag::Quote), self.parent());
                self.emit(Kind::Quote, level, parent, span, place);
            }
        }
    }

    /// A run that nothing tells the kind of but what it is made of.
    fn paragraph(&mut self, made_of: u8, parent: Parent, span: Span, place: Span) {
        let kind = match made_of {
            IMAGES => Kind::Figure,
            FORMULAS => Kind::Formula,
            _ => Kind::Paragraph,
        };
        let made = self.emit(kind, 0, parent, span, place);
        if kind == Kind::Figure
            && let Some(figure) = self.stack.last(Tag::Figure)
        {
            self.stack.get_mut(figure).element = made;
        }
    }

    /// The first text of the item there, and the list before its first item.
    fn list_item(&mut self, item: Index, span: Span, place: Span) {
        let level = self.stack.depth(Tag::List);
        let mut parent = Parent::default();
        if let Some(at) = self.stack.last(Tag::List) {
            let Open { start, element, item: around, .. } = *self.stack.get(at);
            parent = element;
            if element.get().is_none() {
                let around =
                    around.get().map_or(Parent::default(), |at| self.stack.get(at).element);
                let empty = Span::new(span.start, span.start);
                let whole = Span::new(start, place.end.max(start));
                parent = self.emit(Kind::List, level, around, empty, whole);
                self.stack.get_mut(at).element = parent;
            }
        }
        let made = self.emit(Kind::ListItem, level.max(1), parent, span, place);
        self.stack.get_mut(item).element = made;
    }

    /// The innermost item of a list.
    pub(super) fn item(&self) -> Option<Index> {
        self.stack.last(Tag::Item).max(self.stack.last(Tag::Term))
    }

    /// The element of the innermost item, or of its list.
    fn parent(&self) -> Parent {
        let Some(item) = self.item() else { return Parent::default() };
        let element = self.stack.get(item).element;
        match self.stack.last(Tag::List) {
            Some(list) if element.get().is_none() && list < item => self.stack.get(list).element,
            _ => element,
        }
    }

    /// Adds an element; its number. What stands behind a heading within an item belongs to that heading.
    fn emit(&mut self, kind: Kind, level: u8, parent: Parent, span: Span, place: Span) -> Parent {
        let number = self.page.elements.len();
        let is_behind = |parent: &usize| Some(*parent) > self.last_heading;
        let parent = parent.get().filter(is_behind).map_or(Parent::default(), Parent::of);
        self.page.elements.push(Element { kind, level, parent, span, ..Element::default() });
        self.page.places.push(place);
        Parent::of(number)
    }
}

/// The span without the whitespace at its ends. O(that whitespace).
fn trimmed(html: &str, span: Span) -> Span {
    let front = html[span.range()].trim_ascii_start();
    let start = span.end - front.len();
    Span::new(start, start + front.trim_ascii_end().len())
}

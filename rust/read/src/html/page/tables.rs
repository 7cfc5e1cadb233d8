//! Tags of tables, and of what lays out a page, while they are open.

use super::attributes;
use super::layout::layouts;
use super::reader::{Ends, Reader};
use super::stack::Index;
use super::table::OpenTable;
use super::tags::Tag;
use chunkwright_text::syntax::html::lexer::Attribute;

impl Reader<'_> {
    /// Whether the table that begins there lays out the page, and is none.
    pub(super) fn is_layout(&mut self, start: usize, attributes: &[Attribute<'_>]) -> bool {
        let html = self.html;
        self.table.is_none()
            && (attributes::is_layout(attributes)
                || self.layouts.get_or_insert_with(|| layouts(html)).binary_search(&start).is_ok())
    }

    /// The innermost table, or layout.
    pub(super) fn innermost_table(&self) -> Option<Index> {
        self.stack.last(Tag::Table).max(self.stack.last(Tag::Layout))
    }

    /// Closes what a part of a table ends; false if there is no table that it could be a part of.
    pub(super) fn close_in_table(&mut self, tag: Tag, start: usize) -> bool {
        let Some(table) = self.innermost_table() else { return false };
        let within = |at: Option<Index>| at.filter(|at| *at > table);
        let rows = within(self.stack.last(Tag::Rows)).unwrap_or(table);
        let around = match tag {
            Tag::Cell => within(self.stack.last(Tag::Row)).unwrap_or(rows),
            Tag::Row => rows,
            _ => table,
        };
        self.close_to(around + 1, Ends::at(start));
        true
    }

    /// Tells the outermost table of its parts.
    pub(super) fn open_in_table(
        &mut self,
        tag: Tag,
        name: &str,
        start: usize,
        attributes: &[Attribute<'_>],
    ) {
        let at = self.stack.len() - 1;
        let Some((table, of)) = &mut self.table else {
            if tag == Tag::Table {
                self.table = Some((OpenTable::new(), at));
            }
            return;
        };
        if self.stack.last(Tag::Table) != Some(*of) {
            return;
        }
        match tag {
            Tag::Rows => table.change_section(name == "thead", &mut self.text),
            Tag::Row => table.begin_row(&mut self.text),
            Tag::Cell => table.begin_cell(name == "th", attributes, &mut self.text),
            Tag::TableCaption if table.is_empty() => {
                self.is_caption = true;
                self.restart(start, Some(at));
            }
            _ => {}
        }
    }

    /// What no end tag reaches over, but that of a table: what is in a cell is closed in it.
    pub(super) fn barrier(&self) -> Option<Index> {
        let of_table = [Tag::Table, Tag::Layout, Tag::Cell, Tag::TableCaption];
        let of_table = of_table.map(|tag| self.stack.last(tag));
        of_table.into_iter().max().flatten()
    }
}

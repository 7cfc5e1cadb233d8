//! Markdown of items as Docling's stock serializer for chunks writes it.

mod caption;
mod code;
mod content;
mod flat;
mod inline;
mod lines;
mod link;
mod list;
mod markdown_table;
mod meta;
mod numbers;
mod page;
mod python;
mod rendered;
mod scope;
mod style;
mod tabulate;
mod text;
mod triplets;
mod visited;

use std::sync::OnceLock;

pub use lines::{TableLines, lines_with_ends};
pub use rendered::Rendered;
pub use scope::Scope;
pub use visited::Visited;

use crate::docling::render::content::Content;
use crate::docling::render::page::PageIndex;
use chunkwright_read::docling::{Document, Label, NodeId};
use chunkwright_text::error::{Error, Result};

/// How deep items may be nested in one another to be rendered together.
const MAX_DEPTH: usize = 200;

/// How tables are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableStyle {
    /// As `row, column = value` sentences.
    #[default]
    Triplets,
    /// As Markdown, columns padded.
    Markdown,
    /// As Markdown without padding.
    CompactMarkdown,
}

/// The stock serializer over a document.
pub struct Renderer<'d> {
    document: &'d Document,
    tables: TableStyle,
    content: Content,
    pages: OnceLock<PageIndex>,
}

impl<'d> Renderer<'d> {
    /// A serializer that writes tables in that style. O(nodes).
    pub fn new(document: &'d Document, tables: TableStyle) -> Self {
        Self { document, tables, content: Content::new(document), pages: OnceLock::new() }
    }

    /// The document.
    pub const fn document(&self) -> &'d Document {
        self.document
    }

    /// An item alone, as the hybrid chunker puts it into windows; empty if it has no text of its own, as
    /// captions have none.
    ///
    /// # Errors
    /// [`Error::Read`] names an item that too many others contain.
    pub fn item(&self, id: NodeId) -> Result<String> {
        Ok(self.render(id, Scope::default(), &mut Visited::new(self.document))?.text)
    }

    /// The header and the rows of a table that was rendered.
    pub fn table_lines<'t>(&self, text: &'t str) -> TableLines<'t> {
        match self.tables {
            TableStyle::Triplets => TableLines::plain(text),
            TableStyle::Markdown | TableStyle::CompactMarkdown => TableLines::markdown(text),
        }
    }

    /// The nodes of the body in the order in which they are read.
    pub fn body_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.walk(self.document.body(), None)
    }

    /// Whether an item is left out.
    pub fn is_excluded(&self, id: NodeId) -> bool {
        self.content.is_excluded(id)
    }

    /// Whether a node hangs below a caption, with which it is rendered.
    pub fn is_nested_in_caption(&self, id: NodeId) -> bool {
        self.content.is_nested_in_caption(id)
    }

    /// The whole document.
    ///
    /// # Errors
    /// See [`Renderer::item`].
    pub fn body(&self) -> Result<Rendered> {
        self.whole(Scope::default())
    }

    /// The numbers of the pages.
    pub fn pages(&self) -> impl Iterator<Item = i64> + 'd {
        self.document.pages.keys().copied()
    }

    /// What is on a page.
    ///
    /// # Errors
    /// See [`Renderer::item`].
    pub fn page(&self, page: i64) -> Result<Rendered> {
        self.whole(Scope { page: Some(page), ..Scope::default() })
    }

    fn whole(&self, scope: Scope) -> Result<Rendered> {
        let body = self.document.body();
        let mut visited = Visited::new(self.document);
        visited.add(body);
        let parts = self.parts(body, scope, &mut visited)?;
        let mut rendered = Rendered::joined(parts, "\n\n");
        let meta = self.meta(body);
        if !meta.is_empty() {
            rendered = Rendered::joined(vec![rendered, Rendered::of_text(meta)], "\n\n");
        }
        Ok(rendered)
    }

    /// The nodes of a subtree that are in the body layer, without what pictures contain.
    fn walk(&self, root: NodeId, page: Option<i64>) -> impl Iterator<Item = NodeId> + '_ {
        let order = self.document.order();
        let range = order.range(root);
        let active = page.map(|page| self.page_index().active(page, &range));
        let mut next = range.start;
        let mut n_active = 0;
        std::iter::from_fn(move || {
            loop {
                if let Some(active) = active {
                    let found = active[n_active..].iter().position(|at| *at as usize >= next)?;
                    n_active += found + 1;
                    next = active[n_active - 1] as usize;
                }
                if next >= range.end {
                    return None;
                }
                let id = order.at(next);
                if next > range.start && self.content.is_hidden_in_picture(id) {
                    next = order.range(id).end;
                    continue;
                }
                next += 1;
                if self.content.is_in_layer(id) {
                    return Some(id);
                }
            }
        })
    }

    fn page_index(&self) -> &PageIndex {
        self.pages.get_or_init(|| PageIndex::new(self.document, &self.content))
    }

    /// What hangs below a node, part by part; what was visited is left out.
    fn parts(&self, root: NodeId, scope: Scope, visited: &mut Visited) -> Result<Vec<Rendered>> {
        let is_inside = self.content.is_in_caption(root);
        let mut parts = Vec::new();
        for id in self.walk(root, scope.page) {
            if (!is_inside && self.content.is_nested_in_caption(id)) || !visited.add(id) {
                continue;
            }
            let part = self.render(id, scope, visited)?;
            if !part.text.is_empty() {
                parts.push(part);
            }
        }
        Ok(parts)
    }

    /// A node and what belongs to it; it counts as visited.
    ///
    /// # Errors
    /// See [`Renderer::item`].
    pub fn render(&self, id: NodeId, scope: Scope, visited: &mut Visited) -> Result<Rendered> {
        visited.add(id);
        let Some(scope) = scope.deeper(MAX_DEPTH) else {
            let me = self.document.reference(id);
            return Err(Error::read(format!("{me} is nested more than {MAX_DEPTH} levels deep")));
        };
        if self.content.is_attached(self.document, id) {
            return Ok(Rendered::default());
        }
        let label = self.document.node(id).label;
        let rendered = match label {
            Label::List => self.list(id, scope, visited)?,
            Label::Inline => self.inline(id, scope, visited)?,
            Label::Group => Rendered::joined(self.parts(id, scope.inner(), visited)?, "\n\n"),
            Label::Table | Label::DocumentIndex => self.table(id, scope, visited)?,
            Label::Picture | Label::Chart => self.captions(id, scope.inner(), Some(visited))?,
            Label::KeyValueRegion => self.placeholder(id, "<!-- missing-key-value-item -->"),
            Label::Form => self.placeholder(id, "<!-- missing-form-item -->"),
            Label::FieldRegion | Label::FieldItem => Rendered::default(),
            _ if self.is_left_out(id, scope) => Rendered::default(),
            _ => self.text(id, scope, visited)?,
        };
        if self.document.node(id).meta.is_none() || self.is_left_out(id, scope) {
            return Ok(rendered);
        }
        let text = self.meta(id);
        if text.is_empty() {
            return Ok(rendered);
        }
        let items = if label.is_group() { Vec::new() } else { vec![id] };
        Ok(Rendered::joined(vec![rendered, Rendered { text, items }], "\n\n"))
    }

    /// A table in the style that is wanted.
    fn table(&self, id: NodeId, scope: Scope, visited: &mut Visited) -> Result<Rendered> {
        match self.tables {
            TableStyle::Triplets => self.triplets(id, scope.inner(), visited),
            TableStyle::Markdown => self.markdown_table(id, scope.inner(), visited, false),
            TableStyle::CompactMarkdown => self.markdown_table(id, scope.inner(), visited, true),
        }
    }

    /// What stands for an item that the serializer cannot write.
    fn placeholder(&self, id: NodeId, text: &str) -> Rendered {
        if self.is_excluded(id) {
            return Rendered::default();
        }
        Rendered { text: text.to_owned(), items: vec![id] }
    }

    /// Whether an item is left out, on the page that is rendered or at all.
    fn is_left_out(&self, id: NodeId, scope: Scope) -> bool {
        self.content.is_excluded(id)
            || scope.page.is_some_and(|page| self.content.is_off_page(self.document, id, page))
    }
}

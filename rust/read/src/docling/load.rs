//! Nodes of a `DoclingDocument` made of its JSON: references resolved, values checked.
//!
//! Nodes are read list by list, each into a row of one vector; a reference is a list and a number in it, so
//! resolving it is an addition. Each list's nodes keep the order that they have in the file, whatever order the
//! tree gives them.

use std::collections::BTreeMap;

use crate::docling::document::{BODY, Document, FURNITURE, Form, Lists, Origin};
use crate::docling::json::{
    RawBounds, RawCell, RawCorner, RawDocument, RawNode, RawOrigin, RawPlace, RawRef, RawStyle,
    RawTable,
};
use crate::docling::label::{Label, Layer};
use crate::docling::node::{Bounds, Node, NodeId, Place, Style};
use crate::docling::table::{Cell, TableData};
use crate::docling::tree::Order;
use crate::docling::value::Value;
use crate::docling::{annotations, check, hyperlink, lists, surrogates, version};
use chunkwright_text::error::{Error, Result};

impl Document {
    /// The document that `json` holds.
    ///
    /// # Errors
    /// [`Error::Read`] if it is no JSON, no `DoclingDocument` or one of a later version; if a reference leads
    /// nowhere, a node hangs in two places or below itself, or a table is too large: each names the node.
    pub fn of_json(json: &[u8], form: Form) -> Result<Self> {
        document(json, form).map_err(Error::shortened)
    }
}

fn document(json: &[u8], form: Form) -> Result<Document> {
    let raw = raw_document(json)?;
    let pages = pages(&raw)?;
    let lists = [
        raw.groups,
        raw.texts,
        raw.pictures,
        raw.tables,
        raw.key_value_items,
        raw.form_items,
        raw.field_regions,
        raw.field_items,
    ];
    let sizes = lists.each_ref().map(Vec::len);
    let mut loader = Loader {
        form,
        pages: &pages,
        lists: Lists::new(sizes),
        nodes: Vec::with_capacity(2 + sizes.iter().sum::<usize>()),
        is_first_version: raw.version.as_deref() == Some("1.0.0"),
    };
    loader.root(raw.body, BODY, Layer::Body)?;
    loader.root(raw.furniture, FURNITURE, Layer::Furniture)?;
    for (list, nodes) in lists.into_iter().enumerate() {
        for node in nodes {
            loader.push(node, LISTS[list])?;
        }
    }
    let (mut lists, mut nodes) = (loader.lists, loader.nodes);
    check::slots(&nodes)?;
    if form == Form::Stored {
        check::own_contents(&mut nodes);
        check::tree(&nodes, &lists)?;
        check::keys(&nodes, &lists)?;
        lists::wrap_loose_items(&mut nodes, &mut lists);
    }
    let order = Order::new(&nodes, &[BODY, FURNITURE]);
    let origin = raw.origin.map(origin).transpose()?;
    Ok(Document { name: raw.name, origin, pages, nodes, lists, order })
}

/// The document as its JSON says it, of a schema and a version that are known.
fn raw_document(json: &[u8]) -> Result<RawDocument> {
    if json.trim_ascii_start().first() != Some(&b'{') {
        return Err(Error::read("this is not a DoclingDocument: it is not a JSON object"));
    }
    let raw: RawDocument = serde_json::from_slice(&surrogates::replaced(json))
        .map_err(|error| Error::read(format!("this is not a DoclingDocument: {error}")))?;
    if let Some(other) = raw.schema_name.as_deref().filter(|name| *name != "DoclingDocument") {
        return Err(Error::read(format!("the schema is {other:?}, not \"DoclingDocument\"")));
    }
    version::check(raw.version.as_deref())?;
    Ok(raw)
}

/// A list of the document: which nodes it may hold, and what one is that does not say it.
#[derive(Clone, Copy)]
struct List {
    name: &'static str,
    default: Option<Label>,
    may_hold: fn(Label) -> bool,
}

const LISTS: [List; 8] = {
    const fn list(name: &'static str, default: Option<Label>, may_hold: fn(Label) -> bool) -> List {
        List { name, default, may_hold }
    }
    [
        list("groups", Some(Label::List), Label::is_group),
        list("texts", None, Label::is_text),
        list("pictures", Some(Label::Picture), Label::is_picture),
        list("tables", Some(Label::Table), Label::is_table),
        list("key_value_items", Some(Label::KeyValueRegion), |l| {
            matches!(l, Label::KeyValueRegion)
        }),
        list("form_items", Some(Label::Form), |label| matches!(label, Label::Form)),
        list("field_regions", Some(Label::FieldRegion), |l| matches!(l, Label::FieldRegion)),
        list("field_items", Some(Label::FieldItem), |label| matches!(label, Label::FieldItem)),
    ]
};

struct Loader<'p> {
    form: Form,
    pages: &'p BTreeMap<i64, [f64; 2]>,
    lists: Lists,
    nodes: Vec<Node>,
    is_first_version: bool,
}

impl Loader<'_> {
    fn root(&mut self, raw: Option<RawNode>, id: NodeId, layer: Layer) -> Result<()> {
        let mut node = Node::group(Label::Group, layer, None);
        if let Some(raw) = raw {
            let me = self.lists.reference(id);
            node.children = self.all(&raw.children, &me)?;
            node.layer = raw.content_layer;
            node.meta = raw.meta.map(Box::new);
        }
        self.nodes.push(node);
        Ok(())
    }

    fn push(&mut self, mut raw: RawNode, list: List) -> Result<()> {
        let me = self.lists.reference(NodeId::at(self.nodes.len()));
        if raw.self_ref != me {
            return Err(Error::read(format!("{me} has the self_ref {:?}", raw.self_ref)));
        }
        let label = label(&raw, list, &me)?;
        let parent = raw.parent.as_ref().map(|parent| self.one(parent, &me)).transpose()?;
        let meta = self.meta(&mut raw);
        let hyperlink = self.hyperlink(raw.hyperlink.take());
        let text = text(raw.text.take(), label, &me)?;
        let table = self.table_of(raw.data.take(), label, &me)?;
        self.nodes.push(Node {
            label,
            layer: self.layer(label, raw.content_layer),
            parent,
            children: self.all(&raw.children, &me)?,
            has_original: raw.orig.as_ref().is_some_and(|text| !text.is_empty()),
            original: raw.orig.filter(|_| text.is_empty()).unwrap_or_default(),
            text,
            level: level(raw.level, &me)?,
            is_enumerated: raw.enumerated,
            marker: raw.marker.unwrap_or_else(|| String::from("-")),
            code_language: raw.code_language.filter(|name| name != "unknown"),
            style: raw.formatting.as_ref().map(style).unwrap_or_default(),
            hyperlink,
            captions: self.all(&raw.captions, &me)?,
            footnotes: self.all(&raw.footnotes, &me)?,
            places: raw.prov.iter().map(|place| self.place(place)).collect(),
            tracks: raw.source,
            comments: raw.comments,
            meta,
            table,
            graph: raw.graph,
        });
        Ok(())
    }

    /// The layer of a node: in documents of the first version what stands at the edges of pages is furniture.
    fn layer(&self, label: Label, layer: Layer) -> Layer {
        let is_edge = matches!(label, Label::PageHeader | Label::PageFooter);
        let is_furniture = self.is_first_version && self.form == Form::Stored && is_edge;
        if is_furniture { Layer::Furniture } else { layer }
    }

    /// The metadata of a node, to which stored annotations are moved.
    fn meta(&self, raw: &mut RawNode) -> Option<Box<Value>> {
        let (meta, annotations) = (raw.meta.take(), std::mem::take(&mut raw.annotations));
        if annotations.is_empty() || self.form != Form::Stored {
            return meta.map(Box::new);
        }
        Some(Box::new(annotations::moved(meta, annotations)))
    }

    fn hyperlink(&self, link: Option<String>) -> Option<String> {
        match self.form {
            Form::Stored => link.map(|link| hyperlink::normalized(&link)),
            Form::Live => link,
        }
    }

    /// The cells of a node that is a table.
    fn table_of(
        &self,
        data: Option<RawTable>,
        label: Label,
        me: &str,
    ) -> Result<Option<Box<TableData>>> {
        match data {
            Some(data) if label.is_table() => Ok(Some(Box::new(self.table(data, me)?))),
            None if label.is_table() => Err(Error::read(format!("{me} has no data"))),
            _ => Ok(None),
        }
    }

    fn one(&self, reference: &RawRef, me: &str) -> Result<NodeId> {
        self.lists.resolve(&reference.reference, me)
    }

    fn all(&self, references: &[RawRef], me: &str) -> Result<Vec<NodeId>> {
        references.iter().map(|reference| self.one(reference, me)).collect()
    }

    /// A place, its box cut at the edges of the page.
    fn place(&self, raw: &RawPlace) -> Place {
        let RawBounds { l, t, r, b, coord_origin } = &raw.bbox;
        let mut bounds = [*l, *t, *r, *b];
        if let (Form::Stored, Some([width, height])) = (self.form, self.pages.get(&raw.page_no)) {
            for (edge, most) in bounds.iter_mut().zip([width, height, width, height]) {
                *edge = edge.max(0.0).min(*most);
            }
        }
        let [left, top, right, bottom] = bounds;
        let is_from_bottom = *coord_origin == RawCorner::Bottom;
        let bounds = Bounds { left, top, right, bottom, is_from_bottom };
        Place { page: raw.page_no, bounds, chars: raw.charspan }
    }

    fn table(&self, raw: RawTable, me: &str) -> Result<TableData> {
        let mut table = TableData {
            n_rows: natural(raw.num_rows),
            n_cols: natural(raw.num_cols),
            cells: Vec::new(),
        };
        if table.is_too_large() {
            let size = format!("{} × {}", raw.num_rows, raw.num_cols);
            return Err(Error::read(format!("{me} has {size} cells, which are too many")));
        }
        table.cells =
            raw.table_cells.into_iter().map(|cell| self.cell(cell, me)).collect::<Result<_>>()?;
        Ok(table)
    }

    fn cell(&self, raw: RawCell, me: &str) -> Result<Cell> {
        Ok(Cell {
            text: raw.text.ok_or_else(|| Error::read(format!("a cell of {me} has no text")))?,
            rows: natural(raw.start_row_offset_idx)..natural(raw.end_row_offset_idx),
            cols: natural(raw.start_col_offset_idx)..natural(raw.end_col_offset_idx),
            is_column_header: raw.column_header,
            is_row_header: raw.row_header,
            content: raw.content.as_ref().map(|content| self.one(content, me)).transpose()?,
        })
    }
}

/// What a node is, if it may be that.
fn label(raw: &RawNode, list: List, me: &str) -> Result<Label> {
    let Some(name) = raw.label.as_deref() else {
        return list.default.ok_or_else(|| Error::read(format!("{me} has no label")));
    };
    let label = match name {
        "list" | "ordered_list" if list.name == "groups" => Some(Label::List),
        "inline" if list.name == "groups" => Some(Label::Inline),
        _ if list.name == "groups" => Some(Label::Group),
        _ => Label::named(name),
    };
    label.filter(|label| (list.may_hold)(*label)).ok_or_else(|| {
        Error::read(format!("{me} has the label {name:?}, which {} do not have", list.name))
    })
}

/// The text of a node, which those that are texts must have.
fn text(text: Option<String>, label: Label, me: &str) -> Result<String> {
    match text {
        None if label.is_text() => Err(Error::read(format!("{me} has no text"))),
        text => Ok(text.unwrap_or_default()),
    }
}

fn style(raw: &RawStyle) -> Style {
    let RawStyle { bold, italic, strikethrough } = *raw;
    Style { bold, italic, strikethrough }
}

fn level(level: Option<i64>, me: &str) -> Result<u8> {
    match level.map(u8::try_from) {
        None => Ok(1),
        Some(Ok(level @ 1..=100)) => Ok(level),
        Some(_) => Err(Error::read(format!("{me} has a level that is not from 1 to 100"))),
    }
}

fn natural(number: i64) -> usize {
    usize::try_from(number.max(0)).unwrap_or(usize::MAX)
}

fn pages(raw: &RawDocument) -> Result<BTreeMap<i64, [f64; 2]>> {
    let page = |(number, page): (&String, &crate::docling::json::RawPage)| {
        let wrong = |_| Error::read(format!("pages has the number {number:?}"));
        let number = number.trim().parse().map_err(wrong)?;
        Ok((number, [page.size.width, page.size.height]))
    };
    raw.pages.iter().map(page).collect()
}

fn origin(raw: RawOrigin) -> Result<Origin> {
    let hash = match &raw.binary_hash {
        Value::Int(hash) => u64::try_from(*hash).ok(),
        // A longer hash is known by its last bits.
        Value::Text(hex) if hex.bytes().all(|digit| digit.is_ascii_hexdigit()) => {
            u64::from_str_radix(&hex[hex.len().saturating_sub(16)..], 16).ok()
        }
        _ => None,
    };
    let binary_hash = hash.ok_or_else(|| Error::read("origin has no binary_hash"))?;
    let uri = raw.uri.map(|uri| hyperlink::normalized(&uri));
    Ok(Origin { mimetype: raw.mimetype, binary_hash, filename: raw.filename, uri })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_not_as_long_as_the_file() {
        let long = "é".repeat(10_000);
        for json in [
            format!(r#"{{"name": "d", "schema_name": "{long}"}}"#),
            format!(r#"{{"name": "d", "schema_name": "DoclingDocument", "version": "{long}"}}"#),
            format!(r#"{{"body": "{long}"}}"#),
        ] {
            let error = Document::of_json(json.as_bytes(), Form::Stored).unwrap_err().to_string();
            assert!(error.ends_with("é…") && error.len() < 2000, "{error}");
        }
    }
}

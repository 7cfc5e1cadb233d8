//! Keys and values of a form, a line a key, as far as no other item says them.

use std::collections::HashMap;

use super::write::Said;
use super::{Around, Walk};
use crate::blocks::writer::on_one_line;
use crate::docling::node::{Node, NodeId};
use crate::docling::value::Value;
use chunkwright_text::elements::Kind;

/// A key or a value.
struct Cell<'v> {
    text: String,
    is_key: bool,
    /// Whether an item of the document says it.
    is_said: bool,
    id: &'v Value,
}

impl<'d> Walk<'d> {
    /// Writes the keys and values of a form; it returns the number of the element, if there are any.
    pub(super) fn form(&mut self, id: NodeId, node: &'d Node, around: Around) -> Option<usize> {
        let graph: Value = serde_json::from_str(node.graph.as_deref()?.get()).ok()?;
        let cells = graph.get("cells").map_or(&[][..], Value::list);
        let cells: Vec<Cell<'_>> = cells.iter().filter_map(|cell| self.of_value(cell)).collect();
        let lines = lines(&cells, graph.get("links").map_or(&[][..], Value::list));
        let said = Said { text: lines.join("\n"), nodes: vec![id], ..Said::default() };
        (!said.text.is_empty())
            .then(|| self.push(Kind::Paragraph, 0, Around { list: None, ..around }, said, 0))
    }

    fn of_value<'v>(&self, cell: &'v Value) -> Option<Cell<'v>> {
        let item = || {
            let reference = cell.get("item_ref")?;
            self.document.find(reference.get("$ref").or(reference.get("cref"))?.text()?)
        };
        let is_read = |id: &NodeId| {
            let range = self.document.order().range(self.document.body());
            let is_below = range.contains(&self.document.order().range(*id).start);
            is_below && self.document.is_shown(*id) && !self.document.node(*id).text.is_empty()
        };
        Some(Cell {
            text: on_one_line(cell.get("text")?.text()?),
            is_key: cell.get("label").and_then(Value::text) == Some("key"),
            is_said: item().is_some_and(|id| is_read(&id)),
            id: cell.get("cell_id")?,
        })
    }
}

/// A line for each key with its values, and for each value without a key. O(n).
fn lines(cells: &[Cell<'_>], links: &[Value]) -> Vec<String> {
    let number = |id: &Value| if let Value::Int(id) = id { Some(*id) } else { None };
    let by_id: HashMap<i128, usize> =
        cells.iter().enumerate().filter_map(|(i, cell)| Some((number(cell.id)?, i))).collect();
    let mut values = vec![Vec::new(); cells.len()];
    let mut has_key = vec![false; cells.len()];
    for link in links {
        let end = |name| link.get(name).and_then(number).and_then(|id| by_id.get(&id).copied());
        let label = link.get("label").and_then(Value::text).unwrap_or_default();
        let ends = end("source_cell_id").zip(end("target_cell_id"));
        let pair = match (label, ends) {
            ("to_value", Some((key, value))) | ("to_key", Some((value, key))) => (key, value),
            _ => continue,
        };
        if cells[pair.0].is_key
            && !cells[pair.1].is_key
            && !std::mem::replace(&mut has_key[pair.1], true)
        {
            values[pair.0].push(pair.1);
        }
    }
    let alone = (0..cells.len()).filter(|i| !has_key[*i]);
    alone.filter_map(|i| line(cells, i, &values[i])).filter(|line| !line.is_empty()).collect()
}

/// A key, or a value alone, with the values of the key; none if items say all of that.
fn line(cells: &[Cell<'_>], own: usize, values: &[usize]) -> Option<String> {
    let own = &cells[own];
    let values = || values.iter().map(|value| &cells[*value]);
    if own.is_said && values().all(|value| value.is_said) {
        return None;
    }
    let texts = values().map(|value| value.text.as_str()).filter(|text| !text.is_empty());
    let behind = texts.collect::<Vec<_>>().join(", ");
    Some(match (own.text.as_str(), behind.is_empty()) {
        (text, true) => text.to_owned(),
        ("", false) => behind,
        (text, false) if text.ends_with(char::is_alphanumeric) => format!("{text}: {behind}"),
        (text, false) => format!("{text} {behind}"),
    })
}

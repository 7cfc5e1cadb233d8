//! Figure: what is known of a picture that is no text of the document, and the numbers of its chart.

use super::write::Said;
use super::{Around, Walk};
use crate::docling::node::{Node, NodeId};
use crate::docling::table::TableData;
use crate::docling::value::Value;
use chunkwright_text::elements::Kind;

impl<'d> Walk<'d> {
    /// Writes a picture as what describes it, and the table of its chart; it returns the number of the figure.
    pub(super) fn figure(&mut self, id: NodeId, node: &'d Node, around: Around) -> usize {
        let meta = node.meta.as_deref();
        let known = |name: &str, key: &str| {
            meta.and_then(|meta| meta.get(name)?.get(key)?.text()).unwrap_or_default()
        };
        let texts = [known("description", "text"), known("molecule", "smi")];
        let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        let said = Said { text: texts.join("\n"), nodes: vec![id], ..Said::default() };
        let alone = Around { list: None, ..around };
        let figure = self.push(Kind::Figure, 0, alone, said, 0);
        let chart = meta.and_then(|meta| meta.get("tabular_chart")?.get("chart_data"));
        if let Some(chart) = chart.filter(|chart| **chart != Value::Null) {
            let table = TableData::of_value(chart);
            let texts = table.cells.iter().map(|cell| cell.text.clone()).collect();
            self.rows(id, &table, texts, Around { parent: Some(figure), ..alone });
        }
        figure
    }
}

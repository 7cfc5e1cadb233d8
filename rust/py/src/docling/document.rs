//! A `DoclingDocument` that the core has read.

use std::sync::Arc;

use chunkwright_parity::docling::dump;
use chunkwright_parity::docling::hybrid::{HybridChunk, HybridChunks, HybridOptions};
use chunkwright_parity::docling::line::LineOptions;
use chunkwright_parity::docling::render::{Renderer, TableStyle};
use chunkwright_parity::docling::{
    DocChunk, Hierarchical, hierarchical, hybrid_chunks, line_chunks, pages,
};
use chunkwright_read::docling::{Document, Form};
use chunkwright_text::pulse::Pulse;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::docling::chunks::DoclingChunks;
use crate::docling::hybrid::warnings;
use crate::docling::lines::{Warning, warning};
use crate::error::{named, to_python};
use crate::gate::detached;
use crate::measure::unit::Unit;
use crate::strings::text::Text;

/// A document: its items, tables and groups.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct DoclingDocument {
    core: Arc<Document>,
}

impl DoclingDocument {
    /// The document for the core.
    pub fn core(&self) -> &Document {
        &self.core
    }

    fn read(source: &Bound<'_, PyAny>, form: Form) -> PyResult<Self> {
        let py = source.py();
        let read = |json: &[u8]| py.detach(|| Document::of_json(json, form)).map_err(to_python);
        let core = match source.cast::<PyBytes>() {
            Ok(bytes) => read(bytes.as_bytes())?,
            Err(_) => read(Text::of(source.cast::<PyString>()?)?.as_str().as_bytes())?,
        };
        Ok(Self { core: Arc::new(core) })
    }

    fn chunks(
        document: &Bound<'_, Self>,
        tables: &str,
        cut: impl Send
        + FnOnce(&Renderer<'_>, Pulse<'_>) -> chunkwright_text::error::Result<Vec<DocChunk>>,
    ) -> PyResult<DoclingChunks> {
        let style = table_style(tables)?;
        let core = &document.get().core;
        let chunks = detached(document.py(), |pulse| cut(&Renderer::new(core, style), pulse))?;
        let chunks = chunks.into_iter().map(HybridChunk::from).collect();
        Ok(DoclingChunks::new(Arc::clone(core), chunks))
    }
}

/// The style of tables that has that name.
pub fn table_style(name: &str) -> PyResult<TableStyle> {
    match name {
        "triplets" => Ok(TableStyle::Triplets),
        "markdown" => Ok(TableStyle::Markdown),
        "compact markdown" => Ok(TableStyle::CompactMarkdown),
        _ => {
            let known = "'triplets', 'markdown', 'compact markdown'";
            Err(named("ConfigError", format!("unknown tables {name:?}; known are {known}")))
        }
    }
}

#[pymethods]
impl DoclingDocument {
    /// The document that JSON holds, checked and repaired as Docling does it.
    #[staticmethod]
    fn of_json(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::read(source, Form::Stored)
    }

    /// The document that Docling has in memory, of which this is the JSON; it is taken as it is.
    #[staticmethod]
    fn of_live(json: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::read(json, Form::Live)
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.core.name
    }

    /// A chunk for each item or list, as `HierarchicalChunker` makes them.
    #[pyo3(signature = (*, tables = "triplets", always_emit_headings = false))]
    fn hierarchical(
        slf: &Bound<'_, Self>,
        tables: &str,
        always_emit_headings: bool,
    ) -> PyResult<DoclingChunks> {
        let options = Hierarchical { always_emit_headings };
        Self::chunks(slf, tables, |renderer, pulse| hierarchical(renderer, options, pulse))
    }

    /// A chunk for each page, as `PageChunker` makes them.
    #[pyo3(signature = (*, tables = "triplets"))]
    fn pages(slf: &Bound<'_, Self>, tables: &str) -> PyResult<DoclingChunks> {
        Self::chunks(slf, tables, |renderer, pulse| pages(renderer, pulse))
    }

    /// Sections split and merged by `unit`, as `HybridChunker` makes them; and what is to be warned of.
    #[pyo3(signature = (
        unit, *, tables, always_emit_headings, max_tokens, repeat_table_header, merge_peers,
        omit_header_on_overflow, max_token_chars
    ))]
    #[expect(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "the peer's")]
    fn hybrid<'py>(
        &self,
        py: Python<'py>,
        unit: &Unit,
        tables: &str,
        always_emit_headings: bool,
        max_tokens: usize,
        repeat_table_header: bool,
        merge_peers: bool,
        omit_header_on_overflow: bool,
        max_token_chars: Option<usize>,
    ) -> PyResult<(DoclingChunks, Vec<Bound<'py, PyTuple>>)> {
        let style = table_style(tables)?;
        let sections = Hierarchical { always_emit_headings };
        let options = HybridOptions {
            max: max_tokens,
            repeat_table_header,
            merge_peers,
            omit_header_on_overflow,
        };
        let HybridChunks { chunks, warnings: given } = unit.with_ruler(py, |ruler, pulse| {
            let renderer = Renderer::new(&self.core, style);
            hybrid_chunks(ruler, &renderer, sections, &options, max_token_chars, pulse)
        })?;
        let nodes: Vec<_> = self.core.ids().collect();
        let given = warnings(py, given, &|index| self.core.reference(nodes[index]))?;
        Ok((DoclingChunks::new(Arc::clone(&self.core), chunks), given))
    }

    /// The lines of the whole document put into chunks by `unit`, as `LineBasedTokenChunker` does it; the
    /// references of the items of all chunks; and what is to be warned of.
    #[pyo3(signature = (unit, *, tables, max_tokens, prefix, omit_prefix_on_overflow))]
    fn lines(
        &self,
        py: Python<'_>,
        unit: &Unit,
        tables: &str,
        max_tokens: usize,
        prefix: &str,
        omit_prefix_on_overflow: bool,
    ) -> PyResult<(Vec<String>, Vec<String>, Vec<Warning>)> {
        let style = table_style(tables)?;
        let options = LineOptions { max: max_tokens, prefix, omit_prefix_on_overflow };
        let (texts, items, warnings) = unit.with_ruler(py, |ruler, _| {
            line_chunks(ruler, &Renderer::new(&self.core, style), &options)
        })?;
        let items = items.into_iter().map(|id| self.core.reference(id)).collect();
        Ok((texts, items, warnings.into_iter().map(warning).collect()))
    }

    /// JSON of an array: what Docling dumps of each of these items.
    fn items_json(&self, py: Python<'_>, references: Vec<String>) -> PyResult<String> {
        let found = |reference: &String| {
            let missing = || format!("the document has no {reference:?}");
            self.core.find(reference).ok_or_else(|| named("ReadError", missing()))
        };
        let ids: Vec<_> = references.iter().map(found).collect::<PyResult<_>>()?;
        py.detach(|| dump::items(&self.core, ids)).map_err(to_python)
    }

    /// JSON of what it was made of; `None` if it does not say so.
    fn origin_json(&self) -> PyResult<Option<String>> {
        self.core.origin.as_ref().map(dump::origin).transpose().map_err(to_python)
    }

    /// An item alone, as `serialize(item=...)` of the stock serializer writes it.
    #[pyo3(signature = (reference, *, tables = "triplets"))]
    fn item(&self, py: Python<'_>, reference: &str, tables: &str) -> PyResult<String> {
        let style = table_style(tables)?;
        let Some(id) = self.core.find(reference) else {
            return Err(named("ReadError", format!("the document has no {reference:?}")));
        };
        detached(py, |_| Renderer::new(&self.core, style).item(id))
    }
}

//! Unstructured's chunkers: where a new unit begins, and how units are packed.

use std::borrow::Cow;

use chunkwright_parity::unstructured::{ElementChunk, Packing, by_title, pack};
use chunkwright_read::unstructured::Unstructured;
use chunkwright_text::cut::elements::boundaries;
use chunkwright_text::error::Result;
use chunkwright_text::pulse::Pulse;
use pyo3::prelude::*;

use super::chunks::UnstructuredChunks;
use super::document::UnstructuredElements;
use super::repaired_ruler::repaired;
use super::surrogates::StandIns;
use crate::embedder::Embedder;
use crate::measure::unit::Unit;

/// All options of the strategies over elements, and the unit that they measure in.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct UnstructuredCutter {
    unit: Py<Unit>,
    packing: Packing,
}

#[pymethods]
impl UnstructuredCutter {
    #[new]
    #[pyo3(signature = (
        unit, *, hard_max, soft_max, overlap, overlap_all, combine_under, isolate_tables, skip_tables,
        repeat_headers
    ))]
    #[allow(
        clippy::too_many_arguments,
        clippy::fn_params_excessive_bools,
        reason = "named in Python"
    )]
    fn new(
        unit: Py<Unit>,
        hard_max: usize,
        soft_max: usize,
        overlap: usize,
        overlap_all: bool,
        combine_under: usize,
        isolate_tables: bool,
        skip_tables: bool,
        repeat_headers: bool,
    ) -> Self {
        let packing = Packing {
            hard_max,
            soft_max,
            overlap,
            overlap_all,
            overlap_over_boundaries: true,
            combine_under,
            isolate_tables,
            skip_tables,
            repeat_headers,
        };
        Self { unit, packing }
    }

    /// Packs elements as they come.
    fn basic(
        &self,
        py: Python<'_>,
        elements: Py<UnstructuredElements>,
    ) -> PyResult<UnstructuredChunks> {
        self.pack_by(py, elements, Rule::AsTheyCome)
    }

    /// A title begins a new chunk; so does a page, unless `multipage`. Small sections are combined.
    fn by_title(
        &self,
        py: Python<'_>,
        elements: Py<UnstructuredElements>,
        multipage: bool,
    ) -> PyResult<UnstructuredChunks> {
        self.pack_by(py, elements, Rule::Title { multipage })
    }

    /// A page begins a new chunk, and no text is repeated from the one before.
    fn by_page(
        &self,
        py: Python<'_>,
        elements: Py<UnstructuredElements>,
    ) -> PyResult<UnstructuredChunks> {
        self.pack_by(py, elements, Rule::Page)
    }

    /// What is less similar than `threshold` to what comes before it begins a new chunk; `embedder` is asked
    /// once, for the texts of all elements that have any.
    fn by_similarity(
        &self,
        py: Python<'_>,
        elements: Py<UnstructuredElements>,
        embedder: &Embedder,
        threshold: f64,
    ) -> PyResult<UnstructuredChunks> {
        let shown = elements.clone_ref(py);
        self.pack(py, elements, &self.apart(), |table, pulse| {
            let texts = texts(table, shown.get().stand_ins());
            let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
            let mut vectors = embedder.core().embed(&texts, pulse)?;
            boundaries::by_similarity(table.items(), &mut *vectors, threshold)
        })
    }
}

/// Where a new unit begins, by the elements alone.
#[derive(Clone, Copy)]
pub enum Rule {
    /// Nowhere.
    AsTheyCome,
    /// At titles, and at pages unless `multipage`.
    Title { multipage: bool },
    /// At pages.
    Page,
}

impl Rule {
    /// That of the strategy `name`, if it is one of these.
    pub fn of(name: &str, multipage: bool) -> Option<Self> {
        match name {
            "basic" => Some(Self::AsTheyCome),
            "by_title" => Some(Self::Title { multipage }),
            "by_page" => Some(Self::Page),
            _ => None,
        }
    }

    fn begins(self, table: &Unstructured) -> Vec<bool> {
        match self {
            Self::AsTheyCome => vec![false; table.len()],
            Self::Title { multipage } => by_title(table.items(), multipage),
            Self::Page => boundaries::by_page(table.items()),
        }
    }
}

impl UnstructuredCutter {
    /// The chunks of `table` by `rule`, as `write` writes them, without the GIL.
    ///
    /// # Errors
    /// Those of the unit, of `write` and of signals.
    pub fn written<T: Send>(
        &self,
        py: Python<'_>,
        table: &Unstructured,
        rule: Rule,
        write: impl Send + FnOnce(&[ElementChunk], Pulse<'_>) -> Result<T>,
    ) -> PyResult<T> {
        let packing = self.packing_by(rule);
        self.unit.get().with_ruler(py, |ruler, pulse| {
            write(&pack(table, &rule.begins(table), &packing, ruler, pulse)?, pulse)
        })
    }

    fn packing_by(&self, rule: Rule) -> Packing {
        match rule {
            Rule::AsTheyCome => Packing { combine_under: 0, ..self.packing },
            Rule::Title { .. } => self.packing,
            Rule::Page => self.apart(),
        }
    }

    fn pack_by(
        &self,
        py: Python<'_>,
        elements: Py<UnstructuredElements>,
        rule: Rule,
    ) -> PyResult<UnstructuredChunks> {
        self.pack(py, elements, &self.packing_by(rule), |table, _| Ok(rule.begins(table)))
    }

    /// The options for units that have nothing in common.
    fn apart(&self) -> Packing {
        Packing { combine_under: 0, overlap_over_boundaries: false, ..self.packing }
    }

    fn pack(
        &self,
        py: Python<'_>,
        elements: Py<UnstructuredElements>,
        packing: &Packing,
        begins: impl Send + FnOnce(&Unstructured, Pulse<'_>) -> Result<Vec<bool>>,
    ) -> PyResult<UnstructuredChunks> {
        let (table, stand_ins) = (elements.get().table(), elements.get().stand_ins());
        let chunks = self.unit.get().with_ruler(py, |ruler, pulse| {
            let begins = begins(table, pulse)?;
            repaired(ruler, stand_ins, |ruler| pack(table, &begins, packing, ruler, pulse))
        })?;
        Ok(UnstructuredChunks::new(elements, chunks))
    }
}

/// The texts of the elements that have any, as an embedder may see them.
fn texts<'a>(table: &'a Unstructured, stand_ins: &StandIns) -> Vec<Cow<'a, str>> {
    let with_text = table.items().iter().filter(|element| !element.span.is_empty());
    let texts = with_text.map(|element| &table.text()[element.span.range()]);
    if stand_ins.is_empty() {
        return texts.map(Cow::Borrowed).collect();
    }
    texts.map(|text| Cow::Owned(stand_ins.measured(text))).collect()
}

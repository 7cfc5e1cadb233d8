//! Sections of a document split and merged, with what Python says about its items.

use std::sync::Arc;

use chunkwright_parity::docling::hybrid::{
    ChunkItem, HybridChunk, HybridOptions, HybridWarning, Items, Made, hybrid, semantic_parts,
};
use chunkwright_text::error::Result;
use chunkwright_text::measure::ruler::Ruler;
use chunkwright_text::pulse::Pulse;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::lines::warning;
use crate::error::to_core;
use crate::gate::attached;
use crate::measure::ruler::CalledRuler;
use crate::measure::unit::{Unit, UnitKind};

/// A section: its text, its items, the headings above it, and whether it has an origin.
type Section = (String, Vec<usize>, Option<Vec<String>>, bool);

/// A chunk: the same, which items are bare, and how its metadata was made.
pub type Chunk<I> = (String, Vec<I>, Vec<bool>, Option<Vec<String>>, bool, &'static str);

/// Chunks of sections, and what is to be warned of.
type Found<'py> = (Vec<Chunk<usize>>, Vec<Bound<'py, PyTuple>>);

/// The chunks of `sections`, and what is to be warned of. `items` renders them, and splits what is too long
/// for a unit that Python counts; `max_token_chars` is the length of the longest token of another one.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the peer's own options")]
pub fn docling_hybrid<'py>(
    py: Python<'py>,
    unit: &Unit,
    items: &Bound<'py, PyAny>,
    sections: Vec<Section>,
    max_tokens: usize,
    repeat_table_header: bool,
    merge_peers: bool,
    omit_header_on_overflow: bool,
    max_token_chars: Option<usize>,
) -> PyResult<Found<'py>> {
    let options = HybridOptions {
        max: max_tokens,
        repeat_table_header,
        merge_peers,
        omit_header_on_overflow,
    };
    let sections = sections.into_iter().map(section);
    let found = attached(py, |pulse| match unit.kind() {
        UnitKind::Native(native) => {
            let items = PythonItems { items, native: Some((max_token_chars, pulse)) };
            hybrid(&native.ruler(pulse), &items, sections, &options)
        }
        UnitKind::Counter(count) => {
            let items = PythonItems { items, native: None };
            hybrid(&CalledRuler(count.bind(py)), &items, sections, &options)
        }
    })?;
    let chunks = found.chunks.into_iter().map(|found| chunk(found, &|item| item)).collect();
    Ok((chunks, warnings(py, found.warnings, &|item| item)?))
}

fn section((text, items, headings, has_origin): Section) -> HybridChunk {
    let items = items.into_iter().map(|index| ChunkItem { index, is_bare: false }).collect();
    let headings = headings.map(Arc::from);
    HybridChunk { text, items, headings, has_origin, made: Made::OfItems }
}

/// What is to be warned of for Python, the items of chunks as `name` names them.
///
/// # Errors
/// If memory runs out.
pub fn warnings<'py, I>(
    py: Python<'py>,
    given: Vec<HybridWarning>,
    name: &dyn Fn(usize) -> I,
) -> PyResult<Vec<Bound<'py, PyTuple>>>
where
    (&'static str, Chunk<I>):
        IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
{
    let told = given.into_iter().map(|given| match given {
        HybridWarning::Line(given) => warning(given).into_pyobject(py),
        HybridWarning::HeadingsDropped(dropped) => {
            ("headings_dropped", chunk(dropped, name)).into_pyobject(py)
        }
    });
    told.collect()
}

fn chunk<I>(chunk: HybridChunk, name: &dyn Fn(usize) -> I) -> Chunk<I> {
    let bare = chunk.items.iter().map(|item| item.is_bare).collect();
    let items = chunk.items.iter().map(|item| name(item.index)).collect();
    let headings = chunk.headings.map(|headings| headings.to_vec());
    (chunk.text, items, bare, headings, chunk.has_origin, chunk.made.name())
}

/// Items that Python renders.
struct PythonItems<'a, 'py> {
    items: &'a Bound<'py, PyAny>,
    /// The length of the longest token, for a unit that is counted without Python.
    native: Option<(Option<usize>, Pulse<'a>)>,
}

impl PythonItems<'_, '_> {
    fn ask<'a, T>(&'a self, method: &str, arguments: impl pyo3::call::PyCallArgs<'a>) -> Result<T>
    where
        T: for<'x> FromPyObject<'x, 'x, Error = PyErr>,
    {
        let answer = self.items.call_method1(method, arguments);
        answer.and_then(|answer| answer.extract()).map_err(to_core)
    }
}

impl Items for PythonItems<'_, '_> {
    fn text(&self, item: usize) -> Result<String> {
        self.ask("text", (item,))
    }

    fn is_table(&self, item: usize) -> bool {
        self.ask("is_table", (item,)).unwrap_or(false)
    }

    fn table_lines(&self, text: &str) -> Result<[Vec<String>; 2]> {
        let (header, body) = self.ask("table_lines", (text,))?;
        Ok([header, body])
    }

    fn semantic(&self, ruler: &dyn Ruler, text: &str, max: usize) -> Result<Vec<String>> {
        match self.native {
            Some((max_token_chars, pulse)) => {
                semantic_parts(ruler, text, max, max_token_chars, pulse)
            }
            None => self.ask("semantic", (text, max)),
        }
    }
}

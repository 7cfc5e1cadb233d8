//! Elements of a `DoclingDocument`, with the items that each is made of and their boxes.

use std::sync::Arc;

use chunkwright_core::read::docling::{Document, NodeId, Place};
use chunkwright_core::source_map::SourceMap;
use pyo3::prelude::*;

use crate::docling::document::DoclingDocument;
use crate::elements::Elements;
use crate::error::named;

/// The items that the elements of a document are made of.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct DoclingItems {
    document: Arc<Document>,
    nodes: Vec<NodeId>,
    ends: Vec<usize>,
}

/// A page, a box from the top of the page, and the width and height of the page.
type Box = (i64, [f64; 4], Option<[f64; 2]>);

/// The elements of a document, and what they are made of.
#[pyfunction]
pub fn docling_elements(
    py: Python<'_>,
    document: &DoclingDocument,
) -> PyResult<(Elements, DoclingItems)> {
    let core = document.shared();
    let read = py.detach(|| core.elements());
    let elements = Elements::read(py, read.text, read.elements, None, SourceMap::Nowhere)?;
    let elements = elements.with_words(read.titles, read.languages);
    let elements = elements.with_pages(read.several_pages);
    let (nodes, ends) = (read.nodes, read.ends);
    Ok((elements, DoclingItems { document: core, nodes, ends }))
}

#[pymethods]
impl DoclingItems {
    /// What the document calls the item that each element is, such as `#/texts/3`.
    fn references(&self) -> Vec<String> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied()).take(self.ends.len());
        starts.map(|start| self.document.reference(self.nodes[start])).collect()
    }

    /// Where an element stands on its pages.
    fn boxes(&self, index: usize) -> PyResult<Vec<Box>> {
        let Some(&end) = self.ends.get(index) else {
            let message = format!("there is no element {index} among {}", self.ends.len());
            return Err(named("ConfigError", message));
        };
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        let nodes = self.nodes[start..end].iter();
        let places = nodes.flat_map(|id| &self.document.node(*id).places);
        Ok(places.map(|place| self.place(place)).collect())
    }
}

impl DoclingItems {
    fn place(&self, place: &Place) -> Box {
        let size = self.document.pages.get(&place.page).copied();
        let bounds = place.bounds;
        let [top, bottom] = match size {
            Some([_, height]) if bounds.is_from_bottom => {
                [height - bounds.top, height - bounds.bottom]
            }
            _ => [bounds.top, bounds.bottom],
        };
        (place.page, [bounds.left, top, bounds.right, bottom], size)
    }
}

//! State of elements for pickles: all that was read, and nothing that it was read from.

use std::collections::HashMap;

use chunkwright_read::Read;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::Elements;
use super::known::made;
use crate::error::to_python;
use crate::strings::text::{Lazy, Text};
use crate::unstructured::surrogates::StandIns;

/// What [`Elements`] are made of: all but the text, as bytes; the text, and whether a reader made it; the HTML of
/// tables; and what stands for surrogates in the core.
pub type State<'py> = (
    Bound<'py, PyBytes>,
    Py<PyString>,
    bool,
    HashMap<usize, Bound<'py, PyString>>,
    Vec<(u16, char)>,
);

impl Elements {
    /// See the method `state`.
    pub(super) fn to_state<'py>(&self, py: Python<'py>) -> PyResult<State<'py>> {
        let found = match &self.page {
            Some(_) => Some(self.find_links(py, self.text(py)?.as_str())?),
            None => None,
        };
        let bytes = py.detach(|| self.read.to_bytes(found.as_deref())).map_err(to_python)?;
        let htmls = (0..self.items().len()).map(|i| Ok(self.html(py, i)?.map(|html| (i, html))));
        let htmls = match (&self.page, self.htmls.is_empty()) {
            (None, true) => HashMap::new(),
            _ => htmls.filter_map(PyResult::transpose).collect::<PyResult<_>>()?,
        };
        let (text, is_made) = (self.get(py)?.clone_ref(py), self.read.text.is_some());
        Ok((PyBytes::new(py, &bytes), text, is_made, htmls, self.stand_ins.pairs()))
    }

    /// See the method `of_state`.
    pub(super) fn from_state(
        stored: &Bound<'_, PyBytes>,
        text: &Bound<'_, PyString>,
        is_made: bool,
        htmls: HashMap<usize, Py<PyString>>,
        stand_ins: Vec<(u16, char)>,
    ) -> PyResult<Self> {
        let utf8 = Text::of(text)?;
        let mut read = Read::of_bytes(stored.as_bytes(), utf8.as_str()).map_err(to_python)?;
        read.text = is_made.then(|| utf8.as_str().to_owned());
        let made = made(text.clone());
        let stand_ins = StandIns::of_pairs(stand_ins);
        Ok(Self { text: made, htmls, stand_ins, ..Self::of(read) })
    }
}

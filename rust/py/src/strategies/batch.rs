//! Batches of `str`s: cut on threads, or one after another if a caller's counter needs the GIL.

use std::sync::OnceLock;

use chunkwright_engine::batch::{Batch, LONG_BYTES, Texts};
use chunkwright_engine::cut::Cut;
use chunkwright_engine::threads::available;
use chunkwright_text::cut::pieces::Pieces;
use chunkwright_text::document::Document;
use chunkwright_text::error::Result;
use chunkwright_text::pulse::Beat;
use pyo3::exceptions::{PyException, PyMemoryError};
use pyo3::prelude::*;

use super::Cutter;
use crate::error::{ending, to_core, to_python};
use crate::gate::{Interpreter, check_signals};
use crate::strings::sources::Source;
use crate::strings::text::Utf8;

/// So many code points are made UTF-8 in a few milliseconds.
const PERIOD: usize = 1 << 22;

/// As many workers as this process may run at once.
#[pyfunction]
pub fn available_workers() -> usize {
    available()
}

impl Cutter {
    /// The chunks of each text, or the error that it failed with; a caller's counter is not called
    /// again once it failed, unless errors are to be collected.
    ///
    /// # Errors
    /// What a signal's handler raises.
    pub fn cuts(
        &self,
        py: Python<'_>,
        sources: &[Source],
        workers: usize,
        collects: bool,
    ) -> PyResult<Vec<PyResult<Cut>>> {
        let Some(native) = self.unit().native() else {
            return self.counted(py, sources, collects);
        };
        let strs = &Strs::new(py, sources)?;
        let batch = Batch { collects, ..Batch::new(self.core(), native, &strs) };
        let cuts =
            py.detach(|| batch.run(workers, &Interpreter::listening())).map_err(to_python)?;
        Ok(cuts.into_iter().map(|cut| cut.map_err(to_python)).collect())
    }

    /// The pieces of each text, or the error that it failed with.
    ///
    /// # Errors
    /// What a signal's handler raises.
    pub fn pieces_of(
        &self,
        py: Python<'_>,
        sources: &[Source],
        workers: usize,
    ) -> PyResult<Vec<PyResult<Pieces>>> {
        let Some(native) = self.unit().native() else {
            return Ok(sources.iter().map(|source| self.pieces_of_source(py, source)).collect());
        };
        let strs = &Strs::new(py, sources)?;
        let batch = Batch::new(self.core(), native, &strs);
        let host = Interpreter::listening();
        let pieces = py.detach(|| batch.pieces(workers, &host)).map_err(to_python)?;
        Ok(pieces.into_iter().map(|pieces| pieces.map_err(to_python)).collect())
    }

    /// Cuts one text after another with a caller's counter; errors that are no text's go through.
    fn counted(
        &self,
        py: Python<'_>,
        sources: &[Source],
        collects: bool,
    ) -> PyResult<Vec<PyResult<Cut>>> {
        let mut cuts = Vec::with_capacity(sources.len());
        for source in sources {
            let cut = self.cut_source(py, source);
            match &cut {
                Err(error) if !error.is_instance_of::<PyException>(py) => return cut.map(|_| cuts),
                _ => cuts.push(cut),
            }
            if !collects && cuts.last().is_some_and(PyResult::is_err) {
                break;
            }
        }
        Ok(cuts)
    }
}

/// Python's `str`s. Each is made UTF-8 with the GIL, which at first takes a tenth of the time that
/// cutting takes: so others cut meanwhile.
struct Strs<'t> {
    sources: &'t [Source],
    n_chars: Vec<usize>,
    /// Nothing, if memory ran out or there is no going on.
    ready: Vec<OnceLock<Option<Utf8<'t>>>>,
}

impl<'t> Strs<'t> {
    /// Long texts are ready at once: to find their parts they must be there.
    fn new(py: Python<'_>, sources: &'t [Source]) -> PyResult<Self> {
        let n_chars = sources.iter().map(|source| source.n_chars(py)).collect::<PyResult<_>>()?;
        let strs =
            Self { sources, n_chars, ready: sources.iter().map(|_| OnceLock::new()).collect() };
        for i in (0..sources.len()).filter(|&i| strs.n_chars[i] > LONG_BYTES) {
            strs.make(py, i);
        }
        Ok(strs)
    }

    fn make(&self, py: Python<'_>, i: usize) {
        self.ready[i].get_or_init(|| self.sources[i].utf8(py).ok());
    }

    fn make_all(&self, py: Python<'_>) -> Result<()> {
        let heard = || check_signals(py);
        let beat = Beat::every(PERIOD, &heard);
        for (i, n_chars) in self.n_chars.iter().enumerate() {
            self.make(py, i);
            beat.after(*n_chars)?;
        }
        Ok(())
    }
}

impl<'s> Texts<'s> for &'s Strs<'_> {
    fn n_texts(&self) -> usize {
        self.sources.len()
    }

    fn n_bytes(&self, i: usize) -> usize {
        self.n_chars[i]
    }

    fn prepare(&self) -> Result<()> {
        let made = Python::try_attach(|py| self.make_all(py));
        // Nobody is to wait for what does not come.
        for text in &self.ready {
            text.get_or_init(|| None);
        }
        made.unwrap_or_else(|| Err(ending()))
    }

    fn document(&self, i: usize) -> Result<Document<'s>> {
        let text = self.ready[i].wait().as_ref();
        let document = |text: &'s Utf8<'_>| self.sources[i].complete(text.document());
        text.map(document).ok_or_else(|| to_core(PyMemoryError::new_err("no memory for a text")))
    }
}

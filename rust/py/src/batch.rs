//! Many texts at once: cut on threads, or one after another if a caller's counter needs the GIL.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use chunkwright_core::cut::strategy::Cutter as Strategy;
use chunkwright_core::document::Document;
use chunkwright_core::error::{Error, Result};
use chunkwright_core::measure::bpe::parts::Part;
use chunkwright_core::options::Pulse;
use chunkwright_core::span::Span;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::cut::Cut;
use crate::error::to_python;
use crate::native::Native;
use crate::strategies::Cutter;
use crate::text::Text;
use crate::threads::{available, share};

/// A text of more bytes is indexed in parts, so that no thread waits for another one's long text.
const LONG_BYTES: usize = 1 << 20;
/// Bytes of such a part.
const PART_BYTES: usize = 1 << 18;
/// To start a thread costs as much as to cut so many bytes.
const WORKER_BYTES: usize = 1 << 13;

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
        texts: &[Bound<'_, PyString>],
        workers: usize,
        collects: bool,
    ) -> PyResult<Vec<PyResult<Cut>>> {
        let Some(native) = self.unit().native() else {
            return self.counted(py, texts, collects);
        };
        let texts: Vec<_> = texts.iter().map(Text::of).collect::<PyResult<_>>()?;
        let documents: Vec<_> = texts.iter().map(Text::document).collect();
        let cuts = py.detach(|| Batch::new(self.core(), native, &documents).run(workers, true));
        let cuts = cuts.map_err(to_python)?;
        Ok(cuts.into_iter().map(|cut| cut.map_err(to_python)).collect())
    }

    /// Cuts one text after another with a caller's counter; errors that are no text's go through.
    fn counted(
        &self,
        py: Python<'_>,
        texts: &[Bound<'_, PyString>],
        collects: bool,
    ) -> PyResult<Vec<PyResult<Cut>>> {
        let mut cuts = Vec::with_capacity(texts.len());
        for text in texts {
            let cut = Text::of(text).and_then(|text| self.cut_text(py, &text));
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

/// Texts on their way to chunks.
pub struct Batch<'a> {
    strategy: &'a Strategy,
    unit: &'a Native,
    documents: &'a [Document<'a>],
    cuts: Vec<OnceLock<Result<Cut>>>,
}

/// What a thread does next.
enum Task<'a> {
    Whole(usize),
    Part { long: &'a Long, part: usize },
}

/// A text that is indexed in parts; who indexes the last one cuts the text.
struct Long {
    document: usize,
    spans: Vec<Span>,
    parts: Mutex<Vec<Part>>,
    n_left: AtomicUsize,
}

impl<'a> Batch<'a> {
    /// Nothing is cut yet.
    pub fn new(strategy: &'a Strategy, unit: &'a Native, documents: &'a [Document<'a>]) -> Self {
        let cuts = documents.iter().map(|_| OnceLock::new()).collect();
        Self { strategy, unit, documents, cuts }
    }

    /// Cuts all texts on up to `workers` threads; without the GIL.
    ///
    /// # Errors
    /// What a signal's handler raises, if the calling thread `listens`.
    pub fn run(self, workers: usize, listens: bool) -> Result<Vec<Result<Cut>>> {
        let n_bytes: usize = self.documents.iter().map(|document| document.text().len()).sum();
        let workers = workers.min(1 + n_bytes / WORKER_BYTES);
        let longs = if workers > 1 { self.longs() } else { Vec::new() };
        let tasks = self.tasks(&longs);
        share(workers, tasks.len(), listens, |task, pulse| match tasks[task] {
            Task::Whole(document) => self.whole(document, pulse),
            Task::Part { long, part } => self.part(long, part, pulse),
        })?;
        let cut = |cut: OnceLock<_>| cut.into_inner().unwrap_or(Err(Error::Interrupted));
        Ok(self.cuts.into_iter().map(cut).collect())
    }

    fn longs(&self) -> Vec<Long> {
        let long = |(i, document): (usize, &Document<'_>)| {
            let text = document.text();
            let spans = if text.len() > LONG_BYTES {
                self.unit.parts(text, PART_BYTES)
            } else {
                Vec::new()
            };
            let n_left = AtomicUsize::new(spans.len());
            Long { document: i, spans, parts: Mutex::default(), n_left }
        };
        self.documents.iter().enumerate().map(long).filter(|long| long.spans.len() > 1).collect()
    }

    /// One task for each text or part of one, in order.
    fn tasks<'l>(&self, longs: &'l [Long]) -> Vec<Task<'l>> {
        let (mut tasks, mut longs) =
            (Vec::with_capacity(self.documents.len()), longs.iter().peekable());
        for document in 0..self.documents.len() {
            match longs.next_if(|long| long.document == document) {
                Some(long) => {
                    tasks.extend((0..long.spans.len()).map(|part| Task::Part { long, part }))
                }
                None => tasks.push(Task::Whole(document)),
            }
        }
        tasks
    }

    fn whole(&self, document: usize, pulse: Pulse<'_>) -> Result<()> {
        let text = self.documents[document];
        let cut = self.unit.with_measure(text, pulse, |measure, pulse| {
            Ok(Cut::new(text, self.strategy.cut(text, measure, pulse)?))
        });
        self.keep(document, cut, pulse)
    }

    fn part(&self, long: &Long, part: usize, pulse: Pulse<'_>) -> Result<()> {
        let text = self.documents[long.document];
        let part = self.unit.index_part(text.text(), long.spans[part], pulse)?;
        let mut parts = long.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts.extend(part);
        if long.n_left.fetch_sub(1, Ordering::Relaxed) > 1 {
            return Ok(());
        }
        let cut = self.unit.with_parts(text, &parts, pulse, |measure, pulse| {
            Ok(Cut::new(text, self.strategy.cut(text, measure, pulse)?))
        });
        self.keep(long.document, cut, pulse)
    }

    /// An error is the text's own, unless the run is to stop.
    fn keep(&self, document: usize, cut: Result<Cut>, pulse: Pulse<'_>) -> Result<()> {
        pulse()?;
        // Each text is cut once.
        let _ = self.cuts[document].set(cut);
        Ok(())
    }
}

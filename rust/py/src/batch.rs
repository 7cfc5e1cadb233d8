//! Many texts at once: cut on threads, or one after another if a caller's counter needs the GIL.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use chunkwright_core::cut::strategy::Cutter as Strategy;
use chunkwright_core::document::Document;
use chunkwright_core::error::{Error, Result};
use chunkwright_core::measure::Measure;
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
        let batch = Batch {
            strategy: self.core(),
            unit: native,
            texts: &documents.as_slice(),
            finish: &|_, _, cut| Ok(cut),
        };
        let cuts = py.detach(|| batch.run(workers, true)).map_err(to_python)?;
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

/// Texts that threads take one by one.
pub trait Texts<'t>: Sync {
    /// How many there are.
    fn len(&self) -> usize;

    /// Bytes of one of them.
    fn n_bytes(&self, i: usize) -> usize;

    /// One of them.
    ///
    /// # Errors
    /// If it is no text.
    fn document(&self, i: usize) -> Result<Document<'t>>;
}

impl<'t> Texts<'t> for &[Document<'t>] {
    fn len(&self) -> usize {
        <[_]>::len(self)
    }

    fn n_bytes(&self, i: usize) -> usize {
        self[i].text().len()
    }

    fn document(&self, i: usize) -> Result<Document<'t>> {
        Ok(self[i])
    }
}

/// Makes of the chunks of a text what is wanted; the text is given by its number, too.
pub type Finish<'a, 't, T> = dyn Fn(usize, Document<'t>, Cut) -> Result<T> + Sync + 'a;

/// A strategy, and texts to be cut by it.
pub struct Batch<'a, 't, T> {
    /// How to cut.
    pub strategy: &'a Strategy,
    /// What to count in.
    pub unit: &'a Native,
    /// What to cut.
    pub texts: &'a dyn Texts<'t>,
    /// What to make of each.
    pub finish: &'a Finish<'a, 't, T>,
}

/// What a thread does next.
enum Task<'l, 'a> {
    Whole(usize),
    Part { long: &'l Long<'a>, part: usize },
}

/// A text that is indexed in parts; who indexes the last one cuts the text.
struct Long<'a> {
    number: usize,
    document: Document<'a>,
    spans: Vec<Span>,
    parts: Mutex<Vec<Part>>,
    n_left: AtomicUsize,
}

/// For each text what became of it.
type Done<T> = Vec<OnceLock<Result<T>>>;

impl<'t, T: Send + Sync> Batch<'_, 't, T> {
    /// Cuts all texts on up to `workers` threads; without the GIL.
    ///
    /// # Errors
    /// What a signal's handler raises, if the calling thread `listens`.
    pub fn run(&self, workers: usize, listens: bool) -> Result<Vec<Result<T>>> {
        let n_texts = self.texts.len();
        let n_bytes: usize = (0..n_texts).map(|i| self.texts.n_bytes(i)).sum();
        let workers = workers.min(1 + n_bytes / WORKER_BYTES);
        let longs = if workers > 1 { self.longs() } else { Vec::new() };
        let tasks = tasks(n_texts, &longs);
        let done: Done<T> = (0..n_texts).map(|_| OnceLock::new()).collect();
        share(workers, tasks.len(), listens, |task, pulse| match tasks[task] {
            Task::Whole(i) => keep(&done[i], self.whole(i, pulse), pulse),
            Task::Part { long, part } => {
                let cut = self.part(long, part, pulse).transpose();
                cut.map_or(Ok(()), |cut| keep(&done[long.number], cut, pulse))
            }
        })?;
        let result = |done: OnceLock<_>| done.into_inner().unwrap_or(Err(Error::Interrupted));
        Ok(done.into_iter().map(result).collect())
    }

    /// The texts that are indexed in parts; one that is no text is found to be none when it is cut.
    fn longs(&self) -> Vec<Long<'t>> {
        let is_long = |&i: &usize| self.texts.n_bytes(i) > LONG_BYTES;
        let long = |number: usize| {
            let document = self.texts.document(number).ok()?;
            let spans = self.unit.parts(document.text(), PART_BYTES);
            let n_left = AtomicUsize::new(spans.len());
            Some(Long { number, document, spans, parts: Mutex::default(), n_left })
        };
        let longs = (0..self.texts.len()).filter(is_long).filter_map(long);
        longs.filter(|long| long.spans.len() > 1).collect()
    }

    fn whole(&self, i: usize, pulse: Pulse<'_>) -> Result<T> {
        let document = self.texts.document(i)?;
        self.unit
            .with_measure(document, pulse, |measure, pulse| self.cut(i, document, measure, pulse))
    }

    /// Indexes a part; with the last one cuts the text.
    fn part(&self, long: &Long<'t>, part: usize, pulse: Pulse<'_>) -> Result<Option<T>> {
        let document = long.document;
        let part = self.unit.prepare_part(document.text(), long.spans[part], pulse)?;
        let mut parts = long.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts.extend(part);
        if long.n_left.fetch_sub(1, Ordering::Relaxed) > 1 {
            return Ok(None);
        }
        let prepared = self.unit.join(document.text().len(), &parts);
        let cut = self.unit.measured(document, &prepared, pulse, |measure| {
            self.cut(long.number, document, measure, pulse)
        });
        cut.map(Some)
    }

    fn cut(
        &self,
        i: usize,
        document: Document<'t>,
        measure: &dyn Measure,
        pulse: Pulse<'_>,
    ) -> Result<T> {
        let chunks = self.strategy.cut(document, measure, pulse)?;
        (self.finish)(i, document, Cut::new(document, chunks))
    }
}

/// One task for each text or part of one, in order.
fn tasks<'l, 'a>(n_texts: usize, longs: &'l [Long<'a>]) -> Vec<Task<'l, 'a>> {
    let (mut tasks, mut longs) = (Vec::with_capacity(n_texts), longs.iter().peekable());
    for i in 0..n_texts {
        match longs.next_if(|long| long.number == i) {
            Some(long) => {
                let parts = 0..long.spans.len();
                tasks.extend(parts.map(|part| Task::Part { long, part }));
            }
            None => tasks.push(Task::Whole(i)),
        }
    }
    tasks
}

/// Keeps what became of a text. An error is the text's own, unless the run is to stop.
fn keep<T>(done: &OnceLock<Result<T>>, result: Result<T>, pulse: Pulse<'_>) -> Result<()> {
    pulse()?;
    // A part that fails may have failed before.
    let _ = done.set(result);
    Ok(())
}

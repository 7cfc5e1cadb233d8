//! Batches of texts, cut on threads that take one after another.

pub mod groups;

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use chunkwright_text::chunks::Chunks;
use chunkwright_text::cut::pieces::Pieces;
use chunkwright_text::cut::strategy::Cutter;
use chunkwright_text::document::Document;
use chunkwright_text::error::Result;
use chunkwright_text::measure::bpe::parts::IndexPart;
use chunkwright_text::pulse::Pulse;
use chunkwright_text::span::Span;

use crate::crew::Crew;
use crate::cut::Cut;
use crate::host::Host;
use crate::unit::{Prepared, Unit};

/// A text of more bytes is indexed in parts, so that no thread waits for another one's long text.
pub const LONG_BYTES: usize = 1 << 20;
/// Bytes of such a part.
const PART_BYTES: usize = 1 << 18;
/// To start a thread costs as much as to cut so many bytes.
const WORKER_BYTES: usize = 1 << 13;

/// Texts that threads take one by one.
pub trait Texts<'t>: Sync {
    /// How many there are.
    fn n_texts(&self) -> usize;

    /// Bytes of one of them, more or less.
    fn n_bytes(&self, i: usize) -> usize;

    /// Makes the texts ready, while other threads already take those that are. Called once, on the
    /// thread that called.
    ///
    /// # Errors
    /// What is to stop the run.
    fn prepare(&self) -> Result<()> {
        Ok(())
    }

    /// One of them, as soon as it is ready.
    ///
    /// # Errors
    /// If it is no text.
    fn document(&self, i: usize) -> Result<Document<'t>>;
}

impl<'t, S: AsRef<str> + Sync> Texts<'t> for &'t [S] {
    fn n_texts(&self) -> usize {
        self.len()
    }

    fn n_bytes(&self, i: usize) -> usize {
        self[i].as_ref().len()
    }

    fn document(&self, i: usize) -> Result<Document<'t>> {
        Ok(Document::new(self[i].as_ref()))
    }
}

/// Makes of the chunks of a text what is wanted; the text is given by its number, too.
pub type Finish<'a, 't, T> = dyn Fn(usize, Document<'t>, Cut) -> Result<T> + Sync + 'a;

/// A strategy, and texts to be cut by it.
pub struct Batch<'a, 't, T> {
    /// How to cut.
    pub cutter: &'a Cutter,
    /// What to count in.
    pub unit: &'a Unit,
    /// What to cut.
    pub texts: &'a dyn Texts<'t>,
    /// What to make of each.
    pub finish: &'a Finish<'a, 't, T>,
    /// Whether the texts behind one that fails are to be cut.
    pub collects: bool,
}

/// What a thread does next.
enum Task<'l, 'a> {
    Whole(usize),
    Part { long: &'l Long<'a>, part: usize },
}

impl Task<'_, '_> {
    /// The number of its text.
    const fn number(&self) -> usize {
        match self {
            Self::Whole(i) => *i,
            Self::Part { long, .. } => long.number,
        }
    }
}

/// A text that is indexed in parts; who indexes the last one cuts the text.
struct Long<'a> {
    number: usize,
    document: Document<'a>,
    spans: Vec<Span>,
    parts: Mutex<Vec<IndexPart>>,
    n_left: AtomicUsize,
}

impl<'a, 't> Batch<'a, 't, Cut> {
    /// `texts` to be cut by `cutter`, up to the first that fails.
    pub const fn new(cutter: &'a Cutter, unit: &'a Unit, texts: &'a dyn Texts<'t>) -> Self {
        Self { cutter, unit, texts, finish: &|_, _, cut| Ok(cut), collects: false }
    }
}

impl<'t, T: Send + Sync> Batch<'_, 't, T> {
    /// Cuts all texts on up to `workers` threads, the calling one among them: for each text what became of
    /// it. Unless errors are collected, texts behind the first one that fails may be
    /// [interrupted](chunkwright_text::error::Error::Interrupted).
    ///
    /// A caller's own embedder is asked for the texts of many documents at once: see [`groups`].
    ///
    /// # Errors
    /// What `host` stops the run for.
    pub fn run(&self, workers: usize, host: &dyn Host) -> Result<Vec<Result<T>>> {
        let crew = self.crew(workers, host);
        if self.cutter.calls_back() {
            return groups::run(self, &crew);
        }
        self.each(0..self.texts.n_texts(), &crew, |i, document, prepared, pulse| {
            let chunks = self.unit.measured(document, &prepared, pulse, |measure| {
                self.cutter.cut(document, measure, pulse)
            })?;
            self.finished(i, document, chunks)
        })
    }

    /// Phase one alone: the pieces of each text, of which something has to be known before it is cut.
    ///
    /// # Errors
    /// What `host` stops the run for.
    pub fn pieces(&self, workers: usize, host: &dyn Host) -> Result<Vec<Result<Pieces>>> {
        self.each(
            0..self.texts.n_texts(),
            &self.crew(workers, host),
            |_, document, prepared, pulse| self.pieces_of(document, &prepared, pulse),
        )
    }

    /// The pieces of one text.
    pub(crate) fn pieces_of(
        &self,
        document: Document<'t>,
        prepared: &Prepared,
        pulse: Pulse<'_>,
    ) -> Result<Pieces> {
        self.unit.measured(document, prepared, pulse, |measure| {
            self.cutter.pieces(document, measure, pulse)
        })
    }

    /// As many threads as the texts are worth.
    fn crew<'c>(&self, workers: usize, host: &'c dyn Host) -> Crew<'c> {
        let n_bytes: usize = (0..self.texts.n_texts()).map(|i| self.texts.n_bytes(i)).sum();
        Crew { workers: workers.min(1 + n_bytes / WORKER_BYTES), host, collects: self.collects }
    }

    /// What `work` makes of each of some texts, by what is known of the text before its spans are measured.
    /// The first texts of all are to be among the first that are asked for.
    ///
    /// # Errors
    /// What the host stops the run for.
    pub(crate) fn each<U: Send + Sync>(
        &self,
        texts: Range<usize>,
        crew: &Crew<'_>,
        work: impl Fn(usize, Document<'t>, Prepared, Pulse<'_>) -> Result<U> + Sync,
    ) -> Result<Vec<Result<U>>> {
        let longs = if crew.workers > 1 { self.longs(texts.clone()) } else { Vec::new() };
        let tasks = tasks(texts.clone(), &longs);
        let prepare = || if texts.start == 0 { self.texts.prepare() } else { Ok(()) };
        let number = |task: usize| tasks[task].number() - texts.start;
        crew.each(texts.len(), tasks.len(), number, prepare, |task, pulse| match tasks[task] {
            Task::Whole(i) => Some(self.texts.document(i).and_then(|document| {
                work(i, document, self.unit.prepare(document.text(), pulse)?, pulse)
            })),
            Task::Part { long, part } => {
                let prepared = self.part(long, part, pulse).transpose()?;
                Some(
                    prepared.and_then(|prepared| work(long.number, long.document, prepared, pulse)),
                )
            }
        })
    }

    /// What is wanted of the chunks of a text.
    pub(crate) fn finished(&self, i: usize, document: Document<'t>, chunks: Chunks) -> Result<T> {
        (self.finish)(i, document, Cut::new(document, chunks))
    }

    /// The texts that are indexed in parts; one that is no text is found to be none when it is cut.
    fn longs(&self, texts: Range<usize>) -> Vec<Long<'t>> {
        let is_long = |&i: &usize| self.texts.n_bytes(i) > LONG_BYTES;
        let long = |number: usize| {
            let document = self.texts.document(number).ok()?;
            let spans = self.unit.parts(document.text(), PART_BYTES);
            let n_left = AtomicUsize::new(spans.len());
            Some(Long { number, document, spans, parts: Mutex::default(), n_left })
        };
        let longs = texts.filter(is_long).filter_map(long);
        longs.filter(|long| long.spans.len() > 1).collect()
    }

    /// Indexes a part; with the last one the whole text is.
    fn part(&self, long: &Long<'t>, part: usize, pulse: Pulse<'_>) -> Result<Option<Prepared>> {
        let text = long.document.text();
        let part = self.unit.prepare_part(text, long.spans[part], pulse)?;
        let mut parts = long.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts.extend(part);
        let is_last = long.n_left.fetch_sub(1, Ordering::Relaxed) == 1;
        Ok(is_last.then(|| self.unit.join(text.len(), &parts)))
    }
}

/// One task for each text or part of one, in order.
fn tasks<'l, 'a>(texts: Range<usize>, longs: &'l [Long<'a>]) -> Vec<Task<'l, 'a>> {
    let (mut tasks, mut longs) = (Vec::with_capacity(texts.len()), longs.iter().peekable());
    for i in texts {
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

#[cfg(test)]
mod tests;

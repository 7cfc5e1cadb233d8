//! Crews: threads that take a run's steps in turn, and keep what becomes of each item.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::Pulse;

use crate::host::Host;
use crate::threads::share;

/// For each item what became of it.
type Done<T> = Vec<OnceLock<Result<T>>>;

/// Threads that share a run, and what ends it.
#[derive(Clone, Copy)]
pub struct Crew<'a> {
    /// How many threads, at most, the calling one among them.
    pub workers: usize,
    /// Who started the run.
    pub host: &'a dyn Host,
    /// Whether what is behind something that fails is to be done.
    pub collects: bool,
}

impl Crew<'_> {
    /// What becomes of each of `n` items, whose numbers the tasks have, ascending; a step gives nothing
    /// unless it was the last one for its item.
    ///
    /// The calling thread does `first` before anything else. Unless errors are collected, items behind the
    /// first one that fails may be [`Error::Interrupted`].
    ///
    /// # Errors
    /// What the host stops the run for, or that of `first`.
    pub fn each<U: Send + Sync>(
        &self,
        n: usize,
        n_tasks: usize,
        number: impl Fn(usize) -> usize + Sync,
        first: impl FnOnce() -> Result<()>,
        step: impl Fn(usize, Pulse<'_>) -> Option<Result<U>> + Sync,
    ) -> Result<Vec<Result<U>>> {
        let done: Done<U> = (0..n).map(|_| OnceLock::new()).collect();
        let last = AtomicUsize::new(n);
        share(self.workers, n_tasks, &|| self.host.listen(), first, |task, pulse| {
            let number = number(task);
            // Those before it are done: they may fail as well.
            if number > last.load(Ordering::Relaxed) {
                return Ok(());
            }
            let result = step(task, pulse);
            if !self.collects && matches!(result, Some(Err(_))) {
                last.fetch_min(number, Ordering::Relaxed);
            }
            result.map_or(Ok(()), |result| keep(&done[number], result, self.host, pulse))
        })?;
        let result = |done: OnceLock<_>| done.into_inner().unwrap_or(Err(Error::Interrupted));
        Ok(done.into_iter().map(result).collect())
    }
}

/// Keeps what became of an item. An error is the item's own, unless the run is to stop.
fn keep<T>(
    done: &OnceLock<Result<T>>,
    result: Result<T>,
    host: &dyn Host,
    pulse: Pulse<'_>,
) -> Result<()> {
    pulse()?;
    let result = match result {
        Err(error) if host.stops_for(&error) => return Err(error),
        result => result,
    };
    // A part that fails may have failed before.
    let _ = done.set(result);
    Ok(())
}

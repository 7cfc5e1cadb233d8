//! Threads that share one run of tasks; they are made for the run and gone after it: a fork finds none.

use std::cell::Cell;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder, Thread};
use std::time::{Duration, Instant};

use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::Pulse;

use crate::stop::StopFlag;

/// How often the caller's pulse is felt: it may cost more than the work between two pulses of a task.
const LISTENING: Duration = Duration::from_millis(20);

/// As many threads as this process may run at once.
pub fn available() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Runs `task(i)` for each `i` below `n_tasks` on up to `workers` threads, the calling one among them.
///
/// The calling thread does `first` before anything else, while others have begun. Tasks are begun in
/// ascending order. The first one that fails stops the run, as does `listen`, which the calling thread
/// asks every 20 ms.
///
/// # Errors
/// That of `listen`, of `first` or of a task, whichever came first.
pub fn share(
    workers: usize,
    n_tasks: usize,
    listen: Pulse<'_>,
    first: impl FnOnce() -> Result<()>,
    task: impl Fn(usize, Pulse<'_>) -> Result<()> + Sync,
) -> Result<()> {
    let run = Run {
        task,
        n_tasks,
        next: AtomicUsize::new(0),
        stop: StopFlag::default(),
        error: Mutex::default(),
    };
    run.on_threads(workers.min(n_tasks), listen, first);
    let error = run.error.into_inner().unwrap_or_else(PoisonError::into_inner);
    error.map_or(Ok(()), Err)
}

struct Run<F> {
    task: F,
    n_tasks: usize,
    next: AtomicUsize,
    stop: StopFlag,
    error: Mutex<Option<Error>>,
}

impl<F: Fn(usize, Pulse<'_>) -> Result<()> + Sync> Run<F> {
    fn on_threads(&self, workers: usize, listen: Pulse<'_>, first: impl FnOnce() -> Result<()>) {
        let n_busy = AtomicUsize::new(0);
        let caller = thread::current();
        thread::scope(|scope| {
            for _ in 1..workers {
                let busy = Busy::new(&n_busy, &caller);
                let help = move || {
                    // What the task calls back asks for itself whether it is to go on.
                    self.stop.obey();
                    self.work(&|| self.go_on());
                    drop(busy);
                };
                // Where no more threads can be had, those that there are do the work.
                if Builder::new().spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            if let Err(error) = first() {
                self.fail(error);
            }
            let heard = Cell::new(Instant::now());
            let pulse = || self.listen(&heard, listen);
            self.work(&pulse);
            while n_busy.load(Ordering::Acquire) > 0 {
                thread::park_timeout(LISTENING);
                let _ = pulse();
            }
        });
    }

    fn work(&self, pulse: Pulse<'_>) {
        while !self.stop.is_set() {
            let task = self.next.fetch_add(1, Ordering::Relaxed);
            if task >= self.n_tasks {
                return;
            }
            if let Err(error) = (self.task)(task, pulse) {
                self.fail(error);
            }
        }
    }

    fn go_on(&self) -> Result<()> {
        if self.stop.is_set() { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// The calling thread's pulse.
    fn listen(&self, heard: &Cell<Instant>, listen: Pulse<'_>) -> Result<()> {
        self.go_on()?;
        if heard.get().elapsed() < LISTENING {
            return Ok(());
        }
        heard.set(Instant::now());
        listen().map_err(|error| {
            self.fail(error);
            Error::Interrupted
        })
    }

    /// Ends the run for the first reason there is.
    fn fail(&self, error: Error) {
        let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(error);
        self.stop.set();
    }
}

/// A thread that has not ended; when it does, the caller is woken.
struct Busy<'a> {
    n_busy: &'a AtomicUsize,
    caller: &'a Thread,
}

impl<'a> Busy<'a> {
    fn new(n_busy: &'a AtomicUsize, caller: &'a Thread) -> Self {
        n_busy.fetch_add(1, Ordering::Relaxed);
        Self { n_busy, caller }
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.n_busy.fetch_sub(1, Ordering::Release);
        self.caller.unpark();
    }
}

#[cfg(test)]
mod tests;

//! Host of a run: the signals of the program that started it, and errors that end the run.

use chunkwright_text::error::{Error, Result};

/// The program that starts a run.
pub trait Host: Sync {
    /// Looks for reasons to stop, such as a signal. The thread that started the run asks, every 20 ms.
    ///
    /// # Errors
    /// The reason to stop.
    fn listen(&self) -> Result<()> {
        Ok(())
    }

    /// Whether an error that the caller's own code gave for a text ends the whole run, and not that text
    /// alone; any thread asks.
    fn stops_for(&self, _error: &Error) -> bool {
        false
    }

    /// Takes the error of a document that failed by itself, with its row in the table or stream.
    fn failed(&self, _row: usize, _error: Error) {}
}

/// No program that would stop a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl Host for NoHost {}

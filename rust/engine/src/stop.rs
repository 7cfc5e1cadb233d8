//! Flag that stops what several threads do for one call.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// What the thread obeys.
    static OBEYED: RefCell<Option<StopFlag>> = const { RefCell::new(None) };
}

/// Stops the threads that obey it, once it is set; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Makes the calling thread obey this flag, and no other, from now on: [`is_stopped`] says so where
    /// no pulse of this flag's run is at hand.
    pub fn obey(&self) {
        OBEYED.set(Some(self.clone()));
    }

    /// Stops the threads that obey.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Whether the calling thread has been stopped.
pub fn is_stopped() -> bool {
    OBEYED.with_borrow(|flag| flag.as_ref().is_some_and(StopFlag::is_set))
}

//! Cancellation of long work: a pulse that is asked whether to go on, and a beat that counts work between.
//!
//! A function of the core may run for minutes on one thread, and must not know who waits for it: Ctrl-C in
//! Python, a client that hung up, a time limit. So it takes a function that it calls now and then, and returns
//! the error that the function gives. Asking costs something (Python has to be asked for signals), so a [`Beat`]
//! counts work and asks once for some milliseconds of it.
//!
//! ```
//! use chunkwright_text::error::Error;
//! use chunkwright_text::pulse::Beat;
//!
//! let stop = || Err(Error::Config("nobody waits any more".into()));
//! let beat = Beat::every(1000, &stop);
//! assert!(beat.after(1).is_err()); // the first unit of work asks
//! assert!(beat.after(999).is_ok());
//! assert!(beat.after(2).is_err());
//! ```

use std::cell::Cell;

use crate::error::Result;

/// Asked now and then during long work whether to go on.
///
/// The engine calls it at least once per few hundred kilobytes of text.
pub type Pulse<'a> = &'a dyn Fn() -> Result<()>;

/// A pulse that never stops the work.
pub const fn no_pulse() -> Pulse<'static> {
    &|| Ok(())
}

/// Work that a chunk costs beside its text, in bytes of text that take as long.
pub const CHUNK_BYTES: usize = 256;

/// Counter of work that asks a [`Pulse`] once per so many units, since asking may cost more than a unit does.
pub struct Beat<'p> {
    pulse: Pulse<'p>,
    period: usize,
    n_left: Cell<usize>,
}

impl<'p> Beat<'p> {
    /// Bytes of text that are segmented, measured and cut in a few milliseconds.
    const BYTES: usize = 1 << 17;
    /// Vectors that are added up or compared in a few milliseconds.
    const VECTORS: usize = 1 << 14;
    /// Numbers of an array that are read in a few milliseconds.
    const NUMBERS: usize = 1 << 22;

    /// A beat that asks at its first unit of work, and then whenever `period` more are done.
    pub const fn every(period: usize, pulse: Pulse<'p>) -> Self {
        Self { pulse, period, n_left: Cell::new(0) }
    }

    /// A beat whose units are bytes of text.
    pub const fn of_bytes(pulse: Pulse<'p>) -> Self {
        Self::every(Self::BYTES, pulse)
    }

    /// A beat whose units are vectors.
    pub const fn of_vectors(pulse: Pulse<'p>) -> Self {
        Self::every(Self::VECTORS, pulse)
    }

    /// A beat whose units are numbers of arrays.
    pub const fn of_numbers(pulse: Pulse<'p>) -> Self {
        Self::every(Self::NUMBERS, pulse)
    }

    /// The pulse itself.
    pub const fn pulse(&self) -> Pulse<'p> {
        self.pulse
    }

    /// Counts `n` units of work, done or about to be; at least one, as no step is free.
    ///
    /// # Errors
    /// Those of the pulse.
    #[inline]
    pub fn after(&self, n: usize) -> Result<()> {
        let n_left = self.n_left.get().checked_sub(n.max(1));
        self.n_left.set(n_left.unwrap_or(self.period));
        if n_left.is_some() { Ok(()) } else { (self.pulse)() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn it_asks_at_once_and_then_once_a_period() {
        let n_asked = Cell::new(0);
        let pulse = || {
            n_asked.set(n_asked.get() + 1);
            Ok(())
        };
        let beat = Beat::every(10, &pulse);
        let asked = |n: usize| {
            beat.after(n).unwrap();
            n_asked.get()
        };
        assert_eq!([asked(3), asked(10), asked(0), asked(9), asked(usize::MAX)], [1, 1, 2, 2, 3]);
        assert_eq!([asked(9), asked(0), asked(0)], [3, 3, 4]);
    }

    #[test]
    fn it_says_what_the_pulse_says() {
        let stop = || Err(Error::Interrupted);
        let beat = Beat::every(2, &stop);
        assert!(beat.after(1).is_err() && beat.after(2).is_ok() && beat.after(1).is_err());
    }
}

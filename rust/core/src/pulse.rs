//! Cancellation of long work: a pulse that is asked whether to go on.

use crate::error::Result;

/// Asked now and then during long work whether to go on.
///
/// The engine calls it at least once per few hundred kilobytes of text.
pub type Pulse<'a> = &'a dyn Fn() -> Result<()>;

/// A pulse that never stops the work.
pub const fn no_pulse() -> Pulse<'static> {
    &|| Ok(())
}

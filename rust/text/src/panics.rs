//! Panics of other people's crates, caught where they happen.
//!
//! A crate that parses what strangers wrote may panic on a text that nobody has tried, and a panic must not leave
//! the core. The hook of a program would print it all the same; a flag of the thread tells it that this one will
//! be caught.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread runs code whose panics are caught: a panic hook may stay silent.
pub fn is_guarded() -> bool {
    IS_GUARDED.get()
}

/// Runs `work`: its result, or the message of its panic.
///
/// ```
/// use chunkwright_text::panics::{caught, is_guarded};
///
/// assert_eq!(caught(|| 1 + 1), Ok(2));
/// assert_eq!(caught(|| is_guarded()), Ok(true)); // so a hook can stay silent
/// assert!(!is_guarded());
/// ```
///
/// # Errors
/// The message.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let was_guarded = IS_GUARDED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(was_guarded);
    done.map_err(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
        message.unwrap_or("no reason given").to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_its_message() {
        assert_eq!(caught(|| 1), Ok(1));
        let nested = caught(|| (caught(|| panic!("inner {}", 1)), is_guarded()));
        assert_eq!(nested, Ok((Err::<(), _>("inner 1".to_owned()), true)));
        assert_eq!(caught(|| std::panic::panic_any(1)), Err::<(), _>("no reason given".to_owned()));
        assert!(!is_guarded());
    }
}

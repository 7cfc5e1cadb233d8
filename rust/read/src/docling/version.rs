//! Versions of the schema that can be read.

use chunkwright_text::error::{Error, Result};

/// The latest version that is known.
const MAJOR: u64 = 1;
const MINOR: u64 = 10;

/// Whether a document of that version can be read; one that names none is of the latest.
///
/// # Errors
/// [`Error::Read`] names the version.
pub fn check(version: Option<&str>) -> Result<()> {
    let Some(version) = version else { return Ok(()) };
    let mut numbers = version.splitn(3, '.').map(|number| number.parse::<u64>().ok());
    let parts = (numbers.next().flatten(), numbers.next().flatten(), numbers.next());
    if matches!(parts, (Some(MAJOR), Some(0..=MINOR), Some(_))) {
        return Ok(());
    }
    let message = format!("a DoclingDocument of version {version:?} cannot be read:");
    Err(Error::read(format!("{message} known are {MAJOR}.0.0 to {MAJOR}.{MINOR}")))
}

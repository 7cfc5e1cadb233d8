//! Search for how many of a sequence fit, from a guess by the sum of their sizes.

use crate::error::Result;

/// Sizes that do not add up (tokens) are guessed too high at times: so many more are tried.
const MORE: usize = 4;

/// The greatest end found near `guess`, between `first` (nothing) and `last`, for which `fits` says so.
///
/// Asks O(1) times where sizes add up, and O(log n) times otherwise.
///
/// ```
/// use chunkwright_text::cut::table::lines::fit::fit;
///
/// // Seven fit; the guess is off by two.
/// let mut asked = 0;
/// let end = fit(0, 5, 100, |end| {
///     asked += 1;
///     Ok(end <= 7)
/// })?;
/// assert_eq!(end, 7);
/// assert!(asked < 10);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// Those of `fits`.
pub fn fit(
    first: usize,
    guess: usize,
    last: usize,
    mut fits: impl FnMut(usize) -> Result<bool>,
) -> Result<usize> {
    let mut end = guess.clamp(first, last);
    let mut step = 1;
    while end > first && !fits(end)? {
        end -= step.min(end - first);
        step *= 2;
    }
    if step > 1 && end > first {
        return Ok(end);
    }
    let most = last.min(end + MORE);
    while end < most && fits(end + 1)? {
        end += 1;
    }
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guess_is_corrected() {
        let fits = |end| Ok(end <= 7);
        for guess in [0, 3, 6, 7, 8, 100] {
            let end = fit(0, guess, 50, fits).unwrap();
            assert!((1..=7).contains(&end), "{guess}: {end}");
        }
        assert_eq!(fit(5, 7, 50, fits).unwrap(), 7);
        assert_eq!(fit(8, 9, 50, fits).unwrap(), 8);
        assert_eq!(fit(2, 2, 3, fits).unwrap(), 3);
    }
}

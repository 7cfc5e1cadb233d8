//! How far a chunk reaches back into the one before.

use crate::error::Result;
use crate::measure::Measure;
use crate::options::{Limits, OverlapAt};
use crate::segment::space::skip_space;
use crate::segment::{grapheme, word};
use crate::span::Span;

/// Where the overlap of a chunk whose own text begins at `body` starts; `body` itself if there is none.
///
/// It reaches back to `floor` at most and has at most `limits.overlap()` units.
///
/// # Errors
/// Those of the measure.
pub fn start(
    text: &str,
    measure: &dyn Measure,
    limits: Limits,
    at: OverlapAt,
    floor: usize,
    body: usize,
) -> Result<usize> {
    if limits.overlap() == 0 || floor >= body {
        return Ok(body);
    }
    let reach = measure.longest_back(body, limits.overlap())?.max(floor);
    let mut start = begin(text, at, floor, reach, body);
    // A later start may have more units than an earlier one; each step is one word or grapheme.
    while start < body && measure.size(Span::new(start, body))? > limits.overlap() {
        start = begin(text, at, floor, start + 1, body);
    }
    Ok(start)
}

/// The first start that is allowed from `reach` on.
fn begin(text: &str, at: OverlapAt, floor: usize, reach: usize, body: usize) -> usize {
    let reach = text.ceil_char_boundary(reach);
    let start = match at {
        OverlapAt::Word => word::first_start(text, reach, body).unwrap_or(body),
        OverlapAt::Any => grapheme::ceil(text, floor, reach).min(body),
    };
    skip_space(&text[..body], start)
}

//! Columns that say how chunks end: `score`, null where there is none, and `reason`.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, StringArray};
use arrow_schema::{DataType, Field};
use chunkwright_core::boundaries::Ending;

/// The columns that [`columns`] gives.
pub fn fields() -> [Field; 2] {
    let score = Field::new("score", DataType::Float64, true);
    [score, Field::new("reason", DataType::Utf8, false)]
}

/// A row for each of `endings`.
pub fn columns(endings: impl Iterator<Item = Ending> + Clone) -> [ArrayRef; 2] {
    let scores = endings.clone().map(|ending| ending.score).collect::<Float64Array>();
    let reasons = StringArray::from_iter_values(endings.map(|ending| ending.reason.name()));
    [Arc::new(scores), Arc::new(reasons)]
}

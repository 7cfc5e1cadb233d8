//! Columns that say how chunks end: `score`, null where there is none, and `reason`.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, StringArray};
use arrow_schema::{DataType, Field};
use chunkwright_core::boundaries::Ending;
use chunkwright_core::rows;

/// The columns that [`columns`] gives; whether there may be rows that have no ending.
pub fn fields(is_nullable: bool) -> [Field; 2] {
    let score = Field::new(rows::SCORE, DataType::Float64, true);
    [score, Field::new(rows::REASON, DataType::Utf8, is_nullable)]
}

/// A row for each of `endings`.
pub fn columns(endings: impl Iterator<Item = Option<Ending>> + Clone) -> [ArrayRef; 2] {
    let scores = endings.clone().map(|ending| ending?.score).collect::<Float64Array>();
    let reasons = endings.map(|ending| Some(ending?.reason.name())).collect::<StringArray>();
    [Arc::new(scores), Arc::new(reasons)]
}

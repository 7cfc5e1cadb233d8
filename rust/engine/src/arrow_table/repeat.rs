//! Repetition of the rows of an Arrow column, each as often as wanted.

use arrow_array::{Array, ArrayRef, make_array};
use arrow_data::transform::MutableArrayData;
use arrow_schema::{ArrowError, DataType};

use super::width::width;

/// The rows `rows` of `column`, in that order.
///
/// Rows that follow one another in the column are copied together. O(n) in the values copied.
///
/// # Errors
/// [`ArrowError::OffsetOverflowError`] and the like, where the type cannot hold as much.
pub fn repeat(column: &dyn Array, rows: &[usize]) -> Result<ArrayRef, ArrowError> {
    check_offsets(column, rows)?;
    let data = column.to_data();
    let mut copied = MutableArrayData::try_new(vec![&data], false, rows.len())?;
    let mut rest = rows;
    while let Some(&first) = rest.first() {
        let follows = |(i, &row): (usize, &usize)| row == first + i;
        let n_rows = rest.iter().enumerate().take_while(|&item| follows(item)).count();
        copied.try_extend(0, first, first + n_rows)?;
        rest = &rest[n_rows..];
    }
    Ok(make_array(copied.freeze()))
}

/// Sees that offsets of 32 bits reach, before gigabytes are copied.
fn check_offsets(column: &dyn Array, rows: &[usize]) -> Result<(), ArrowError> {
    if !matches!(column.data_type(), DataType::Utf8 | DataType::Binary) {
        return Ok(());
    }
    let n_bytes = rows.iter().map(|&row| width(column, row)).sum();
    i32::try_from(n_bytes).map(drop).map_err(|_| ArrowError::OffsetOverflowError(n_bytes))
}

//! Checks of Arrow data that other libraries made, and of their types.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_data::ArrayData;
use arrow_schema::DataType;
use chunkwright_text::error::{Error, Result};

use super::ArrowResult;

/// What `work` gives, a panic of Arrow's library as an error: data that nobody has checked is behind it.
///
/// # Errors
/// Those of `work`.
pub fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    // What `work` leaves behind is not used after an error.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(contradiction(reason(&*panic))))
}

fn reason(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown")
}

/// Checks that there are arrays of type `kind`, whatever schema they came with.
///
/// # Errors
/// What is wrong with it.
pub fn check_type(kind: &DataType) -> std::result::Result<(), String> {
    match kind {
        DataType::FixedSizeBinary(size) | DataType::FixedSizeList(_, size) if *size < 0 => {
            return Err(format!("a value of {kind} cannot have the size {size}"));
        }
        DataType::Dictionary(key, value) => {
            if !DataType::is_dictionary_key_type(key) {
                return Err(format!("the indices of a dictionary cannot be of type {key}"));
            }
            return check_type(value);
        }
        _ => {}
    }
    nested(kind).into_iter().try_for_each(check_type)
}

/// The types of the children of an array.
pub fn nested(kind: &DataType) -> Vec<&DataType> {
    match kind {
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => vec![item.data_type()],
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        DataType::Union(fields, _) => fields.iter().map(|(_, field)| field.data_type()).collect(),
        DataType::RunEndEncoded(ends, values) => vec![ends.data_type(), values.data_type()],
        _ => Vec::new(),
    }
}

/// Checks the columns of a table, or an array of another type, but not whether strings are UTF-8, in
/// linear time.
///
/// # Errors
/// An [`Error::Read`] that says what contradicts the schema.
pub fn check_columns(data: &ArrayData) -> Result<()> {
    if let DataType::Struct(fields) = data.data_type() {
        for (field, column) in fields.iter().zip(data.child_data()) {
            let named = |error| contradiction(&format!("column {:?}: {error}", field.name()));
            check_data(column).map_err(|error| named(error.to_string()))?;
            let n_nulls = column.null_count();
            if !field.is_nullable() && data.nulls().is_none() && n_nulls > 0 {
                return Err(named(format!("it cannot be null, but {n_nulls} rows are")));
            }
        }
        return data.validate_data().map_err(|error| contradiction(&error.to_string()));
    }
    check_data(data).map_err(|error| contradiction(&error.to_string()))
}

/// Checks lengths, offsets, indices and counts.
fn check_data(data: &ArrayData) -> ArrowResult<()> {
    let bytes = match data.data_type() {
        DataType::Utf8 => Some(DataType::Binary),
        DataType::LargeUtf8 => Some(DataType::LargeBinary),
        DataType::Utf8View => Some(DataType::BinaryView),
        _ => None,
    };
    match bytes {
        // To build it is to check it.
        Some(bytes) => drop(data.clone().into_builder().data_type(bytes).build()?),
        None => data.validate_data()?,
    }
    data.child_data().iter().try_for_each(check_data)
}

/// Arrow data that are not what their schema says.
pub fn contradiction(reason: &str) -> Error {
    Error::read(format!("the Arrow data contradict their schema: {reason}"))
}

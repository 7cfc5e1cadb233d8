//! Column of strings whose bytes nobody has checked yet.

use arrow_array::cast::AsArray;
use arrow_array::{Array, BinaryArray, BinaryViewArray, LargeBinaryArray};
use arrow_schema::DataType;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::span::Span;

/// `string`, `large_string` or `string_view`, as bytes: a producer may say of any that they are UTF-8. So are
/// `binary`, `large_binary` and `binary_view` that hold files.
#[derive(Clone, Debug)]
pub enum Strings {
    /// Offsets of 32 bits.
    Short(BinaryArray),
    /// Offsets of 64 bits.
    Long(LargeBinaryArray),
    /// Views.
    View(BinaryViewArray),
}

impl Strings {
    /// The strings of `column`; nothing is copied.
    ///
    /// # Errors
    /// If it holds none.
    pub fn of(column: &dyn Array) -> Result<Self> {
        match column.data_type() {
            DataType::Utf8 => Ok(Self::Short(column.as_string::<i32>().clone().into())),
            DataType::LargeUtf8 => Ok(Self::Long(column.as_string::<i64>().clone().into())),
            DataType::Utf8View => Ok(Self::View(column.as_string_view().clone().to_binary_view())),
            DataType::Binary => Ok(Self::Short(column.as_binary::<i32>().clone())),
            DataType::LargeBinary => Ok(Self::Long(column.as_binary::<i64>().clone())),
            DataType::BinaryView => Ok(Self::View(column.as_binary_view().clone())),
            other => Err(Error::read(format!("a column of strings is of type {other}"))),
        }
    }

    fn array(&self) -> &dyn Array {
        match self {
            Self::Short(array) => array,
            Self::Long(array) => array,
            Self::View(array) => array,
        }
    }

    /// Whether there is a string in `row`.
    pub fn is_some(&self, row: usize) -> bool {
        self.array().is_valid(row)
    }

    /// The bytes in `row`; any for a null.
    pub fn bytes(&self, row: usize) -> &[u8] {
        match self {
            Self::Short(array) => array.value(row),
            Self::Long(array) => array.value(row),
            Self::View(array) => array.value(row),
        }
    }

    /// The string in `row`; the empty one for a null. An error counts rows from `first`.
    ///
    /// # Errors
    /// A `ReadError` if it is no UTF-8.
    pub fn string(&self, row: usize, first: usize) -> Result<&str> {
        if !self.is_some(row) {
            return Ok("");
        }
        self.part(row, Span::new(0, self.bytes(row).len()), first)
    }

    /// The part of the string in `row` that is `span`; as [`Strings::string`].
    ///
    /// # Errors
    /// A `ReadError` if it is no UTF-8.
    pub fn part(&self, row: usize, span: Span, first: usize) -> Result<&str> {
        utf8(&self.bytes(row)[span.range()]).map_err(|at| {
            let (row, at) = (first + row, span.start + at);
            Error::read(format!("the string in row {row} is not valid UTF-8 from byte {at} on"))
        })
    }

    /// The string in `row`, which is no row of a table; the empty one for a null.
    ///
    /// # Errors
    /// A `ReadError` if it is no UTF-8.
    pub fn item(&self, row: usize) -> Result<&str> {
        let bytes = if self.is_some(row) { self.bytes(row) } else { &[] };
        utf8(bytes)
            .map_err(|at| Error::read(format!("a string is not valid UTF-8 from byte {at} on")))
    }
}

/// Bytes as a string, or the place of the first that is no UTF-8.
fn utf8(bytes: &[u8]) -> std::result::Result<&str, usize> {
    std::str::from_utf8(bytes).map_err(|error| error.valid_up_to())
}

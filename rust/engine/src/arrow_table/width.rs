//! Width of a row in a column: the bytes that repeating it costs.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{BinaryType, ByteArrayType, LargeBinaryType, LargeUtf8Type, Utf8Type};
use arrow_array::{Array, ArrayRef, GenericListArray, OffsetSizeTrait};
use arrow_buffer::ArrowNativeType;
use arrow_schema::DataType;

/// Bytes of a view, and about those of what else is not known here.
const VIEW_BYTES: usize = 16;

/// About as many bytes as the value in `row` takes, in time linear in the items that it nests.
pub fn width(column: &dyn Array, row: usize) -> usize {
    match column.data_type() {
        DataType::Utf8 => length::<Utf8Type>(column, row),
        DataType::LargeUtf8 => length::<LargeUtf8Type>(column, row),
        DataType::Binary => length::<BinaryType>(column, row),
        DataType::LargeBinary => length::<LargeBinaryType>(column, row),
        DataType::List(_) => items(column.as_list::<i32>(), row),
        DataType::LargeList(_) => items(column.as_list::<i64>(), row),
        DataType::FixedSizeList(..) => {
            let list = column.as_fixed_size_list();
            let n_items = list.value_length().as_usize();
            all(list.values(), row * n_items..(row + 1) * n_items)
        }
        DataType::Map(..) => {
            let (map, offsets) = (column.as_map(), column.as_map().value_offsets());
            let range = offsets[row].as_usize()..offsets[row + 1].as_usize();
            map.entries().columns().iter().map(|part| all(part, range.clone())).sum()
        }
        DataType::Struct(_) => {
            column.as_struct().columns().iter().map(|part| width(part, row)).sum()
        }
        DataType::Dictionary(key, _) => key.primitive_width().unwrap_or(VIEW_BYTES),
        DataType::FixedSizeBinary(n_bytes) => n_bytes.as_usize(),
        DataType::Null | DataType::Boolean => 1,
        other => other.primitive_width().unwrap_or(VIEW_BYTES),
    }
}

fn length<T: ByteArrayType>(column: &dyn Array, row: usize) -> usize {
    column.as_bytes::<T>().value_length(row).as_usize()
}

fn items<O: OffsetSizeTrait>(list: &GenericListArray<O>, row: usize) -> usize {
    let offsets = list.value_offsets();
    all(list.values(), offsets[row].as_usize()..offsets[row + 1].as_usize())
}

fn all(values: &ArrayRef, rows: Range<usize>) -> usize {
    let each = values.data_type().primitive_width();
    each.map_or_else(|| rows.clone().map(|row| width(values, row)).sum(), |each| each * rows.len())
}

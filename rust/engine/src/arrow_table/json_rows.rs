//! Rows of Arrow columns as JSON objects: compact, in UTF-8, without an object of Python's for each.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, LargeStringArray, ListArray,
    StringArray, StructArray,
};
use arrow_schema::DataType;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};
use serde::Serialize;

/// Bytes of the names and numbers of a row, about.
const ROW_BYTES: usize = 384;

/// The rows of columns, with `separator` between them: each a JSON object with a member for each column. A null, and
/// a number that JSON cannot say, is `null`. O(n).
///
/// # Errors
/// If a column is of a type that columns of chunks do not have; what `pulse` says.
pub fn json_rows(rows: &StructArray, separator: &[u8], pulse: Pulse<'_>) -> Result<Vec<u8>> {
    let (members, beat) = (members(rows)?, Beat::of_bytes(pulse));
    let mut json = Vec::with_capacity(rows.get_buffer_memory_size() + rows.len() * ROW_BYTES);
    for row in 0..rows.len() {
        let before = json.len();
        json.extend_from_slice(if row > 0 { separator } else { b"" });
        write_object(&mut json, &members, row);
        beat.after(json.len() - before)?;
    }
    Ok(json)
}

/// A column: its name as it stands in front of each of its values, and the values.
struct Member<'a> {
    key: Vec<u8>,
    values: Values<'a>,
}

/// The values of a column.
enum Values<'a> {
    Strings(&'a StringArray),
    LargeStrings(&'a LargeStringArray),
    Integers(&'a Int64Array),
    Floats(&'a Float64Array),
    Booleans(&'a BooleanArray),
    Lists(&'a ListArray, Box<Self>),
    Objects(Vec<Member<'a>>),
    Nulls,
}

fn members<'a>(rows: &'a StructArray) -> Result<Vec<Member<'a>>> {
    let names = rows.column_names().into_iter().enumerate();
    let member = |((n, name), column): ((usize, &str), &'a ArrayRef)| {
        let mut key = if n > 0 { vec![b','] } else { Vec::new() };
        write(&mut key, name);
        key.push(b':');
        Ok(Member { key, values: values(column)? })
    };
    names.zip(rows.columns()).map(member).collect()
}

fn values(column: &dyn Array) -> Result<Values<'_>> {
    Ok(match column.data_type() {
        DataType::Utf8 => Values::Strings(column.as_string()),
        DataType::LargeUtf8 => Values::LargeStrings(column.as_string()),
        DataType::Int64 => Values::Integers(column.as_primitive::<Int64Type>()),
        DataType::Float64 => Values::Floats(column.as_primitive::<Float64Type>()),
        DataType::Boolean => Values::Booleans(column.as_boolean()),
        DataType::Null => Values::Nulls,
        DataType::List(_) => {
            let lists = column.as_list::<i32>();
            Values::Lists(lists, Box::new(values(lists.values())?))
        }
        DataType::Struct(_) => Values::Objects(members(column.as_struct())?),
        other => {
            let message = format!("a column of chunks cannot be of type {other}");
            return Err(Error::Config(message));
        }
    })
}

impl Values<'_> {
    /// Writes the value of row `at`.
    fn write(&self, json: &mut Vec<u8>, at: usize) {
        match self {
            Self::Strings(all) => write(json, &all.is_valid(at).then(|| all.value(at))),
            Self::LargeStrings(all) => write(json, &all.is_valid(at).then(|| all.value(at))),
            Self::Integers(all) => write(json, &all.is_valid(at).then(|| all.value(at))),
            Self::Floats(all) => write(json, &all.is_valid(at).then(|| all.value(at))),
            Self::Booleans(all) => write(json, &all.is_valid(at).then(|| all.value(at))),
            Self::Objects(members) => write_object(json, members, at),
            Self::Lists(lists, items) if lists.is_valid(at) => {
                let ends = lists.value_offsets();
                json.push(b'[');
                for item in ends[at]..ends[at + 1] {
                    json.extend_from_slice(if item > ends[at] { b"," } else { b"" });
                    items.write(json, usize::try_from(item).unwrap_or_default());
                }
                json.push(b']');
            }
            Self::Lists(..) | Self::Nulls => json.extend_from_slice(b"null"),
        }
    }
}

fn write_object(json: &mut Vec<u8>, members: &[Member<'_>], row: usize) {
    json.push(b'{');
    for member in members {
        json.extend_from_slice(&member.key);
        member.values.write(json, row);
    }
    json.push(b'}');
}

/// Writes a value of which JSON can say all; a number that is none is `null`.
fn write<T: Serialize + ?Sized>(json: &mut Vec<u8>, value: &T) {
    // Writing to memory cannot fail.
    let _ = serde_json::to_writer(json, value);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::builder::{ListBuilder, StringBuilder};
    use arrow_array::{Int32Array, NullArray};
    use arrow_schema::Field;

    use super::*;

    fn table(columns: Vec<(&str, ArrayRef)>) -> StructArray {
        let column = |(name, values): (&str, ArrayRef)| {
            (Arc::new(Field::new(name, values.data_type().clone(), true)), values)
        };
        StructArray::from(columns.into_iter().map(column).collect::<Vec<_>>())
    }

    fn json(rows: &StructArray, separator: &[u8]) -> String {
        String::from_utf8(json_rows(rows, separator, &|| Ok(())).unwrap()).unwrap()
    }

    #[test]
    fn rows_are_objects_of_their_values() {
        let mut lists = ListBuilder::new(StringBuilder::new());
        lists.append_value([Some("A"), Some("B")]);
        lists.append_value([None::<&str>; 0]);
        lists.append_null();
        let boxes = table(vec![("page", Arc::new(Int64Array::from(vec![Some(1), None, Some(3)])))]);
        let rows = table(vec![
            ("a \"b\"", Arc::new(StringArray::from(vec![Some("é\n\"\\\u{1}😀"), None, Some("")]))),
            ("large", Arc::new(LargeStringArray::from(vec![Some("x"), None, None]))),
            ("n", Arc::new(Int64Array::from(vec![Some(i64::MIN), None, Some(i64::MAX)]))),
            ("x", Arc::new(Float64Array::from(vec![Some(1.0), Some(f64::NAN), Some(-1e300)]))),
            ("is", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)]))),
            ("of", Arc::new(lists.finish())),
            ("box", Arc::new(boxes)),
            ("no", Arc::new(NullArray::new(3))),
        ]);
        let lines = json(&rows, b"\n");
        let lines: Vec<_> = lines.split('\n').collect();
        assert_eq!(
            lines,
            [
                r#"{"a \"b\"":"é\n\"\\\u0001😀","large":"x","n":-9223372036854775808,"x":1.0,"is":true,"of":["A","B"],"box":{"page":1},"no":null}"#,
                r#"{"a \"b\"":null,"large":null,"n":null,"x":null,"is":null,"of":[],"box":{"page":null},"no":null}"#,
                r#"{"a \"b\"":"","large":null,"n":9223372036854775807,"x":-1e+300,"is":false,"of":null,"box":{"page":3},"no":null}"#,
            ]
        );
    }

    #[test]
    fn separators_stand_between_rows_alone() {
        let numbers = |n| table(vec![("n", Arc::new(Int64Array::from_iter_values(0..n)))]);
        let rows = [0, 1, 3].map(|n| json(&numbers(n), b", "));
        assert_eq!(rows, ["", r#"{"n":0}"#, r#"{"n":0}, {"n":1}, {"n":2}"#]);
    }

    #[test]
    fn a_column_of_another_type_is_refused() {
        let rows = table(vec![("n", Arc::new(Int32Array::from(vec![1])))]);
        let error = json_rows(&rows, b"", &|| Ok(())).unwrap_err();
        assert_eq!(error.to_string(), "a column of chunks cannot be of type Int32");
    }
}

//! Column of lists of structs, each list the elements of a document.

use std::borrow::Cow;
use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type,
};
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::DataType;
use chunkwright_read::element_json::{RawElement, RawMetadata};
use chunkwright_read::scalar::{Scalar, Text};
use chunkwright_text::error::{Error, Result};

use super::strings::Strings;

/// Elements with `type`, `text`, `element_id` and `metadata`, of which `page_number`, `text_as_html`,
/// `category_depth` and `parent_id` are read.
pub struct ElementLists {
    lists: ArrayRef,
    items: StructArray,
    kinds: Option<Strings>,
    texts: Strings,
    ids: Option<ArrayRef>,
    metadata: Option<Metadata>,
}

/// The fields of what else is known of elements.
struct Metadata {
    items: StructArray,
    pages: Option<ArrayRef>,
    html: Option<Strings>,
    depths: Option<ArrayRef>,
    parents: Option<ArrayRef>,
}

impl ElementLists {
    /// The elements in `column`; nothing is copied.
    ///
    /// # Errors
    /// [`Error::Read`] if a field is not of its type, or there are no texts.
    pub fn of(column: &ArrayRef) -> Result<Self> {
        let values = match column.data_type() {
            DataType::List(_) => column.as_list::<i32>().values(),
            DataType::LargeList(_) => column.as_list::<i64>().values(),
            other => return Err(Error::read(format!("elements cannot be of type {other}"))),
        };
        let items = values.as_struct_opt().cloned();
        let items = items.ok_or_else(|| Error::read("elements must be structs"))?;
        let missing = || Error::read("elements have no field \"text\"");
        let texts = items.column_by_name("text").ok_or_else(missing)?;
        let metadata = items.column_by_name("metadata").and_then(|of| of.as_struct_opt());
        Ok(Self {
            lists: column.clone(),
            kinds: strings(&items, "type")?,
            texts: Strings::of(texts)?,
            ids: items.column_by_name("element_id").cloned(),
            metadata: metadata.map(Metadata::of).transpose()?,
            items,
        })
    }

    /// Whether there is a list in `row`.
    pub fn is_some(&self, row: usize) -> bool {
        self.lists.is_valid(row)
    }

    /// Bytes of the texts in `row`.
    pub fn n_bytes(&self, row: usize) -> usize {
        self.range(row).map(|i| self.texts.bytes(i).len()).sum()
    }

    /// The elements in `row`.
    ///
    /// # Errors
    /// [`Error::Read`] if a string is not UTF-8.
    pub fn items(&self, row: usize) -> Result<Vec<RawElement<'_>>> {
        let range = self.range(row);
        let first = range.start;
        let named =
            |i: usize| move |error: Error| Error::read(format!("elements[{}]: {error}", i - first));
        let items = range.filter(|&i| self.items.is_valid(i));
        items.map(|i| self.item(i).map_err(named(i))).collect()
    }

    fn item(&self, i: usize) -> Result<RawElement<'_>> {
        Ok(RawElement {
            kind: text(self.kinds.as_ref(), i)?,
            text: text(Some(&self.texts), i)?,
            id: scalar(self.ids.as_ref(), i)?,
            metadata: self.metadata.as_ref().map(|of| of.item(i)).transpose()?,
        })
    }

    fn range(&self, row: usize) -> Range<usize> {
        let at = |offset: i64| usize::try_from(offset).unwrap_or(0);
        if let Some(lists) = self.lists.as_list_opt::<i32>() {
            let offsets = lists.value_offsets();
            return at(offsets[row].into())..at(offsets[row + 1].into());
        }
        let offsets = self.lists.as_list::<i64>().value_offsets();
        at(offsets[row])..at(offsets[row + 1])
    }
}

impl Metadata {
    fn of(items: &StructArray) -> Result<Self> {
        let column = |name| items.column_by_name(name).cloned();
        Ok(Self {
            items: items.clone(),
            pages: column("page_number"),
            html: strings(items, "text_as_html")?,
            depths: column("category_depth"),
            parents: column("parent_id"),
        })
    }

    fn item(&self, i: usize) -> Result<RawMetadata<'_>> {
        if !self.items.is_valid(i) {
            return Ok(RawMetadata::default());
        }
        Ok(RawMetadata {
            page_number: scalar(self.pages.as_ref(), i)?,
            text_as_html: text(self.html.as_ref(), i)?,
            category_depth: scalar(self.depths.as_ref(), i)?,
            parent_id: scalar(self.parents.as_ref(), i)?,
        })
    }
}

/// The strings of a field, if it has any: without one, its type may be that of nulls.
fn strings(of: &StructArray, name: &str) -> Result<Option<Strings>> {
    let column = of.column_by_name(name).filter(|column| *column.data_type() != DataType::Null);
    column.map(|column| Strings::of(column)).transpose()
}

fn text(strings: Option<&Strings>, i: usize) -> Result<Option<Text<'_>>> {
    match strings {
        Some(strings) if strings.is_some(i) => Ok(Some(Text(Cow::Borrowed(strings.item(i)?)))),
        _ => Ok(None),
    }
}

/// The string or number in `row`, of whatever type; none of others.
fn scalar(column: Option<&ArrayRef>, row: usize) -> Result<Option<Scalar<'static>>> {
    let Some(column) = column.filter(|column| column.is_valid(row)) else { return Ok(None) };
    let integer = |value: i64| Ok(Some(Scalar::Integer(value)));
    match column.data_type() {
        DataType::Boolean => integer(column.as_boolean().value(row).into()),
        DataType::Int8 => integer(column.as_primitive::<Int8Type>().value(row).into()),
        DataType::Int16 => integer(column.as_primitive::<Int16Type>().value(row).into()),
        DataType::Int32 => integer(column.as_primitive::<Int32Type>().value(row).into()),
        DataType::Int64 => integer(column.as_primitive::<Int64Type>().value(row)),
        DataType::UInt8 => integer(column.as_primitive::<UInt8Type>().value(row).into()),
        DataType::UInt16 => integer(column.as_primitive::<UInt16Type>().value(row).into()),
        DataType::UInt32 => integer(column.as_primitive::<UInt32Type>().value(row).into()),
        DataType::Float32 => {
            Ok(Some(Scalar::Float(column.as_primitive::<Float32Type>().value(row).into())))
        }
        DataType::Float64 => {
            Ok(Some(Scalar::Float(column.as_primitive::<Float64Type>().value(row))))
        }
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            let text = Strings::of(column)?.item(row)?.to_owned();
            Ok(Some(Scalar::Text(Text(Cow::Owned(text)))))
        }
        _ => Ok(None),
    }
}

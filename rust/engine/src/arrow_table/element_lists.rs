//! Column of lists of structs, each list the elements of a document.

use std::borrow::Cow;
use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
};
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::DataType;
use chunkwright_core::error::{Error, Result};
use chunkwright_core::read::element_json::{RawElement, RawMetadata};

use super::strings::Strings;

/// Elements with `type`, `text` and `metadata`, of which `page_number` and `text_as_html` are read.
pub struct ElementLists {
    lists: ArrayRef,
    items: StructArray,
    kinds: Option<Strings>,
    texts: Strings,
    pages: Option<ArrayRef>,
    html: Option<Strings>,
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
            other => return Err(Error::Read(format!("elements cannot be of type {other}"))),
        };
        let items = values.as_struct_opt().cloned();
        let items = items.ok_or_else(|| Error::Read("elements must be structs".into()))?;
        let strings = |of: &StructArray, name: &str| {
            of.column_by_name(name).map(|column| Strings::of(column)).transpose()
        };
        let missing = || Error::Read("elements have no field \"text\"".into());
        let texts = strings(&items, "text")?.ok_or_else(missing)?;
        let kinds = strings(&items, "type")?;
        let metadata = items.column_by_name("metadata").and_then(|of| of.as_struct_opt());
        let pages = metadata.and_then(|of| of.column_by_name("page_number")).cloned();
        let html = metadata.map(|of| strings(of, "text_as_html")).transpose()?.flatten();
        Ok(Self { lists: column.clone(), kinds, texts, pages, html, items })
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
    pub fn items(&self, row: usize, first: usize) -> Result<Vec<RawElement<'_>>> {
        let string = |strings: Option<&'_ Strings>, i| match strings {
            Some(strings) if strings.is_some(i) => {
                Ok(Some(Cow::Owned(strings.string(i, first)?.to_owned())))
            }
            _ => Ok(None),
        };
        let item = |i| {
            let page_number = self.pages.as_ref().and_then(|pages| integer(pages, i));
            let text_as_html = string(self.html.as_ref(), i)?;
            let kind = string(self.kinds.as_ref(), i)?;
            let text = string(Some(&self.texts), i)?;
            Ok(RawElement { kind, text, metadata: Some(RawMetadata { page_number, text_as_html }) })
        };
        self.range(row).filter(|&i| self.items.is_valid(i)).map(item).collect()
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

/// The integer in `row`, whatever its width.
fn integer(column: &ArrayRef, row: usize) -> Option<i64> {
    if column.is_null(row) {
        return None;
    }
    Some(match column.data_type() {
        DataType::Int8 => column.as_primitive::<Int8Type>().value(row).into(),
        DataType::Int16 => column.as_primitive::<Int16Type>().value(row).into(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(row).into(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row),
        DataType::UInt8 => column.as_primitive::<UInt8Type>().value(row).into(),
        DataType::UInt16 => column.as_primitive::<UInt16Type>().value(row).into(),
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(row).into(),
        _ => return None,
    })
}

//! Schema of a table of documents, and of the table of its chunks.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use chunkwright_text::rows::{self, Column};

use super::ArrowResult;
use super::reading::Reading;
use crate::rows::RowSchema;

/// The columns of documents that the caller names, and those of chunks that are wanted.
#[derive(Clone, Debug)]
pub struct ColumnNames {
    /// The one with the texts.
    pub text: String,
    /// The one with the documents' names.
    pub name: Option<String>,
    /// The one with the documents' ids; without, ids are derived from texts.
    pub document_id: Option<String>,
    /// Whether a document without a name is called by its id.
    pub name_from_id: bool,
    /// The columns of chunks.
    pub rows: RowSchema,
    /// How texts are read.
    pub reading: Reading,
    /// Whether a text without elements cannot be cut.
    pub needs_elements: bool,
}

/// Where a table's columns are.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Number of the column with the texts.
    pub text: usize,
    /// Number of the column with the documents' names.
    pub name: Option<usize>,
    /// Number of the column with the documents' ids.
    pub document_id: Option<usize>,
    /// Whether a document without a name is called by its id.
    pub name_from_id: bool,
    /// Numbers of the columns that are carried along.
    pub carried: Vec<usize>,
    /// The columns of chunks.
    pub rows: RowSchema,
    /// How texts are read.
    pub reading: Reading,
    /// Whether a text without elements cannot be cut.
    pub needs_elements: bool,
    schema: SchemaRef,
}

impl Layout {
    /// Finds the columns of `table`, the struct type of its rows.
    ///
    /// # Errors
    /// A message, if there is no such column, or it holds no strings, or one that is carried along has the name
    /// of one of chunks.
    pub fn new(table: &DataType, names: &ColumnNames) -> Result<Self, String> {
        let DataType::Struct(fields) = table else {
            return Err(format!("a record batch or a table is needed, got an array of {table}"));
        };
        let text = find(fields, &names.text, names.reading)?;
        let strings = |name: &Option<String>| {
            name.as_ref().map(|name| find(fields, name, Reading::Plain)).transpose()
        };
        let (name, document_id) = (strings(&names.name)?, strings(&names.document_id)?);
        let becomes = |i: usize, column: Column| fields[i].name() == column.name;
        let carried: Vec<usize> = (0..fields.len())
            .filter(|&i| i != text)
            .filter(|&i| name != Some(i) || !becomes(i, rows::DOCUMENT))
            .filter(|&i| document_id != Some(i) || !becomes(i, rows::DOCUMENT_ID))
            .collect();
        let own = names.rows.fields().into_iter().map(Arc::new);
        let mut all: Vec<FieldRef> = Vec::new();
        for field in own.chain(carried.iter().map(|&i| Arc::clone(&fields[i]))) {
            if all.iter().any(|column| column.name() == field.name()) {
                return Err(clash(field.name()));
            }
            all.push(field);
        }
        Ok(Self {
            text,
            name,
            document_id,
            name_from_id: names.name_from_id,
            carried,
            rows: names.rows.clone(),
            reading: names.reading,
            needs_elements: names.needs_elements,
            schema: Arc::new(Schema::new(all)),
        })
    }

    /// The chunks as a batch of these columns, of which those of texts may be `large_string` where the schema
    /// has `string`.
    ///
    /// # Errors
    /// If a column is not what the schema has.
    pub fn assemble(&self, columns: Vec<ArrayRef>) -> ArrowResult<StructArray> {
        assemble(self.schema.fields().iter().cloned().collect(), columns)
    }

    /// No chunks.
    pub fn empty(&self) -> StructArray {
        RecordBatch::new_empty(Arc::clone(&self.schema)).into()
    }

    /// The columns of the chunks: what is known about each, then those of its document.
    pub const fn schema(&self) -> &SchemaRef {
        &self.schema
    }
}

/// What is wrong with a column that is carried along.
fn clash(name: &str) -> String {
    format!("column {name:?} would appear twice: rename the table's own")
}

/// A batch of columns, of which strings may have longer offsets than their fields.
///
/// # Errors
/// If a column is not what its field has.
pub fn assemble(mut fields: Vec<FieldRef>, columns: Vec<ArrayRef>) -> ArrowResult<StructArray> {
    for (field, column) in fields.iter_mut().zip(&columns) {
        if field.data_type() == &DataType::Utf8 && column.data_type() == &DataType::LargeUtf8 {
            *field = Arc::new(Field::clone(field).with_data_type(DataType::LargeUtf8));
        }
    }
    StructArray::try_new(fields.into(), columns, None)
}

/// The number of the only column called `name`, which holds what is read so: strings, lists of elements or files.
fn find(fields: &[FieldRef], name: &str, reading: Reading) -> Result<usize, String> {
    let mut found = (0..fields.len()).filter(|&i| fields[i].name() == name);
    let Some(column) = found.next() else {
        let known: Vec<_> = fields.iter().map(|field| format!("{:?}", field.name())).collect();
        return Err(format!("there is no column {name:?}; the columns are {}", known.join(", ")));
    };
    if found.next().is_some() {
        return Err(format!("there is more than one column {name:?}"));
    }
    let takes_lists = reading.takes_lists();
    match fields[column].data_type() {
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView
            if reading.takes_bytes() =>
        {
            Ok(column)
        }
        other if reading.takes_bytes() => {
            Err(format!("column {name:?} must hold the bytes of files, but is of type {other}"))
        }
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(column),
        DataType::List(of) | DataType::LargeList(of)
            if takes_lists && matches!(of.data_type(), DataType::Struct(_)) =>
        {
            Ok(column)
        }
        other if takes_lists => Err(format!(
            "column {name:?} must hold strings, or elements as lists of structs, but is of type {other}"
        )),
        other => Err(format!("column {name:?} must hold strings, but is of type {other}")),
    }
}

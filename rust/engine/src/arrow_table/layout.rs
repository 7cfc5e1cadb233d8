//! Schema of a table of documents, and of the table of its chunks.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};

use super::{ArrowResult, endings};

/// Which columns the caller names.
#[derive(Clone, Debug)]
pub struct ColumnNames {
    /// The one with the texts.
    pub text: String,
    /// The one with the documents' names.
    pub name: Option<String>,
    /// The new one for ids; without, there are none.
    pub id: Option<String>,
    /// Whether there is a new one for token counts.
    pub sizes: bool,
    /// Whether there are new ones for why chunks end: `score` and `reason`.
    pub endings: bool,
}

/// Where a table's columns are.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Number of the column with the texts, whose place the chunks' texts take.
    pub text: usize,
    /// Number of the column with the documents' names.
    pub name: Option<usize>,
    /// Whether ids are wanted.
    pub ids: bool,
    /// Whether token counts are.
    pub sizes: bool,
    /// Whether scores and reasons are.
    pub endings: bool,
    schema: SchemaRef,
}

const OFFSETS: [&str; 4] = ["start", "end", "byte_start", "byte_end"];

impl Layout {
    /// Finds the columns of `table`, the struct type of its rows.
    ///
    /// # Errors
    /// A message, if there is no such column, or it holds no strings, or a new one would have the name
    /// of one that there is.
    pub fn new(table: &DataType, names: &ColumnNames) -> Result<Self, String> {
        let DataType::Struct(fields) = table else {
            return Err(format!("a record batch or a table is needed, got an array of {table}"));
        };
        let fields: Vec<FieldRef> = fields.iter().cloned().collect();
        let text = find(&fields, &names.text)?;
        let name = names.name.as_ref().map(|name| find(&fields, name)).transpose()?;
        let schema = Arc::new(Schema::new(with_chunks(&fields, text, names)?));
        let ColumnNames { sizes, endings, .. } = *names;
        Ok(Self { text, name, ids: names.id.is_some(), sizes, endings, schema })
    }

    /// The chunks as a batch of these columns; the text's may be `large_string` where the schema says
    /// `string`.
    ///
    /// # Errors
    /// If a column is not what the schema says.
    pub fn assemble(&self, columns: Vec<ArrayRef>) -> ArrowResult<StructArray> {
        let mut fields: Vec<FieldRef> = self.schema.fields().iter().cloned().collect();
        let text =
            Field::clone(&fields[self.text]).with_data_type(columns[self.text].data_type().clone());
        fields[self.text] = Arc::new(text);
        StructArray::try_new(fields.into(), columns, None)
    }

    /// The name of one of the documents' columns.
    pub fn name_of(&self, column: usize) -> &str {
        self.schema.field(column).name()
    }

    /// No chunks.
    pub fn empty(&self) -> StructArray {
        RecordBatch::new_empty(Arc::clone(&self.schema)).into()
    }

    /// The columns of the chunks: those of the documents, then what is known about each chunk.
    pub const fn schema(&self) -> &SchemaRef {
        &self.schema
    }
}

/// The number of the only column called `name`, which holds strings.
fn find(fields: &[FieldRef], name: &str) -> Result<usize, String> {
    let mut found = (0..fields.len()).filter(|&i| fields[i].name() == name);
    let Some(column) = found.next() else {
        let known: Vec<_> = fields.iter().map(|field| format!("{:?}", field.name())).collect();
        return Err(format!("there is no column {name:?}; the columns are {}", known.join(", ")));
    };
    if found.next().is_some() {
        return Err(format!("there is more than one column {name:?}"));
    }
    match fields[column].data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(column),
        other => Err(format!("column {name:?} must hold strings, but is of type {other}")),
    }
}

fn with_chunks(
    fields: &[FieldRef],
    text: usize,
    names: &ColumnNames,
) -> Result<Vec<FieldRef>, String> {
    let mut columns = fields.to_vec();
    columns[text] = Arc::new(Field::new(fields[text].name(), DataType::Utf8, false));
    let ids = names.id.as_deref().map(|id| (id, DataType::Utf8));
    let numbers = OFFSETS.into_iter().chain(names.sizes.then_some("n_tokens"));
    let new = [("doc_index", DataType::Int64)].into_iter().chain(ids);
    let new = new.chain(numbers.map(|name| (name, DataType::Int64)));
    let new = new.map(|(name, kind)| Field::new(name, kind, false));
    let endings = names.endings.then(endings::fields).into_iter().flatten();
    for field in new.chain(endings) {
        let name = field.name();
        if columns.iter().any(|column| column.name() == name) {
            return Err(format!("column {name:?} would be there twice: rename the table's own"));
        }
        columns.push(Arc::new(field));
    }
    Ok(columns)
}

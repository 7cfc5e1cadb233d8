//! Schema of a table of documents, and of the table of its chunks.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};

use chunkwright_core::rows;

use super::reading::Reading;
use super::{ArrowResult, endings};

/// Which columns the caller names.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a column or several")]
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
    /// Whether there are new ones for the elements of each chunk.
    pub elements: bool,
    /// What the texts are read as.
    pub reading: Reading,
    /// Whether a text without elements cannot be cut.
    pub needs_elements: bool,
    /// Whether documents that cannot be cut have a row that says why, in a new column `error`.
    pub errors: bool,
}

/// Where a table's columns are.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a column or several")]
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
    /// Whether there are columns of elements.
    pub elements: bool,
    /// What texts are read as.
    pub reading: Reading,
    /// Whether a text without elements cannot be cut.
    pub needs_elements: bool,
    /// Whether errors are collected.
    pub errors: bool,
    schema: SchemaRef,
}

/// Numbers of every chunk.
const NUMBERS: [&str; 7] = [
    rows::INDEX,
    rows::START,
    rows::END,
    rows::BYTE_START,
    rows::BYTE_END,
    rows::LINE_START,
    rows::LINE_END,
];

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
        let text = find(&fields, &names.text, names.reading.takes_lists())?;
        let name = names.name.as_ref().map(|name| find(&fields, name, false)).transpose()?;
        let schema = Arc::new(Schema::new(with_chunks(&fields, text, names)?));
        let ColumnNames { sizes, endings, elements, needs_elements, errors, .. } = *names;
        let (ids, reading) = (names.id.is_some(), names.reading);
        Ok(Self {
            text,
            name,
            ids,
            sizes,
            endings,
            elements,
            reading,
            needs_elements,
            errors,
            schema,
        })
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

/// The number of the only column called `name`, which holds strings, or lists of elements.
fn find(fields: &[FieldRef], name: &str, takes_lists: bool) -> Result<usize, String> {
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

fn with_chunks(
    fields: &[FieldRef],
    text: usize,
    names: &ColumnNames,
) -> Result<Vec<FieldRef>, String> {
    let mut columns = fields.to_vec();
    let is_nullable = names.errors;
    columns[text] = Arc::new(Field::new(fields[text].name(), DataType::Utf8, is_nullable));
    let ids = names.id.as_deref().map(|id| (id, DataType::Utf8));
    let integer = |name| (name, DataType::Int64);
    let field = |(name, kind)| Field::new(name, kind, is_nullable);
    let new = ids.into_iter().chain(NUMBERS.map(integer)).map(field);
    let new = new.chain(rows::OF_SOURCE.map(|name| Field::new(name, DataType::Int64, true)));
    let sizes = names.sizes.then_some(integer(rows::N_TOKENS));
    let new = new.chain(sizes.into_iter().chain([(rows::OVERSIZE, DataType::Boolean)]).map(field));
    let of_elements = names.elements.then(|| of_elements(is_nullable)).into_iter().flatten();
    let endings = names.endings.then(|| endings::fields(is_nullable)).into_iter().flatten();
    let error = names.errors.then(|| Field::new(rows::ERROR, DataType::Utf8, true));
    let doc = [Field::new(rows::DOC_INDEX, DataType::Int64, false)];
    for field in doc.into_iter().chain(new).chain(of_elements).chain(endings).chain(error) {
        let name = field.name();
        if columns.iter().any(|column| column.name() == name) {
            return Err(format!("column {name:?} would be there twice: rename the table's own"));
        }
        columns.push(Arc::new(field));
    }
    Ok(columns)
}

/// The columns of elements. A plain text has none, whose numbers could be told.
fn of_elements(is_nullable: bool) -> [Field; 8] {
    let list = |name, of| Field::new_list(name, Field::new_list_field(of, true), is_nullable);
    [
        Field::new(rows::KIND, DataType::Utf8, is_nullable),
        Field::new(rows::PART, DataType::Int64, is_nullable),
        Field::new(rows::FIRST_ELEMENT, DataType::Int64, true),
        Field::new(rows::LAST_ELEMENT, DataType::Int64, true),
        Field::new(rows::HTML, DataType::Utf8, true),
        list(rows::PAGES, DataType::Int64),
        list(rows::HEADINGS, DataType::Utf8),
        list(rows::HEADINGS_ABOVE, DataType::Utf8),
    ]
}

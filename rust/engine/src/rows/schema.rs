//! Schema of a table of chunks: which columns of the row schema it has, as Arrow's fields.

use arrow_schema::{DataType, Field, Fields};
use chunkwright_text::rows::{self, Column, Type};

/// Columns of the row schema that a table has: those of every row, and others where they are asked for.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a column or several")]
pub struct RowSchema {
    /// The name of the column of ids; without, there is none.
    pub ids: Option<String>,
    /// Ids of documents.
    pub document_ids: bool,
    /// Token counts.
    pub n_tokens: bool,
    /// Elements: [`rows::OF_ELEMENTS`].
    pub elements: bool,
    /// Blocks: [`rows::OF_BLOCKS`].
    pub blocks: bool,
    /// Source code: those of [`rows::OF_CODE`] that are asked for.
    pub code: [bool; 4],
    /// Ends of chunks: [`rows::OF_ENDINGS`].
    pub endings: bool,
    /// Fingerprints of the model and the prompt that set boundaries, the same in all rows:
    /// [`rows::OF_BOUNDARIES`].
    pub boundaries: Option<[String; 2]>,
    /// The fingerprint of the model that wrote the contexts of chunks: [`rows::OF_CONTEXTS`].
    pub contexts: Option<String>,
    /// Shadows: [`rows::OF_SHADOWS`].
    pub shadows: bool,
    /// Whether a document that cannot be cut has a row, whose columns are null but for [`rows::ERROR`].
    pub errors: bool,
}

impl Default for RowSchema {
    fn default() -> Self {
        Self {
            ids: Some(rows::CHUNK_ID.name.into()),
            document_ids: true,
            n_tokens: true,
            elements: false,
            blocks: false,
            code: [false; 4],
            endings: false,
            boundaries: None,
            contexts: None,
            shadows: false,
            errors: false,
        }
    }
}

impl RowSchema {
    /// The columns, in the order of the row schema.
    pub fn columns(&self) -> impl Iterator<Item = Column> {
        let has = |column: &Column| match *column {
            rows::CHUNK_ID => self.ids.is_some(),
            rows::DOCUMENT_ID => self.document_ids,
            rows::N_TOKENS => self.n_tokens,
            rows::ERROR => self.errors,
            column if rows::OF_ELEMENTS.contains(&column) => self.elements,
            column if rows::OF_BLOCKS.contains(&column) => self.blocks,
            column if rows::OF_CODE.contains(&column) => {
                let at = rows::OF_CODE.iter().position(|of| *of == column);
                at.is_some_and(|at| self.code[at])
            }
            column if rows::OF_ENDINGS.contains(&column) => self.endings,
            column if rows::OF_BOUNDARIES.contains(&column) => self.boundaries.is_some(),
            column if rows::OF_CONTEXTS.contains(&column) => self.contexts.is_some(),
            column if rows::OF_SHADOWS.contains(&column) => self.shadows,
            _ => true,
        };
        rows::all().filter(has)
    }

    /// The same as Arrow's fields.
    pub fn fields(&self) -> Vec<Field> {
        self.columns().map(|column| self.field(column)).collect()
    }

    fn field(&self, column: Column) -> Field {
        let field = field_of(column, self.errors && column != rows::DOC_INDEX);
        match (column, &self.ids) {
            (rows::CHUNK_ID, Some(name)) => field.with_name(name),
            _ => field,
        }
    }
}

/// A column as Arrow's field, which is nullable if the column is, or if it has to be.
pub fn field_of(column: Column, has_nulls: bool) -> Field {
    Field::new(column.name, data_type(column.values), column.is_nullable || has_nulls)
}

/// The fields of a box.
pub fn box_fields() -> Fields {
    rows::BOX_FIELDS.into_iter().map(|field| field_of(field, false)).collect()
}

/// The type of a column's values in Arrow.
fn data_type(values: Type) -> DataType {
    let list = |of| DataType::List(Field::new_list_field(of, true).into());
    match values {
        Type::String => DataType::Utf8,
        Type::Integer => DataType::Int64,
        Type::Float => DataType::Float64,
        Type::Boolean => DataType::Boolean,
        Type::Integers => list(DataType::Int64),
        Type::Strings => list(DataType::Utf8),
        Type::Boxes => list(DataType::Struct(box_fields())),
    }
}

//! Fields of an element's metadata, and what becomes of each when elements become a chunk.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

/// How a field's values in several elements become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The first one.
    First,
    /// Lists, one behind the other.
    Concatenate,
    /// What lists hold, each item once.
    Union,
    /// Texts, stripped, with a blank between two.
    Join,
    /// Lists by key, each record once.
    Merge,
    /// Nothing: it says something about one element only.
    Drop,
}

/// A field's number in [`FIELDS`].
pub type Field = usize;

/// All fields that Unstructured knows: those that are kept first, in the order they have in a chunk.
const FIELDS: [(&str, Rule); 50] = [
    ("attached_to_filename", Rule::First),
    ("bcc_recipient", Rule::First),
    ("cc_recipient", Rule::First),
    ("data_source", Rule::First),
    ("enrichment_origins", Rule::Merge),
    ("emphasized_text_contents", Rule::Concatenate),
    ("emphasized_text_tags", Rule::Concatenate),
    ("file_directory", Rule::First),
    ("filename", Rule::First),
    ("filetype", Rule::First),
    ("languages", Rule::Union),
    ("last_modified", Rule::First),
    ("link_texts", Rule::Concatenate),
    ("link_urls", Rule::Concatenate),
    ("email_message_id", Rule::First),
    ("page_name", Rule::First),
    ("page_number", Rule::First),
    ("sent_from", Rule::First),
    ("sent_to", Rule::First),
    ("signature", Rule::First),
    ("subject", Rule::First),
    ("text_as_html", Rule::Join),
    ("table_as_cells", Rule::First),
    ("table_extraction_method", Rule::First),
    ("url", Rule::First),
    ("category_depth", Rule::Drop),
    ("chunk_index", Rule::Drop),
    ("coordinates", Rule::Drop),
    ("detection_class_prob", Rule::Drop),
    ("detection_origin", Rule::Drop),
    ("header_footer_type", Rule::Drop),
    ("image_base64", Rule::Drop),
    ("image_mime_type", Rule::Drop),
    ("image_path", Rule::Drop),
    ("image_url", Rule::Drop),
    ("is_continuation", Rule::Drop),
    ("is_extracted", Rule::Drop),
    ("key_value_pairs", Rule::Drop),
    ("link_start_indexes", Rule::Drop),
    ("links", Rule::Drop),
    ("max_characters", Rule::Drop),
    ("num_carried_over_header_rows", Rule::Drop),
    ("orig_elements", Rule::Drop),
    ("parent_id", Rule::Drop),
    ("routing", Rule::Drop),
    ("routing_score", Rule::Drop),
    ("segment_end_seconds", Rule::Drop),
    ("segment_start_seconds", Rule::Drop),
    ("style_name", Rule::Drop),
    ("table_id", Rule::Drop),
];

/// How many fields may be in a chunk's metadata.
pub const N_KEPT: usize = 25;

/// Fields that are looked at by themselves.
pub const FILE_DIRECTORY: Field = 7;
pub const FILENAME: Field = 8;
pub const ENRICHMENT_ORIGINS: Field = 4;
pub const DATA_SOURCE: Field = 3;

/// How the values of `field` become one.
pub const fn rule(field: Field) -> Rule {
    FIELDS[field].1
}

/// Twice the fields and more: a name is found with few looks.
const N_SLOTS: usize = 256;

/// The names of the fields as Python's own interned strings.
pub struct Names {
    names: Vec<Py<PyString>>,
    /// For an address, where it hashes to or behind that: the field whose name lies there.
    slots: [Option<(usize, Field)>; N_SLOTS],
}

impl Names {
    /// The names, made once.
    pub fn get(py: Python<'_>) -> &'static Self {
        static NAMES: PyOnceLock<Names> = PyOnceLock::new();
        NAMES.get_or_init(py, || Self::new(py))
    }

    fn new(py: Python<'_>) -> Self {
        let intern = |(name, _): &(&str, Rule)| PyString::intern(py, name).unbind();
        let names: Vec<Py<PyString>> = FIELDS.iter().map(intern).collect();
        let mut slots = [None; N_SLOTS];
        for (field, name) in names.iter().enumerate() {
            let address = name.as_ptr() as usize;
            let mut slot = slot(address);
            while slots[slot].is_some() {
                slot = (slot + 1) % N_SLOTS;
            }
            slots[slot] = Some((address, field));
        }
        Self { names, slots }
    }

    /// The name of `field`.
    pub fn name<'py>(&self, py: Python<'py>, field: Field) -> &Bound<'py, PyString> {
        self.names[field].bind(py)
    }

    /// The field of that name, if there is one.
    pub fn field(&self, name: &Bound<'_, PyAny>) -> Option<Field> {
        let address = name.as_ptr() as usize;
        let mut slot = slot(address);
        while let Some((of, field)) = self.slots[slot] {
            if of == address {
                return Some(field);
            }
            slot = (slot + 1) % N_SLOTS;
        }
        // Names of attributes are interned; keys of a dict from elsewhere need not be.
        let name = name.cast::<PyString>().ok()?.to_str().ok()?;
        FIELDS.iter().position(|(known, _)| *known == name)
    }
}

/// Where an address hashes to: objects stand 16 bytes apart or more.
const fn slot(address: usize) -> usize {
    (address >> 4 ^ address >> 12) % N_SLOTS
}

/// Whether a table's chunks lose the field of that name.
pub fn is_dropped(names: &Names, name: &Bound<'_, PyAny>) -> bool {
    names.field(name).is_some_and(|field| rule(field) == Rule::Drop) || is_cache(name)
}

/// Whether an attribute of that name is Unstructured's own notes, which it makes again when it needs them.
fn is_cache(name: &Bound<'_, PyAny>) -> bool {
    name.cast::<PyString>()
        .is_ok_and(|name| name.to_str().is_ok_and(|name| name == "_known_field_names"))
}

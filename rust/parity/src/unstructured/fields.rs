//! Fields of an element's metadata, and what becomes of each when elements become a chunk.

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
pub const FIELDS: [(&str, Rule); 50] = [
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

/// The folder of a file.
pub const FILE_DIRECTORY: Field = 7;
/// The name of a file.
pub const FILENAME: Field = 8;
/// What has added to an element, by field.
pub const ENRICHMENT_ORIGINS: Field = 4;
/// Where a document comes from.
pub const DATA_SOURCE: Field = 3;

/// How the values of `field` become one.
pub const fn rule(field: Field) -> Rule {
    FIELDS[field].1
}

/// The parts of a larger element, in code points of its text, HTML and picture, do not keep it: each would
/// hold all of it.
pub const MAX_KEPT_CHARS: usize = 1_000_000;

/// What of the metadata of an element counts then.
pub const PAYLOADS: [&str; 2] = ["text_as_html", "image_base64"];

//! Shapes of a `DoclingDocument` in JSON; what they do not name, such as the payloads of pictures, is skipped.
//!
//! Fields that are missing have the defaults of the schema. Numbers, graphs and metadata of any form are kept as
//! raw JSON and parsed when they are used.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{Deserializer, Error};
use serde_json::value::RawValue;

use crate::docling::label::Layer;
use crate::docling::value::{Value, float};

/// The whole file.
#[derive(Deserialize)]
#[serde(expecting = "a DoclingDocument")]
pub struct RawDocument {
    pub schema_name: Option<String>,
    pub version: Option<String>,
    pub name: String,
    pub origin: Option<RawOrigin>,
    pub body: Option<RawNode>,
    pub furniture: Option<RawNode>,
    #[serde(default)]
    pub groups: Vec<RawNode>,
    #[serde(default)]
    pub texts: Vec<RawNode>,
    #[serde(default)]
    pub pictures: Vec<RawNode>,
    #[serde(default)]
    pub tables: Vec<RawNode>,
    #[serde(default)]
    pub key_value_items: Vec<RawNode>,
    #[serde(default)]
    pub form_items: Vec<RawNode>,
    #[serde(default)]
    pub field_regions: Vec<RawNode>,
    #[serde(default)]
    pub field_items: Vec<RawNode>,
    #[serde(default)]
    pub pages: BTreeMap<String, RawPage>,
}

#[derive(Deserialize)]
pub struct RawOrigin {
    pub mimetype: String,
    pub binary_hash: Value,
    pub filename: String,
    pub uri: Option<String>,
}

/// A node of any sort: those that have no such field leave it out.
#[derive(Deserialize)]
pub struct RawNode {
    pub self_ref: String,
    pub parent: Option<RawRef>,
    #[serde(default)]
    pub children: Vec<RawRef>,
    #[serde(default)]
    pub content_layer: Layer,
    pub label: Option<String>,
    pub meta: Option<Value>,
    #[serde(default)]
    pub annotations: Vec<Value>,
    #[serde(default)]
    pub prov: Vec<RawPlace>,
    #[serde(default)]
    pub source: Vec<Value>,
    #[serde(default)]
    pub comments: Vec<Value>,
    pub text: Option<String>,
    pub orig: Option<String>,
    pub formatting: Option<RawStyle>,
    pub hyperlink: Option<String>,
    pub level: Option<i64>,
    #[serde(default)]
    pub enumerated: bool,
    pub marker: Option<String>,
    pub code_language: Option<String>,
    #[serde(default)]
    pub captions: Vec<RawRef>,
    #[serde(default)]
    pub footnotes: Vec<RawRef>,
    pub data: Option<RawTable>,
    pub graph: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
pub struct RawRef {
    #[serde(rename = "$ref", alias = "cref")]
    pub reference: String,
}

#[derive(Deserialize)]
pub struct RawStyle {
    #[serde(default)]
    pub bold: bool,
    #[serde(default)]
    pub italic: bool,
    #[serde(default)]
    pub strikethrough: bool,
}

#[derive(Deserialize)]
pub struct RawPlace {
    pub page_no: i64,
    pub bbox: RawBounds,
    pub charspan: [i64; 2],
}

#[derive(Deserialize)]
pub struct RawBounds {
    #[serde(deserialize_with = "exact")]
    pub l: f64,
    #[serde(deserialize_with = "exact")]
    pub t: f64,
    #[serde(deserialize_with = "exact")]
    pub r: f64,
    #[serde(deserialize_with = "exact")]
    pub b: f64,
    #[serde(default)]
    pub coord_origin: RawCorner,
}

#[derive(Default, Deserialize, PartialEq)]
pub enum RawCorner {
    #[default]
    #[serde(rename = "TOPLEFT")]
    Top,
    #[serde(rename = "BOTTOMLEFT")]
    Bottom,
}

#[derive(Deserialize)]
pub struct RawPage {
    pub size: RawSize,
}

#[derive(Deserialize)]
pub struct RawSize {
    #[serde(default, deserialize_with = "exact")]
    pub width: f64,
    #[serde(default, deserialize_with = "exact")]
    pub height: f64,
}

#[derive(Deserialize)]
pub struct RawTable {
    #[serde(default)]
    pub num_rows: i64,
    #[serde(default)]
    pub num_cols: i64,
    #[serde(default)]
    pub table_cells: Vec<RawCell>,
}

#[derive(Deserialize)]
pub struct RawCell {
    pub start_row_offset_idx: i64,
    pub end_row_offset_idx: i64,
    pub start_col_offset_idx: i64,
    pub end_col_offset_idx: i64,
    pub text: Option<String>,
    #[serde(default)]
    pub column_header: bool,
    #[serde(default)]
    pub row_header: bool,
    #[serde(rename = "ref")]
    pub content: Option<RawRef>,
}

fn exact<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    float(<&RawValue>::deserialize(deserializer)?.get()).map_err(D::Error::custom)
}

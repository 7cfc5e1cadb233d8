//! JSON of items and origins as Docling dumps them with a chunk: what all items have in common, no texts.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde::ser::{Serialize, SerializeMap, Serializer};

use chunkwright_read::docling::{Document, Layer, Members, NodeId, Origin, Place, Value};
use chunkwright_text::error::{Error, Result};

/// An array of items as `DocItem` dumps them, without what is null.
///
/// # Errors
/// If memory runs out.
pub fn items(document: &Document, ids: impl IntoIterator<Item = NodeId>) -> Result<String> {
    let mut known: HashMap<NodeId, String> = HashMap::new();
    let mut array = String::from("[");
    for id in ids {
        if array.len() > 1 {
            array.push(',');
        }
        match known.entry(id) {
            Entry::Occupied(dumped) => array.push_str(dumped.get()),
            Entry::Vacant(place) => array.push_str(place.insert(item(document, id)?)),
        }
    }
    array.push(']');
    Ok(array)
}

fn item(document: &Document, id: NodeId) -> Result<String> {
    let node = document.node(id);
    let reference = |id: &NodeId| Reference { reference: document.reference(*id) };
    json(&Item {
        self_ref: document.reference(id),
        parent: node.parent.as_ref().map(reference),
        children: node.children.iter().map(reference).collect(),
        content_layer: layer(node.layer),
        meta: node.meta.as_deref().map(|value| Json(meta(value))),
        label: node.label.name(),
        prov: node.places.iter().map(Prov::from).collect(),
        source: node.tracks.iter().map(|track| Json(object(track, &TRACK))).collect(),
        comments: node.comments.iter().map(|comment| Json(object(comment, &COMMENT))).collect(),
    })
}

/// What a document was made of, without what is null.
///
/// # Errors
/// If memory runs out.
pub fn origin(origin: &Origin) -> Result<String> {
    json(&OfOrigin {
        mimetype: &origin.mimetype,
        binary_hash: origin.binary_hash,
        filename: &origin.filename,
        uri: origin.uri.as_deref(),
    })
}

fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::read(error.to_string()))
}

#[derive(serde::Serialize)]
struct Item {
    self_ref: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<Reference>,
    children: Vec<Reference>,
    content_layer: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<Json>,
    label: &'static str,
    prov: Vec<Prov>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    source: Vec<Json>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<Json>,
}

#[derive(serde::Serialize)]
struct Reference {
    #[serde(rename = "$ref")]
    reference: String,
}

#[derive(serde::Serialize)]
struct Prov {
    page_no: i64,
    bbox: BoundingBox,
    charspan: [i64; 2],
}

#[derive(serde::Serialize)]
struct BoundingBox {
    l: f64,
    t: f64,
    r: f64,
    b: f64,
    coord_origin: &'static str,
}

impl From<&Place> for Prov {
    fn from(place: &Place) -> Self {
        let bounds = place.bounds;
        let bbox = BoundingBox {
            l: bounds.left,
            t: bounds.top,
            r: bounds.right,
            b: bounds.bottom,
            coord_origin: if bounds.is_from_bottom { "BOTTOMLEFT" } else { "TOPLEFT" },
        };
        Self { page_no: place.page, bbox, charspan: place.chars }
    }
}

#[derive(serde::Serialize)]
struct OfOrigin<'d> {
    mimetype: &'d str,
    binary_hash: u64,
    filename: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'d str>,
}

const fn layer(layer: Layer) -> &'static str {
    match layer {
        Layer::Body => "body",
        Layer::Furniture => "furniture",
        Layer::Background => "background",
        Layer::Invisible => "invisible",
        Layer::Notes => "notes",
    }
}

/// How a field of an object of Docling's is dumped.
type Field = (&'static str, fn(&Value) -> Value);

const fn same(name: &'static str) -> Field {
    (name, Value::clone)
}

const CONFIDENCE: Field = ("confidence", number);
const CREATED_BY: Field = same("created_by");
const TEXT: Field = same("text");
const TRACK: [Field; 5] =
    [same("kind"), ("start_time", number), ("end_time", number), same("identifier"), same("voice")];
const COMMENT: [Field; 2] = [same("$ref"), same("range")];
const MENTION: [Field; 6] =
    [CONFIDENCE, CREATED_BY, TEXT, same("orig"), same("label"), same("charspan")];
/// What metadata of all items may have. What others have beside it is not dumped.
const META: [Field; 5] = [
    ("summary", |value| object(value, &[CONFIDENCE, CREATED_BY, TEXT])),
    ("language", |value| object(value, &[CONFIDENCE, CREATED_BY, same("code")])),
    ("entities", |value| object(value, &[("mentions", mentions)])),
    ("keywords", |value| object(value, &[("values", distinct)])),
    ("topics", |value| object(value, &[("values", distinct)])),
];

/// The metadata of an item; a user's own names have two underscores.
fn meta(value: &Value) -> Value {
    let Value::Members(mut members) = object(value, &META) else { return value.clone() };
    let is_dumped =
        |name: &str| name.contains("__") || META.iter().any(|(known, _)| *known == name);
    members.retain(|(name, _)| is_dumped(name));
    Value::Members(members)
}

/// An object: its fields in their order, and then what it has beside them.
fn object(value: &Value, fields: &[Field]) -> Value {
    let known = fields.iter().filter_map(|(name, dump)| {
        let value = value.get(name).filter(|value| **value != Value::Null)?;
        Some(((*name).to_owned(), dump(value)))
    });
    let is_own = |(name, value): &&(String, Value)| {
        *value != Value::Null && fields.iter().all(|(field, _)| field != name)
    };
    let own = value.members().iter().filter(is_own).cloned();
    Value::Members(known.chain(own).collect::<Members>())
}

fn number(value: &Value) -> Value {
    value.float().map_or_else(|| value.clone(), Value::Float)
}

fn mentions(value: &Value) -> Value {
    Value::List(value.list().iter().map(|mention| object(mention, &MENTION)).collect())
}

/// A list with the first of equal elements only.
fn distinct(value: &Value) -> Value {
    let mut seen = std::collections::HashSet::new();
    let mut is_new =
        |element: &Value| element.text().is_none_or(|text| seen.insert(text.to_owned()));
    Value::List(value.list().iter().filter(|element| is_new(element)).cloned().collect())
}

/// A value that is written as JSON.
struct Json(Value);

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        Borrowed(&self.0).serialize(serializer)
    }
}

struct Borrowed<'v>(&'v Value);

impl Serialize for Borrowed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Int(value) => serializer.serialize_i128(*value),
            Value::Float(value) => serializer.serialize_f64(*value),
            Value::Text(value) => serializer.serialize_str(value),
            Value::List(list) => serializer.collect_seq(list.iter().map(Borrowed)),
            Value::Members(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, &Borrowed(value))?;
                }
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chunkwright_read::docling::Form;

    #[test]
    fn items_are_dumped_without_their_texts() {
        let json = r##"{"name": "d", "origin": {"mimetype": "text/plain", "binary_hash": 7,
            "filename": "d.txt"},
            "body": {"self_ref": "#/body", "children": [{"$ref": "#/texts/0"}]},
            "texts": [{"self_ref": "#/texts/0", "parent": {"$ref": "#/body"}, "label": "text",
            "text": "a", "orig": "a", "meta": {"my__x": null, "my__y": [1, null], "topics":
            {"values": ["a", "b", "a"]}, "summary": {"text": "t", "confidence": 1}},
            "prov": [{"page_no": 1, "bbox": {"l": 1, "t": 2.5, "r": 3, "b": 4}, "charspan": [0, 1]}],
            "source": [{"end_time": 2, "start_time": 1, "kind": "track", "voice": null}]}]}"##;
        let document = Document::of_json(json.as_bytes(), Form::Stored).unwrap();
        let id = document.find("#/texts/0").unwrap();
        let dumped = items(&document, [id]).unwrap();
        let expected = concat!(
            r##"[{"self_ref":"#/texts/0","parent":{"$ref":"#/body"},"children":[],"##,
            r##""content_layer":"body","meta":{"summary":{"confidence":1.0,"text":"t"},"##,
            r##""topics":{"values":["a","b"]},"my__y":[1,null]},"label":"text","##,
            r##""prov":[{"page_no":1,"bbox":{"l":1.0,"t":2.5,"r":3.0,"b":4.0,"##,
            r##""coord_origin":"TOPLEFT"},"charspan":[0,1]}],"##,
            r##""source":[{"kind":"track","start_time":1.0,"end_time":2.0}]}]"##,
        );
        assert_eq!(dumped, expected);
        let made_of = origin(document.origin.as_ref().unwrap()).unwrap();
        assert_eq!(made_of, r#"{"mimetype":"text/plain","binary_hash":7,"filename":"d.txt"}"#);
    }
}

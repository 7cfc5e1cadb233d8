//! Elements as JSON has them, and as Unstructured would write them again.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

use chunkwright_text::unicode::space::is_space;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::super::fields::{FIELDS, Field};
use super::value::{Str, Value};

/// What an element keeps of its metadata: name, field if it is a known one, value.
pub type Member<'a> = (Cow<'a, str>, Option<Field>, Value<'a>);

/// An element.
#[derive(Debug)]
pub struct JsonElement<'a> {
    /// The name of its type.
    pub category: &'a str,
    /// Its id, if it has one.
    pub id: Option<Cow<'a, str>>,
    /// What it says.
    pub text: Cow<'a, str>,
    /// Of a box: whether it is ticked.
    pub checked: Option<bool>,
    /// What else is known of it.
    pub metadata: Vec<Member<'a>>,
}

impl JsonElement<'_> {
    /// What it says under `name`.
    pub fn get(&self, name: &str) -> Option<&Value<'_>> {
        self.metadata.iter().find(|(of, ..)| of == name).map(|(.., value)| value)
    }

    /// The number of its page.
    pub fn page(&self) -> Option<i64> {
        match self.get("page_number") {
            Some(Value::Int(page)) => i64::try_from(*page).ok(),
            _ => None,
        }
    }

    /// The HTML of a table.
    pub fn html(&self) -> Option<&str> {
        self.get("text_as_html").and_then(Value::text)
    }
}

/// The elements of a JSON array, or of one a line if `lines`; None if they are not all elements, or hold what only
/// Python reads. `categories` has what Unstructured calls each type. O(n).
pub fn elements_of<'a>(
    json: &'a str,
    lines: bool,
    categories: &'a BTreeMap<String, String>,
) -> Option<Vec<JsonElement<'a>>> {
    let items: Vec<Item<'a>> = if lines {
        let lines = json.split('\n').filter(|line| !line.trim_matches(is_space).is_empty());
        lines.map(|line| serde_json::from_str(line).ok()).collect::<Option<_>>()?
    } else {
        serde_json::from_str(json).ok()?
    };
    let fields = FIELDS.iter().enumerate().map(|(field, (name, _))| (*name, field)).collect();
    let elements = items.into_iter().map(|item| canonical(item, categories, &fields));
    elements.collect::<Option<Vec<_>>>().filter(|elements| !elements.is_empty())
}

/// An element as it is written; what is not there is None.
#[derive(Default)]
struct Item<'a> {
    text: Option<Cow<'a, str>>,
    kind: Option<Value<'a>>,
    id: Option<Value<'a>>,
    checked: Option<Value<'a>>,
    metadata: Option<Value<'a>>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Item<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfItem;
        impl<'de> Visitor<'de> for OfItem {
            type Value = Item<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an element")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Item<'de>, A::Error> {
                let (mut item, mut others) = (Item::default(), Vec::new());
                while let Some(Str(name)) = map.next_key()? {
                    let place = match &*name {
                        "text" => {
                            let Str(text) = map.next_value()?;
                            once(item.text.replace(text).is_none())?;
                            continue;
                        }
                        "type" => &mut item.kind,
                        "element_id" => &mut item.id,
                        "checked" => &mut item.checked,
                        "metadata" => &mut item.metadata,
                        _ => {
                            // It is left out, but it has to be what Python reads.
                            let _: Value<'_> = map.next_value()?;
                            once(others.len() < MAX_OTHERS && !others.contains(&name))?;
                            others.push(name);
                            continue;
                        }
                    };
                    once(place.replace(map.next_value()?).is_none())?;
                }
                Ok(item)
            }
        }
        deserializer.deserialize_map(OfItem)
    }
}

/// Members of an element that are none of its own, at most.
const MAX_OTHERS: usize = 16;

fn once<E: Error>(is_once: bool) -> Result<(), E> {
    if is_once { Ok(()) } else { Err(E::custom("a name twice, or too many of them")) }
}

/// An element as Unstructured would write it, had it read it.
fn canonical<'a>(
    item: Item<'a>,
    categories: &'a BTreeMap<String, String>,
    fields: &HashMap<&str, Field>,
) -> Option<JsonElement<'a>> {
    let id = match item.id {
        None | Some(Value::Null) => None,
        Some(Value::Text(id)) => Some(id),
        Some(_) => return None,
    };
    let given = match item.metadata {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Members(members)) => members,
        Some(_) => return None,
    };
    let metadata = given.into_iter().filter(|(name, value)| is_kept(name, value));
    let metadata = metadata.map(|(name, value)| {
        let value = kept_value(&name, value)?;
        let field = fields.get(&*name).copied();
        Some((name, field, value))
    });
    let metadata = metadata.collect::<Option<_>>()?;
    let kind = item.kind?;
    if kind.text()? == CHECK_BOX {
        let Some(Value::Bool(checked)) = item.checked else { return None };
        let checked = Some(checked);
        return Some(JsonElement { category: CHECK_BOX, id, text: "".into(), checked, metadata });
    }
    let category = categories.get(kind.text()?)?;
    Some(JsonElement { category, id, text: item.text?, checked: None, metadata })
}

/// The one type whose elements have no text.
const CHECK_BOX: &str = "CheckBox";

/// Whether a field is written again; of all that says nothing, an empty source is.
fn is_kept(name: &str, value: &Value<'_>) -> bool {
    let is_odd = matches!(name, "data_source" | "orig_elements");
    name != "detection_origin" && *value != Value::Null && (is_odd || !value.is_empty())
}

/// A value of metadata as it is kept; None if only Python knows how.
fn kept_value<'a>(name: &str, value: Value<'a>) -> Option<Value<'a>> {
    match (name, &value) {
        ("coordinates", _) => coordinates(value),
        ("page_number", Value::Int(page)) => i64::try_from(*page).ok().map(|_| value),
        ("page_number" | "orig_elements" | "data_source" | "key_value_pairs", _) => None,
        ("text_as_html" | "filename" | "file_directory", value) if value.text().is_none() => None,
        _ => Some(value),
    }
}

/// Systems of coordinates that have an extent of their own.
const SYSTEMS: [&str; 3] = ["CoordinateSystem", "PixelSpace", "PointSpace"];

/// The corners of an element in their system.
fn coordinates(value: Value<'_>) -> Option<Value<'_>> {
    let Value::Members(mut members) = value else { return None };
    let mut take = |name: &str| {
        let at = members.iter().position(|(of, _)| of == name)?;
        Some(members.swap_remove(at).1)
    };
    let (points, system) = (take("points")?, take("system")?);
    let Value::List(corners) = &points else { return None };
    let are_numbers = |corner: &Value<'_>| match corner {
        Value::List(numbers) => {
            numbers.iter().all(|number| matches!(number, Value::Int(_) | Value::Float(_)))
        }
        _ => false,
    };
    if !corners.iter().all(are_numbers) {
        return None;
    }
    let name = system.text()?;
    let (width, height) = if name == "RelativeCoordinateSystem" {
        (Value::Int(1), Value::Int(1))
    } else if SYSTEMS.contains(&name) {
        (take("layout_width")?, take("layout_height")?)
    } else {
        return None;
    };
    if [&width, &height].iter().any(|value| matches!(value, Value::Null)) {
        return None;
    }
    let named = |name: &'static str, value| (Cow::Borrowed(name), value);
    Some(Value::Members(vec![
        named("points", points),
        named("system", system),
        named("layout_width", width),
        named("layout_height", height),
    ]))
}

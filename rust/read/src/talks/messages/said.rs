//! Text of a value of JSON: of its known keys, and of a value of an unknown form what is no id, link or binary data.

use serde_json::{Map, Value};

use super::values::lines;

/// Keys of what is said, in the order in which it is said.
const SAID: [&str; 34] = [
    "title",
    "subject",
    "thinking",
    "thoughts",
    "reasoning_content",
    "reasoning",
    "summary",
    "message",
    "text",
    "refusal",
    "caption",
    "transcript",
    "question",
    "content",
    "parts",
    "answers",
    "options",
    "context",
    "source",
    "document",
    "file",
    "filename",
    "file_name",
    "code",
    "json",
    "arguments",
    "input",
    "args",
    "logs",
    "output",
    "outputs",
    "result",
    "response",
    "error",
];
/// Keys of what is no text, though it may be written as one; and the ends of others such as `user_id`, `created_at`.
const ASIDE: [&str; 25] = [
    "type",
    "id",
    "uuid",
    "object",
    "role",
    "name",
    "author",
    "model",
    "status",
    "format",
    "media_type",
    "content_type",
    "mime_type",
    "mimetype",
    "data",
    "file_data",
    "bytes",
    "signature",
    "encrypted_content",
    "url",
    "uri",
    "timestamp",
    "date",
    "metadata",
    "cache_control",
];
const ASIDE_ENDS: [&str; 8] =
    ["_id", "_reason", "_at", "_url", "_uri", "_time", "_pointer", "_type"];
/// Keys of what a tool is given, and those of parts that hold a call of one.
const GIVEN: [&str; 3] = ["arguments", "input", "args"];
const CALLS: [&str; 3] = ["functionCall", "function_call", "toolUse"];
/// Keys of parts that hold what a tool gave back.
const RESULTS: [&str; 3] = ["functionResponse", "function_response", "toolResult"];
/// A word of so many letters and digits is no word, but data.
const MAX_WORD: usize = 256;

/// The text of a content: a string, or a list of strings and of parts: a text, a call of a tool, what a tool gave back,
/// or the name of a file. Depth is bounded by that of the JSON.
pub fn content(value: &Value, between: &str) -> String {
    match value {
        Value::String(text) if is_binary(text) => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let said: Vec<String> = parts.iter().map(|of| content(of, "\n")).collect();
            let said: Vec<&str> =
                said.iter().map(|said| &**said).filter(|said| !said.is_empty()).collect();
            said.join(between)
        }
        Value::Object(part) => of_object(part),
        Value::Number(number) => number.to_string(),
        Value::Bool(_) | Value::Null => String::new(),
    }
}

/// The text of an object such as a part of a content; empty if it has none, as an image.
pub fn of_object(part: &Map<String, Value>) -> String {
    let is_call = is_call(part);
    let called = CALLS.iter().filter_map(|key| part.get(*key)).map(call);
    let called = called.chain(is_call.then(|| call_of(part)));
    let given_back = RESULTS.iter().filter_map(|key| part.get(*key)).map(|of| content(of, "\n"));
    // Data is a text only where it is said to be one.
    let kind = |key: &str| part.get(key).and_then(Value::as_str).unwrap_or_default();
    let is_text = kind("type") == "text" || kind("media_type").starts_with("text/");
    let data = part.get("data").filter(|_| is_text && kind("type") != "base64");
    let data = data.map(|of| content(of, "\n"));
    let keys: Vec<&str> =
        SAID.into_iter().filter(|key| !(is_call && GIVEN.contains(key))).collect();
    let said = lines(called.chain(given_back).chain([of_keys(part, &keys)]).chain(data));
    let is_known = || SAID.iter().any(|key| part.get(*key).is_some_and(|of| !of.is_null()));
    if said.is_empty() && !is_known() { unknown(part) } else { said }
}

/// The texts of some keys of an object, one under the other; one that another has among its lines is not repeated.
pub fn of_keys(part: &Map<String, Value>, keys: &[&str]) -> String {
    let said = |key: &&str| match (*key, part.get(*key)?) {
        // Numbers are those of errors and pages, and the names of sources say where words are from.
        ("source", Value::String(_)) => None,
        (key, Value::Number(_)) if key != "content" => None,
        (_, of) => Some(content(of, "\n")).filter(|said| !said.trim().is_empty()),
    };
    let texts: Vec<String> = keys.iter().filter_map(said).collect();
    let is_within = |i: usize, of: usize| {
        let (inner, outer) = (&texts[i], &texts[of]);
        i != of && (inner.len() < outer.len() || i > of) && has_lines(outer, inner)
    };
    let is_own = |i: &usize| !(0..texts.len()).any(|of| is_within(*i, of));
    lines((0..texts.len()).filter(is_own).map(|i| texts[i].clone()))
}

/// Whether a text has another one at its front or its end, as lines of its own.
fn has_lines(outer: &str, inner: &str) -> bool {
    let behind = outer.strip_prefix(inner).filter(|rest| rest.is_empty() || rest.starts_with('\n'));
    let before = outer.strip_suffix(inner).filter(|rest| rest.ends_with('\n'));
    behind.or(before).is_some()
}

/// What an object of an unknown form says, as JSON; empty if that is nothing. What keys that are known hold says nothing.
pub fn unknown(part: &Map<String, Value>) -> String {
    let keys = part.iter().filter(|(key, _)| {
        ![&SAID[..], &CALLS, &RESULTS].iter().any(|known| known.contains(&&***key))
    });
    let left = pruned(keys);
    if left.values().any(has_text) { Value::Object(left).to_string() } else { String::new() }
}

/// Members without those that are no text: ids, links, times, binary data.
fn pruned<'v>(members: impl Iterator<Item = (&'v String, &'v Value)>) -> Map<String, Value> {
    let told = members.filter(|(key, _)| !is_aside(key));
    told.filter_map(|(key, value)| Some((key.clone(), pruned_value(value)?))).collect()
}

fn pruned_value(value: &Value) -> Option<Value> {
    Some(match value {
        Value::String(text) if is_binary(text) || is_link(text) || text.is_empty() => return None,
        Value::Null => return None,
        Value::Array(items) => Value::Array(items.iter().filter_map(pruned_value).collect()),
        Value::Object(members) => Value::Object(pruned(members.iter())),
        plain => plain.clone(),
    })
}

fn has_text(value: &Value) -> bool {
    match value {
        Value::String(_) => true,
        Value::Array(items) => items.iter().any(has_text),
        Value::Object(members) => members.values().any(has_text),
        _ => false,
    }
}

fn is_aside(key: &str) -> bool {
    // `mimeType` is `mime_type`.
    let mut snake = String::with_capacity(key.len());
    for c in key.chars() {
        if c.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    let key = snake.as_str();
    ASIDE.contains(&key) || ASIDE_ENDS.iter().any(|end| key.ends_with(end))
}

fn is_link(text: &str) -> bool {
    !text.contains(char::is_whitespace) && text.contains("://")
}

/// Whether a text is binary data in letters: base64, or an address that holds it.
pub fn is_binary(text: &str) -> bool {
    let text = text.trim();
    let is_of_data = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_' | b'\n' | b'\r')
    };
    let head = &text[..text.floor_char_boundary(MAX_WORD)];
    let is_address = head.starts_with("data:") && head.contains(";base64,");
    // Lines of base64 are long, and those of a list of words are not.
    let is_long =
        head.len() == MAX_WORD && head.lines().next().is_some_and(|line| line.len() >= 60);
    is_address && !text.contains(char::is_whitespace) || is_long && text.bytes().all(is_of_data)
}

/// Whether an object calls a tool: it has a name, and what the tool is given.
fn is_call(of: &Map<String, Value>) -> bool {
    let is_named = of.get("name").is_some_and(Value::is_string);
    is_named && GIVEN.iter().any(|key| of.contains_key(*key))
}

/// The call of a tool, `name(arguments)`: of an object that has its name and what it is given.
pub fn call(of: &Value) -> String {
    of.as_object().map(call_of).unwrap_or_default()
}

fn call_of(of: &Map<String, Value>) -> String {
    let given = match GIVEN.iter().find_map(|key| of.get(*key)) {
        Some(Value::String(given)) => given.clone(),
        Some(Value::Null) | None => String::new(),
        Some(given) => without_data(given).to_string(),
    };
    match of.get("name").and_then(Value::as_str).unwrap_or_default() {
        "" => String::new(),
        name => format!("{name}({given})"),
    }
}

/// A value whose binary data is left out.
fn without_data(value: &Value) -> Value {
    match value {
        Value::String(text) if is_binary(text) => Value::Null,
        Value::Array(items) => Value::Array(items.iter().map(without_data).collect()),
        Value::Object(members) => {
            let member = |(key, of): (&String, &Value)| (key.clone(), without_data(of));
            Value::Object(members.iter().map(member).collect())
        }
        plain => plain.clone(),
    }
}

/// The question of a poll and what it may be answered with, a line each; empty if there is none.
pub fn poll(of: Option<&Value>) -> String {
    let Some(of) = of else { return String::new() };
    let options = ["answers", "options"].iter().find_map(|key| of.get(key)?.as_array());
    let option = |option: &Value| content(option.get("poll_media").unwrap_or(option), "\n");
    let asked = of.get("question").map(|of| content(of, "\n")).unwrap_or_default();
    lines(
        [asked]
            .into_iter()
            .chain(options.into_iter().flatten().map(|of| format!("- {}", option(of)))),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn data_are_not_said() {
        let data = "iVBORw0KGgo".repeat(40);
        for part in [
            json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}),
            json!({"type": "image_url", "image_url": {"url": "https://a.b/c.png"}}),
            json!({"type": "image_url", "image_url": format!("data:image/png;base64,{data}")}),
            json!({"type": "input_audio", "input_audio": {"data": "UklGR", "format": "wav"}}),
            json!({"inlineData": {"mimeType": "image/png", "data": data}}),
            json!({"type": "redacted_thinking", "data": "EmwKAhgBEgy3va3"}),
            json!({"content_type": "image_asset_pointer", "asset_pointer": "file-service://a", "width": 3}),
            json!({"odd": data, "n": 3}),
        ] {
            assert_eq!(content(&part, "\n"), "", "{part}");
        }
        let given = json!({"name": "f", "input": {"a": 1, "b": [data]}});
        assert_eq!(content(&given, "\n"), r#"f({"a":1,"b":[null]})"#);
        let hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(content(&json!(hash), ""), hash);
        assert_eq!(
            content(&json!({"text": "data: see;base64, it is"}), ""),
            "data: see;base64, it is"
        );
    }

    #[test]
    fn what_is_of_an_unknown_form_is_shown() {
        for (part, said) in [
            (json!({"answer": "yes", "n": 4}), r#"{"answer":"yes","n":4}"#),
            (
                json!({"odd": {"inner": ["a", {"id": "b", "c": "d"}]}}),
                r#"{"odd":{"inner":["a",{"c":"d"}]}}"#,
            ),
            (
                json!({"type": "search", "action": {"query": "rain"}}),
                r#"{"action":{"query":"rain"}}"#,
            ),
            (json!({"odd": 1}), ""),
            (json!(42), "42"),
        ] {
            assert_eq!(content(&part, "\n"), said);
        }
    }

    /// Parts of all forms with a word in them.
    fn part(word: &str, form: usize) -> Value {
        match form {
            0 => json!(word),
            1 => json!({"type": "text", "text": word}),
            2 => json!({"type": "refusal", "refusal": word}),
            3 => {
                json!({"type": "document", "title": word, "source": {"type": "base64", "data": "QQ=="}})
            }
            4 => {
                json!({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": word}})
            }
            5 => json!({"type": "tool_use", "id": "t", "name": "f", "input": {"a": word}}),
            6 => {
                json!({"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": word}]})
            }
            7 => {
                json!({"type": "file", "file": {"filename": word, "file_data": "data:a;base64,QQ=="}})
            }
            8 => json!({"functionCall": {"name": "f", "args": {"a": word}}}),
            9 => json!({"functionResponse": {"name": "f", "response": {"odd": word}}}),
            10 => json!({"toolUse": {"name": "f", "input": {"a": word}}}),
            11 => json!({"toolResult": {"content": [{"json": {"odd": word}}]}}),
            12 => json!({"type": "thinking", "thinking": word, "signature": "QQ=="}),
            13 => {
                json!({"type": "input_audio", "input_audio": {"data": "QQ==", "transcript": word}})
            }
            14 => json!({"executableCode": {"language": "python", "code": word}}),
            _ => json!({"odd": [{"odder": word}]}),
        }
    }

    proptest! {
        #[test]
        fn each_text_is_said_once(forms in prop::collection::vec(0_usize..16, 1..12)) {
            let words: Vec<String> = (0..forms.len()).map(|i| format!("word{i}x")).collect();
            let parts = forms.iter().zip(&words).map(|(form, word)| part(word, *form)).collect();
            let said = content(&Value::Array(parts), "\n");
            for word in &words {
                prop_assert_eq!(said.matches(&**word).count(), 1, "{} in {}", word, said);
            }
            prop_assert!(!said.contains("QQ=="));
        }
    }
}

//! Messages of language models, in the form of OpenAI and in others, and segments of recognised speech.

use chunkwright_text::error::Result;
use chunkwright_text::pulse::Pulse;
use serde_json::Value;

use super::values::{content, list, seconds, text};
use super::{Conversation, Message};

type Found = Result<Option<Vec<Conversation>>>;

/// Messages with `role` and `content`: a list, that of a request, or several of these.
pub fn roles(value: &Value, _: Pulse<'_>) -> Found {
    let is_message = |item: &Value| {
        item.get("role").is_some_and(Value::is_string)
            && ["content", "tool_calls", "parts"].iter().any(|key| item.get(key).is_some())
    };
    Ok(conversations(value, &["messages", "history"], is_message, |item| {
        let name = text(item, "name");
        let said = item.get("content").or_else(|| item.get("parts"));
        Message {
            speaker: if name.is_empty() { text(item, "role") } else { name }.to_owned(),
            text: said.map(|of| content(of, "\n")).unwrap_or_default(),
            time: ["create_time", "created_at", "timestamp"]
                .iter()
                .find_map(|key| seconds(item, key))
                .map(|at| (at, None)),
        }
    }))
}

/// Turns with `from` and `value`, as data for training have them.
pub fn turns(value: &Value, _: Pulse<'_>) -> Found {
    let is_turn = |item: &Value| {
        ["from", "value"].iter().all(|key| item.get(key).is_some_and(Value::is_string))
    };
    Ok(conversations(value, &["conversations"], is_turn, |item| Message {
        speaker: text(item, "from").to_owned(),
        text: text(item, "value").to_owned(),
        time: None,
    }))
}

/// Segments of recognised speech, in seconds.
pub fn segments(value: &Value, _: Pulse<'_>) -> Found {
    Ok(timed(value, "segments", 1.0))
}

/// Utterances of recognised speech, in milliseconds.
pub fn utterances(value: &Value, _: Pulse<'_>) -> Found {
    Ok(timed(value, "utterances", 1000.0))
}

fn timed(value: &Value, key: &str, scale: f64) -> Option<Vec<Conversation>> {
    let is_timed = |item: &Value| {
        item.get("text").is_some_and(Value::is_string)
            && ["start", "end"].iter().all(|key| seconds(item, key).is_some())
    };
    let items = value.get(key)?.as_array().filter(|items| !items.is_empty())?;
    let message = |item: &Value| Message {
        speaker: content(item.get("speaker").unwrap_or(&Value::Null), " "),
        text: text(item, "text").to_owned(),
        time: seconds(item, "start")
            .map(|at| (at / scale, seconds(item, "end").map(|at| at / scale))),
    };
    let messages = items.iter().map(message).collect();
    items.iter().all(is_timed).then(|| vec![Conversation { title: String::new(), messages }])
}

/// The conversations of a list of messages, of an object that has one, or of a list of these.
fn conversations(
    value: &Value,
    keys: &[&str],
    is_message: impl Fn(&Value) -> bool + Copy,
    message: impl Fn(&Value) -> Message + Copy,
) -> Option<Vec<Conversation>> {
    let one = |value: &Value| {
        let items = list(value, keys)?;
        let title =
            ["title", "name"].iter().map(|key| text(value, key)).find(|title| !title.is_empty());
        let messages = items.iter().all(is_message).then(|| items.iter().map(message).collect());
        Some(Conversation { title: title.unwrap_or_default().to_owned(), messages: messages? })
    };
    if let Some(conversation) = one(value) {
        return Some(vec![conversation]);
    }
    let several = value.as_array().filter(|items| !items.is_empty())?;
    several.iter().map(|item| if item.is_object() { one(item) } else { None }).collect()
}

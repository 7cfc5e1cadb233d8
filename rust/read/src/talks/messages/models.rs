//! Messages of language models, in the form of OpenAI and in others, and segments of recognised speech.

use std::collections::HashSet;

use chunkwright_text::error::Result;
use chunkwright_text::pulse::Pulse;
use serde_json::Value;

use super::said::{call, content, of_keys, of_object};
use super::values::{are_most, lines, list, seconds, several, text};
use super::{Conversation, Message};
use crate::talks::transcript::names::is_role;

type Found = Result<Option<Vec<Conversation>>>;

/// Roles of models and of their tools, beside those that speak in transcripts.
const ROLES: [&str; 11] = [
    "model",
    "tool",
    "function",
    "developer",
    "gpt",
    "chatgpt",
    "bing",
    "bard",
    "claude",
    "ipython",
    "prompter",
];

/// Keys of lists of messages: of a request, a history, an answer.
const LISTS: [&str; 5] = ["messages", "history", "contents", "input", "output"];
/// Keys of what a message says, in the order in which it is said.
const SAID: [&str; 6] =
    ["reasoning_content", "reasoning", "thinking", "content", "parts", "refusal"];
/// Keys of what a model is told first beside the messages.
const TOLD: [&str; 4] = ["system", "instructions", "systemInstruction", "system_instruction"];

/// Messages with `role` and `content`: a list, that of a request, or several of these.
pub fn roles(value: &Value, _: Pulse<'_>) -> Found {
    let is_message = |item: &Value| {
        let has_role = item.get("role").is_some_and(Value::is_string);
        let said = ["content", "tool_calls", "parts", "refusal"];
        has_role && said.iter().any(|key| item.get(key).is_some()) || is_item(item)
    };
    Ok(conversations(value, &LISTS, is_message, |item| Message {
        speaker: speaker(item).to_owned(),
        text: message_text(item),
        time: ["create_time", "created_at", "timestamp"]
            .iter()
            .find_map(|key| seconds(item, key))
            .map(|at| (at, None)),
    }))
}

/// Whether an item without a role stands among messages: a call of a tool, what it gave back, or a chain of thought.
fn is_item(item: &Value) -> bool {
    let kind = text(item, "type");
    item.get("role").is_none()
        && (kind == "reasoning" || kind.ends_with("_call") || kind.ends_with("_call_output"))
}

/// Who says an item: its name, its role, or that which calls tools or which they have.
fn speaker(item: &Value) -> &str {
    match (text(item, "role"), text(item, "name")) {
        ("", _) if text(item, "type").ends_with("_call_output") => "tool",
        ("", _) if is_item(item) => "assistant",
        (role, "") => role,
        (_, name) => name,
    }
}

/// All that a message says, and the tools that it calls. What is no message is read as a part of one.
fn message_text(item: &Value) -> String {
    let Some(members) = item.as_object() else { return content(item, "\n") };
    if item.get("role").is_none() {
        return of_object(members);
    }
    let heard = item.get("audio").map(|of| content(of, "\n")).unwrap_or_default();
    let known = lines([vec![of_keys(members, &SAID), heard], calls(item)].concat());
    let is_said = item.get("content").is_some_and(|of| !of.is_null());
    if known.is_empty() && !is_said { of_object(members) } else { known }
}

/// The tools that a message calls.
fn calls(item: &Value) -> Vec<String> {
    let several = item.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
    let several = several.map(|of| call(of.get("function").unwrap_or(of)));
    several.chain(item.get("function_call").map(call)).collect()
}

/// Whether who speaks is a role of models, or speaks again: what else has a `role` is a part of a page, a user.
pub fn are_spoken(found: &[Conversation], value: &Value) -> bool {
    let is_known = |name: &str| is_role(name) || ROLES.contains(&name.to_lowercase().as_str());
    let mut seen = HashSet::new();
    let mut speakers = found.iter().flat_map(|of| &of.messages).map(|message| &*message.speaker);
    let has_tools = value.get("tools").is_some() || value.get("model").is_some();
    has_tools || speakers.any(|name| is_known(name) || !seen.insert(name))
}

/// Turns with `from` and `value`, as data for training have them.
pub fn turns(value: &Value, _: Pulse<'_>) -> Found {
    let is_turn = |item: &Value| {
        ["from", "value"].iter().all(|key| item.get(key).is_some_and(Value::is_string))
    };
    Ok(conversations(value, &["conversations"], is_turn, |item| Message {
        speaker: text(item, "from").to_owned(),
        text: item.get("value").map(|of| content(of, "\n")).unwrap_or_default(),
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
    are_most(items, is_timed).then(|| vec![Conversation { title: String::new(), messages }])
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
        if !are_most(items, is_message) {
            return None;
        }
        // What a model is told first stands beside the messages in some requests.
        let told = TOLD.iter().filter_map(|key| value.get(key)).map(|of| content(of, "\n"));
        let told = lines(told);
        let told = Message { speaker: "system".to_owned(), text: told, time: None };
        let told = Some(told).filter(|told| !told.text.is_empty());
        let messages = told.into_iter().chain(items.iter().map(message)).collect();
        Some(Conversation { title: title.unwrap_or_default().to_owned(), messages })
    };
    if let Some(conversation) = one(value) {
        return Some(vec![conversation]);
    }
    several(value.as_array()?, |item| if item.is_object() { one(item) } else { None })
}

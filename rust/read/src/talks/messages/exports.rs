//! Exports of assistants: conversations of ChatGPT, which are trees, and of Claude.

use std::collections::HashSet;

use chunkwright_text::error::Result;
use chunkwright_text::pulse::Pulse;
use serde_json::Value;

use super::said::content;
use super::values::{lines, named_in, seconds, several, text};
use super::{Conversation, Message};

type Found = Result<Option<Vec<Conversation>>>;

/// Conversations of ChatGPT: of each tree the branch that is shown.
pub fn chatgpt(value: &Value, _: Pulse<'_>) -> Found {
    Ok(each(value, |item| {
        let mapping = item.get("mapping")?.as_object()?;
        let is_node = |node: &Value| node.get("message").is_some();
        if mapping.values().filter(|node| is_node(node)).count() * 2 < mapping.len().max(1) {
            return None;
        }
        let shown = branch(mapping, text(item, "current_node"));
        let messages = shown.into_iter().filter_map(|node| message(node.get("message")?)).collect();
        Some(Conversation { title: text(item, "title").to_owned(), messages })
    }))
}

/// The nodes from the root to the one that is shown last; without such a one all, in the order of their times.
fn branch<'v>(mapping: &'v serde_json::Map<String, Value>, last: &str) -> Vec<&'v Value> {
    let (mut nodes, mut seen, mut at) = (Vec::new(), HashSet::new(), mapping.get_key_value(last));
    while let Some((id, node)) = at.filter(|(id, _)| seen.insert(id.as_str())) {
        debug_assert!(seen.contains(id.as_str()));
        nodes.push(node);
        at = mapping.get_key_value(text(node, "parent"));
    }
    nodes.reverse();
    if nodes.is_empty() {
        nodes = mapping.values().collect();
        let time = |node: &&Value| node.get("message").and_then(|of| seconds(of, "create_time"));
        nodes.sort_by(|a, b| time(a).unwrap_or(0.0).total_cmp(&time(b).unwrap_or(0.0)));
    }
    nodes
}

fn message(value: &Value) -> Option<Message> {
    let author = value.get("author")?;
    let name = text(author, "name");
    let said = value.get("content")?;
    let own = ["parts", "text", "result"].iter().find_map(|key| said.get(key)).unwrap_or(said);
    let attached = value.get("metadata").map(|of| named_in(of, "attachments", &["name"]));
    Some(Message {
        speaker: if name.is_empty() { text(author, "role") } else { name }.to_owned(),
        text: lines([vec![content(own, "\n")], attached.unwrap_or_default()].concat()),
        time: seconds(value, "create_time").map(|at| (at, None)),
    })
}

/// Conversations of Claude.
pub fn claude(value: &Value, _: Pulse<'_>) -> Found {
    Ok(each(value, |item| {
        let messages = item.get("chat_messages")?.as_array()?;
        let message = |of: &Value| Message {
            speaker: text(of, "sender").to_owned(),
            text: claude_text(of),
            time: seconds(of, "created_at").map(|at| (at, None)),
        };
        let messages = messages.iter().map(message).collect();
        Some(Conversation { title: text(item, "name").to_owned(), messages })
    }))
}

/// The text of a message of Claude, what is attached to it, and the names of its files.
fn claude_text(of: &Value) -> String {
    let said = match text(of, "text") {
        "" => content(of.get("content").unwrap_or(&Value::Null), "\n"),
        said => said.to_owned(),
    };
    let attached = named_in(of, "attachments", &["extracted_content", "file_name"]);
    lines([vec![said], attached, named_in(of, "files", &["file_name"])].concat())
}

/// The conversations of a list, or of one alone; none if most are of another form.
fn each(
    value: &Value,
    conversation: impl Fn(&Value) -> Option<Conversation>,
) -> Option<Vec<Conversation>> {
    match value {
        Value::Array(items) => several(items, conversation),
        Value::Object(_) => conversation(value).map(|one| vec![one]),
        _ => None,
    }
}

//! Exports of Slack: messages of a channel on a day, in Slack's own markup.

use std::collections::HashMap;

use chunkwright_text::error::Result;
use chunkwright_text::pulse::Pulse;
use serde_json::Value;

use super::values::{are_most, lines, list, named_in, seconds, text};
use super::{Conversation, Message};

/// Messages of Slack, without those that say who joined or left.
pub fn slack(value: &Value, _: Pulse<'_>) -> Result<Option<Vec<Conversation>>> {
    let is_message = |item: &Value| {
        let has_author = ["user", "bot_id", "username"].iter().any(|key| item.get(key).is_some());
        text(item, "type") == "message" && item.get("ts").is_some() && has_author
    };
    let Some(items) = list(value, &["messages"]).filter(|items| are_most(items, is_message)) else {
        return Ok(None);
    };
    let name = |item| Some((text(item, "user"), name_in(item)?));
    // Programs have no id, and each has its own name.
    let names: HashMap<&str, &str> =
        items.iter().filter_map(name).filter(|(user, _)| !user.is_empty()).collect();
    let message = |item: &Value| {
        let user = text(item, "user");
        let speaker = names.get(user).copied().or_else(|| name_in(item)).unwrap_or(user);
        Message {
            speaker: speaker.to_owned(),
            text: said(item, &names),
            time: seconds(item, "ts").map(|at| (at, None)),
        }
    };
    let is_said = |item: &&Value| {
        !matches!(
            text(item, "subtype"),
            "channel_join" | "channel_leave" | "group_join" | "group_leave"
        )
    };
    let messages = items.iter().filter(is_said).map(message).collect();
    Ok(Some(vec![Conversation::in_order(String::new(), messages)]))
}

/// The name that a message gives its author.
fn name_in(item: &Value) -> Option<&str> {
    let of_profile = |profile: &'_ str| {
        item.get(profile).map(|of| ["real_name", "display_name", "name"].map(|key| text(of, key)))
    };
    let profiles = ["user_profile", "bot_profile"].into_iter().filter_map(of_profile).flatten();
    profiles.chain([text(item, "username")]).find(|name| !name.is_empty())
}

/// All that a message says: its text, or that of its blocks, what is attached, and the names of its files.
fn said(item: &Value, names: &HashMap<&str, &str>) -> String {
    let own = match text(item, "text") {
        "" => of_blocks(item, names),
        own => unmarked(own, names),
    };
    let attached = item.get("attachments").and_then(Value::as_array).into_iter().flatten();
    let attached = attached.map(|of| attachment(of, names)).collect();
    lines([vec![own], attached, named_in(item, "files", &["title", "name"])].concat())
}

/// The text of an attachment; what is shown in its place if it has none.
fn attachment(of: &Value, names: &HashMap<&str, &str>) -> String {
    let own = ["pretext", "title", "text"].map(|key| unmarked(text(of, key), names));
    let fields = of.get("fields").and_then(Value::as_array).into_iter().flatten();
    let fields =
        fields.map(|of| format!("{}: {}", text(of, "title"), unmarked(text(of, "value"), names)));
    let found = lines(own.into_iter().chain(fields).chain([of_blocks(of, names)]));
    if found.is_empty() { unmarked(text(of, "fallback"), names) } else { found }
}

/// The text of blocks, a line for each.
fn of_blocks(item: &Value, names: &HashMap<&str, &str>) -> String {
    let blocks = item.get("blocks").and_then(Value::as_array).into_iter().flatten();
    lines(blocks.map(|block| {
        let mut said = String::new();
        add_block(block, names, &mut said);
        said.trim().to_owned()
    }))
}

/// Adds the text of a block and of all that it holds. Depth is bounded by that of the JSON.
fn add_block(block: &Value, names: &HashMap<&str, &str>, said: &mut String) {
    match block.get("text") {
        Some(Value::String(own)) if text(block, "type") == "mrkdwn" => {
            *said += &unmarked(own, names);
        }
        Some(Value::String(own)) => *said += own,
        Some(own) => add_block(own, names, said),
        None => match text(block, "type") {
            "link" => *said += text(block, "url"),
            "user" => {
                let id = text(block, "user_id");
                *said += "@";
                *said += names.get(id).copied().unwrap_or(id);
            }
            "emoji" => said.extend([":", text(block, "name"), ":"]),
            _ => (),
        },
    }
    let inner = ["elements", "fields"].map(|key| block.get(key).and_then(Value::as_array));
    for part in inner.into_iter().flatten().flatten() {
        add_block(part, names, said);
        // Parts that hold others stand one under the other.
        let is_apart = part.get("elements").is_some() || text(part, "type") == "mrkdwn";
        if is_apart && !said.is_empty() && !said.ends_with('\n') {
            said.push('\n');
        }
    }
}

/// A text without Slack's marks: mentions are names, links what they show. O(n).
fn unmarked(text: &str, names: &HashMap<&str, &str>) -> String {
    let (mut said, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, behind)) = rest.split_once('<') {
        said.push_str(before);
        let Some((inner, next)) = behind.split_once('>') else {
            (rest, said) = (behind, said + "<");
            break;
        };
        let (target, shown) =
            inner.split_once('|').map_or((inner, None), |(to, shown)| (to, Some(shown)));
        match (target.chars().next(), shown) {
            (_, Some(shown)) if !target.starts_with(['@', '#']) => said.push_str(shown),
            (Some('@'), shown) => {
                let id = &target[1..];
                said.push('@');
                said.push_str(names.get(id).copied().or(shown).unwrap_or(id));
            }
            (Some('#'), shown) => {
                said.push('#');
                said.push_str(shown.unwrap_or(&target[1..]));
            }
            (Some('!'), _) => {
                said.push('@');
                said.push_str(&target[1..]);
            }
            _ => said.push_str(target),
        }
        rest = next;
    }
    said.push_str(rest);
    said.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

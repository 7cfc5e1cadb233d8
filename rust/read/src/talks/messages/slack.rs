//! Exports of Slack: messages of a channel on a day, in Slack's own markup.

use std::collections::HashMap;

use chunkwright_text::error::Result;
use chunkwright_text::pulse::Pulse;
use serde_json::Value;

use super::values::{list, seconds, text};
use super::{Conversation, Message};

/// Messages of Slack, without those that say who joined or left.
pub fn slack(value: &Value, _: Pulse<'_>) -> Result<Option<Vec<Conversation>>> {
    let is_message = |item: &Value| {
        let has_author = ["user", "bot_id", "username"].iter().any(|key| item.get(key).is_some());
        text(item, "type") == "message" && item.get("ts").is_some() && has_author
    };
    let Some(items) = list(value, &["messages"]).filter(|items| items.iter().all(is_message))
    else {
        return Ok(None);
    };
    let names: HashMap<&str, &str> =
        items.iter().filter_map(|item| Some((text(item, "user"), name_in(item)?))).collect();
    let message = |item: &Value| {
        let user = text(item, "user");
        let speaker = names.get(user).copied().or_else(|| name_in(item)).unwrap_or(user);
        Message {
            speaker: speaker.to_owned(),
            text: unmarked(text(item, "text"), &names),
            time: seconds(item, "ts").map(|at| (at, None)),
        }
    };
    let is_said = |item: &&Value| {
        !matches!(
            text(item, "subtype"),
            "channel_join" | "channel_leave" | "group_join" | "group_leave"
        )
    };
    let mut messages: Vec<Message> = items.iter().filter(is_said).map(message).collect();
    messages.sort_by(|a, b| begin(a).total_cmp(&begin(b)));
    Ok(Some(vec![Conversation { title: String::new(), messages }]))
}

fn begin(message: &Message) -> f64 {
    message.time.map_or(0.0, |(at, _)| at)
}

/// The name that a message gives its author.
fn name_in(item: &Value) -> Option<&str> {
    let of_profile = |profile: &'_ str| {
        item.get(profile).map(|of| ["real_name", "display_name", "name"].map(|key| text(of, key)))
    };
    let profiles = ["user_profile", "bot_profile"].into_iter().filter_map(of_profile).flatten();
    profiles.chain([text(item, "username")]).find(|name| !name.is_empty())
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

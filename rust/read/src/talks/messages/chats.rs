//! Exports of other chats: Microsoft Teams, Telegram and Discord.

use chunkwright_text::error::Result;
use chunkwright_text::pulse::Pulse;
use serde_json::Value;

use super::values::{are_most, content, lines, list, named_in, seconds, several, text};
use super::{Conversation, Message};
use crate::html::page;

type Found = Result<Option<Vec<Conversation>>>;

/// Messages of Teams, as Microsoft Graph gives them: the newest first, as a rule.
pub fn teams(value: &Value, pulse: Pulse<'_>) -> Found {
    let is_message = |item: &Value| item.get("messageType").is_some() && item.get("body").is_some();
    let Some(items) =
        list(value, &["value", "messages"]).filter(|items| are_most(items, is_message))
    else {
        return Ok(None);
    };
    let mut messages = Vec::with_capacity(items.len());
    for item in items.iter().filter(|item| text(item, "messageType") == "message") {
        let (body, from) = (&item["body"], &item["from"]);
        let names = ["user", "application"].map(|who| text(&from[who], "displayName"));
        let said = text(body, "content");
        let is_html = text(body, "contentType").eq_ignore_ascii_case("html");
        messages.push(Message {
            speaker: names.into_iter().find(|name| !name.is_empty()).unwrap_or_default().to_owned(),
            text: lines(
                [
                    vec![if is_html { plain(said, pulse)? } else { said.to_owned() }],
                    named_in(item, "attachments", &["name"]),
                ]
                .concat(),
            ),
            time: seconds(item, "createdDateTime").map(|at| (at, None)),
        });
    }
    Ok(Some(vec![in_order(String::new(), messages)]))
}

/// The text of HTML.
fn plain(html: &str, pulse: Pulse<'_>) -> Result<String> {
    Ok(page::read(html, &[], &[], pulse)?.text.unwrap_or_default())
}

/// A chat of Telegram, or all of an account.
pub fn telegram(value: &Value, _: Pulse<'_>) -> Found {
    let chats = value.get("chats").and_then(|chats| chats.get("list")).and_then(Value::as_array);
    let one = |chat: &Value| {
        let items = chat.get("messages")?.as_array()?;
        let is_message = |item: &&Value| text(item, "type") == "message";
        let message = |item: &Value| Message {
            speaker: text(item, "from").to_owned(),
            text: lines([
                content(item.get("text").unwrap_or(&Value::Null), ""),
                text(item, "file_name").to_owned(),
            ]),
            time: seconds(item, "date_unixtime").map(|at| (at, None)),
        };
        let messages = items.iter().filter(is_message).map(message).collect();
        Some(in_order(text(chat, "name").to_owned(), messages))
    };
    Ok(match chats {
        Some(chats) => several(chats, one),
        None => one(value).map(|chat| vec![chat]),
    })
}

/// A channel of Discord.
pub fn discord(value: &Value, _: Pulse<'_>) -> Found {
    let is_message = |item: &Value| {
        item.get("author").is_some_and(Value::is_object)
            && item.get("content").is_some()
            && item.get("timestamp").is_some()
    };
    let Some(items) = list(value, &["messages"]).filter(|items| are_most(items, is_message)) else {
        return Ok(None);
    };
    let message = |item: &Value| {
        let names =
            ["nickname", "global_name", "name", "username"].map(|key| text(&item["author"], key));
        Message {
            speaker: names.into_iter().find(|name| !name.is_empty()).unwrap_or_default().to_owned(),
            text: lines(
                [
                    vec![content(&item["content"], "\n")],
                    embeds(item),
                    named_in(item, "attachments", &["fileName", "filename"]),
                ]
                .concat(),
            ),
            time: seconds(item, "timestamp").map(|at| (at, None)),
        }
    };
    let title = value.get("channel").map_or("", |channel| text(channel, "name"));
    Ok(Some(vec![in_order(title.to_owned(), items.iter().map(message).collect())]))
}

/// What a message of Discord shows of pages and of programs: titles, descriptions and fields.
fn embeds(item: &Value) -> Vec<String> {
    let shown = |embed: &Value| {
        let own = ["title", "description"].map(|key| text(embed, key).to_owned());
        let fields = embed.get("fields").and_then(Value::as_array).into_iter().flatten();
        let fields = fields.map(|of| format!("{}: {}", text(of, "name"), text(of, "value")));
        own.into_iter().chain(fields).collect::<Vec<_>>()
    };
    let embeds = item.get("embeds").and_then(Value::as_array).into_iter().flatten();
    embeds.flat_map(shown).collect()
}

/// A conversation of messages, the earliest first.
fn in_order(title: String, mut messages: Vec<Message>) -> Conversation {
    let begin = |message: &Message| message.time.map_or(0.0, |(at, _)| at);
    messages.sort_by(|a, b| begin(a).total_cmp(&begin(b)));
    Conversation { title, messages }
}

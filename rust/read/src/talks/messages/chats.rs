//! Exports of other chats: Microsoft Teams, Telegram and Discord.

use chunkwright_text::error::Result;
use chunkwright_text::pulse::Pulse;
use serde_json::Value;

use super::said::{content, poll};
use super::values::{are_most, lines, list, named_in, seconds, several, text};
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
                    vec![text(item, "subject").to_owned()],
                    vec![if is_html { plain(said, pulse)? } else { said.to_owned() }],
                    named_in(item, "attachments", &["name"]),
                ]
                .concat(),
            ),
            time: seconds(item, "createdDateTime").map(|at| (at, None)),
        });
    }
    Ok(Some(vec![Conversation::in_order(String::new(), messages)]))
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
        // The time of a clock is that of the place where the chat was exported.
        let ahead = |item: &Value| Some(seconds(item, "date")? - seconds(item, "date_unixtime")?);
        let ahead = items.iter().find_map(ahead).unwrap_or_default();
        let time = |item: &Value| {
            seconds(item, "date_unixtime").or_else(|| Some(seconds(item, "date")? - ahead))
        };
        let is_message = |item: &&Value| text(item, "type") == "message";
        let message = |item: &Value| Message {
            speaker: text(item, "from").to_owned(),
            text: telegram_text(item),
            time: time(item).map(|at| (at, None)),
        };
        let messages = items.iter().filter(is_message).map(message).collect();
        Some(Conversation::in_order(text(chat, "name").to_owned(), messages))
    };
    Ok(match chats {
        Some(chats) => several(chats, one),
        None => one(value).map(|chat| vec![chat]),
    })
}

/// The text of a message of Telegram, what it shows, and the names of its files.
fn telegram_text(item: &Value) -> String {
    let said = ["text", "caption"].map(|key| item.get(key).map(|of| content(of, "")));
    let shown = ["place_name", "address", "game_title", "game_description", "sticker_emoji"];
    let shown = shown.map(|key| text(item, key).to_owned());
    let of_contact = |key| text(item.get("contact_information").unwrap_or(&Value::Null), key);
    let contact = ["first_name", "last_name", "phone_number"].map(of_contact);
    let song = ["performer", "title"].map(|key| text(item, key));
    let joined = |texts: &[&str]| texts.join(" ").trim().to_owned();
    let said = said.into_iter().flatten().chain([poll(item.get("poll"))]).chain(shown);
    lines(said.chain([joined(&contact), joined(&song)]).chain(files(item)))
}

/// The names of the files of a message of Telegram: those that they were sent with, or have in the export.
fn files(item: &Value) -> Vec<String> {
    // What was not exported has a note in brackets in place of the path.
    let path = |key| Some(text(item, key)).filter(|path| !path.starts_with('('));
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let file = match text(item, "file_name") {
        "" => path("file").map(name),
        own => Some(own.to_owned()),
    };
    file.into_iter().chain(path("photo").map(name)).collect()
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
                    vec![poll(item.get("poll"))],
                    named_in(item, "stickers", &["name"]),
                    named_in(item, "sticker_items", &["name"]),
                    named_in(item, "attachments", &["fileName", "filename"]),
                ]
                .concat(),
            ),
            time: seconds(item, "timestamp").map(|at| (at, None)),
        }
    };
    let title = value.get("channel").map_or("", |channel| text(channel, "name"));
    Ok(Some(vec![Conversation::in_order(title.to_owned(), items.iter().map(message).collect())]))
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

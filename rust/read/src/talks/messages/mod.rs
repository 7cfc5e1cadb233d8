//! Reader of messages in JSON: those of language models, and what chats export.
//!
//! Each form is a row of `FORMS`: how it is told, and its conversations. All are parsed once into values; which keys
//! an object has tells the form.

// Forms are read by functions of one type, and that of Teams, which reads HTML, can be stopped.
#![allow(clippy::unnecessary_wraps)]

mod chats;
mod exports;
mod models;
mod said;
mod slack;
#[cfg(test)]
mod tests;
mod values;

use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::read::Read;
use chunkwright_text::span::Span;
use memchr::memmem;
use serde_json::Value;

use self::values::parsed;
use super::written::{Talk, Time};

/// A message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Message {
    /// Who wrote it; empty if it does not say.
    pub speaker: String,
    /// Its text.
    pub text: String,
    /// Seconds since 1970, or from the beginning of a recording.
    pub time: Option<Time>,
}

/// Messages one behind the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversation {
    /// What it is called; empty if it has no name.
    pub title: String,
    /// The messages in the order of their times.
    pub messages: Vec<Message>,
}

impl Conversation {
    /// Messages, the earliest first. One without a time keeps its place: it goes with the one before it in the file.
    fn in_order(title: String, mut messages: Vec<Message>) -> Self {
        let begin = |message: &Message| message.time.map(|(at, _)| at);
        let times: Vec<f64> = messages.iter().filter_map(begin).collect();
        let n_up = times.windows(2).filter(|pair| pair[0] < pair[1]).count();
        let n_down = times.windows(2).filter(|pair| pair[0] > pair[1]).count();
        // Some exports begin with the newest one.
        if n_down > n_up {
            messages.reverse();
        }
        let mut last = messages.iter().find_map(begin).unwrap_or_default();
        let placed = messages.into_iter().map(|message| {
            last = begin(&message).unwrap_or(last);
            (last, message)
        });
        let mut placed: Vec<(f64, Message)> = placed.collect();
        placed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        Self { title, messages: placed.into_iter().map(|(_, message)| message).collect() }
    }
}

/// Form of messages: a key that its text has, in quotes, and its conversations; none if a value is not of the form.
struct FormOf {
    key: &'static str,
    read: fn(&Value, Pulse<'_>) -> Result<Option<Vec<Conversation>>>,
    /// Whether other JSON has its keys, too, so that who speaks has to tell it.
    is_common: bool,
}

impl FormOf {
    const fn new(
        key: &'static str,
        read: fn(&Value, Pulse<'_>) -> Result<Option<Vec<Conversation>>>,
    ) -> Self {
        Self { key, read, is_common: false }
    }
}

/// The forms, those first that tell more of themselves.
const FORMS: &[FormOf] = &[
    FormOf::new("\"mapping\"", exports::chatgpt),
    FormOf::new("\"chat_messages\"", exports::claude),
    FormOf::new("\"messageType\"", chats::teams),
    FormOf::new("\"ts\"", slack::slack),
    FormOf::new("\"date_unixtime\"", chats::telegram),
    FormOf::new("\"timestamp\"", chats::discord),
    FormOf { is_common: true, ..FormOf::new("\"role\"", models::roles) },
    FormOf { is_common: true, ..FormOf::new("\"conversations\"", models::turns) },
    FormOf::new("\"segments\"", models::segments),
    FormOf::new("\"utterances\"", models::utterances),
];

/// Whether a text is JSON of messages: O(n), and parses it only if it has a key of theirs.
///
/// ```
/// use chunkwright_read::talks::messages::looks_like_messages;
///
/// assert!(looks_like_messages(r#"[{"role": "user", "content": "Did it rain?"}]"#));
/// assert!(!looks_like_messages(r#"[{"role": "admin", "id": 7}]"#) && !looks_like_messages("[]"));
/// ```
pub fn looks_like_messages(text: &str) -> bool {
    let begins = text.trim_start_matches('\u{feff}').trim_start();
    if !begins.starts_with(['[', '{']) || !FORMS.iter().any(|form| has_key(text, form)) {
        return false;
    }
    let quiet: Pulse<'_> = &|| Ok(());
    matches!(found(text, quiet, models::are_spoken), Ok(Some(_)))
}

/// Reads messages. O(n).
///
/// ```
/// use chunkwright_read::talks::messages::read;
/// use chunkwright_text::pulse::no_pulse;
///
/// let json = r#"{"messages": [{"role": "user", "content": "Did it rain?"}, {"role": "assistant", "content": "Yes."}]}"#;
/// let read = read(json, no_pulse())?;
/// assert_eq!(read.text.as_deref(), Some("user: Did it rain?\n\nassistant: Yes."));
/// assert_eq!(&*read.turns[1].1.speaker, "assistant");
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Read`] if it is no JSON, or of no known form, and what `pulse` says.
pub fn read(text: &str, pulse: Pulse<'_>) -> Result<Read> {
    let Some(conversations) = found(text, pulse, |_, _| true)? else {
        let known = "messages with 'role' and 'content', or an export of ChatGPT, Claude, Slack, Teams, Telegram or Discord";
        return Err(Error::read(format!("no messages of a known form: expected {known}")));
    };
    let (mut talk, beat) = (Talk::default(), Beat::of_bytes(pulse));
    for conversation in conversations {
        talk.entitle(&conversation.title);
        for Message { speaker, text, time } in conversation.messages {
            beat.after(text.len())?;
            talk.say(&on_one_line(&speaker), &text, time, Span::default());
        }
    }
    Ok(talk.read_nowhere())
}

/// The conversations of the first form that a text has; of a common form only if `are_told` says so.
fn found(
    text: &str,
    pulse: Pulse<'_>,
    are_told: impl Fn(&[Conversation], &Value) -> bool,
) -> Result<Option<Vec<Conversation>>> {
    let value = parsed(text)?;
    for form in FORMS.iter().filter(|form| has_key(text, form)) {
        if let Some(conversations) = (form.read)(&value, pulse)?
            && (!form.is_common || are_told(&conversations, &value))
        {
            return Ok(Some(conversations));
        }
    }
    Ok(None)
}

fn has_key(text: &str, form: &FormOf) -> bool {
    memmem::find(text.as_bytes(), form.key.as_bytes()).is_some()
}

fn on_one_line(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

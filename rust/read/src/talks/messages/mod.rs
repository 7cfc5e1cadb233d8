//! Reader of messages in JSON: those of language models, and what chats export.
//!
//! Each form is a row of `FORMS`: how it is told, and its conversations. All are parsed once into values; which keys
//! an object has tells the form.

// Forms are read by functions of one type, and that of Teams, which reads HTML, can be stopped.
#![allow(clippy::unnecessary_wraps)]

mod chats;
mod exports;
mod models;
mod slack;
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

/// Form of messages: a key that its text has, in quotes, and its conversations; none if a value is not of the form.
struct FormOf {
    key: &'static str,
    read: fn(&Value, Pulse<'_>) -> Result<Option<Vec<Conversation>>>,
}

/// The forms, those first that tell more of themselves.
const FORMS: &[FormOf] = &[
    FormOf { key: "\"mapping\"", read: exports::chatgpt },
    FormOf { key: "\"chat_messages\"", read: exports::claude },
    FormOf { key: "\"messageType\"", read: chats::teams },
    FormOf { key: "\"ts\"", read: slack::slack },
    FormOf { key: "\"date_unixtime\"", read: chats::telegram },
    FormOf { key: "\"timestamp\"", read: chats::discord },
    FormOf { key: "\"role\"", read: models::roles },
    FormOf { key: "\"conversations\"", read: models::turns },
    FormOf { key: "\"segments\"", read: models::segments },
    FormOf { key: "\"utterances\"", read: models::utterances },
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
    matches!(found(text, quiet), Ok(Some(_)))
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
    let Some(conversations) = found(text, pulse)? else {
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

fn found(text: &str, pulse: Pulse<'_>) -> Result<Option<Vec<Conversation>>> {
    let value = parsed(text)?;
    for form in FORMS.iter().filter(|form| has_key(text, form)) {
        if let Some(conversations) = (form.read)(&value, pulse)? {
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

#[cfg(test)]
mod tests {
    use super::*;
    use chunkwright_text::pulse::no_pulse;

    fn said(json: &str) -> Vec<(String, Option<f64>)> {
        assert!(looks_like_messages(json), "{json}");
        let read = read(json, no_pulse()).unwrap();
        let text = read.text.as_deref().unwrap();
        let turn = |(i, turn): &(usize, chunkwright_text::turns::Turn)| {
            let span = read.elements[*i].span;
            (text[span.range()].to_owned(), turn.cues.first().map(|cue| cue.start))
        };
        read.turns.iter().map(turn).collect()
    }

    #[test]
    fn messages_of_models_are_read() {
        let parts = r#"[{"role":"system","content":"Be brief."},{"role":"user","name":"Ada","content":[{"type":"text","text":"Rain?"},
            {"type":"image_url","image_url":{"url":"x"}}]},{"role":"assistant","content":null},{"role":"assistant","content":"\ud83d No."}]"#;
        let texts: Vec<_> = said(parts).into_iter().map(|(text, _)| text).collect();
        assert_eq!(texts, ["system: Be brief.", "Ada: Rain?", "assistant: \u{fffd} No."]);
        let shared =
            r#"{"conversations":[{"from":"human","value":"Rain?"},{"from":"gpt","value":"No."}]}"#;
        assert_eq!(said(shared)[1].0, "gpt: No.");
        let segments = r#"{"text":"x","segments":[{"start":0.5,"end":2,"text":" It rained."},{"start":2,"end":3,"text":"Yes.","speaker":"B"}]}"#;
        assert_eq!(
            said(segments),
            [("It rained.".to_owned(), Some(0.5)), ("B: Yes.".to_owned(), Some(2.0))]
        );
        let utterances =
            r#"{"utterances":[{"speaker":"A","start":1500,"end":2000,"text":"Yes."}]}"#;
        assert_eq!(said(utterances), [("A: Yes.".to_owned(), Some(1.5))]);
    }

    #[test]
    fn exports_are_read() {
        let chatgpt = r#"[{"title":"Rain","current_node":"c","mapping":{
            "a":{"message":null,"parent":null,"children":["b"]},
            "x":{"message":{"author":{"role":"assistant"},"content":{"parts":["left out"]}},"parent":"b"},
            "c":{"message":{"author":{"role":"assistant"},"create_time":7.5,"content":{"parts":["No."]}},"parent":"b"},
            "b":{"message":{"author":{"role":"user"},"create_time":5,"content":{"parts":["Rain?",{"asset":1}]}},"parent":"a"}}}]"#;
        assert_eq!(
            said(chatgpt),
            [("user: Rain?".to_owned(), Some(5.0)), ("assistant: No.".to_owned(), Some(7.5))]
        );
        let endless = r#"{"mapping":{"a":{"message":{"author":{"role":"user"},"content":{"parts":["Rain?"]}},"parent":"a"}},"current_node":"a"}"#;
        assert_eq!(said(endless).len(), 1);
        let claude = r#"[{"name":"Rain","chat_messages":[{"sender":"human","text":"Rain?","created_at":"1970-01-01T00:00:09Z"}]}]"#;
        assert_eq!(said(claude), [("human: Rain?".to_owned(), Some(9.0))]);
        let slack = r#"[{"type":"message","user":"U1","text":"<@U2> see <http:\/\/a.b|this> &amp; rest","ts":"12.5","user_profile":{"real_name":"Ada Lee"}},
            {"type":"message","user":"U2","text":"No.","ts":"13.0"},{"type":"message","subtype":"channel_join","user":"U2","text":"joined","ts":"11"}]"#;
        let expected = [
            ("Ada Lee: @U2 see this & rest".to_owned(), Some(12.5)),
            ("U2: No.".to_owned(), Some(13.0)),
        ];
        assert_eq!(said(slack), expected);
        let teams = r#"{"value":[{"messageType":"message","createdDateTime":"1970-01-01T00:00:20Z","from":{"user":{"displayName":"Bo"}},"body":{"contentType":"html","content":"<p>It <b>did</b>.</p>"}},
            {"messageType":"message","createdDateTime":"1970-01-01T00:00:10Z","from":{"user":{"displayName":"Ada"}},"body":{"contentType":"text","content":"Rain?"}}]}"#;
        assert_eq!(
            said(teams),
            [("Ada: Rain?".to_owned(), Some(10.0)), ("Bo: It did.".to_owned(), Some(20.0))]
        );
        let telegram = r#"{"name":"Rain","messages":[{"type":"message","from":"Ada","date_unixtime":"30","text":["It ",{"type":"bold","text":"rained"}]}]}"#;
        assert_eq!(said(telegram), [("Ada: It rained".to_owned(), Some(30.0))]);
        let discord = r#"{"channel":{"name":"rain"},"messages":[{"timestamp":"1970-01-01T00:00:01+00:00","author":{"name":"ada"},"content":"Rain"}]}"#;
        assert_eq!(said(discord), [("ada: Rain".to_owned(), Some(1.0))]);
    }

    #[test]
    fn other_json_is_none() {
        for json in [
            "[]",
            "{}",
            "{",
            r#"[{"role":"admin","id":7}]"#,
            r#"{"segments":[1],"ts":2}"#,
            r#"[{"type":"Title","text":"a"}]"#,
            r#"{"timestamp":1,"messages":[]}"#,
            r#"{"mapping":{"a":{"type":"keyword"}}}"#,
            r#"[{"ts":"1","text":"a"}]"#,
        ] {
            assert!(!looks_like_messages(json), "{json}");
        }
        let error = read("{}", no_pulse()).unwrap_err().to_string();
        assert!(error.contains("'role' and 'content'"), "{error}");
        assert!(read("{", no_pulse()).is_err());
    }
}

//! Head of a turn: the line that says who speaks and when, in the forms that programs write.
//!
//! | form | written by |
//! |---|---|
//! | `Ada: It rained.`, `**Ada:** It rained.` | people, interviews, courts, parliaments |
//! | `[00:01:02] Ada: It rained.`, `00:01:02 Ada: …`, `Ada (00:01:02): …` | transcription services |
//! | `Ada Lee  0:03` above the words, `00:00:03 Ada Lee` | Otter, Teams, Google Meet, Rev |
//! | `12:00:01 From Ada Lee to Everyone: …` | Zoom |
//! | `[12:03] <ada> It rained.`, `<ada> It rained.` | IRC |
//! | `12/03/2024, 10:15 - Ada: …`, `[12/03/2024, 10:15:30] Ada: …` | `WhatsApp` |
//! | `Ada, [12.03.2024 10:15]` above the words, `Ada — 12/03/2024 10:15 AM` | Telegram, Discord |

use chunkwright_text::span::Span;

use super::dates::{Date, date};
use super::names::{self, is_name, may_be_name, named, unmarked};
use crate::talks::clock::Stamp;

/// How a head is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A name and a colon.
    Colon,
    /// The same with a time.
    Timed,
    /// A name and a time on a line of their own.
    Header,
    /// A name in angle brackets.
    Angle,
    /// `Q.` or `A.`.
    Question,
    /// A time, with no name behind it.
    TimeOnly,
}

/// A line that begins a turn.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// How it is written.
    pub form: Form,
    /// The name; empty if there is none.
    pub name: &'a str,
    /// In the line, from where the name begins to where the words do.
    pub label: Span,
    /// The time.
    pub stamp: Option<Stamp>,
    /// The day.
    pub date: Option<Date>,
}

/// So far into a line names and times are looked for, in bytes.
const MAX_HEAD: usize = 160;
/// What stands around times, and between them and names.
const AROUND: [char; 12] = [
    ' ', '\t', '-', '\u{2013}', '\u{2014}', '|', ',', '\u{200e}', '\u{200f}', '\u{202a}',
    '\u{202c}', '\u{2022}',
];

impl<'a> Head<'a> {
    /// The head that a line is or begins with; none if it is none. O(1) but for the blanks.
    pub fn of(line: &'a str) -> Option<Self> {
        let line = line.trim_end();
        let at = line.len()
            - line.trim_start_matches(['\u{feff}', '\u{200e}', '\u{200f}', ' ', '\t']).len();
        match When::parse(&line[at..]) {
            Some((when, end)) => Self::behind_time(line, at + end, when),
            None => Self::without_time(line, at),
        }
    }

    fn new(line: &'a str, form: Form, name: &'a str, words: &str, when: When) -> Self {
        let start = name.as_ptr() as usize - line.as_ptr() as usize;
        // The marks before a name belong to it: brackets of a chat, and those of bold letters.
        let marks = line[..start].trim_end_matches(['<', '@', '+', '%', '&', '~', '*']);
        let start = if name.is_empty() { start } else { marks.len() };
        let words = line.len() - words.trim_start().len();
        let (label, When { stamp, date }) = (Span::new(start, words.max(start)), when);
        Self { form, name, label, stamp, date }
    }

    fn behind_time(line: &'a str, at: usize, when: When) -> Option<Self> {
        let rest = line[at..].trim_start_matches(AROUND);
        if rest.is_empty() {
            return Some(Self::new(line, Form::TimeOnly, &line[line.len()..], "", when));
        }
        if let Some((name, words)) = angle(rest) {
            return Some(Self::new(line, Form::Angle, name, words, when));
        }
        if let Some(nick) = line[at..].strip_prefix('\t').and_then(|rest| rest.split_once('\t')) {
            let (name, words) = (nick.0.trim_start_matches(['@', '+', '%', '&', '~', ' ']), nick.1);
            return may_be_name(name).then(|| Self::new(line, Form::Angle, name, words, when));
        }
        if let Some((name, words)) = from(rest) {
            return Some(Self::new(line, Form::Timed, name, words, when));
        }
        let is_name =
            |name: &str| if when.is_dated_chat() { may_be_name(name) } else { is_name(name) };
        if let Some((name, words)) = named(rest).filter(|(name, _)| is_name(name)) {
            return Some(Self::new(line, Form::Timed, name, words, when));
        }
        let name = unmarked(rest.trim_end_matches([':', ' ']));
        names::is_name(name).then(|| Self::new(line, Form::Header, name, "", when))
    }

    fn without_time(line: &'a str, at: usize) -> Option<Self> {
        let rest = &line[at..];
        if let Some((name, words)) = angle(rest) {
            return Some(Self::new(line, Form::Angle, name, words, When::default()));
        }
        if let Some(head) = Self::before_time(line, at) {
            return Some(head);
        }
        if let Some((name, words)) = named(rest).filter(|(name, _)| is_name(name)) {
            return Some(Self::new(line, Form::Colon, name, words, When::default()));
        }
        let (letter, words) =
            rest.split_at_checked(2).filter(|(letter, _)| matches!(*letter, "Q." | "A."))?;
        let is_apart = words.starts_with([' ', '\t']);
        is_apart.then(|| Self::new(line, Form::Question, &letter[..1], words, When::default()))
    }

    /// A name with a time behind it.
    fn before_time(line: &'a str, at: usize) -> Option<Self> {
        let most = line.floor_char_boundary(at + MAX_HEAD).min(line.len());
        let head = &line[at..most];
        let is_start = |(i, c): &(usize, char)| {
            *i > 0
                && (c.is_ascii_digit() || matches!(c, '[' | '(' | 'T' | 'Y'))
                && head[..*i].ends_with([' ', '\t', '\u{a0}'])
        };
        for (i, _) in head.char_indices().filter(is_start) {
            let name = unmarked(head[..i].trim_end_matches(AROUND));
            let Some((when, end)) = When::parse(&line[at + i..]).filter(|_| is_name(name)) else {
                continue;
            };
            let behind = line[at + i + end..].trim_start_matches(['*', ' ']);
            if behind.is_empty() || behind == ":" {
                return Some(Self::new(line, Form::Header, name, "", when));
            }
            if let Some(words) = behind.strip_prefix(':') {
                return Some(Self::new(
                    line,
                    Form::Timed,
                    name,
                    words.trim_start_matches('*'),
                    when,
                ));
            }
        }
        None
    }
}

/// When something is said: a time of a day or of a recording, and a day.
#[derive(Clone, Copy, Debug, Default)]
struct When {
    stamp: Option<Stamp>,
    date: Option<Date>,
}

impl When {
    /// The time that a text begins with, with its day and its brackets, and where that ends.
    fn parse(text: &str) -> Option<(Self, usize)> {
        let open = text.chars().next().filter(|c| matches!(c, '[' | '('));
        let at = usize::from(open.is_some());
        let (day, n_bytes) = date(&text[at..]).map_or((None, 0), |(day, end)| (Some(day), end));
        let at = at + n_bytes;
        let (stamp, end) = Stamp::parse(&text[at..])?;
        let end = at + end;
        let close = match open {
            Some('[') => ']',
            Some(_) => ')',
            None => {
                let is_apart = text[end..].chars().next().is_none_or(|c| !c.is_alphanumeric());
                let when = Self { stamp: Some(stamp), date: day };
                return is_apart.then_some((when, end));
            }
        };
        let when = Self { stamp: Some(stamp), date: day };
        text[end..].starts_with(close).then_some((when, end + 1))
    }

    /// Whether it is written as chats do: with a day that is not that of logs.
    const fn is_dated_chat(&self) -> bool {
        matches!(self.date, Some(Date::Pair { .. }))
    }
}

/// The name in angle brackets that a text begins with, and the words behind it.
fn angle(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('<')?;
    let most = inner.floor_char_boundary(MAX_HEAD);
    let end = inner[..most].find('>')?;
    let name = inner[..end].trim_start_matches(['@', '+', '%', '&', '~', ' ']).trim_end();
    let words = &inner[end + 1..];
    let is_name = may_be_name(name) && !name.contains(['/', ':']) && words.starts_with([' ', '\t']);
    is_name.then_some((name, words))
}

/// The name in `From Ada to Everyone: …`, as the chat of a meeting has it, and the words behind it.
fn from(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("From ")?.trim_start();
    let (who, words) = named(rest)?;
    let name =
        who.split_once(" to ").or_else(|| who.split_once("  To  ")).map_or(who, |(name, _)| name);
    let name = name.trim();
    (may_be_name(name) && !name.is_empty()).then_some((name, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(line: &str) -> Option<(Form, &str, &str, Option<f64>)> {
        let head = Head::of(line)?;
        let stamp = head.stamp.map(Stamp::elapsed);
        Some((head.form, head.name, &line[head.label.range()], stamp))
    }

    #[test]
    fn heads_are_parsed() {
        use Form::*;
        for (line, expected) in [
            ("Ada Lee: It rained.", (Colon, "Ada Lee", "Ada Lee: ", None)),
            ("**Ada:** It rained.", (Colon, "Ada", "**Ada:** ", None)),
            ("[00:01:02] Ada: It rained.", (Timed, "Ada", "Ada: ", Some(62.0))),
            ("00:01:02 - ADA: x", (Timed, "ADA", "ADA: ", Some(62.0))),
            ("Ada (00:01:02): x", (Timed, "Ada", "Ada (00:01:02): ", Some(62.0))),
            ("Ada Lee  0:03", (Header, "Ada Lee", "Ada Lee  0:03", Some(3.0))),
            ("0:03 Ada Lee", (Header, "Ada Lee", "Ada Lee", Some(3.0))),
            (
                "10:02:13 From Ada Lee to Everyone: x",
                (Timed, "Ada Lee", "Ada Lee to Everyone: ", Some(36133.0)),
            ),
            ("[12:03] <@ada> x", (Angle, "ada", "<@ada> ", Some(723.0))),
            ("<ada> x", (Angle, "ada", "<ada> ", None)),
            ("12/03/2024, 10:15 - ada lee: x", (Timed, "ada lee", "ada lee: ", Some(615.0))),
            ("\u{200e}[12/03/2024, 10:15:30] Ada: x", (Timed, "Ada", "Ada: ", Some(36930.0))),
            ("Ada, [12.03.2024 10:15]", (Header, "Ada", "Ada, [12.03.2024 10:15]", Some(615.0))),
            ("Ada — Today at 10:15 AM", (Header, "Ada", "Ada — Today at 10:15 AM", Some(615.0))),
            ("Q. Did it rain?", (Question, "Q", "Q. ", None)),
            ("00:01:02", (TimeOnly, "", "", Some(62.0))),
            ("李雷：下雨了。", (Colon, "李雷", "李雷：", None)),
        ] {
            assert_eq!(parts(line), Some(expected), "{line}");
        }
        for line in [
            "",
            "It rained: all day.",
            "Note: wet",
            "key: value",
            "at 10:30 it rained",
            "1:2",
            "<p>x</p>",
            "12:03 it rained",
            "http://a.b",
        ] {
            assert!(parts(line).is_none(), "{line}: {:?}", parts(line));
        }
    }
}

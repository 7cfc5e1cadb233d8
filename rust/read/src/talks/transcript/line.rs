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
use super::halves;
use super::names::{Grade, grade, is_nick, may_be_name, named, unmarked};
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
    /// A time, or a mark of a server, and words that nobody says: who joined, who did what.
    Event,
}

/// A line that begins a turn.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// How it is written.
    pub form: Form,
    /// The name; empty if there is none.
    pub name: &'a str,
    /// How much it looks like one.
    pub grade: Grade,
    /// In the line, from where the name begins to where the words do.
    pub label: Span,
    /// The time.
    pub stamp: Option<Stamp>,
    /// The day.
    pub date: Option<Date>,
    /// Whether the time stands behind the name, which no words do as a rule.
    pub is_beside: bool,
}

/// So far into a line names and times are looked for, in bytes.
const MAX_HEAD: usize = 160;
/// Words of a name before a colon in a chat, at most: `Ada changed the subject to "Rain: today"` has more.
const MAX_NICK_WORDS: usize = 4;
/// Words of a name in small letters before a time and a colon, at most.
const MAX_SMALL_WORDS: usize = 4;
/// What stands around times, and between them and names.
const AROUND: [char; 10] =
    [' ', '\t', '-', '\u{2013}', '\u{2014}', '|', ',', '،', '\u{a0}', '\u{2022}'];
/// What stands before nicks, and names that no address book has.
const SIGILS: [char; 8] = ['@', '+', '%', '&', '~', ' ', '\u{202f}', '\u{a0}'];

impl<'a> Head<'a> {
    /// The head that a line is or begins with; none if it is none. O(1) but for the blanks.
    pub fn of(line: &'a str) -> Option<Self> {
        let line = line.trim_end();
        let is_blank = |c| matches!(c, '\u{feff}' | ' ' | '\t') || halves::is_bidi(c);
        let at = line.len() - line.trim_start_matches(is_blank).len();
        match When::parse(&line[at..]) {
            Some((when, end)) => Some(Self::behind_time(line, at + end, when)),
            None => Self::without_time(line, at),
        }
    }

    fn new(line: &'a str, form: Form, name: &'a str, words: &str, when: When) -> Self {
        let start = name.as_ptr() as usize - line.as_ptr() as usize;
        // The marks before a name belong to it: brackets of a chat, and those of bold letters.
        let is_mark = |c| matches!(c, '<' | '*') || SIGILS.contains(&c) && c != ' ';
        let marks = line[..start].trim_end_matches(is_mark);
        let start = if name.is_empty() { start } else { marks.len() };
        let words = line.len() - words.trim_start().len();
        let (label, When { stamp, date }) = (Span::new(start, words.max(start)), when);
        Self { form, name, grade: Grade::Name, label, stamp, date, is_beside: false }
    }

    const fn graded(mut self, grade: Grade) -> Self {
        self.grade = grade;
        self
    }

    fn behind_time(line: &'a str, at: usize, when: When) -> Self {
        let is_around = |c| AROUND.contains(&c) || halves::is_bidi(c);
        let rest = line[at..].trim_start_matches(is_around);
        let nobody = &line[line.len()..];
        if rest.is_empty() {
            return Self::new(line, Form::TimeOnly, nobody, "", when);
        }
        if is_of_server(line[at..].trim_start()) {
            return Self::new(line, Form::Event, nobody, rest, when);
        }
        if let Some((name, words)) = angle(rest) {
            return Self::new(line, Form::Angle, name, words, when);
        }
        if let Some(nick) = line[at..].strip_prefix('\t').and_then(|rest| rest.split_once('\t')) {
            let (name, words) = (nick.0.trim_start_matches(SIGILS), nick.1);
            let form = if is_nick(name) { Form::Angle } else { Form::Event };
            return Self::new(line, form, if is_nick(name) { name } else { nobody }, words, when);
        }
        if let Some((name, words)) = from(rest) {
            return Self::new(line, Form::Timed, name, words, when);
        }
        let graded = |name: &'a str| Some((name, when.grade(name)?));
        if let Some((found, words)) = named(rest) {
            let found = found.trim_start_matches(SIGILS);
            if let Some((name, grade)) = graded(found) {
                return Self::new(line, Form::Timed, name, words, when).graded(grade);
            }
        }
        let name = unmarked(rest.trim_end_matches([':', ' ']));
        let (form, name, grade) = match grade(name) {
            Some(Grade::Weak) if !when.is_dated_chat() => (Form::Event, nobody, Grade::Weak),
            Some(grade) => (Form::Header, name, grade),
            None => (Form::Event, nobody, Grade::Weak),
        };
        let words = if form == Form::Event { rest } else { "" };
        Self::new(line, form, name, words, when).graded(grade)
    }

    fn without_time(line: &'a str, at: usize) -> Option<Self> {
        let rest = &line[at..];
        let when = When::default();
        if let Some((name, words)) = angle(rest) {
            return Some(Self::new(line, Form::Angle, name, words, when));
        }
        if let Some(head) = Self::before_time(line, at) {
            return Some(head);
        }
        let graded = named(rest).and_then(|(name, words)| Some((name, words, grade(name)?)));
        // An item of a list or a heading begins with no other name than one that is written as such.
        let is_item = rest.starts_with(['#', '>', '-', '\u{2022}']) || rest.starts_with("* ");
        let graded = graded.filter(|(_, _, grade)| *grade == Grade::Name || !is_item);
        if let Some((name, words, grade)) = graded {
            return Some(Self::new(line, Form::Colon, name, words, when).graded(grade));
        }
        if is_of_server(rest) {
            return Some(Self::new(line, Form::Event, &line[line.len()..], rest, when));
        }
        let (letter, words) =
            rest.split_at_checked(2).filter(|(letter, _)| matches!(*letter, "Q." | "A."))?;
        let is_apart = words.starts_with([' ', '\t']);
        is_apart.then(|| Self::new(line, Form::Question, &letter[..1], words, when))
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
            let Some((when, end)) = When::parse(&line[at + i..]) else { continue };
            let name = unmarked(head[..i].trim_end_matches(AROUND));
            let Some(grade) = grade(name) else { continue };
            let behind = line[at + i + end..].trim_start_matches(['*', ' ']);
            // A time in words has no gap before it, no brackets around it, and no seconds.
            let has_gap = head[..i].ends_with(['\t', '\u{a0}']) || head[..i].ends_with("  ");
            let has_seconds = when.stamp.is_some_and(|stamp| stamp.n_fields == 3);
            let is_apart = has_gap || has_seconds || head[i..].starts_with(['[', '(']);
            let is_small = grade == Grade::Weak;
            let begun = |form, words| {
                let head = Self::new(line, form, name, words, when).graded(grade);
                Some(Self { is_beside: true, ..head })
            };
            if (behind.is_empty() || behind == ":") && (!is_small || is_apart) {
                return begun(Form::Header, "");
            }
            let is_short = || is_apart && name.split_whitespace().count() <= MAX_SMALL_WORDS;
            if let Some(words) = behind.strip_prefix(':').filter(|_| !is_small || is_short()) {
                return begun(Form::Timed, words.trim_start_matches('*'));
            }
        }
        None
    }

    /// Whether it has a day as chats write it, and not as logs do.
    pub fn is_dated_chat(&self) -> bool {
        When { stamp: self.stamp, date: self.date }.is_dated_chat()
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
        let (stamp, date, end) = if let Some(day) = date(&text[at..]) {
            let at = at + day.end;
            let (stamp, end) = time_of_day(&text[at..])?;
            (Stamp { is_pm: stamp.is_pm.or(day.is_pm), ..stamp }, Some(day.date), at + end)
        } else {
            let (stamp, end) = Stamp::parse(&text[at..])?;
            (stamp, None, at + end)
        };
        let when = Self { stamp: Some(stamp), date };
        let close = match open {
            Some('[') => ']',
            Some(_) => ')',
            None => {
                let is_apart = text[end..].chars().next().is_none_or(|c| !c.is_alphanumeric());
                return is_apart.then_some((when, end));
            }
        };
        text[end..].starts_with(close).then_some((when, end + 1))
    }

    /// Whether it is written as chats do: with a day that is not that of logs.
    fn is_dated_chat(&self) -> bool {
        let has_half = self.stamp.is_some_and(|stamp| stamp.is_pm.is_some());
        match self.date {
            Some(Date::Pair { .. } | Date::Long(_)) => true,
            Some(Date::Full(_) | Date::Word) => has_half,
            None => false,
        }
    }

    /// How much a text behind it, before a colon, looks like a name: one of few words is a name in a chat.
    fn grade(&self, name: &str) -> Option<Grade> {
        let is_nick = || name.split_whitespace().count() <= MAX_NICK_WORDS && may_be_name(name);
        let found = grade(name);
        if self.is_dated_chat() && found != Some(Grade::Name) && is_nick() {
            return Some(Grade::Name);
        }
        found
    }
}

/// The time that stands behind a day, with its half, and where it ends.
fn time_of_day(text: &str) -> Option<(Stamp, usize)> {
    let found = |between| Stamp::parse_with(text, between).filter(|(stamp, _)| stamp.is_of_day());
    let (stamp, end) = found(b':').or_else(|| found(b'.')).or_else(|| found(b'h'))?;
    if stamp.is_pm.is_some() {
        return Some((stamp, end));
    }
    let (is_pm, n_bytes) = halves::behind(&text[end..]);
    Some((Stamp { is_pm, ..stamp }, end + n_bytes))
}

/// Whether a line behind a time begins with a mark of a server or of a client, such as `*`, `-!-`, `-->` or `***`:
/// somebody joins, leaves or does something.
fn is_of_server(text: &str) -> bool {
    let mark = text.split([' ', '\t']).next().unwrap_or_default();
    let is_dash = mark.chars().all(|c| matches!(c, '-' | '\u{2013}' | '\u{2014}' | '|'));
    let is_arrow = mark.chars().all(|c| matches!(c, '\u{2190}'..='\u{21ff}'));
    let is_odd = |c: char| matches!(c, '*' | '-' | '!' | '=' | '<' | '>' | '#');
    let is_mark = !is_dash && mark.chars().all(is_odd) && (mark.len() > 1 || mark == "*");
    !mark.is_empty() && mark.len() < text.len() && (is_mark || is_arrow) || text.starts_with("--- ")
}

/// The name in angle brackets that a text begins with, and the words behind it.
fn angle(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('<')?;
    let most = inner.floor_char_boundary(MAX_HEAD);
    let end = inner[..most].find('>')?;
    let name = inner[..end].trim_start_matches(SIGILS).trim_end();
    let words = &inner[end + 1..];
    let is_name =
        is_nick(name) && !name.contains(['/', ':', '=']) && words.starts_with([' ', '\t']);
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
            ("24/12/23, 9:05 p. m. - María: x", (Timed, "María", "María: ", Some(545.0))),
            ("2023년 12월 24일 오후 9:05, 김철수 : x", (Timed, "김철수", "김철수 : ", Some(545.0))),
            ("24.12.2023 klo 21.05 - Äiti: x", (Timed, "Äiti", "Äiti: ", Some(1265.0))),
            ("[2023/12/24 下午9:05:11] 张三: x", (Timed, "张三", "张三: ", Some(32_711.0))),
            (
                "Ayşe, [Dec 24, 2023 at 9:00:11 PM]:",
                (Header, "Ayşe", "Ayşe, [Dec 24, 2023 at 9:00:11 PM]:", Some(32_411.0)),
            ),
            ("[11/14/2023 10:00 AM] ada", (Header, "ada", "ada", Some(600.0))),
            ("[10:01] <eve|away> x", (Angle, "eve|away", "<eve|away> ", Some(601.0))),
            ("10:02 -!- mallory has joined", (Event, "", "", Some(602.0))),
            ("[10:02] * Joins: mallory (~m@host)", (Event, "", "", Some(602.0))),
            ("* bo waves", (Event, "", "", None)),
            (
                "12/03/2024, 10:15 - Mum changed the subject to X: y",
                (
                    Timed,
                    "Mum changed the subject to X",
                    "Mum changed the subject to X: ",
                    Some(615.0),
                ),
            ),
        ] {
            assert_eq!(parts(line), Some(expected), "{line}");
        }
        for line in ["", "Note: wet", "at 10:30 it rained", "1:2", "<p>x</p>", "http://a.b"] {
            assert!(parts(line).is_none(), "{line}: {:?}", parts(line));
        }
        assert!(
            ["It rained: all day.", "key: value"].map(|line| Head::of(line).unwrap().grade)
                == [Grade::Weak; 2]
        );
        assert_eq!(parts("12:03 it rained").unwrap().0, Event);
    }
}

//! Telling of transcripts from other texts, which have lines with a colon or a time, too: logs, records, recipes.
//!
//! A transcript begins with turns, has words that are spoken, and names that recur. What else has `name: value` lines
//! fails one of these: records name each key once in a paragraph, logs name levels, prose has few such lines.

use std::collections::{HashMap, HashSet};

use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse, no_pulse};
use chunkwright_text::segment::sentence::ends_sentence;
use chunkwright_text::span::Span;
use memchr::memchr_iter;

use super::dates::Date;
use super::line::{Form, Head};
use super::names::{Grade, is_label, is_letter, is_role};
use super::speakers::Speakers;

/// So many lines tell what a text is.
const MAX_LINES: usize = 600;
/// Turns that a text needs to be a transcript: those with a day, with a time, and with a name alone.
const MIN_DATED: usize = 2;
const MIN_TIMED: usize = 3;
const MIN_NAMED: usize = 4;
/// One of so many lines goes on with a turn, at most, where each line is one.
const SHARE_PLAIN: usize = 8;
/// One of so many turns asks, at least, where names are in small letters.
const SHARE_ASKED: usize = 10;
/// Words of who may be somebody else, at most.
const MAX_SOMEONE: usize = 3;
/// Lines for each turn, at most.
const MAX_LINES_EACH: usize = 16;

/// A line of a text.
#[derive(Debug)]
pub struct Line<'a> {
    /// Where it stands, without blanks at its end.
    pub span: Span,
    /// The head of a turn that it may be.
    pub head: Option<Box<Head<'a>>>,
}

/// The lines of a text, and which heads begin turns.
#[derive(Debug)]
pub struct Heads<'a> {
    text: &'a str,
    /// All lines, or the first of them.
    pub lines: Vec<Line<'a>>,
    /// How often each name stands in a head.
    counts: HashMap<&'a str, usize>,
    /// Whether heads have times as a rule, so that a name alone begins no turn.
    is_timed: bool,
    /// Whether most heads are those of IRC, in which each line is one of its own.
    has_angles: bool,
    /// Whether each line is a turn as a rule.
    has_lines: bool,
    /// The names that speak though they are not written as names.
    speakers: Speakers<'a>,
}

/// What a line is to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It begins a turn.
    Turn,
    /// It is a time, for the turn behind it.
    Time,
    /// It is said by another one than before, or by nobody: a paragraph.
    Apart,
    /// It goes on with what was said.
    Within,
}

/// Whether a text is a transcript, by its first lines.
///
/// ```
/// use chunkwright_read::talks::transcript::looks_like_transcript;
///
/// assert!(looks_like_transcript("Ada: It rained.\nBo: When?\nAda: All day.\nBo: I see.\n"));
/// assert!(!looks_like_transcript("Name: Ada\nAge: 36\n\nName: Bo\nAge: 7\n"));
/// assert!(!looks_like_transcript("12:00:01 INFO: started\n12:00:02 INFO: It runs.\n12:00:03 ERROR: It fell.\n"));
/// ```
pub fn looks_like_transcript(text: &str) -> bool {
    Heads::of(text, MAX_LINES, no_pulse()).is_ok_and(|heads| heads.are_of_transcript())
}

impl<'a> Heads<'a> {
    /// Those of the first lines of a text.
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn of(text: &'a str, most: usize, pulse: Pulse<'_>) -> Result<Self> {
        let beat = Beat::of_bytes(pulse);
        let (mut lines, mut start) = (Vec::new(), 0);
        let ends = memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1).chain([text.len()]);
        for end in ends.take(most) {
            beat.after(end - start)?;
            let line = text[start..end].trim_end();
            let indent = line.len() - line.trim_start_matches([' ', '\t', '\u{feff}']).len();
            let line = &line[indent..];
            let span = Span::new(start + indent, start + indent + line.len());
            let head = if line.is_empty() { None } else { Head::of(line).map(Box::new) };
            lines.push(Line { span, head });
            start = end;
        }
        let mut counts = HashMap::new();
        let heads = || lines.iter().filter_map(|line: &Line<'a>| line.head.as_deref());
        for head in heads().filter(|head| !head.name.is_empty()) {
            *counts.entry(head.name).or_default() += 1;
        }
        let speakers = Speakers::of(heads());
        let is_named = |head: &&Head<'_>| head.grade == Grade::Name || speakers.has(head);
        let n = |form: Form| heads().filter(|h| h.form == form).filter(is_named).count();
        let n_angles = n(Form::Angle);
        let n_timed = n(Form::Timed) + n(Form::Header) + n_angles;
        let is_timed = n_timed >= MIN_TIMED && n_timed * 2 >= n(Form::Colon);
        let has_angles = n_angles >= MIN_DATED && n_angles * 2 >= n_timed + n(Form::Colon);
        let has_lines = false;
        let found = Self { text, lines, counts, is_timed, has_angles, has_lines, speakers };
        Ok(Self { has_lines: found.are_lines_turns(), ..found })
    }

    /// Whether few lines behind the first turn have no head.
    fn are_lines_turns(&self) -> bool {
        let n_turns = self.turns().count();
        let first = self.turns().next().map_or(0, |(i, _)| i);
        let is_plain = |line: &&Line<'_>| line.head.is_none() && !line.span.is_empty();
        let n_plain = self.lines[first..].iter().filter(is_plain).count();
        n_turns >= MIN_NAMED && n_plain * SHARE_PLAIN <= n_turns
    }

    /// What a line is to the one before it, in a text with times of a recording or of a chat. In doubt it is said by
    /// nobody: never by another one.
    pub fn place(&self, head: &Head<'_>, is_recording: bool) -> Place {
        if self.is_turn(head) {
            return Place::Turn;
        }
        let is_apart = match head.form {
            Form::TimeOnly => return Place::Time,
            Form::Question => false,
            // Each message of a chat has its time.
            Form::Event if head.stamp.is_none() => self.has_angles,
            Form::Event => !is_recording,
            // What stands on a line without a time is of the message above it, if messages have times.
            Form::Colon if is_label(head.name) || self.is_timed && !is_recording => false,
            Form::Colon if head.grade == Grade::Weak => {
                self.has_lines && may_be_someone(head.name) || self.speakers.recurs(head)
            }
            // Words end with a time now and then, and messages of chats have their days with it.
            Form::Timed | Form::Header if head.grade == Grade::Weak && head.is_beside => {
                head.date.is_some() && !is_recording || self.speakers.recurs(head)
            }
            Form::Colon | Form::Timed | Form::Header | Form::Angle => true,
        };
        if is_apart { Place::Apart } else { Place::Within }
    }

    /// Whether a head begins a turn: it is of the form that the text has, and its name is one that recurs, or is
    /// written as the others are.
    pub fn is_turn(&self, head: &Head<'_>) -> bool {
        if head.grade != Grade::Name && !self.speakers.has(head) {
            return false;
        }
        match head.form {
            Form::TimeOnly | Form::Event => false,
            Form::Question => ["Q", "A"].iter().all(|name| self.recurs(name)),
            Form::Colon => !is_label(head.name) && (self.recurs(head.name) || !self.is_timed),
            Form::Timed | Form::Header | Form::Angle => !is_label(head.name),
        }
    }

    /// Whether a name stands in several heads.
    fn recurs(&self, name: &str) -> bool {
        self.counts.get(name).is_some_and(|&n| n > 1)
    }

    /// Whether any turn begins.
    pub fn has_turns(&self) -> bool {
        self.turns().next().is_some()
    }

    /// Heads of turns that have a time.
    pub fn timed(&self) -> impl Iterator<Item = &Head<'a>> {
        let heads = self.lines.iter().filter_map(|line| line.head.as_deref());
        heads.filter(|head| {
            head.stamp.is_some() && (head.form == Form::TimeOnly || self.is_turn(head))
        })
    }

    fn turns(&self) -> impl Iterator<Item = (usize, &Head<'a>)> {
        let heads =
            self.lines.iter().enumerate().filter_map(|(i, line)| Some((i, line.head.as_deref()?)));
        heads.filter(|(_, head)| self.is_turn(head))
    }

    /// Whether the lines are those of a transcript.
    fn are_of_transcript(&self) -> bool {
        // Keys of records are in small letters, too: such names tell nothing by themselves.
        let is_told = |head: &Head<'_>| match head.grade {
            Grade::Name | Grade::Marked => true,
            Grade::Someone | Grade::Weak => head.is_dated_chat(),
        };
        let (told, others): (Vec<_>, Vec<_>) = self.turns().partition(|(_, head)| is_told(head));
        self.tell(&told) || others.len() > told.len() && self.tell_in_small_letters()
    }

    /// Whether turns of names in small letters are those of a transcript: each has its time, behind the name or from
    /// the beginning of a recording on, and some ask, as logs do not.
    fn tell_in_small_letters(&self) -> bool {
        let turns: Vec<_> = self.turns().filter(|(_, head)| head.stamp.is_some()).collect();
        let is_zero = |head: &Head<'_>| head.stamp.is_some_and(|stamp| stamp.fields[0] == 0);
        if !turns.first().is_some_and(|(_, head)| head.is_beside || is_zero(head)) {
            return false;
        }
        let n_asked = turns.iter().filter(|(i, head)| asks(self.words(*i, head))).count();
        let names: HashSet<&str> = turns.iter().map(|(_, head)| head.name).collect();
        names.len() > 1 && n_asked * SHARE_ASKED >= turns.len() && self.tell(&turns)
    }

    /// Whether some turns are those of a transcript.
    fn tell(&self, turns: &[(usize, &Head<'_>)]) -> bool {
        let n_dated = turns.iter().filter(|(_, head)| head.date.is_some()).count();
        let least = match self.is_timed {
            _ if n_dated * 2 > turns.len() => MIN_DATED,
            true => MIN_TIMED,
            false => MIN_NAMED,
        };
        let n_lines = self.lines.iter().filter(|line| !line.span.is_empty()).count();
        turns.len() >= least
            && n_lines <= turns.len() * MAX_LINES_EACH
            && self.begins_early(turns, n_lines)
            && self.names_recur(turns)
            && self.is_spoken(turns)
            && (self.is_timed || !self.are_records())
            && Self::is_in_order(turns)
            && !self.has_labels(turns.len())
            && !self.is_list()
            && !self.is_log(turns)
    }

    /// Whether the first turn stands in the first part of the lines.
    fn begins_early(&self, turns: &[(usize, &Head<'_>)], n_lines: usize) -> bool {
        let first = turns.first().map_or(0, |(i, _)| *i);
        let n_before = self.lines[..first].iter().filter(|line| !line.span.is_empty()).count();
        n_before * 5 <= n_lines * 2
    }

    /// Whether most turns are of speakers who speak again; where nothing but names tells turns, of two at least.
    fn names_recur(&self, turns: &[(usize, &Head<'_>)]) -> bool {
        let mut of_turns: HashMap<&str, usize> = HashMap::new();
        for (_, head) in turns {
            *of_turns.entry(head.name).or_default() += 1;
        }
        let n_recurring: usize = of_turns.values().filter(|&&n| n > 1).sum();
        let n_speakers = of_turns.values().filter(|&&n| n > 1).count();
        let is_dated = turns.iter().all(|(_, head)| head.date.is_some());
        if is_dated && turns.len() < MIN_NAMED {
            return true;
        }
        let least = if self.is_timed { 1 } else { 2 };
        n_recurring * 5 >= turns.len() * 3 && n_speakers >= least
    }

    /// Whether words follow heads, as they are spoken: letters for the most part, and several of them.
    fn is_spoken(&self, turns: &[(usize, &Head<'_>)]) -> bool {
        let (mut n_chars, mut n_letters, mut n_words, mut n_marks, mut n_empty) = (0, 0, 0, 0, 0);
        let mut seen: HashSet<&str> = HashSet::new();
        for (i, head) in turns {
            let words = self.words(*i, head);
            n_empty += usize::from(words.is_empty());
            n_chars += words.chars().count();
            n_letters +=
                words.chars().filter(|c| is_letter(*c) || matches!(c, ' ' | '\'' | '’')).count();
            n_words += words.split_whitespace().count();
            n_marks += usize::from(is_sentence(words));
            seen.insert(words);
        }
        let is_chat = self.is_timed || turns.iter().all(|(_, head)| is_role(head.name));
        n_empty * 3 <= turns.len()
            && n_letters * 10 >= n_chars * 8
            && seen.len() * 2 >= turns.len()
            && (is_chat || n_marks * 2 >= turns.len())
            && (is_chat || n_words >= turns.len() * 3 || n_chars >= turns.len() * 6)
            && n_words >= turns.len()
    }

    /// The words on the line of a head, or on the next one if there are none.
    fn words(&self, i: usize, head: &Head<'_>) -> &'a str {
        let span = self.lines[i].span;
        let own = &self.text[span.start + head.label.end.min(span.len())..span.end];
        if !own.trim().is_empty() {
            return own;
        }
        let next = self.lines[i + 1..].iter().find(|line| !line.span.is_empty());
        match next {
            Some(next) if next.head.as_deref().is_none_or(|head| !self.is_turn(head)) => {
                &self.text[next.span.range()]
            }
            _ => "",
        }
    }

    /// Whether the paragraphs that have several heads name nobody twice: those are fields of records.
    fn are_records(&self) -> bool {
        let (mut n_records, mut n_talks) = (0, 0);
        for paragraph in self.lines.split(|line| line.span.is_empty()) {
            let heads = paragraph.iter().filter_map(|line| line.head.as_deref());
            let names: Vec<&str> =
                heads.filter(|head| self.is_turn(head)).map(|head| head.name).collect();
            if names.len() < 2 {
                continue;
            }
            let distinct: HashSet<&str> = names.iter().copied().collect();
            *(if distinct.len() == names.len() { &mut n_records } else { &mut n_talks }) += 1;
        }
        n_records > 2 * n_talks && n_records > 1 && !self.has_asked()
    }

    /// Whether turns are questions often, as in interviews, and in no records.
    fn has_asked(&self) -> bool {
        let (mut n, mut n_asked) = (0, 0);
        for (i, head) in self.turns() {
            n += 1;
            n_asked += usize::from(asks(self.words(i, head)));
        }
        n_asked * 5 >= n
    }

    /// Whether most names stand behind themselves, as keys of lists do that have several values.
    fn is_list(&self) -> bool {
        let names: Vec<&str> = self.turns().map(|(_, head)| head.name).collect();
        let n_same = names.windows(2).filter(|pair| pair[0] == pair[1]).count();
        !self.is_timed && n_same * 2 > names.len()
    }

    /// Whether lines are those of a log: with days as logs write them before a name, and one name, or nobody asks.
    fn is_log(&self, turns: &[(usize, &Head<'_>)]) -> bool {
        let is_of_log = |head: &Head<'_>| {
            head.form == Form::Timed
                && matches!(head.date, Some(Date::Full(_)))
                && !head.is_dated_chat()
        };
        let n_of_log = turns.iter().filter(|(_, head)| is_of_log(head)).count();
        let names: HashSet<&str> = turns.iter().map(|(_, head)| head.name).collect();
        let is_asked = turns.iter().any(|(i, head)| asks(self.words(*i, head)));
        n_of_log * 2 > turns.len() && (names.len() < 2 || !is_asked)
    }

    /// Whether times ascend, but for few.
    fn is_in_order(turns: &[(usize, &Head<'_>)]) -> bool {
        let times: Vec<f64> = turns
            .iter()
            .filter_map(|(_, head)| head.stamp.filter(|_| head.date.is_none()))
            .map(super::super::clock::Stamp::elapsed)
            .collect();
        let n_back = times.windows(2).filter(|pair| pair[0] > pair[1]).count();
        // A chat goes on beyond midnight.
        n_back * 10 <= times.len().max(10)
    }

    /// Whether labels that no speaker has stand before colons too often.
    fn has_labels(&self, n_turns: usize) -> bool {
        let heads = self.lines.iter().filter_map(|line| line.head.as_deref());
        let is_level = |head: &&Head<'_>| is_label(head.name);
        heads.filter(is_level).count() * 8 > n_turns
    }
}

/// Whether a text of few words begins with a capital, so that it may say who speaks.
fn may_be_someone(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.split_whitespace().count() <= MAX_SOMEONE
}

/// Whether words hold the end of a sentence, or are of a script in which no mark ends one: Thai, Lao, Burmese.
fn is_sentence(words: &str) -> bool {
    let is_plain = |c: &char| matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}');
    words.contains(ends_sentence) && words.contains(' ')
        || words.contains(|c: char| !c.is_ascii() && c != '…' && ends_sentence(c))
        || words.chars().filter(is_plain).count() >= 6
}

/// Whether words end with a question, or have one.
fn asks(words: &str) -> bool {
    // The last is the mark of Greek.
    words.contains(['?', '？', '؟', '⸮', '՞', '፧', '\u{37e}'])
}

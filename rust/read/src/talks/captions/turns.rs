//! Turns of captions: what one speaker says in cues one behind the other.

use std::collections::HashMap;

use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::segment::sentence::ends_sentence as ends_sentence_with;
use chunkwright_text::span::Span;

use super::cues::Cue;
use super::markup::{Voice, marked, voices};
use super::rolling::repeated;
use crate::talks::transcript::names::{Grade, grade, is_role, may_speak, named};
use crate::talks::written::Talk;

/// So many seconds of silence end what nobody is named for.
const PAUSE: f64 = 2.0;
/// A name in lower case is one if it stands so often before a colon, and if of so many voices one has such a name.
const MIN_NAMED: usize = 2;
const SHARE_NAMED: usize = 8;

/// Voices of captions, each with its times and its place.
pub struct Turns {
    voices: Vec<(Voice, [f64; 2], Span)>,
    /// Whether `>>` says where another one speaks.
    is_marked: bool,
}

impl Turns {
    /// Those of cues. O(n).
    pub fn of(cues: &[Cue<'_>]) -> Self {
        let is_marked =
            cues.iter().flat_map(|cue| &cue.lines).filter(|line| marked(line).is_some());
        let is_marked = is_marked.count() > 1;
        let mut found: Vec<_> = cues.iter().map(|cue| voices(&cue.lines)).collect();
        let has_tags = found.iter().flatten().any(|voice| !voice.speaker.is_empty());
        if !has_tags {
            name(&mut found);
        }
        unroll(&mut found);
        let timed = cues.iter().zip(found).flat_map(|(cue, voices)| {
            voices.into_iter().map(move |voice| (voice, cue.times, cue.place))
        });
        Self { voices: timed.collect(), is_marked }
    }

    /// The turns, written one behind the other. O(n).
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn talk(self, pulse: Pulse<'_>) -> Result<Talk> {
        let (mut talk, beat) = (Talk::default(), Beat::of_bytes(pulse));
        let mut ends_sentence = true;
        for (voice, [start, end], place) in &self.voices {
            beat.after(voice.words.len())?;
            if self.goes_on(&talk, voice, *start, ends_sentence) {
                talk.go_on(&voice.words, (*start, Some(*end)), *place);
            } else {
                talk.say(&voice.speaker, &voice.words, Some((*start, Some(*end))), *place);
            }
            let last = voice.words.chars().next_back();
            ends_sentence = last.is_some_and(|c| {
                ends_sentence_with(c) || matches!(c, '"' | '”' | '»' | ')' | ']' | '♪')
            });
        }
        Ok(talk)
    }

    /// Whether a voice is that of the last turn: it has its name, or none and goes on with what was said.
    fn goes_on(&self, talk: &Talk, voice: &Voice, start: f64, ends_sentence: bool) -> bool {
        let Some((speaker, ended)) = talk.last() else { return false };
        if voice.is_other && (voice.speaker.is_empty() || voice.speaker != speaker) {
            return false;
        }
        let is_near = ended.is_none_or(|ended| start - ended < PAUSE);
        match (voice.speaker.is_empty(), speaker.is_empty()) {
            (false, _) => voice.speaker == speaker,
            (true, true) => is_near || self.is_marked,
            (true, false) => self.is_marked || is_near && !ends_sentence,
        }
    }
}

/// Takes names before a colon off the words of voices. What may be another name is said by another one than before,
/// on whichever line of a cue it stands.
fn name(cues: &mut [Vec<Voice>]) {
    let names = Names::of(cues);
    for voices in cues {
        let parts = std::mem::take(voices).into_iter().flat_map(|voice| names.part(voice));
        voices.extend(parts.map(|mut part| {
            names.tell(&mut part);
            part
        }));
    }
}

/// The names before colons on the lines of all voices.
struct Names {
    counts: HashMap<String, usize>,
    /// How many voices there are, if each of these names begins one.
    n_voices: usize,
    /// Whether speakers are named as a rule.
    are_named: bool,
    /// Whether most lines are in capitals, so that these tell no names.
    is_shouted: bool,
}

impl Names {
    fn of(cues: &[Vec<Voice>]) -> Self {
        let mut counts: HashMap<String, usize> = HashMap::new();
        let (mut n_voices, mut n_lines, mut n_shouted) = (0, 0, 0);
        for voice in cues.iter().flatten() {
            for (at, line) in voice.said() {
                let found = head(line);
                n_voices += usize::from(at == 0 || found.is_some());
                n_shouted += usize::from(!line.contains(char::is_lowercase));
                n_lines += 1;
                if let Some((name, _)) = found {
                    *counts.entry(name.to_owned()).or_default() += 1;
                }
            }
        }
        let is_named = |name: &str| matches!(grade(name), Some(Grade::Name | Grade::Marked));
        let recurring = counts.iter().filter(|(name, n)| **n >= MIN_NAMED && is_named(name));
        let are_named = recurring.map(|(_, n)| n).sum::<usize>() * SHARE_NAMED >= n_voices;
        Self { counts, n_voices, are_named, is_shouted: n_shouted * 2 > n_lines }
    }

    fn count(&self, name: &str) -> usize {
        self.counts.get(name).copied().unwrap_or_default()
    }

    /// Whether a name speaks: in capitals, a role, or one that recurs where speakers are named as a rule.
    fn speaks(&self, name: &str) -> bool {
        let n = self.count(name);
        let recurs = n >= MIN_NAMED && self.are_named;
        match grade(name) {
            Some(Grade::Name) => is_in_capitals(name) || is_role(name) || recurs,
            Some(Grade::Marked) => recurs,
            Some(Grade::Someone) => self.are_named,
            Some(Grade::Weak) => recurs && may_speak(name) && n * SHARE_NAMED >= self.n_voices,
            None => false,
        }
    }

    /// Whether a name may be that of another one than before.
    fn is_other(&self, name: &str) -> bool {
        self.are_named && (grade(name) != Some(Grade::Weak) || self.count(name) >= MIN_NAMED)
    }

    /// The voices of a voice, a part for each line that begins as another one does.
    fn part(&self, voice: Voice) -> Vec<Voice> {
        let begins = |(at, line): (usize, &str)| {
            let (name, _) = head(line).filter(|_| at > 0)?;
            let is_told = !self.is_shouted || self.are_named && self.count(name) >= MIN_NAMED;
            (is_told && (self.speaks(name) || self.is_other(name))).then_some(at)
        };
        let places: Vec<usize> = voice.said().filter_map(begins).collect();
        voice.parted(&places)
    }

    /// Takes the name off a voice that has one in front of its words.
    fn tell(&self, voice: &mut Voice) {
        let found = head(&voice.words).map(|(name, words)| (name.to_owned(), words.to_owned()));
        let Some((name, words)) = found else { return };
        if self.speaks(&name) && !words.is_empty() {
            (voice.speaker, voice.words) = (name, words);
        } else {
            voice.is_other |= self.is_other(&name);
        }
    }
}

/// What may be a name before a colon, and the words behind it.
fn head(words: &str) -> Option<(&str, &str)> {
    named(undashed(words)).filter(|(name, _)| grade(name).is_some())
}

/// Whether a name has capitals, and no other letters of a script that has both.
fn is_in_capitals(name: &str) -> bool {
    name.chars().filter(|c| c.is_uppercase()).count() > 1 && !name.chars().any(char::is_lowercase)
}

/// Words without the dash in front that says that another one speaks.
fn undashed(words: &str) -> &str {
    words.trim_start_matches(['-', '\u{2010}', '\u{2013}', '\u{2014}']).trim_start()
}

/// Takes off what cues repeat of those before them, if the captions roll.
fn unroll(cues: &mut [Vec<Voice>]) {
    let joined: Vec<String> = cues.iter().map(|voices| words_of(voices)).collect();
    let words: Vec<Vec<&str>> = joined.iter().map(|cue| cue.split_whitespace().collect()).collect();
    // Cues in which nothing is said stand between others.
    let said: Vec<usize> = (0..cues.len()).filter(|&i| !words[i].is_empty()).collect();
    let of_said: Vec<Vec<&str>> = said.iter().map(|&i| words[i].clone()).collect();
    for (&i, n) in said.iter().zip(repeated(&of_said)) {
        let mut left = n;
        for voice in &mut cues[i] {
            let own: Vec<&str> = voice.words.split_whitespace().collect();
            let taken = left.min(own.len());
            if taken > 0 {
                voice.words = own[taken..].join(" ");
            }
            left -= taken;
        }
        cues[i].retain(|voice| !voice.words.is_empty());
    }
}

fn words_of(voices: &[Voice]) -> String {
    voices.iter().map(|voice| &*voice.words).collect::<Vec<_>>().join(" ")
}

//! Markup of captions: tags and references taken off, and the speakers that voice tags and marks name.

/// What one voice says in a cue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Voice {
    /// Its name; empty if there is none.
    pub speaker: String,
    /// Its words, on one line.
    pub words: String,
    /// Whether a mark says that another one speaks than before: `>>`, or a dash.
    pub is_other: bool,
    /// Where its lines begin in the words, the first one left out.
    pub lines: Vec<usize>,
}

impl Voice {
    /// The words of its lines, each with where it begins.
    pub fn said(&self) -> impl Iterator<Item = (usize, &str)> {
        let starts = std::iter::once(0).chain(self.lines.iter().copied());
        let ends = self.lines.iter().copied().chain([self.words.len()]);
        starts.zip(ends).map(|(start, end)| (start, &self.words[start..end]))
    }

    /// Its parts from some places of the words on, each what one voice says. The first keeps what it is.
    pub fn parted(mut self, places: &[usize]) -> Vec<Self> {
        let mut behind = Vec::new();
        for &at in places.iter().rev() {
            let words = self.words.split_off(at);
            self.words.truncate(self.words.trim_end().len());
            let first = self.lines.partition_point(|&line| line <= at);
            let lines = self.lines.split_off(first).into_iter().map(|line| line - at).collect();
            behind.push(Self { words, lines, ..Self::default() });
            // The last one left is where the part begins.
            self.lines.pop();
        }
        behind.push(self);
        behind.reverse();
        behind
    }
}

/// The voices of the lines of a cue. A line with a dash, or with `>>`, is another voice's, the first one, too. O(n).
pub fn voices(lines: &[&str]) -> Vec<Voice> {
    let mut voices: Vec<Voice> = vec![Voice::default()];
    // Several dashes are those of several voices, whatever stands behind them.
    let are_dashed = lines.iter().filter(|line| behind_dash(line).is_some()).count() > 1;
    for line in lines {
        let is_dashed = begins_voice(line) || are_dashed && behind_dash(line).is_some();
        begin_line(&mut voices, is_dashed || marked(line).is_some());
        read_line(line, &mut voices);
    }
    for voice in &mut voices {
        let n_blank = voice.words.len() - voice.words.trim_start().len();
        voice.words = voice.words.trim().to_owned();
        let most = voice.words.len();
        voice.lines.iter_mut().for_each(|line| *line = line.saturating_sub(n_blank));
        voice.lines.retain(|line| (1..most).contains(line));
    }
    voices.retain(|voice| !voice.words.is_empty());
    voices
}

/// The words behind `>>`, which says that another one speaks, or behind a dash.
pub fn marked(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix("&gt;&gt;").or_else(|| line.strip_prefix(">>"))?;
    Some(line.trim_start_matches("&gt;").trim_start_matches('>').trim_start())
}

fn begin_line(voices: &mut Vec<Voice>, is_other: bool) {
    match voices.last_mut() {
        Some(voice) if !is_other && !voice.words.is_empty() => {
            voice.words.push(' ');
            voice.lines.push(voice.words.len());
        }
        Some(voice) if !is_other || voice.words.is_empty() => voice.is_other |= is_other,
        _ => voices.push(Voice { is_other, ..Voice::default() }),
    }
}

/// The words behind a dash that a line begins with, its tags left out.
fn behind_dash(line: &str) -> Option<&str> {
    let mut line = line.trim_start();
    while let Some(end) = line.strip_prefix(['<', '{']).and_then(|tag| tag.find(['>', '}'])) {
        if line.starts_with("<v") || end > MAX_TAG {
            break;
        }
        line = line[end + 2..].trim_start();
    }
    let words = line.strip_prefix(['-', '\u{2010}', '\u{2013}', '\u{2014}'])?.trim_start();
    words.starts_with(|c: char| !c.is_ascii_digit() && c != '-').then_some(words)
}

/// Whether a line begins with the dash of a voice. A sum goes on with a dash as well, and a clause, but with no capital
/// behind it.
fn begins_voice(line: &str) -> bool {
    let first = behind_dash(line).and_then(|words| words.chars().next());
    first.is_some_and(|c| {
        c.is_alphabetic() && !c.is_lowercase()
            || matches!(c, '"' | '“' | '«' | '[' | '(' | '<' | '{' | '¿' | '¡' | '♪' | '…' | '.')
    })
}

/// Adds a line to the last voice, and begins others at their tags.
fn read_line(line: &str, voices: &mut Vec<Voice>) {
    let mut rest = match (marked(line), voices.last_mut()) {
        (Some(words), Some(voice)) => {
            voice.is_other = true;
            words
        }
        _ => line,
    };
    while let Some(at) = rest.find(['<', '{', '&']) {
        push(voices, &rest[..at]);
        let from = &rest[at..];
        let n_bytes = match from.as_bytes()[0] {
            b'<' => tag(from, voices),
            b'{' => from.starts_with("{\\").then(|| from.find('}')).flatten().map(|end| end + 1),
            _ => reference(from, voices),
        };
        let n_bytes = n_bytes.unwrap_or_else(|| {
            push(voices, &from[..1]);
            1
        });
        rest = &from[n_bytes..];
    }
    push(voices, rest);
}

fn push(voices: &mut [Voice], words: &str) {
    if let Some(voice) = voices.last_mut() {
        voice.words.push_str(words);
    }
}

/// Reads the tag that a text begins with, and says how long it is; none if it is none.
fn tag(text: &str, voices: &mut Vec<Voice>) -> Option<usize> {
    let first = text[1..].chars().next().filter(|c| c.is_ascii_alphanumeric() || *c == '/')?;
    // A tag is short: what is never closed is read as words, and not looked through again and again.
    let most = text.floor_char_boundary(MAX_TAG);
    let end = text[..most].find('>')?;
    if first == 'v' {
        let inner = &text[2..end];
        if let Some((_, name)) = inner
            .split_once([' ', '\t'])
            .filter(|(classes, _)| classes.is_empty() || classes.starts_with('.'))
        {
            let speaker = unescaped(name.trim());
            match voices.last_mut() {
                Some(voice) if voice.words.trim().is_empty() => voice.speaker = speaker,
                _ => voices.push(Voice { speaker, ..Voice::default() }),
            }
        }
    } else if &text[..=end] == "</v>"
        && voices.last().is_some_and(|voice| !voice.speaker.is_empty())
    {
        voices.push(Voice::default());
    }
    Some(end + 1)
}

/// A tag has no more bytes.
const MAX_TAG: usize = 256;

const REFERENCES: [(&str, &str); 8] = [
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&nbsp;", " "),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&lrm;", ""),
    ("&rlm;", ""),
];

fn reference(text: &str, voices: &mut [Voice]) -> Option<usize> {
    let (name, said) = REFERENCES.iter().find(|(name, _)| text.starts_with(name))?;
    push(voices, said);
    Some(name.len())
}

fn unescaped(text: &str) -> String {
    let said = |text: String, (name, said): &(&str, &str)| text.replace(name, said);
    REFERENCES.iter().rev().fold(text.to_owned(), said)
}

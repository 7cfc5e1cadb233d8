//! Headings: lines that say what the text behind them is about.
//!
//! Five kinds are known, whatever the markup; what stands in a fenced code block is none:
//!
//! | kind | as in | told by |
//! |---|---|---|
//! | marked | `# Rain`, `== Rain ==` | up to six marks and a blank |
//! | underlined | `Rain` over `----` | a line of one sign below, as long as the title unless it is `=` or `-` |
//! | overlined | `====`, `Rain`, `====` | the same above and below |
//! | bare | `Rain` between blank lines | 3 to 70 characters, no mark of a list or table, no end of a sentence, also inside |
//! | numbered | `1. Rain`, `(a) Rain` between blank lines | the same behind a number or letter, no item above or below it |
//!
//! Up to eight of them in a row go together with what follows; more are a list. Of bare ones more than two in a row
//! are a list of paragraphs: the turns of a chat, an address, the lines of a poem. One above a heading that is marked
//! is the text of a section. A line is looked at when a cut is to be made there, and only the lines beside it, so that
//! no text is searched for headings beforehand.

use std::cell::OnceCell;

use memchr::memrchr;

use super::fence::Fences;
use super::line::Line;
use super::sentence::{Language, begins_item, begins_line, is_closer, stops, terminator};
use crate::markup::Markup;
use crate::unicode::space::{is_space, skip_space, trim_end};

/// A longer line is no heading; nor is one from which what follows is so many bytes away.
const MAX_BYTES: usize = 512;
/// More headings in a row are a list, of which any may end a chunk.
pub const MAX_RUN: usize = 8;
/// More short lines in a row are a list of paragraphs, of which none is a heading.
pub const MAX_BARE: usize = 2;
/// Lines of a heading: overline, title, underline.
const MAX_LINES: usize = 3;
/// How many code points a bare heading has.
const BARE_CHARS: std::ops::RangeInclusive<usize> = 3..=70;
/// A line that is indented by so many columns is code.
const CODE_INDENT: usize = 4;
/// An underline has so many signs at least.
const MIN_UNDERLINE: usize = 3;

/// The headings of one text, looked for where they are asked for.
#[derive(Debug)]
pub struct Headings<'t> {
    text: &'t str,
    markup: Markup,
    /// Found when a heading first could stand in one.
    fences: OnceCell<Fences>,
}

impl<'t> Headings<'t> {
    /// The headings of `text`.
    pub const fn new(text: &'t str, markup: Markup) -> Self {
        Self { text, markup, fences: OnceCell::new() }
    }

    /// The fenced code blocks of the text; found by the first call, in O(n).
    pub fn fences(&self) -> &Fences {
        self.fences.get_or_init(|| Fences::new(self.text, self.markup))
    }

    /// The start of the run of headings that a cut at `at` would part from what follows them, if any.
    ///
    /// The cut lies behind a heading, blank lines between the two left out, or inside one; and something
    /// follows. Several headings in a row are one run. O(1), but for what [`Self::fences`] costs once.
    ///
    /// ```
    /// use chunkwright_text::markup::Markup;
    /// use chunkwright_text::segment::heading::Headings;
    ///
    /// let headings = Headings::new("# Rain\n\n## Cold rain\n\nIt fell.", Markup::Markdown);
    /// // A cut before the sentence would part it from both headings.
    /// assert_eq!(headings.before(22), Some(0));
    /// assert_eq!(headings.own_end(0), 6);
    /// assert!(headings.begins(8) && !headings.begins(22));
    /// ```
    pub fn before(&self, at: usize) -> Option<usize> {
        self.run(at).last().copied()
    }

    /// The starts of these headings, that of the last one first.
    pub fn run(&self, at: usize) -> Vec<usize> {
        let mut starts = Vec::new();
        let Some(last) = self.heading_before(at) else { return starts };
        if skip_space(self.text, at) == self.text.len() {
            return starts;
        }
        let mut start = last;
        while starts.len() < MAX_RUN {
            starts.push(start);
            match self.heading_before(start) {
                Some(before) => start = before,
                None => return starts,
            }
        }
        starts.clear();
        starts
    }

    /// Whether a cut at `at`, whitespace behind it left out, would lie inside the heading that begins at `start`.
    pub fn is_inside(&self, start: usize, at: usize) -> bool {
        let line = Line::around(self.text, skip_space(self.text, at), MAX_BYTES);
        line.and_then(|line| self.heading(line)) == Some(start)
    }

    /// The end of the heading that begins at `start`, without those behind it; `start` itself if none does.
    pub fn own_end(&self, start: usize) -> usize {
        let heading_at = |at: usize| {
            let line = Line::around(self.text, at, MAX_BYTES)?;
            Some((self.heading(line)?, line.end))
        };
        let Some((heading, mut end)) = heading_at(start) else { return start };
        for _ in 1..MAX_LINES {
            match heading_at(skip_space(self.text, end)) {
                Some((same, line_end)) if same == heading && line_end > end => end = line_end,
                _ => break,
            }
        }
        trim_end(self.text, start, end)
    }

    /// Whether a heading begins at `at`, the start of its text.
    pub fn begins(&self, at: usize) -> bool {
        let heading = Line::around(self.text, at, MAX_BYTES).and_then(|line| self.heading(line));
        heading.is_some_and(|start| skip_space(self.text, start) == at)
    }

    /// Whether the line before `at` ends as a sentence does and is neither marked nor underlined: no heading.
    ///
    /// So it is at most cuts, and it takes a fraction of the time of a closer look.
    fn follows_sentence(&self, at: usize) -> bool {
        let bytes = self.text.as_bytes();
        let n_blanks = bytes[..at].iter().rev().take_while(|b| matches!(b, b' ' | b'\n')).take(8);
        let last = at - n_blanks.count();
        let [b'.' | b'!' | b'?' | b':' | b';' | b',', b'\n', below] =
            bytes[last.max(1) - 1..].first_chunk().copied().unwrap_or_default()
        else {
            return false;
        };
        if below != b'\n' && !below.is_ascii_alphanumeric() {
            return false;
        }
        let low = last.saturating_sub(MAX_BYTES + 1);
        match memrchr(b'\n', &bytes[low..last]) {
            Some(feed) => bytes[low + feed + 1].is_ascii_alphanumeric(),
            None => low > 0 || bytes[0].is_ascii_alphanumeric(),
        }
    }

    /// The start of the heading that `at` lies in or behind.
    fn heading_before(&self, at: usize) -> Option<usize> {
        if self.follows_sentence(at) {
            return None;
        }
        self.heading(self.line_before(at)?)
    }

    /// The line that `at` lies in or behind, blank lines between the two left out.
    fn line_before(&self, at: usize) -> Option<Line> {
        let low = self.text.ceil_char_boundary(at.saturating_sub(MAX_BYTES));
        let last = low + self.text[low..at].trim_end_matches(is_space).len();
        if last == low { None } else { Line::around(self.text, last, MAX_BYTES) }
    }

    /// The line behind `at`, the end of one, blank lines between the two left out.
    fn line_behind(&self, at: usize) -> Option<Line> {
        let high = self.text.floor_char_boundary(self.text.len().min(at + MAX_BYTES));
        let first = high - self.text[at..high].trim_start_matches(is_space).len();
        if first == high { None } else { Line::around(self.text, first, MAX_BYTES) }
    }

    /// The start of the heading of which `line` is a part.
    fn heading(&self, line: Line) -> Option<usize> {
        let start = if is_heading(&self.text[line.start..line.end]) {
            line.start
        } else {
            self.underlined(line).or_else(|| self.is_bare(line).then_some(line.start))?
        };
        self.fences().holding(start).is_none().then_some(start)
    }

    /// The start of the title with an underline of which `line` is a part: title, underline or overline.
    fn underlined(&self, line: Line) -> Option<usize> {
        let text = self.text;
        if let Some(sign) = adornment(line.trimmed(text)) {
            let above = line.above(text, MAX_BYTES);
            return above.and_then(|title| self.title(title, line)).or_else(|| {
                let title = line.below(text, MAX_BYTES).filter(|_| line.follows_blank(text))?;
                let underline = title.below(text, MAX_BYTES)?;
                let is_same = adornment(underline.trimmed(text)) == Some(sign);
                is_same.then(|| self.title(title, underline)).flatten()
            });
        }
        let below = text.as_bytes().get(line.end + 1..)?;
        let first = below.iter().take(CODE_INDENT).find(|&&byte| byte != b' ')?;
        if is_sign(*first) { self.title(line, line.below(text, MAX_BYTES)?) } else { None }
    }

    /// The start of `title`, or of its overline, if `underline` is one of it.
    fn title(&self, title: Line, underline: Line) -> Option<usize> {
        let (text, words, signs) =
            (self.text, title.trimmed(self.text), underline.trimmed(self.text));
        let sign = adornment(signs)?;
        // Markdown takes any length below any title; others are no longer than what they underline.
        let is_long = matches!(sign, b'=' | b'-') || signs.len() >= words.chars().count();
        let can_be_title = is_long
            && adornment(words).is_none()
            && words.contains(char::is_alphanumeric)
            && !begins_line(words, 0)
            && !is_heading(words)
            && !words.starts_with('>')
            && title.indent(text) < CODE_INDENT
            && underline.indent(text) < CODE_INDENT;
        if !can_be_title {
            return None;
        }
        if title.follows_blank(text) {
            return Some(title.start);
        }
        let above = title.above(text, MAX_BYTES)?;
        let over = adornment(above.trimmed(text))?;
        let is_overline = over == sign && above.follows_blank(text);
        Some(if is_overline { above.start } else { title.start })
    }

    /// Whether `line` is a heading though nothing marks it as one.
    fn is_bare(&self, line: Line) -> bool {
        self.stands_alone(line)
            && (self.is_numbered(line) || self.is_short(line) && !self.is_listed(line))
            && skip_space(self.text, line.end) < self.text.len()
            && !self.precedes_marked(line)
    }

    /// Whether `line` has a number, as an item of a list has, and stands above text: nothing beside it is an item.
    fn is_numbered(&self, line: Line) -> bool {
        let text = self.text;
        let begins = |line: Option<Line>| {
            line.is_some_and(|line| begins_item(text, skip_space(text, line.start)))
        };
        after_number(line.trimmed(text)).is_some_and(can_be_title)
            && !begins(self.line_before(line.start))
            && !begins(self.line_behind(line.end))
    }

    /// Whether what follows `line` is a heading that is marked: `line` is then all the text of its section.
    fn precedes_marked(&self, line: Line) -> bool {
        let below = self.line_behind(line.end);
        below.is_some_and(|below| {
            is_heading(&self.text[below.start..below.end]) || self.underlined(below).is_some()
        })
    }

    /// Whether `line` stands in a list of short lines.
    fn is_listed(&self, line: Line) -> bool {
        let above = |line: &Line| self.line_before(line.start).filter(|&line| self.is_short(line));
        let below = |line: &Line| self.line_behind(line.end).filter(|&line| self.is_short(line));
        let n_above = std::iter::successors(above(&line), above).take(MAX_BARE).count();
        let n_below = std::iter::successors(below(&line), below).take(MAX_BARE).count();
        n_above + 1 + n_below > MAX_BARE
    }

    /// Whether `line` stands alone, is as short as a title, and ends as no sentence does.
    fn is_short(&self, line: Line) -> bool {
        let words = line.trimmed(self.text);
        self.stands_alone(line) && !begins_line(words, 0) && can_be_title(words)
    }

    /// Whether blank lines are around `line`, and it is no code.
    fn stands_alone(&self, line: Line) -> bool {
        let text = self.text;
        line.precedes_blank(text) && line.follows_blank(text) && line.indent(text) < CODE_INDENT
    }
}

/// Whether a line is as short as a title, and begins and ends as no sentence does.
fn can_be_title(words: &str) -> bool {
    let end = words.trim_end_matches(is_closer).chars().next_back();
    let own = after_number(words.trim_start_matches(['*', '_'])).unwrap_or(words);
    words.len() <= 4 * BARE_CHARS.end()
        && words.chars().next().is_some_and(begins_title)
        && !end.is_none_or(|c| terminator(c).is_some() || is_pause(c))
        && BARE_CHARS.contains(&words.chars().count())
        && words.contains(char::is_alphanumeric)
        && !words.ends_with('|')
        && !words.contains(['\t'])
        && stops::first_start(own, 0, own.len(), &Language::english()).is_none()
}

/// What stands behind the number or letter of an item: `1.`, `2)`, `(a)`; none if there is no such mark.
fn after_number(words: &str) -> Option<&str> {
    let is_mark = words.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '(');
    let (_, own) = words.split_once(' ').filter(|_| is_mark && begins_item(words, 0))?;
    Some(own.trim_start())
}

/// Whether a line is a heading of Markdown or a wiki: up to six `#` or `=`, and a blank.
pub fn is_heading(line: &str) -> bool {
    let bytes = line.trim_start_matches(' ').as_bytes();
    let Some(&mark) = bytes.first().filter(|&&byte| byte == b'#' || byte == b'=') else {
        return false;
    };
    let n_marks = bytes.iter().take(7).take_while(|&&byte| byte == mark).count();
    n_marks <= 6 && bytes.get(n_marks) == Some(&b' ')
}

/// Where the last line of `text` that is not blank begins, if it is a heading.
///
/// ```
/// use chunkwright_text::segment::heading::{is_heading, last_heading};
///
/// assert_eq!(last_heading("It fell.\n\n## Sun\n\n"), Some(10));
/// assert_eq!(last_heading("## Sun\n\nIt shone."), None);
/// assert!(is_heading("== Rain ==") && !is_heading("#rain"));
/// ```
pub fn last_heading(text: &str) -> Option<usize> {
    let text = text.trim_end_matches([' ', '\t', '\r', '\n']);
    let line = memrchr(b'\n', text.as_bytes()).map_or(0, |at| at + 1);
    is_heading(&text[line..]).then_some(line)
}

/// The sign of which `words` consists, if it can be an underline.
fn adornment(words: &str) -> Option<u8> {
    let &sign = words.as_bytes().first()?;
    let is_line = words.len() >= MIN_UNDERLINE && words.bytes().all(|byte| byte == sign);
    (is_sign(sign) && is_line).then_some(sign)
}

const fn is_sign(byte: u8) -> bool {
    matches!(byte, b'=' | b'-' | b'~' | b'^' | b'*' | b'+')
}

/// Whether a bare heading can begin with `c`: no markup does, but for emphasis.
fn begins_title(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(c, '*' | '_' | '(' | '"' | '\'' | '§' | '¿' | '¡' | '«' | '„' | '“' | '‘')
        || matches!(c, '「' | '『' | '【' | '《' | '〈' | '（')
}

/// Whether what follows `c` belongs to the same sentence.
const fn is_pause(c: char) -> bool {
    matches!(c, ',' | ';' | ':' | '、' | '，' | '；' | '：' | '､' | '،' | '؛')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle;
    use proptest::prelude::*;

    #[test]
    fn headings_are_of_markdown_and_wikis() {
        for line in ["# One", "###### Six", " == Wiki ==", "#  Two blanks"] {
            assert!(is_heading(line), "{line}");
        }
        for line in ["#tag", "####### Seven", "word", "", "=", "1. Item"] {
            assert!(!is_heading(line), "{line}");
        }
    }

    #[test]
    fn blank_lines_below_a_heading_are_passed_over() {
        assert_eq!(last_heading("Text.\n\n# One\n \r\n"), Some(7));
        assert_eq!(last_heading("# One\n\nText.\n"), None);
        assert_eq!(last_heading(""), None);
    }

    /// Where the run of headings begins before the mark `|` of a text; the mark is left out.
    fn before(marked: &str) -> Option<String> {
        let at = marked.find('|').unwrap();
        let text = format!("{}{}", &marked[..at], &marked[at + 1..]);
        let start = Headings::new(&text, Markup::Unknown).before(at)?;
        Some(text[start..at].to_owned())
    }

    #[test]
    fn a_cut_behind_headings_or_inside_one_is_under_them() {
        for (marked, run) in [
            ("Text.\n# One\n|text", "# One\n"),
            ("Text.\n\n# One|\n\ntext", "# One"),
            ("# One\n \r\n\n|text", "# One\n \r\n\n"),
            ("Text.\n\n# One\n\n== Two ==\n### Three\n|text", "# One\n\n== Two ==\n### Three\n"),
            ("Text.\n\n## Title of | it\n\ntext", "## Title of "),
            ("Text.\n\nTitle\n=====\n|text", "Title\n=====\n"),
            ("Text.\n\nTitle\n|-----\ntext", "Title\n"),
            ("Text.\n\nThis ends.\n---\n\n|text", "This ends.\n---\n\n"),
            ("Text.\n\nTitle\n~~~~~~\n|text", "Title\n~~~~~~\n"),
            ("Text.\n\n=====\nTitle\n=====\n|text", "=====\nTitle\n=====\n"),
            ("Text.\n\n=====\n|Title\n=====\ntext", "=====\n"),
            ("Text.\n\nA title\n\n|text", "A title\n\n"),
            ("2.1 Methods\n\nOf all\n\n|text.", "2.1 Methods\n\nOf all\n\n"),
            ("Text.\n\n**Bold**\n\n|text", "**Bold**\n\n"),
            ("Text.\n\n1. Rain\n\n|text", "1. Rain\n\n"),
            ("Text.\n\n(b) Snow\n\n|text", "(b) Snow\n\n"),
            ("Text.\n\n**2. Hail**\n\n|text", "**2. Hail**\n\n"),
            ("文。\n\n第一章\n\n|文。", "第一章\n\n"),
            ("Text.\r\n\r\nTitle\r\n\r\n|text", "Title\r\n\r\n"),
        ] {
            assert_eq!(before(marked).as_deref(), Some(run), "{marked}");
        }
    }

    #[test]
    fn a_heading_ends_behind_all_of_its_lines() {
        for heading in ["# Eight", "Eight\n=====", "=====\nEight\n====="] {
            let text = format!("One.\n\n{heading}\n\n# Nine\n\ntext");
            let end = 6 + heading.len();
            assert_eq!(Headings::new(&text, Markup::Unknown).own_end(6), end, "{heading}");
        }
        assert_eq!(Headings::new("One.\n\ntwo", Markup::Unknown).own_end(0), 0);
    }

    #[test]
    fn other_lines_are_no_headings() {
        for marked in [
            "|text",
            "# One\n\ntext |text",
            "Text.\n\nA sentence.\n\n|text",
            "Text.\n\n“A sentence.”\n\n|text",
            "Text.\n\nAs follows:\n\n|text",
            "Text.\n\n你好。\n\n|text",
            "Text.\n\n为什么？\n\n|text",
            "Text.\n\n例如，\n\n|text",
            "Text.\n\nab\n\n|text",
            "Text.\n\n- An item\n\n|text",
            "Text.\n\n1. An item.\n\n|text",
            "1. One\n\n2. Two\n\n|text",
            "Text.\n\n1. One\n\n|2. Two",
            "Text.\n\n1. One\n\n|- Two",
            "Text.\n\n|a | b |\n\ntext",
            "Text.\n\n    some code\n\n|text",
            "Text.\n\n![Picture](a.png)\n\n|text",
            "Text.\n\n.. image:: a.png\n\n|text",
            "Text.\n\n<div>\n\n|text",
            "Text.\n\n-----\n\n|text",
            "Text.\n\nTitle\ntext\n\n|text",
            "Text.\nTitle\n\n|text",
            "Text.\nTitle\n----\n|text",
            "Text.\n\n- Item\n----\n|text",
            "Text.\n\nLonger title\n~~~~~~\n|text",
            "```\n# comment\n|text\n```\n",
            "```\nx = 1\n\ny = 2\n\n|z = 3\n```\n",
            "Text.\n\n# The end\n|",
            "Text.\n\n# The end\n|\n \n",
            "Text.\n\nThe end\n\n|",
            "# One\n\nOne line\n\n|# Two\n\ntext",
            "# One\n\nOne line\n\n|Two\n---\n\ntext",
            "# One\n\nOne line\n\n|===\nTwo\n===\n\ntext",
        ] {
            assert_eq!(before(marked), None, "{marked}");
        }
        let long = |n: usize| format!("Text.\n\n{}\n\n|text", "x".repeat(n));
        assert!(before(&long(71)).is_none() && before(&long(70)).is_some());
    }

    #[test]
    fn many_headings_in_a_row_are_a_list() {
        for (line, most) in [("# A line\n\n", MAX_RUN), ("A line\n\n", MAX_BARE)] {
            let heading = |n: usize| format!("Text.\n\n{}|text.", line.repeat(n));
            assert_eq!(before(&heading(most)), Some(line.repeat(most)));
            assert_eq!(before(&heading(most + 1)), None);
        }
        // Nor is any of a list that goes on behind the cut a heading.
        assert_eq!(before("Text.\n\nA line\n\n|A line\n\nA line"), None);
        assert_eq!(before("Text.\n\nA line\n\n|A line\n\nText."), Some("A line\n\n".into()));
    }

    #[test]
    fn headings_begin_where_their_text_does() {
        let text = "# One\n\nTwo\n===\n\n  Three\n\ntext";
        let headings = Headings::new(text, Markup::Unknown);
        let begins: Vec<usize> = (0..text.len()).filter(|&at| headings.begins(at)).collect();
        let titles = ["# One", "Two", "Three"];
        assert_eq!(begins, titles.map(|word| text.find(word).unwrap()));
    }

    proptest! {
        #[test]
        fn runs_are_those_of_the_oracle(
            text in "((# |== |=|---|===|~~~~|```|- |1\\. |\\| |Ab|word|漢字|word\\.|word:| {1,4})?\n{0,3}){0,24}",
        ) {
            let headings = Headings::new(&text, Markup::Unknown);
            for (at, _) in text.char_indices() {
                let run = oracle::headings_before(&text, at, MAX_RUN);
                prop_assert_eq!(headings.run(at), run, "{}", at);
            }
        }
    }

    #[test]
    fn hostile_texts_take_linear_time() {
        for part in ["# ", "# a\n", "Title\n\n", "a\n---\n", "=====\n", " ", "\n", "```\n# a\n"] {
            let text = part.repeat(5_000);
            let headings = Headings::new(&text, Markup::Unknown);
            assert!(
                (0..text.len()).filter(|&at| headings.before(at).is_some()).count() < text.len()
            );
        }
    }
}

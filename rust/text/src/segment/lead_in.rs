//! Lead-ins: lines that end in a colon and lead to the list, the code, the table or the formula below them.
//!
//! Such a line says what the list is of, and without it the items say little: "- bread" answers no question. So
//! cuts are moved before it, as they are before headings.

use memchr::memrchr;

use super::line::Line;
use super::sentence::{begins_item, begins_line, is_closer};
use crate::unicode::space::{is_space, skip_space};

/// What a lead-in leads to is no more bytes of whitespace away, and its own line no longer.
pub const MAX_BYTES: usize = 512;
/// The line or the item that it leads to is read up to this length.
const MAX_LINE: usize = 4096;
/// Signs that may stand behind the colon: those that end emphasis, quotes and brackets.
const MAX_CLOSERS: usize = 8;
/// What is indented by so many columns more than the lead-in is code, or goes on below it.
const CODE_INDENT: usize = 4;
/// So many lead-ins in a row are a list, of which any may end a chunk.
pub const MAX_RUN: usize = 8;
/// What a block begins with that no line of text does; bullets, numbers and bars aside.
const MARKS: [&str; 6] = ["~~~", "$$", "\\[", "<pre", "<table", "<ul"];

/// Text that a lead-in leads to, from which a cut would part it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Led {
    /// Where the lead-in ends, behind its last sign.
    pub lead_end: usize,
    /// Where the text of what it leads to begins.
    pub start: usize,
}

impl Led {
    /// The text that a cut at `at` parts from a lead-in; none unless it lies behind one, whitespace left out.
    /// O(1).
    pub fn at(text: &str, at: usize) -> Option<Self> {
        let low = text.ceil_char_boundary(at.saturating_sub(MAX_BYTES));
        let lead_end = low + text[low..at].trim_end_matches(is_space).len();
        if !ends_in_colon(&text[low..lead_end]) {
            return None;
        }
        let high = text.floor_char_boundary(text.len().min(at + MAX_BYTES));
        let start = high - text[at..high].trim_start_matches(is_space).len();
        let feed = memrchr(b'\n', &text.as_bytes()[lead_end..start])?;
        let led = Self { lead_end, start };
        (start < high && led.is_block(text, lead_end + feed + 1)).then_some(led)
    }

    /// Where the paragraph begins that the lead-in ends; none if that is long.
    pub fn paragraph(self, text: &str) -> Option<usize> {
        let mut line = Line::around(text, self.lead_end, MAX_BYTES)?;
        while !line.follows_blank(text) && !begins_line(text, line.start) {
            line = line.above(text, MAX_BYTES)?;
            if self.lead_end - line.start > MAX_BYTES {
                return None;
            }
        }
        Some(line.start)
    }

    /// Where the first `n_lines` of what it leads to end; none if one of them is too long to be read.
    pub fn end_of_lines(self, text: &str, n_lines: usize) -> Option<usize> {
        let mut line = Line::around(text, self.start, MAX_LINE)?;
        for _ in 1..n_lines {
            match line.below(text, MAX_LINE) {
                Some(below) => line = below,
                None if line.end == text.len() => break,
                None => return None,
            }
        }
        Some(line.end)
    }

    /// Where the item ends that it leads to: before a blank line, or a line that begins another one or a block. None
    /// if it leads to no list, or the item is too long to be read.
    pub fn end_of_item(self, text: &str) -> Option<usize> {
        if !begins_item(text, self.start) {
            return None;
        }
        let mut line = Line::around(text, self.start, MAX_LINE)?;
        while !line.precedes_blank(text) {
            let below = line.below(text, MAX_LINE)?;
            if begins_line(text, skip_space(text, below.start)) {
                break;
            }
            if below.end - self.start > MAX_LINE {
                return None;
            }
            line = below;
        }
        Some(line.end)
    }

    /// Whether the line that begins at `line` is no line of text.
    fn is_block(self, text: &str, line: usize) -> bool {
        let rest = &text[self.start..];
        if begins_line(text, self.start) {
            // A heading begins a section, to which nothing above it leads.
            return !rest.starts_with('#');
        }
        let indent = Line { start: line, end: self.start }.indent(text);
        MARKS.iter().any(|mark| rest.starts_with(mark))
            || indent >= CODE_INDENT
                && Line::around(text, self.lead_end, MAX_BYTES)
                    .is_some_and(|lead| indent >= lead.indent(text) + CODE_INDENT)
    }
}

/// Whether `text` ends in a colon of any width; what ends emphasis or a bracket may follow it.
///
/// ```
/// use chunkwright_text::segment::lead_in::{Led, ends_in_colon};
///
/// let text = "Bring with you:\n\n- bread\n- milk\n";
/// assert!(ends_in_colon("Bring with you:") && ends_in_colon("用意するもの："));
/// // A cut before the list would leave the line with nothing to lead to.
/// assert!(Led::at(text, 17).is_some());
/// assert!(Led::at(text, 25).is_none());
/// ```
pub fn ends_in_colon(text: &str) -> bool {
    let mut chars = text.chars().rev().take(MAX_CLOSERS);
    let last = chars.find(|&c| !(is_closer(c) || matches!(c, '*' | '_' | '`')));
    last.is_some_and(|c| matches!(c, ':' | '：' | '︓' | '﹕'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the cut at the mark `|` of a text parts from a lead-in; the mark is left out.
    fn led(marked: &str) -> Option<String> {
        let at = marked.find('|').unwrap();
        let text = format!("{}{}", &marked[..at], &marked[at + 1..]);
        let led = Led::at(&text, at)?;
        Some(text[led.start..].to_owned())
    }

    #[test]
    fn a_lead_in_ends_in_a_colon_above_a_block() {
        for (marked, block) in [
            ("Two:|\n\n- a", "- a"),
            ("Two:\n|1. a", "1. a"),
            ("**Two:**\n\n|```\na", "```\na"),
            ("(Two:)\r\n\r\n|* a", "* a"),
            ("两个：\n|• 甲", "• 甲"),
            ("Two:\n\n|    code", "code"),
            ("Two::\n|\n    code", "code"),
            ("- Two:\n|  - a", "- a"),
            ("It is:\n\n|$$\nx\n$$", "$$\nx\n$$"),
        ] {
            assert_eq!(led(marked).as_deref(), Some(block), "{marked}");
        }
        let table = "Two:\n\n| a |\n|---|";
        assert_eq!(Led::at(table, 6).map(|led| led.start), Some(6));
    }

    #[test]
    fn other_lines_lead_to_nothing() {
        for marked in [
            "Two:\n\n|text",
            "Two.\n\n|- a",
            "Two: |- a",
            "Two:\n\n|# Title",
            "Two:\n|",
            "Two:\n\n|  text",
            "|- a",
            "    Two:\n\n|    text",
        ] {
            assert_eq!(led(marked), None, "{marked}");
        }
        assert_eq!(led(&format!("Two:{}|- a", "\n".repeat(MAX_BYTES))), None);
    }

    #[test]
    fn an_item_ends_before_the_next_one() {
        let item = |text: &str| {
            let led = Led::at(text, text.find(':').unwrap() + 1).unwrap();
            led.end_of_item(text).map(|end| text[led.start..end].to_owned())
        };
        for (text, expected) in [
            ("Two:\n- a\n- b", "- a"),
            ("Two:\n\n- a\n  b\nc\n- d", "- a\n  b\nc"),
            ("Two:\n1. a\n\n   b", "1. a"),
            ("Two:\n- a\n  - b\n", "- a"),
            ("Two:\n- a\n# B", "- a"),
        ] {
            assert_eq!(item(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(item("Two:\n```\na\n```"), None);
        assert_eq!(item(&format!("Two:\n- {}", "x\n".repeat(MAX_LINE))), None);
    }

    #[test]
    fn lines_of_what_is_led_to_have_an_end() {
        let text = "Two:\n```\na\nb\n```";
        let led = Led::at(text, 5).unwrap();
        let ends: Vec<_> = [1, 2, 9].map(|n| led.end_of_lines(text, n)).into();
        assert_eq!(ends, [Some(8), Some(10), Some(text.len())]);
        assert_eq!(led.paragraph(text), Some(0));
        let text = "One.\n\nTwo\nlines:\n- a";
        let led = Led::at(text, text.len() - 3).unwrap();
        assert_eq!(led.paragraph(text), Some(6));
        let text = format!("{}:\n- a", "x ".repeat(MAX_BYTES));
        assert_eq!(Led::at(&text, text.len() - 3).unwrap().paragraph(&text), None);
        let long = format!("Two:\n- {}", "x".repeat(MAX_LINE));
        assert_eq!(Led::at(&long, 5).unwrap().end_of_lines(&long, 1), None);
    }
}

//! Text of a document, written in runs: the words between two boundaries of blocks, with single blanks.
//!
//! Whitespace is collapsed while it is written, as CSS does it for `white-space: normal`: any of it is one blank,
//! and none stands at the ends of a block or before a line end. In `<pre>` it stays.

use chunkwright_text::span::Span;
use chunkwright_text::syntax::html::words::Survey;
use chunkwright_text::unicode::space::is_space;

/// The separator between the texts of two elements.
pub const SEPARATOR: &str = "\n\n";

/// Line breaks in a row, at most: what is more is a blank line.
const MAX_BREAKS: u8 = 2;

/// The text so far, and the run that is being written.
#[derive(Debug, Default)]
pub struct Text {
    out: String,
    /// Where the run begins, with what stands in front of it and without.
    before: usize,
    start: usize,
    has_words: bool,
    is_spaced: bool,
    n_breaks: u8,
    /// The end of the last word, whatever whitespace stands behind it.
    said: usize,
    /// What stands between the text and the next run.
    separator: &'static str,
    /// Where a link began that may say nothing.
    mark: Option<Mark>,
}

/// A state of the text to return to.
#[derive(Clone, Copy, Debug)]
struct Mark {
    len: usize,
    said: usize,
    has_words: bool,
    n_breaks: u8,
}

impl Text {
    /// A text for a source of `len` bytes.
    pub fn with_capacity(len: usize) -> Self {
        Self { out: String::with_capacity(len), ..Self::default() }
    }

    /// The next run stands behind this separator, unless it is the first.
    pub const fn set_separator(&mut self, separator: &'static str) {
        self.separator = separator;
    }

    /// Whether the run has words.
    pub const fn has_words(&self) -> bool {
        self.has_words
    }

    /// Writes the words of a text; whether there are any. O(n).
    pub fn push(&mut self, text: &str) -> bool {
        let had_words = self.has_words;
        self.has_words = false;
        if Survey::of(text).has_odd_blanks() {
            self.push_each(text, had_words);
        } else {
            let words = text.trim_start_matches(' ');
            self.is_spaced |= words.len() < text.len();
            let words_alone = words.trim_end_matches(' ');
            if !words_alone.is_empty() {
                self.push_words(words_alone, had_words);
            }
            self.is_spaced |= words_alone.len() < words.len();
        }
        let has_some = self.has_words;
        self.has_words |= had_words;
        has_some
    }

    fn push_each(&mut self, text: &str, had_words: bool) {
        let mut rest = text;
        while !rest.is_empty() {
            let words = rest.trim_start_matches(is_space);
            self.is_spaced |= words.len() < rest.len();
            let end = words.find(is_space).unwrap_or(words.len());
            if end > 0 {
                self.push_words(&words[..end], had_words || self.has_words);
            }
            rest = &words[end..];
        }
    }

    fn push_words(&mut self, words: &str, is_behind: bool) {
        if !is_behind {
            self.begin();
        } else if self.n_breaks > 0 {
            self.out.push_str(&"\n\n"[..usize::from(self.n_breaks)]);
        } else if self.is_spaced {
            self.out.push(' ');
        }
        self.out.push_str(words);
        self.said = self.out.len();
        (self.has_words, self.is_spaced, self.n_breaks) = (true, false, 0);
    }

    /// Writes a text as it is. O(n).
    pub fn push_verbatim(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if !self.has_words {
            self.begin();
        } else if self.is_spaced {
            self.out.push(' ');
        }
        (self.has_words, self.is_spaced, self.n_breaks) = (true, false, 0);
        let said = text.trim_end_matches(is_space);
        if !said.is_empty() {
            self.said = self.out.len() + said.len();
        }
        self.out.push_str(text);
    }

    /// Where the last word ends.
    pub const fn said(&self) -> usize {
        self.said
    }

    /// Ends the line of a verbatim text, if anything stands on it.
    pub fn end_line(&mut self) {
        if self.has_words && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    fn begin(&mut self) {
        self.before = self.out.len();
        if self.before > 0 {
            self.out.push_str(self.separator);
        }
        self.start = self.out.len();
    }

    /// Notes where a link begins that may say nothing.
    pub const fn mark(&mut self) {
        let Self { said, has_words, n_breaks, .. } = *self;
        self.mark = Some(Mark { len: self.out.len(), said, has_words, n_breaks });
    }

    /// Forgets where it began.
    pub const fn unmark(&mut self) {
        self.mark = None;
    }

    /// Takes back what was said since the mark, unless there is a letter or a digit in it.
    pub fn drop_signs(&mut self) {
        let Some(mark) = self.mark.take() else { return };
        if self.out[mark.len..].contains(char::is_alphanumeric) {
            return;
        }
        self.out.truncate(mark.len);
        self.said = mark.said;
        (self.has_words, self.is_spaced, self.n_breaks) = (mark.has_words, true, mark.n_breaks);
    }

    /// Whitespace stands here.
    pub const fn space(&mut self) {
        self.is_spaced = true;
    }

    /// A line ends here.
    pub fn break_line(&mut self) {
        self.n_breaks = MAX_BREAKS.min(self.n_breaks + 1);
    }

    /// Ends the run, without whitespace at its end: where it stands, if it says anything.
    pub fn end(&mut self) -> Option<Span> {
        self.mark = None;
        (self.is_spaced, self.n_breaks) = (false, 0);
        if !std::mem::take(&mut self.has_words) {
            return None;
        }
        let run = &self.out[self.start..];
        let len = run.trim_end_matches(is_space).len();
        // Blanks that do not break hold a place where nothing is said.
        if run.trim().is_empty() {
            self.out.truncate(self.before);
            return None;
        }
        self.out.truncate(self.start + len);
        Some(Span::new(self.start, self.out.len()))
    }

    /// Ends the run, which says nothing.
    pub fn discard(&mut self) {
        if self.end().is_some() {
            self.out.truncate(self.before);
        }
    }

    /// The text at a span.
    pub fn slice(&self, span: Span) -> &str {
        &self.out[span.range()]
    }

    /// The whole text.
    pub fn finish(self) -> String {
        self.out
    }
}

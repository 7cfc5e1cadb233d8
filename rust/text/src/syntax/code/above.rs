//! Lines above code that belong to it: comments, decorators, annotations and attributes, told without a grammar.
//!
//! Blank lines do not part a comment from what it is above. A comment that is indented deeper than the line below
//! belongs to what stands above it, a comment behind code to its line, and one above the end of a block, such as `}`
//! or `end`, to that block. What `Lines` takes for a comment is one here.

use super::language::CodeLanguage;
use super::lines::{Line, LineKind, Lines};
use super::table::GUESSED;

/// What stands above the lines of a text, and belongs to them.
#[derive(Debug, Default)]
pub struct Above {
    /// Where all parts of it begin: each comment, be it of several lines, and each decorator.
    parts: Vec<usize>,
    runs: Vec<Run>,
}

/// The parts above one line.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: usize,
    end: usize,
    /// Where the first part has its first sign.
    begin: usize,
    /// Where the line has its first sign.
    line: usize,
}

/// What stands above a line.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// Where each part begins, the farthest first; at least one.
    pub starts: &'a [usize],
    /// Where the line that they are above has its first sign.
    pub line: usize,
}

impl Above {
    /// That of a text in a language; of one that is not known, what most languages have in common. O(n).
    ///
    /// ```
    /// use chunkwright_text::syntax::code::above::Above;
    /// use chunkwright_text::syntax::code::languages::named;
    ///
    /// let text = "import os\n\n# Says hello.\n\n@app.get(\n    \"/\",\n)\ndef hello():\n    pass\n";
    /// let above = Above::new(text, named("python"));
    /// assert_eq!(above.start(text.find("def").unwrap()), text.find('#').unwrap());
    /// assert_eq!(above.start(text.find('#').unwrap()), text.find('#').unwrap());
    /// ```
    pub fn new(text: &str, language: Option<&'static CodeLanguage>) -> Self {
        let mut above = Self::default();
        let (mut waiting, mut before) = (Vec::new(), LineKind::Blank);
        let language = language.unwrap_or(&GUESSED);
        for line in Lines::new(text, language) {
            match line.kind {
                LineKind::Blank => {}
                LineKind::Comment | LineKind::BlockComment | LineKind::Mark => {
                    let goes_on = line.kind == LineKind::Comment
                        && before == LineKind::Comment
                        && waiting.last().is_some_and(|it: &Line| it.indent == line.indent);
                    if !goes_on {
                        waiting.push(line);
                    }
                }
                LineKind::Closing => waiting.clear(),
                LineKind::Code => {
                    // A line of the preprocessor begins where lines do, however deep the code around it stands.
                    let is_outdented = !language.line_comments.contains(&"#")
                        && text[line.sign..].starts_with('#');
                    above.add(&mut waiting, line, is_outdented);
                }
            }
            before = line.kind;
        }
        above
    }

    /// Adds what of `waiting` belongs to a line.
    fn add(&mut self, waiting: &mut Vec<Line>, line: Line, is_outdented: bool) {
        let is_deeper =
            |part: &Line| !is_outdented && part.kind != LineKind::Mark && part.indent > line.indent;
        let first_own = waiting.iter().rposition(is_deeper).map_or(0, |deeper| deeper + 1);
        let first = self.parts.len();
        if let Some(part) = waiting.get(first_own) {
            let (begin, end) = (part.sign, first + waiting.len() - first_own);
            self.runs.push(Run { first, end, begin, line: line.sign });
        }
        self.parts.extend(waiting.drain(..).skip(first_own).map(|part| part.start));
    }

    /// Where what stands above the line at `at`, and belongs to it, begins; `at` if nothing does. Of a place inside
    /// of what stands above a line, where all of that begins. O(log n) but for the line.
    pub fn start(&self, at: usize) -> usize {
        self.parts_at(at).map_or(at, |parts| parts.starts[0])
    }

    /// The parts that a cut at `at` would part from each other, or from their line.
    pub fn parts_at(&self, at: usize) -> Option<Parts<'_>> {
        let run = self.runs.get(self.runs.partition_point(|run| run.line < at))?;
        let starts = &self.parts[run.first..run.end];
        // In front of the first one, nothing is parted.
        (run.begin < at).then_some(Parts { starts, line: run.line })
    }
}

//! Literal blocks of reStructuredText: what is indented below a line that ends in `::`, or below the line
//! of a directive for code.
//!
//! ```text
//! Run this::             a literal block: all lines below that are indented more
//!                        (blank lines are part of it, if more of it follows)
//!     rain --more
//!
//! .. code-block:: sh     the same below a directive for code
//! ```

use memchr::{memchr, memmem, memrchr};

use super::line::next_column;
use crate::span::Span;
use crate::unicode::space::is_space;

/// What stands before `::` in the line of a directive whose block is code.
const DIRECTIVES: [&str; 5] =
    [".. code-block", ".. code", ".. sourcecode", ".. parsed-literal", ".. prompt"];

/// The blocks of `text`, each from the line above it to the end of its last line. O(n).
pub fn blocks(text: &str) -> Vec<Span> {
    let (bytes, mut blocks, mut from) = (text.as_bytes(), Vec::new(), 0);
    let finder = memmem::Finder::new("::");
    while let Some(found) = finder.find(&bytes[from..]) {
        let at = from + found;
        let start = memrchr(b'\n', &bytes[from..at]).map_or(from, |feed| from + feed + 1);
        let end = line_end(bytes, at);
        from = end;
        if introduces(&text[start..end])
            && let Some(last) = indented(bytes, start, end)
        {
            blocks.push(Span::new(start, last));
            from = last;
        }
    }
    blocks
}

/// Whether a literal block follows `line`.
fn introduces(line: &str) -> bool {
    let line = line.trim_matches(is_space);
    match line.split_once("::") {
        Some((directive, _)) if line.starts_with(".. ") => DIRECTIVES.contains(&directive),
        _ => line.ends_with("::"),
    }
}

/// The end of the last line behind `end` that is indented more than the line `start..end`.
fn indented(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    let (above, mut last, mut at) = (indent(&bytes[start..end]), None, end);
    while at < bytes.len() {
        let line = at + 1;
        at = line_end(bytes, line);
        if bytes[line..at].trim_ascii().is_empty() {
            continue;
        }
        if indent(&bytes[line..at]) <= above {
            break;
        }
        last = Some(at);
    }
    last
}

fn indent(line: &[u8]) -> usize {
    let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    blanks.fold(0, |column, &byte| next_column(column, byte))
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |feed| at + feed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_indented_below_their_line() {
        let text = "As here::\n\n    a = 1\n\n    b = 2\n\nText::\n\n.. code-block:: python\n   :linenos:\n\n   c\nd\n.. note::\n\n   No code: a::b.\n\n- Item::\n\n    e\n";
        let found: Vec<&str> = blocks(text).iter().map(|block| &text[block.range()]).collect();
        assert_eq!(
            found,
            [
                "As here::\n\n    a = 1\n\n    b = 2",
                ".. code-block:: python\n   :linenos:\n\n   c",
                "- Item::\n\n    e"
            ]
        );
    }

    #[test]
    fn hostile_texts_take_linear_time() {
        for part in ["::", "::\n", "a::\n b\n", " a::\n", "::\n\n\n", " ::\n  "] {
            blocks(&part.repeat(400_000));
        }
    }
}

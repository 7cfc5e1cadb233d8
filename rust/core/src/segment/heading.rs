//! Lines that say what follows them is about.

use memchr::memrchr;

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
pub fn last_heading(text: &str) -> Option<usize> {
    let text = text.trim_end_matches([' ', '\t', '\r', '\n']);
    let line = memrchr(b'\n', text.as_bytes()).map_or(0, |at| at + 1);
    is_heading(&text[line..]).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}

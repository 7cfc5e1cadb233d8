//! Words of a heading, without the marks that make it one.
//!
//! | the heading | its words |
//! |---|---|
//! | `## Rain ##` | `Rain` |
//! | `Rain` over `====` | `Rain` |
//! | `# Rain {#wet .big}` | `Rain`, if the parser has read attributes |

use crate::span::Span;
use crate::unicode::space::is_space;

/// Marks of a heading at its start.
const MAX_LEVEL: usize = 6;

/// The words of the heading at `span`; `has_attributes` says whether these stand in braces at its end.
/// O(its length).
pub fn words(text: &str, span: Span, has_attributes: bool) -> Span {
    let heading = &text[span.range()];
    let marks = heading.len() - heading.trim_start_matches('#').len();
    let behind = &heading[marks..];
    let is_marked = (1..=MAX_LEVEL).contains(&marks)
        && behind.chars().next().is_none_or(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
    let (start, mut said) = if is_marked {
        (span.start + marks, behind)
    } else {
        // The last line underlines the others.
        (span.start, heading.trim_end_matches(['=', '-']))
    };
    if has_attributes {
        said = said.rfind('{').map_or(said, |brace| &said[..brace]);
    }
    said = said.trim_end_matches(is_space);
    if is_marked {
        let open = said.trim_end_matches('#');
        if open.is_empty() || open.ends_with([' ', '\t']) {
            said = open.trim_end_matches(is_space);
        }
    }
    let lead = said.len() - said.trim_start_matches(is_space).len();
    Span::new(start + lead, start + said.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_no_words() {
        let words = |heading: &'static str, has_attributes| {
            &heading[words(heading, Span::new(0, heading.len()), has_attributes).range()]
        };
        assert_eq!(words("## Two words ##", false), "Two words");
        assert_eq!(words("# C#", false), "C#");
        assert_eq!(words("### ###", false), "");
        assert_eq!(words("#", false), "");
        assert_eq!(words("# a ## {#b .c}", true), "a");
        assert_eq!(words("# a {b}", false), "a {b}");
        assert_eq!(words("Two\nlines\n  ---", false), "Two\nlines");
        assert_eq!(words("#a\n=", false), "#a");
        assert_eq!(words("a {#b}\r\n===", true), "a");
    }
}

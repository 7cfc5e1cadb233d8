//! Fields of a paragraph: their instructions, which say what a number counts and where a link leads.

use std::rc::Rc;

use chunkwright_text::unicode::space::is_space;

/// An instruction goes on no further, in bytes: what is read of it stands at its beginning.
const MAX_INSTRUCTION: usize = 1 << 12;

/// A field that is open.
#[derive(Default)]
pub struct Field {
    /// Its instruction.
    pub instruction: String,
    /// Whether its result has begun.
    pub is_result: bool,
    /// The target if it is a link.
    pub target: Option<Rc<str>>,
    /// What it shows if it is a box to check.
    pub check_box: Option<&'static str>,
}

impl Field {
    /// Adds to its instruction.
    pub fn instruct(&mut self, text: &str) {
        if self.instruction.len() < MAX_INSTRUCTION {
            self.instruction.push_str(text);
        }
    }
}

/// What stands behind the name of an instruction and the blanks that end it.
fn arguments<'a>(instruction: &'a str, name: &str) -> Option<&'a str> {
    let instruction = instruction.trim_start_matches(is_space);
    let (front, rest) = instruction.split_at_checked(name.len())?;
    let arguments = rest.trim_start_matches(is_space);
    let is_named = front.eq_ignore_ascii_case(name) && arguments.len() < rest.len();
    is_named.then_some(arguments)
}

/// What a number counts, in lower case, if that is what an instruction says.
pub fn sequence_of(instruction: &str) -> Option<String> {
    let rest = arguments(instruction, "SEQ")?;
    let rest = rest.strip_prefix('"').unwrap_or(rest);
    let word = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (!word.is_empty()).then(|| word.to_lowercase())
}

/// The target of a link, if an instruction has one.
pub fn link_of(instruction: &str) -> Option<&str> {
    let rest = arguments(instruction, "HYPERLINK")?;
    if let Some(quoted) = rest.strip_prefix('"') {
        return quoted.split_once('"').map(|(target, _)| target);
    }
    let target = rest.split(is_space).next()?;
    (!target.is_empty() && !target.starts_with('\\')).then_some(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_say_what_they_count_and_link() {
        assert_eq!(sequence_of(" seq  \"Table\" \\* ARABIC").as_deref(), Some("table"));
        assert_eq!([sequence_of("SEQUENCE x"), sequence_of("SEQ ")], [None, None]);
        assert_eq!(link_of("HYPERLINK \"a b\" \\o"), Some("a b"));
        assert_eq!(link_of(" Hyperlink x.html \\l"), Some("x.html"));
        assert_eq!([link_of("HYPERLINK \\l \"x\""), link_of("HYPERLINK \"x")], [None, None]);
    }
}

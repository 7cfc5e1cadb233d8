//! Characters that XML lacks, which lxml refuses in a text: the peer, which sets each text of a table anew,
//! drops the table then.

use super::words::Survey;
use crate::unicode::space::is_space;

/// Looks at the texts of a table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Refusal {
    /// Whether a text was refused.
    pub is_refused: bool,
    /// Whether the text goes on in or behind a section, whose tags are taken away.
    is_joined: bool,
    has_control: bool,
}

impl Refusal {
    /// Another text begins.
    pub fn begin(&mut self) {
        self.is_joined = false;
        self.has_control = false;
    }

    /// The text goes on on the other side of a section's tag.
    pub fn join(&mut self) {
        self.is_joined = true;
    }

    /// A piece of a text: whitespace is set only where it is joined, before it is normalised. O(n).
    pub fn piece(&mut self, text: &str, survey: Survey) {
        if survey.may_lack() {
            self.is_refused |= text.chars().any(|c| lacks(c) && !is_space(c));
            self.has_control |= text.chars().any(lacks);
        }
        self.is_refused |= self.is_joined && self.has_control;
    }

    /// A text that is set as it is. O(n).
    pub fn whole(&mut self, text: &str) {
        self.is_refused |= Survey::of(text).may_lack() && text.chars().any(lacks);
    }
}

/// Whether XML has no such character.
const fn lacks(c: char) -> bool {
    matches!(c, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}')
}

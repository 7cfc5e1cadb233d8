//! Short quotations and parentheses, which hold their sentences together.

use crate::segment::space::is_space;

/// The closing mark must follow within so many bytes.
const REACH_BYTES: usize = 160;

/// The opening mark must stand within so many bytes before.
const BACK_BYTES: usize = 512;

/// A mark's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Opens,
    Closes,
}

/// Whether `at` lies inside a quotation or parenthesis that began behind `start` and ends soon.
///
/// O(1): looks at a bounded number of bytes on either side.
pub fn holds(text: &str, start: usize, at: usize) -> bool {
    let Some((mark, Side::Closes)) = first_mark(text, at) else { return false };
    let known = text.floor_char_boundary(at.saturating_sub(BACK_BYTES)).max(start);
    let opens = text[known..at].char_indices().rev().find_map(|(offset, c)| {
        let side = side(text, known + offset, c).filter(|_| pairs(c, mark))?;
        Some(side == Side::Opens)
    });
    opens == Some(true)
}

/// The first mark of its paragraph from `at` on, within reach.
fn first_mark(text: &str, at: usize) -> Option<(char, Side)> {
    let reach = text.floor_char_boundary((at + REACH_BYTES).min(text.len()));
    let ahead = &text[at..reach];
    if !ahead.bytes().fold(false, |found, byte| found | may_be_mark(byte)) {
        return None;
    }
    let marks = ahead.char_indices().filter(|&(_, c)| may_be_mark_char(c));
    let mut sided = marks.filter_map(|(offset, c)| Some((offset, c, side(text, at + offset, c)?)));
    let (offset, c, side) = sided.next()?;
    let goes_on = memchr::memmem::find(&ahead.as_bytes()[..offset], b"\n\n").is_none();
    goes_on.then_some((c, side))
}

const fn may_be_mark(byte: u8) -> bool {
    (byte == b'"')
        | (byte == b')')
        | (byte == b'(')
        | (byte == b'[')
        | (byte == b']')
        | (byte >= 0xc2)
}

const fn may_be_mark_char(c: char) -> bool {
    matches!(
        c,
        '"' | '('
            | ')'
            | '['
            | ']'
            | '“'
            | '”'
            | '„'
            | '«'
            | '»'
            | '「'
            | '」'
            | '『'
            | '』'
            | '（'
            | '）'
            | '《'
            | '》'
            | '【'
            | '】'
    )
}

/// On which side of what it encloses the mark `c` at `at` stands; none if it is no mark.
fn side(text: &str, at: usize, c: char) -> Option<Side> {
    Some(match c {
        '(' | '[' | '„' | '「' | '『' | '（' | '《' | '【' => Side::Opens,
        ')' | ']' | '”' | '」' | '』' | '）' | '》' | '】' => Side::Closes,
        '"' | '“' | '«' | '»' => {
            let before =
                text[..at].chars().next_back().is_none_or(|c| is_space(c) || may_precede(c));
            let behind = text[at + c.len_utf8()..]
                .chars()
                .next()
                .is_none_or(|c| is_space(c) || may_follow(c));
            match (before, behind, c) {
                (true, false, _) | (true, true, '«') | (false, false, '“' | '«') => Side::Opens,
                _ => Side::Closes,
            }
        }
        _ => return None,
    })
}

const fn may_precede(c: char) -> bool {
    matches!(c, '(' | '[' | '{' | '–' | '—' | '-' | ':' | '*' | '_')
}

const fn may_follow(c: char) -> bool {
    matches!(
        c,
        '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']' | '}' | '–' | '—' | '-' | '*' | '_' | '\''
    )
}

/// Whether `opener` begins what `closer` ends.
const fn pairs(opener: char, closer: char) -> bool {
    match closer {
        ')' => matches!(opener, '(' | ')'),
        ']' => matches!(opener, '[' | ']'),
        '"' => opener == '"',
        '”' | '“' => matches!(opener, '“' | '”' | '„'),
        '«' | '»' => matches!(opener, '«' | '»'),
        '」' => matches!(opener, '「' | '」'),
        '』' => matches!(opener, '『' | '』'),
        '）' => matches!(opener, '（' | '）'),
        '》' => matches!(opener, '《' | '》'),
        '】' => matches!(opener, '【' | '】'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(text: &str) -> bool {
        let at = text.find('|').unwrap();
        holds(&text.replacen('|', "", 1), 0, at)
    }

    #[test]
    fn a_short_enclosure_holds_together() {
        assert!(held("He said \"One.| Two.\" Then"));
        assert!(held("(One.| Two.) Three"));
        assert!(held("„Eins.| Zwei.“ Drei"));
        assert!(held("« Un.| Deux. » Trois"));
        assert!(held("《一！|二》三"));
    }

    #[test]
    fn what_is_not_enclosed_is_free() {
        assert!(!held("it,\" he said.| \"Then"));
        assert!(!held("(One) two.| Three) four"));
        assert!(!held("(One.|\n\nTwo)"));
        assert!(!held(&format!("(One.| {})", "x".repeat(200))));
        assert!(!held("One.| Two (three)"));
    }
}

//! Abbreviations before numbers that are spelt as negations: *No. 10* negates nothing.

/// Negations that name what is numbered, with a dot behind them and a number.
const ABBREVIATIONS: [&str; 6] = ["no", "n", "ni", "sem", "bez", "res"];

/// What stands for the end of an abbreviation: its dot, or its last letter above the line.
const DOTS: [char; 3] = ['.', 'º', '°'];

/// The abbreviations of `text` before numbers that are spelt as negations, in lower case. O(n).
///
/// ```
/// use chunkwright_search::contradiction::numberings;
///
/// assert_eq!(numberings("No. 10 and the No 9, n.º 8"), ["no", "no", "n"]);
/// assert!(numberings("No 10 dogs, and there are no 3 of them").is_empty());
/// ```
pub fn numberings(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = 0;
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let end = at + word.len();
        if is_numbering(text, at, end) {
            found.push(word.to_ascii_lowercase());
        }
        at = end + text[end..].chars().next().map_or(0, char::len_utf8);
    }
    found
}

/// Whether the word at `start..end` numbers something: it is an abbreviation before a number, with a dot, or written
/// `No` amid a sentence. `no 10` without one may negate.
pub fn is_numbering(text: &str, start: usize, end: usize) -> bool {
    let word = &text[start..end];
    if !ABBREVIATIONS.iter().any(|known| known.eq_ignore_ascii_case(word)) {
        return false;
    }
    let behind = behind_marks(&text[end..]);
    let rest = behind.trim_start_matches(DOTS);
    let is_abbreviated = rest.len() < behind.len() || word == "No" && is_amid(&text[..start]);
    is_abbreviated && behind_marks(rest).starts_with(char::is_numeric)
}

/// Whether a sentence goes on behind what was read of it.
fn is_amid(before: &str) -> bool {
    let before = before.trim_end_matches(is_mark);
    before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '('))
}

/// What follows blanks and marks that are not seen.
fn behind_marks(mut rest: &str) -> &str {
    loop {
        let next = rest.trim_start_matches(is_mark);
        let next = next.strip_prefix("&nbsp;").unwrap_or(next);
        if next.len() == rest.len() {
            return rest;
        }
        rest = next;
    }
}

fn is_mark(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '_' | '~')
}

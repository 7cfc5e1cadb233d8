//! Marks of notes, numbers of items, targets of links: what stands beside the words of a text.

use super::definitions::definition_len;
use super::normal::Normal;
use super::pairs::Pairs;
use chunkwright_text::unicode::space::is_space;

/// So many bytes attributes have at most.
const MAX_ATTRIBUTES_BYTES: usize = 256;

/// So far a link's target is looked at.
const MAX_TARGET_BYTES: usize = 2048;

/// So many letters a word has at least that a superscript behind it is no exponent of.
pub const MIN_WORD_CHARS: usize = 4;

/// Whether the content of brackets is the mark of a note: some digits, or one letter right behind a word.
pub fn is_label(content: &str, is_attached: bool) -> bool {
    if let Some(label) = content.strip_prefix('^') {
        return !label.is_empty() && label.len() <= 64 && !label.contains(is_space);
    }
    let is_number = |part: &str| {
        let part = part.trim();
        (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_letter = is_attached && content.len() == 1 && content.as_bytes()[0].is_ascii_lowercase();
    content.len() <= 32 && (is_letter || content.split([',', '-', '–', ';']).all(is_number))
}

/// Bytes of the number of an item, with its sign, that a blank follows; 0 if none stands there.
pub fn number_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let n = bytes.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
    let is_number = (1..10).contains(&n) && matches!(bytes.get(n), Some(b'.' | b')'));
    if is_number && text[n + 1..].starts_with(is_space) { n + 1 } else { 0 }
}

/// The end of what was kept, of `n` bytes or a few less.
pub fn tail(normal: &Normal, n: usize) -> &str {
    let end = normal.bytes().len();
    let starts = end.saturating_sub(n)..end;
    starts.map(|start| normal.text(start, end)).find(|text| !text.is_empty()).unwrap_or_default()
}

/// Whether what was kept ends with a sign that ends a sentence or a part of one.
pub fn follows_sentence(normal: &Normal) -> bool {
    tail(normal, 4).ends_with(ends_sentence)
}

/// Whether a sign ends a sentence or a part of one.
pub const fn ends_sentence(c: char) -> bool {
    matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '。' | '、' | '،' | '।' | '؟')
}

/// Bytes of a link's target behind its text in brackets, which is `content`; none if it is no link.
pub fn link_len(rest: &str, pairs: &Pairs, content: &str, at: usize) -> Option<usize> {
    if rest.starts_with('(') {
        return Some(target_len(rest)).filter(|&len| len > 0);
    }
    if rest.starts_with('[') {
        let end = pairs.closing(at)? - at;
        let label = &rest[1..end];
        let is_label = label.len() < 200 && !is_label(label, true) || pairs.is_defined(label);
        return is_label.then_some(end + 1);
    }
    attributes_len(rest).or_else(|| pairs.is_defined(content).then_some(0))
}

/// Bytes of the lines at the start of `text` that a page does not show: a fence of code with the name of its language, or
/// the target of a link that stands elsewhere; else 0.
pub fn unseen_len(text: &str) -> usize {
    let text = &text[..text.floor_char_boundary(MAX_TARGET_BYTES)];
    let len = text.find('\n').unwrap_or(text.len());
    let line = text[..len].trim();
    let is_fence = |sign: &str| {
        line.strip_prefix(sign)
            .is_some_and(|name| !name.trim_start_matches(&sign[..1]).contains('`'))
    };
    if is_fence("```") || is_fence("~~~") { len } else { definition_len(text).unwrap_or(0) }
}

/// Bytes of the attributes at the start of `text`: `{#anchor .class key="a value"}`, or `{: .class}`.
pub fn attributes_len(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('{')?;
    let len = inner.bytes().take(MAX_ATTRIBUTES_BYTES).position(|b| matches!(b, b'}' | b'\n'))?;
    let inner = inner.get(..len).filter(|_| text.as_bytes()[len + 1] == b'}')?;
    let mut is_quoted = false;
    let is_end = |c: char| {
        is_quoted ^= c == '"';
        !is_quoted && is_space(c)
    };
    let is_of_name = |c: char| c.is_alphanumeric() || "-_:.".contains(c);
    let is_name = |name: &str| !name.is_empty() && name.chars().all(is_of_name);
    let is_attribute = |part: &str| match part.strip_prefix(['#', '.']) {
        Some(name) => is_name(name),
        None => part == "-" || part.split_once('=').is_some_and(|(key, _)| is_name(key)),
    };
    let parts = inner.strip_prefix(':').unwrap_or(inner).trim().split(is_end);
    let mut parts = parts.filter(|part| !part.is_empty()).peekable();
    (parts.peek().is_some() && parts.all(is_attribute)).then_some(len + 2)
}

/// Bytes of `(target "title")`; 0 if none stands there.
pub fn target_len(rest: &str) -> usize {
    if rest.starts_with('(') { target_end(rest).unwrap_or(0) } else { 0 }
}

fn target_end(rest: &str) -> Option<usize> {
    let bytes = &rest.as_bytes()[..rest.len().min(MAX_TARGET_BYTES)];
    let mut at = 1 + blanks(&bytes[1..]);
    if bytes.get(at) == Some(&b'<') {
        at += bytes[at..].iter().position(|&byte| byte == b'>' || byte == b'\n')?;
        if bytes[at] != b'>' {
            return None;
        }
        at += 1;
    } else {
        let mut depth = 0;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'\\' => at += 1,
                b'(' => depth += 1,
                b')' if depth == 0 => break,
                b')' => depth -= 1,
                _ if byte.is_ascii_whitespace() => break,
                _ => {}
            }
            at += 1;
        }
    }
    let n_blanks = blanks(bytes.get(at..)?);
    at += n_blanks;
    let quote = match bytes.get(at)? {
        b'"' => b'"',
        b'\'' => b'\'',
        b'(' => b')',
        _ => 0,
    };
    if quote != 0 && n_blanks > 0 {
        at += 1;
        at += bytes[at..].iter().position(|&byte| byte == quote)? + 1;
        at += blanks(&bytes[at..]);
    }
    (bytes.get(at) == Some(&b')')).then_some(at + 1)
}

fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// So many digits stand above or below the line at most.
const MAX_DIGITS: usize = 6;

/// The sign above the line of one on it.
pub const fn raised(c: char) -> Option<char> {
    match c {
        '1' => Some('¹'),
        '2' => Some('²'),
        '3' => Some('³'),
        '0' | '4'..='9' => char::from_u32('⁰' as u32 + c as u32 - '0' as u32),
        '-' | '−' => Some('⁻'),
        _ => None,
    }
}

/// The digit below the line of one on it.
pub const fn lowered(c: char) -> Option<char> {
    if c.is_ascii_digit() { char::from_u32('₀' as u32 + c as u32 - '0' as u32) } else { None }
}

/// Whether `text` is a number as it stands above or below the line.
pub fn is_script(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '−']).unwrap_or(text);
    (1..=MAX_DIGITS).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether `label` above the line is the mark of a note behind `text`, and not a part of a word or formula.
pub fn is_mark_behind(text: &str, label: &str, is_link: bool) -> bool {
    let is_signs = |label: &str| label.len() <= 9 && label.chars().all(|c| "*†‡§¶#".contains(c));
    let is_letter = label.len() == 1 && label.as_bytes()[0].is_ascii_lowercase();
    if is_link {
        return !label.is_empty() && (is_signs(label) || is_label(label, true));
    }
    let is_behind = || {
        let n_letters = text.chars().rev().take_while(|c| c.is_alphabetic()).count();
        let is_sign_of_number = is_signs(label) && text.ends_with(|c: char| c.is_ascii_digit());
        n_letters >= MIN_WORD_CHARS
            || text.ends_with(ends_sentence)
            || text.ends_with('%')
            || is_sign_of_number
    };
    !label.is_empty() && (is_signs(label) || is_letter) && is_behind()
}

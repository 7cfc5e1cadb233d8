//! Targets of links that stand apart from their words: `[label]: target "title"`.

use super::chars::{ends_line, is_blank};
use chunkwright_text::unicode::space::is_space;

/// Bytes of `[label]: target "title"`, and no note, up to the end of its line: target and title may stand in lines of
/// their own.
pub fn definition_len(text: &str) -> Option<usize> {
    let (label, rest) = text.trim_start_matches(is_blank).strip_prefix('[')?.split_once("]:")?;
    let is_label =
        !label.trim().is_empty() && !label.starts_with('^') && !label.contains(['[', ']']);
    let rest = next_in_paragraph(rest).filter(|_| is_label && !has_empty_line(label))?;
    let target = match rest.strip_prefix('<') {
        Some(inner) => inner.find(['>', '\n']).filter(|&n| inner[n..].starts_with('>'))? + 2,
        None => rest.find(is_space).unwrap_or(rest.len()),
    };
    let rest = &rest[target..];
    let untitled = line_over(rest).map(|rest| text.len() - rest.len());
    let titled = title_end(rest).and_then(line_over).map(|rest| text.len() - rest.len());
    titled.or(untitled).filter(|_| target > 0)
}

/// What stands behind the title of a link, with blanks or the end of a line before it.
fn title_end(rest: &str) -> Option<&str> {
    let title = next_in_paragraph(rest).filter(|title| title.len() < rest.len())?;
    let end = match title.chars().next()? {
        sign @ ('"' | '\'') => sign,
        '(' => ')',
        _ => return None,
    };
    let is_escaped =
        |at: usize| title[..at].bytes().rev().take_while(|&b| b == b'\\').count() % 2 == 1;
    let n = title[1..].match_indices(end).map(|(n, _)| n).find(|n| !is_escaped(n + 1))?;
    (!has_empty_line(&title[1..=n])).then_some(&title[n + 2..])
}

/// What stands behind blanks with at most one end of a line.
fn next_in_paragraph(text: &str) -> Option<&str> {
    let next = text.trim_start_matches(is_space);
    (!has_empty_line(&text[..text.len() - next.len()]) && !next.is_empty()).then_some(next)
}

/// The end of the line, if only blanks stand before it.
fn line_over(text: &str) -> Option<&str> {
    let end = text.trim_start_matches(is_blank);
    end.chars().next().is_none_or(ends_line).then_some(end)
}

fn has_empty_line(text: &str) -> bool {
    let n_inner = text.matches('\n').count().saturating_sub(1);
    text.split('\n').skip(1).take(n_inner).any(|line| line.trim().is_empty())
}

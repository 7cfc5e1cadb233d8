//! Links of a page: which of its glyphs stand in the areas of a link, and the same in the text of its blocks.

use chunkwright_text::read::link::Link;
use chunkwright_text::span::Span;

use super::lines::Line;
use super::page::{Area, PageContent, Style};
use super::words::Words;

/// So many glyphs are looked at for all links of a page; those left have none.
const MAX_LOOKED_AT: usize = 20_000_000;

/// Areas of a page that link to a target.
#[derive(Clone, Debug, Default)]
pub struct PageLink {
    /// The areas.
    pub areas: Vec<Area>,
    /// The target.
    pub target: Box<str>,
}

/// A part of a line's text that links, by the number of its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkedPart {
    /// The line, by its number in its block.
    pub line: usize,
    /// Where it stands in the text of the line.
    pub span: Span,
    /// The number of the target on the page.
    pub target: u32,
}

/// Gives the glyphs of a page their links: those whose middle stands in an area of one. O(glyphs log glyphs + linked
/// glyphs).
pub fn set(page: &mut PageContent, links: Vec<PageLink>) {
    if links.is_empty() {
        return;
    }
    let height = |area: Area| area.middle()[1];
    let drawn = (0..page.glyphs.len()).filter(|&i| page.glyphs[i].is_drawn);
    let mut by_height: Vec<usize> = drawn.collect();
    by_height.sort_by(|&a, &b| height(page.glyphs[a].area).total_cmp(&height(page.glyphs[b].area)));
    let mut left = MAX_LOOKED_AT;
    for PageLink { areas, target } in links {
        let number = u32::try_from(page.targets.len()).unwrap_or(u32::MAX);
        page.targets.push(target);
        for area in areas {
            let from = by_height.partition_point(|&i| height(page.glyphs[i].area) < area.top);
            let to = by_height.partition_point(|&i| height(page.glyphs[i].area) <= area.bottom);
            let mut near: Vec<usize> = by_height[from..to.max(from)].to_vec();
            left = left.saturating_sub(near.len());
            if left == 0 {
                return;
            }
            near.retain(|&i| area.holds(page.glyphs[i].area.middle()));
            near.sort_unstable();
            link(page, &near, number);
        }
    }
}

/// Gives glyphs, in the order of the file, styles that link.
fn link(page: &mut PageContent, glyphs: &[usize], number: u32) {
    let (mut of, mut linked) = (None, 0);
    for &i in glyphs {
        let style = page.glyphs[i].style;
        if of != Some(style) {
            let Some(known) = page.styles.get(style as usize).copied() else { continue };
            if known.link.is_some() {
                continue;
            }
            (of, linked) = (Some(style), u32::try_from(page.styles.len()).unwrap_or(style));
            page.styles.push(Style { link: Some(number), ..known });
        }
        page.glyphs[i].style = linked;
    }
}

/// The parts of a line that link, when it is written as [`Line::text`] does.
pub fn linked_parts(words: &Words, line: &Line, number: usize, indent: usize) -> Vec<LinkedPart> {
    let mut parts: Vec<LinkedPart> = Vec::new();
    if words.links.is_empty() {
        return parts;
    }
    let mut at = indent;
    for (i, &word) in line.words.iter().enumerate() {
        let word = &words.words[word];
        at += usize::from(i > 0 && word.is_apart);
        let from = words.links.partition_point(|(span, _)| span.end <= word.text.start);
        let of_word = words.links[from..].iter().take_while(|(span, _)| span.start < word.text.end);
        for &(span, target) in of_word {
            let place = |of: usize| at + of.clamp(word.text.start, word.text.end) - word.text.start;
            let span = Span::new(place(span.start), place(span.end));
            match parts.last_mut().filter(|last| last.target == target && i > 0) {
                Some(last) => last.span = Span::new(last.span.start, span.end),
                None => parts.push(LinkedPart { line: number, span, target }),
            }
        }
        at += word.text.len();
    }
    parts
}

/// Adds the links of a line, which stands at a byte of a text, to those of the text: one that goes on from the line
/// above is one.
pub fn add_links(
    links: &mut Vec<Link>,
    text: &str,
    line: (&str, usize),
    parts: &[LinkedPart],
    targets: &[Box<str>],
) {
    let (line, start) = line;
    // What hyphen the line above has lost is part of no link.
    if let Some(link) = links.last_mut() {
        link.span = Span::new(link.span.start.min(start), link.span.end.min(start));
    }
    let place = |of: usize| {
        let before = line.get(..of).unwrap_or(line);
        let n_dropped = before.matches('\u{ad}').count() * '\u{ad}'.len_utf8();
        (start + before.len() - n_dropped).min(text.len())
    };
    for part in parts {
        let Some(target) = targets.get(part.target as usize) else { continue };
        let span = Span::new(place(part.span.start), place(part.span.end));
        add_link(links, text, span, target);
    }
}

/// Adds a link, which goes on with the one before it if nothing but blanks is between them.
pub fn add_link(links: &mut Vec<Link>, text: &str, span: Span, target: &str) {
    let goes_on = |link: &&mut Link| {
        let between = text.get(link.span.end..span.start);
        *link.target == *target && between.is_some_and(|text| text.trim().is_empty())
    };
    match links.last_mut().filter(goes_on) {
        Some(last) => last.span = Span::new(last.span.start, span.end),
        None => links.push(Link { span, target: target.into(), is_image: false }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_go_on_over_lines_and_lose_what_the_lines_lose() {
        let targets = ["a.org".into(), "b.org".into()];
        let part = |start, end, target| LinkedPart { line: 0, span: Span::new(start, end), target };
        let mut links = Vec::new();
        // The hyphen at the end of the first line has gone.
        let text = "see the manual of the mill";
        add_links(&mut links, "see the man-", ("see the man-", 0), &[part(4, 12, 0)], &targets);
        let parts = [part(0, 3, 0), part(4, 15, 1)];
        add_links(&mut links, text, ("ual of the mill", 11), &parts, &targets);
        let said: Vec<&str> = links.iter().map(|link| &text[link.span.range()]).collect();
        assert_eq!(said, ["the manual", "of the mill"]);
    }

    #[test]
    fn a_part_of_a_word_may_link() {
        let mut words = Words { text: "(here)".into(), ..Words::default() };
        words.words.push(super::super::words::Word::of_text(Span::new(0, 6)));
        words.links.push((Span::new(1, 5), 3));
        let line = Line { words: vec![0], ..Line::default() };
        let parts = linked_parts(&words, &line, 2, 4);
        assert_eq!(parts, [LinkedPart { line: 2, span: Span::new(5, 9), target: 3 }]);
    }
}

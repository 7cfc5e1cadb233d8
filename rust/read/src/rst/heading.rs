//! Headings: titles with a line of signs below them, and perhaps above, whose order in the file gives the levels.

use chunkwright_text::elements::Kind;
use chunkwright_text::span::Span;

use super::lines::Line;
use super::markers::adornment;
use super::walk::{Style, Walk};

/// A line of signs that is shorter may be text.
const SHORT: usize = 4;

impl Walk<'_> {
    /// Takes a line that is underlined by the next one; none if the two are text.
    pub fn underlined(&mut self, i: usize, has_titles: bool) -> Option<usize> {
        let (title, underline) = (self.lines[i], self.lines[i + 1]);
        let sign = adornment(underline.said(self.text))?;
        let width = title.said(self.text).chars().count();
        if width > underline.end - underline.at && underline.end - underline.at < SHORT {
            return None;
        }
        if has_titles {
            self.heading((sign, false), title.at, title, underline.end);
        } else {
            self.made.paragraph(Span::new(title.at, underline.end));
        }
        Some(i + 2)
    }

    /// Takes a line of signs: an overline with its title, or a transition; none if it is text.
    pub fn adorned(&mut self, i: usize, end: usize, has_titles: bool) -> Option<usize> {
        let over = self.lines[i];
        let signs = over.said(self.text);
        let is_short = signs.len() < SHORT;
        let behind = |at: usize| self.lines[..end].get(at).filter(|line| !line.is_blank()).copied();
        if has_titles
            && let Some((title, under)) = behind(i + 1).zip(behind(i + 2))
            && adornment(title.said(self.text)).is_none()
            && under.said(self.text) == signs
            && !(is_short && title.said(self.text).chars().count() > signs.len())
        {
            self.heading((signs.as_bytes()[0], true), over.at, title, under.end);
            return Some(i + 3);
        }
        if is_short {
            return None;
        }
        // A transition, or a line that belongs to nothing.
        self.made.close();
        Some(i + 1)
    }

    fn heading(&mut self, style: Style, start: usize, title: Line, end: usize) {
        let known = self.styles.iter().position(|of| *of == style);
        let level = known.unwrap_or_else(|| {
            self.styles.push(style);
            self.styles.len() - 1
        });
        let number = self.made.push(Kind::Heading, level + 1, Span::new(start, end));
        let words = Span::new(title.at, title.end);
        self.made.read.titles.push((number, words));
        self.made.said(words);
        if let Some(inline) = &mut self.made.inline {
            inline.targets.section(&self.text[words.range()]);
        }
    }
}

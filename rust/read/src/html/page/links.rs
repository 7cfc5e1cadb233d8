//! Links of a page, taken down while it is read.

use chunkwright_text::read::link::Link;
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::is_space;

/// The links so far, and the one that is open.
#[derive(Debug, Default)]
pub struct Links {
    made: Vec<Link>,
    open: Option<usize>,
}

impl Links {
    /// An `<a>` with that target begins behind byte `said` of the text.
    pub fn open(&mut self, target: &str, said: usize) {
        self.open = Some(self.made.len());
        self.push(Span::new(said, said), target, false);
    }

    /// An `<a>` ends, or another begins, behind byte `said` of the text.
    pub fn close(&mut self, said: usize) {
        if let Some(link) = self.open.take().and_then(|open| self.made.get_mut(open)) {
            link.span.end = said;
        }
    }

    /// What was said behind that byte of the text was taken back.
    pub fn cut(&mut self, said: usize) {
        for link in self.made.iter_mut().rev().take_while(|link| link.span.end > said) {
            link.span = Span::new(link.span.start.min(said), said);
        }
    }

    /// An image says what stands in the text there, perhaps behind whitespace.
    pub fn push_image(&mut self, span: Span, file: &str) {
        self.push(span, file, true);
    }

    fn push(&mut self, span: Span, target: &str, is_image: bool) {
        let target = target.trim_matches(|c: char| c.is_ascii_whitespace()).into();
        self.made.push(Link { span, target, is_image });
    }

    /// Those that say something, in the whole `text`, whose last word ends at `said`.
    pub fn finish(mut self, said: usize, text: &str) -> Vec<Link> {
        self.close(said);
        self.made.retain_mut(|link| {
            let words = text[link.span.range()].trim_start_matches(is_space);
            link.span.start = link.span.end - words.len();
            !words.is_empty()
        });
        self.made
    }
}

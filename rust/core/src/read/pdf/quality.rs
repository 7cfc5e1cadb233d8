//! Quality of a page's text: how sure it is that the text is what a reader sees.

use super::page::{Area, PageContent};

/// A page whose confidence is lower should be recognised as a picture.
pub const MIN_CONFIDENCE: f64 = 0.5;
/// A page with fewer letters, most of which is a picture, is a scan.
const MIN_LETTERS: usize = 24;
/// What covers so much of a page is a scan of it.
const SCAN: f32 = 0.5;
/// Longer runs of letters are seldom words.
const MAX_WORD: usize = 30;

/// What speaks for and against the text of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PageQuality {
    /// Characters but blanks.
    pub n_chars: usize,
    /// Those of them that the file maps to no character, or to one that stands for none.
    pub n_unknown: usize,
    /// Runs of characters between blanks.
    pub n_words: usize,
    /// Those of them that look like none in any language.
    pub n_noisy: usize,
    /// Whether a picture covers most of the page.
    pub is_picture: bool,
}

impl PageQuality {
    /// The quality of a page. O(glyphs).
    pub fn of(page: &PageContent) -> Self {
        let size = page.width * page.height;
        let mut quality = Self {
            is_picture: page.pictures.iter().map(|area: &Area| area.size()).fold(0.0, f32::max)
                > SCAN * size,
            ..Self::default()
        };
        let mut word = Shape::default();
        for glyph in &page.glyphs {
            if glyph.c.is_whitespace() || !glyph.is_drawn {
                quality.end(&mut word);
                continue;
            }
            quality.n_chars += 1;
            let is_unknown = glyph.is_unmapped || is_no_char(glyph.c);
            quality.n_unknown += usize::from(is_unknown);
            word.push(glyph.c);
        }
        quality.end(&mut word);
        quality
    }

    fn end(&mut self, word: &mut Shape) {
        let word = std::mem::take(word);
        self.n_words += usize::from(word.len > 0);
        self.n_noisy += usize::from(word.is_noise());
    }

    /// How sure it is that the text is the page's, from 0 to 1: the share of known characters, less as many words
    /// are noise; 0 for a scan without a text.
    pub fn confidence(self) -> f64 {
        if self.needs_picture() {
            return 0.0;
        }
        let share = |part: usize, all: usize| if all == 0 { 0.0 } else { ratio(part, all) };
        let known = 1.0 - share(self.n_unknown, self.n_chars);
        // Numbers, formulas and code look like noise: a tenth of it is none.
        let noise = (share(self.n_noisy, self.n_words) - 0.1).max(0.0);
        (known * known * (1.0 - noise)).clamp(0.0, 1.0)
    }

    /// Whether the text has to be recognised in the picture of the page: it has none, or none that can be relied
    /// on.
    pub fn needs_ocr(self) -> bool {
        self.needs_picture() || self.n_chars > 0 && self.confidence() < MIN_CONFIDENCE
    }

    const fn needs_picture(self) -> bool {
        self.is_picture && self.n_chars < MIN_LETTERS
    }
}

/// The letters of a word, as far as they tell noise.
#[derive(Default)]
struct Shape {
    len: usize,
    n_letters: usize,
    n_digits: usize,
    /// Changes from lower to upper case within it.
    n_humps: usize,
    is_lower: bool,
}

impl Shape {
    fn push(&mut self, c: char) {
        self.len += 1;
        self.n_letters += usize::from(c.is_alphabetic());
        self.n_digits += usize::from(c.is_numeric());
        self.n_humps += usize::from(self.is_lower && c.is_uppercase());
        self.is_lower = c.is_lowercase();
    }

    /// Whether it is mostly signs, changes its case again and again, or is too long. Scripts that put no blanks
    /// between words have no case.
    const fn is_noise(&self) -> bool {
        let n_signs = self.len - self.n_letters - self.n_digits;
        self.len > 2 && n_signs * 2 > self.len
            || self.n_humps > 2
            || self.len > MAX_WORD && self.n_letters * 2 < self.len
    }
}

const fn is_no_char(c: char) -> bool {
    matches!(c, '\u{fffd}' | '\u{e000}'..='\u{f8ff}' | '\0'..='\u{1}' | '\u{3}'..='\u{8}')
}

#[allow(clippy::cast_precision_loss, reason = "characters of a page")]
fn ratio(part: usize, all: usize) -> f64 {
    part as f64 / all as f64
}

//! Quality of a page's text: how sure it is that the text is what a reader sees.

use super::page::PageContent;

/// A page whose confidence is lower should be recognised as a picture.
pub const MIN_CONFIDENCE: f64 = 0.5;
/// A page with fewer letters, most of which is a picture, is a scan.
const MIN_LETTERS: usize = 24;
/// Pictures that cover so much of a page are a scan of it, whole or in strips.
const SCAN: f64 = 0.5;
/// Of a page without a letter this is enough.
const SCAN_ALONE: f64 = 0.1;
/// The rows and the columns of squares that a page is covered by.
const N_SQUARES: u16 = 32;
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
    /// The share of the page that pictures cover, from 0 to 1.
    pub pictured: f64,
    /// How sure an engine is of what it recognised, from 0 to 1; none if the file has the text.
    pub recognised: Option<f64>,
}

impl PageQuality {
    /// The quality of a page. O(glyphs + pictures).
    pub fn of(page: &PageContent) -> Self {
        let mut quality = Self { pictured: covered(page), ..Self::default() };
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
        quality.recognised = page.recognition.as_ref().map(|recognition| {
            let drawn = page.glyphs.iter().filter(|glyph| glyph.is_drawn);
            recognition.mean(drawn.map(|glyph| (glyph.style, 1))).unwrap_or(0.0)
        });
        quality
    }

    fn end(&mut self, word: &mut Shape) {
        let word = std::mem::take(word);
        self.n_words += usize::from(word.len > 0);
        self.n_noisy += usize::from(word.is_noise());
    }

    /// How sure it is that the text is the page's, from 0 to 1: the share of known characters, less as many words
    /// are noise; 0 for a scan without a text. That of a recognised text is what its engine says.
    pub fn confidence(self) -> f64 {
        if let Some(recognised) = self.recognised {
            return recognised;
        }
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
        if self.recognised.is_some() {
            return false;
        }
        self.needs_picture() || self.n_chars > 0 && self.confidence() < MIN_CONFIDENCE
    }

    /// Whether pictures are most of it, and it has next to no letters.
    pub fn needs_picture(self) -> bool {
        let least = if self.n_chars == 0 { SCAN_ALONE } else { SCAN };
        self.n_chars < MIN_LETTERS && self.pictured > least
    }
}

/// The share of a page that its pictures cover together, by the middles of squares. O(pictures).
fn covered(page: &PageContent) -> f64 {
    let middles = |length: f32| {
        (0..N_SQUARES).map(move |i| (f32::from(i) + 0.5) * length / f32::from(N_SQUARES))
    };
    let mut rows = [0_u32; N_SQUARES as usize];
    for area in &page.pictures {
        let columns = middles(page.width).map(|x| area.left <= x && x < area.right);
        let columns = columns.fold(0, |bits, is_in| bits << 1 | u32::from(is_in));
        for (row, y) in rows.iter_mut().zip(middles(page.height)) {
            *row |= if area.top <= y && y < area.bottom { columns } else { 0 };
        }
    }
    let n_covered = rows.iter().map(|row| row.count_ones()).sum::<u32>();
    ratio(n_covered as usize, usize::from(N_SQUARES).pow(2))
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
        let n_signs = self.len.saturating_sub(self.n_letters + self.n_digits);
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

//! Words of a page: runs of glyphs without a blank, in the order of the file.
//!
//! The library says where a blank belongs, and turns right-to-left text into logical order. Its order is kept, but for
//! what it gets wrong there: letters that one ligature stands for come out reversed, marks before their letters,
//! and blanks are lost where the direction changes.

use std::ops::Range;

use unicode_normalization_alignments::UnicodeNormalization;

use super::page::{Area, Glyph, PageContent, Style, Turn};
use chunkwright_text::span::Span;
use chunkwright_text::unicode::classes::Class;

/// A step down or up by so much of the size begins another word.
const STEP: f32 = 0.25;
/// Between letters of two fonts, a gap of so much of the smaller size begins another word.
const FONT_GAP: f32 = 0.2;
/// Letters of two fonts whose sizes differ by less are of one size.
const SAME_SIZE: f32 = 0.9;
/// Baselines that differ by less of the size are one.
const SAME_HEIGHT: f32 = 0.05;
/// A gap of so much of the size begins another word, whatever the file says.
const WIDE_GAP: f32 = 0.8;

/// A word.
#[derive(Clone, Debug)]
pub struct Word {
    /// Its text in that of all words.
    pub text: Span,
    /// The black of it.
    pub area: Area,
    /// The height of its baseline.
    pub baseline: f32,
    /// The number of its style.
    pub style: u32,
    /// The size of its letters.
    pub size: f32,
    /// Whether a blank stands before it.
    pub is_apart: bool,
    /// Whether it runs from right to left.
    pub is_rtl: bool,
}

#[cfg(test)]
impl Word {
    /// A word with this text, and nowhere.
    pub fn of_text(text: Span) -> Self {
        let (area, is_apart) = (Area::default(), true);
        Self { text, area, baseline: 0.0, style: 0, size: 1.0, is_apart, is_rtl: false }
    }
}

/// The words of a page, or of what runs in one direction on it.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// Their texts, one behind the other.
    pub text: String,
    /// The words in the order of the file.
    pub words: Vec<Word>,
    /// The parts of the texts that link, and the numbers of their targets; in order.
    pub links: Vec<(Span, u32)>,
}

impl Words {
    /// The words of all glyphs of a page that run to the right. O(glyphs).
    pub fn of(page: &PageContent) -> Self {
        let mut writer =
            Writer { page, words: Self::default(), open: None, is_apart: true, style: 0 };
        let glyphs = &page.glyphs;
        let mut i = 0;
        while i < glyphs.len() {
            let n = writer.cluster(glyphs, i);
            i += n;
        }
        writer.close();
        writer.words
    }

    /// The text of a word.
    pub fn text_of(&self, word: &Word) -> &str {
        &self.text[word.text.range()]
    }
}

struct Writer<'p> {
    page: &'p PageContent,
    words: Words,
    open: Option<Word>,
    /// Whether a blank has been met since the last word.
    is_apart: bool,
    /// The style of the last glyph.
    style: u32,
}

impl Writer<'_> {
    /// Adds what stands at glyph `i`: one glyph, or several that belong together; returns how many.
    fn cluster(&mut self, glyphs: &[Glyph], i: usize) -> usize {
        let glyph = &glyphs[i];
        if !glyph.is_drawn || is_blank(glyph.c) {
            self.blank(glyphs, i);
            return 1;
        }
        if self.page.styles.get(glyph.style as usize).is_none_or(|style| style.turn != Turn::None) {
            self.close();
            self.is_apart = true;
            return 1;
        }
        if !is_rtl(glyph.c) && !is_mark(glyph.c) {
            self.push(glyph, glyph.c);
            return 1;
        }
        let of_one = one_glyph(glyphs, i);
        for glyph in glyphs[of_one.clone()].iter().rev() {
            self.push(glyph, glyph.c);
        }
        if of_one.len() == 1 {
            return self.marked(glyphs, i);
        }
        of_one.len()
    }

    /// Moves a mark that stands before its letter behind it; the glyph itself has been added.
    fn marked(&mut self, glyphs: &[Glyph], i: usize) -> usize {
        let Some(next) = next_drawn(glyphs, i + 1) else { return 1 };
        let (mark, letter) = (&glyphs[i], &glyphs[next]);
        if !is_mark(mark.c) || is_mark(letter.c) || !is_rtl(letter.c) || !is_above(mark, letter) {
            return 1;
        }
        let before = self.words.text.pop();
        if let Some(word) = &mut self.open {
            word.text = Span::new(word.text.start, self.words.text.len());
        }
        self.push(letter, letter.c);
        if let Some(mark) = before {
            self.push(letter, mark);
        }
        next + 1 - i
    }

    /// Ends the word at a blank, unless a mark follows that stands above what is before it.
    fn blank(&mut self, glyphs: &[Glyph], i: usize) {
        let is_joined = next_drawn(glyphs, i + 1).is_some_and(|next| {
            let mark = &glyphs[next];
            is_mark(mark.c) && self.open.as_ref().is_some_and(|word| word.is_rtl)
        });
        if !is_joined {
            self.close();
            self.is_apart = true;
        }
    }

    fn push(&mut self, glyph: &Glyph, c: char) {
        let style = self.page.styles[glyph.style as usize];
        let size = if style.size > 0.5 { style.size } else { glyph.area.height().max(1.0) };
        let is_rtl = is_rtl(c) || is_mark(c) && self.open.as_ref().is_some_and(|word| word.is_rtl);
        if let Some(word) = &self.open
            && !is_mark(c)
            && let Some(is_apart) =
                parted(word, glyph, size, is_rtl).or_else(|| self.font_parts(word, glyph, size))
        {
            self.close();
            self.is_apart = is_apart;
        }
        self.style = glyph.style;
        let Self { words, open, is_apart, .. } = self;
        let start = words.text.len();
        let word = open.get_or_insert_with(|| Word {
            text: Span::new(start, start),
            area: glyph.area,
            baseline: glyph.baseline,
            style: glyph.style,
            size,
            is_apart: std::mem::take(is_apart),
            is_rtl,
        });
        push_plain(&mut words.text, c);
        if let Some(target) = style.link {
            let end = words.text.len();
            match words.links.last_mut().filter(|last| last.0.end == start && last.1 == target) {
                Some((span, _)) => *span = Span::new(span.start, end),
                None => words.links.push((Span::new(start, end), target)),
            }
        }
        word.text = Span::new(word.text.start, words.text.len());
        word.area = word.area.around(glyph.area);
    }

    /// Whether another word begins with a letter of another font: the library takes the wider of both fonts' blanks for
    /// the least gap between words.
    fn font_parts(&self, word: &Word, glyph: &Glyph, size: f32) -> Option<bool> {
        if glyph.style == self.style || !glyph.c.is_alphabetic() {
            return None;
        }
        let font = |style: u32| {
            let Style { is_bold, is_italic, is_mono, .. } = self.page.styles[style as usize];
            (is_bold, is_italic, is_mono)
        };
        let (least, most) = (size.min(word.size), size.max(word.size));
        let is_on_line = (glyph.baseline - word.baseline).abs() < SAME_HEIGHT * most;
        let is_gap = glyph.area.left - word.area.right > FONT_GAP * least;
        let ends_in_letter =
            || self.words.text.chars().next_back().is_some_and(char::is_alphabetic);
        let is_word = is_gap && is_on_line && least > SAME_SIZE * most && !word.is_rtl;
        (is_word && font(glyph.style) != font(self.style) && ends_in_letter()).then_some(true)
    }

    fn close(&mut self) {
        let Some(word) = self.open.take() else { return };
        if word.text.is_empty() {
            self.is_apart |= word.is_apart;
        } else {
            self.words.words.push(word);
        }
    }
}

/// Whether another word begins with a glyph; then whether a blank stands before it.
fn parted(word: &Word, glyph: &Glyph, size: f32, is_rtl: bool) -> Option<bool> {
    let larger = size.max(word.size);
    let step = (glyph.baseline - word.baseline).abs();
    let area = glyph.area;
    let gap = (area.left - word.area.right).max(word.area.left - area.right);
    let (direction, strong) = (word.is_rtl != is_rtl, glyph.c.is_alphabetic());
    if step > larger {
        return Some(true);
    }
    // No word is of letters of both directions, and their blanks get lost.
    if direction && strong {
        return Some(true);
    }
    // Whatever stands back to the left, or far to the right, is another line or column.
    let is_back = !is_rtl && !word.is_rtl && area.right < word.area.left - WIDE_GAP * size;
    if is_back || gap > WIDE_GAP * larger {
        return Some(true);
    }
    (step > STEP * larger && (size - word.size).abs() > 0.05 * larger).then_some(false)
}

/// The glyphs from `i` on that are drawn as one: letters of a ligature.
fn one_glyph(glyphs: &[Glyph], i: usize) -> Range<usize> {
    let area = glyphs[i].area;
    let is_same = |glyph: &&Glyph| {
        glyph.is_drawn && glyph.area == area && area.width() > 0.0 && is_rtl(glyph.c)
    };
    i..i + 1 + glyphs[i + 1..].iter().take(3).take_while(is_same).count()
}

fn next_drawn(glyphs: &[Glyph], from: usize) -> Option<usize> {
    let near = glyphs.iter().enumerate().skip(from).take(2);
    near.filter(|(_, glyph)| glyph.is_drawn && !is_blank(glyph.c)).map(|(i, _)| i).next()
}

/// Whether a mark stands above or below a letter.
fn is_above(mark: &Glyph, letter: &Glyph) -> bool {
    let [x, _] = mark.area.middle();
    letter.area.left - 1.0 <= x && x <= letter.area.right + 1.0
}

/// Adds a character as it is read: ligatures as letters, none that cannot be seen.
fn push_plain(text: &mut String, c: char) {
    match c {
        '\u{fb00}'..='\u{fb06}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' => {
            text.extend(std::iter::once(c).nfkc().map(|(c, _)| c));
        }
        // PDFium's own sign for a hyphen at the end of a line.
        '\u{2}' | '\u{fffe}' => text.push('-'),
        // Bullets of the fonts Symbol and Wingdings.
        '\u{f0b7}' | '\u{f0a7}' | '\u{f0d8}' | '\u{f0fc}' => text.push('\u{2022}'),
        '\u{feff}' | '\u{200b}' | '\u{200e}' | '\u{200f}' => {}
        c if c.is_control() => {}
        c => text.push(c),
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{a0}'
}

fn is_mark(c: char) -> bool {
    Class::of(c).is_mark()
}

/// Whether a letter is written from right to left.
pub fn is_rtl(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
        && !matches!(c, '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}')
}

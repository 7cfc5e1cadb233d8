//! Content of a page of a PDF: glyphs in the order of the file, ruled lines, pictures.
//!
//! Lengths are points (1/72 inch), measured from the top left corner of the page as a reader sees it: the page's
//! own rotation is undone.

use chunkwright_text::elements::Kind;

/// A rectangle: left, top, right and bottom edge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    /// Its left edge.
    pub left: f32,
    /// Its upper edge.
    pub top: f32,
    /// Its right edge.
    pub right: f32,
    /// Its lower edge.
    pub bottom: f32,
}

impl Area {
    /// The rectangle with these corners, whichever is which.
    pub const fn of_corners([x0, y0]: [f32; 2], [x1, y1]: [f32; 2]) -> Self {
        Self { left: x0.min(x1), top: y0.min(y1), right: x0.max(x1), bottom: y0.max(y1) }
    }

    /// Its width.
    pub fn width(self) -> f32 {
        self.right - self.left
    }

    /// Its height.
    pub fn height(self) -> f32 {
        self.bottom - self.top
    }

    /// The smallest rectangle around both.
    #[must_use]
    pub const fn around(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// The part of it that lies in another one that it touches.
    #[must_use]
    pub const fn within(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// How much of the width both share.
    pub fn shared_width(self, other: Self) -> f32 {
        self.right.min(other.right) - self.left.max(other.left)
    }

    /// How much of the height both share.
    pub fn shared_height(self, other: Self) -> f32 {
        self.bottom.min(other.bottom) - self.top.max(other.top)
    }

    /// How much of both is the same, in square points.
    pub fn shared(self, other: Self) -> f32 {
        self.shared_width(other).max(0.0) * self.shared_height(other).max(0.0)
    }

    /// Whether a point lies in it.
    pub fn holds(self, [x, y]: [f32; 2]) -> bool {
        self.left <= x && x <= self.right && self.top <= y && y <= self.bottom
    }

    /// The point in its middle.
    pub const fn middle(self) -> [f32; 2] {
        [f32::midpoint(self.left, self.right), f32::midpoint(self.top, self.bottom)]
    }

    /// It moved out by so much on all sides.
    #[must_use]
    pub fn grown(self, by: f32) -> Self {
        Self {
            left: self.left - by,
            top: self.top - by,
            right: self.right + by,
            bottom: self.bottom + by,
        }
    }

    /// How large it is, in square points.
    pub fn size(self) -> f32 {
        self.width().max(0.0) * self.height().max(0.0)
    }
}

/// A character as it stands on a page.
#[derive(Clone, Copy, Debug)]
pub struct Glyph {
    /// The character.
    pub c: char,
    /// The black of it; empty of blanks.
    pub area: Area,
    /// The height of its baseline; how far that is from the left where lines run up or down, and from the top left corner
    /// where they run askew.
    pub baseline: f32,
    /// The number of its style.
    pub style: u32,
    /// Whether it stands in the file; blanks and line ends between what does not touch do not.
    pub is_drawn: bool,
    /// Whether the file does not say which character it is.
    pub is_unmapped: bool,
}

/// How a run of glyphs is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each says another thing")]
pub struct Style {
    /// The size of its letters, in points.
    pub size: f32,
    /// Whether it is bold.
    pub is_bold: bool,
    /// Whether it is italic.
    pub is_italic: bool,
    /// Whether all letters have one width.
    pub is_mono: bool,
    /// Whether its small letters are drawn as small capitals.
    pub is_caps: bool,
    /// In which direction it runs.
    pub turn: Turn,
    /// How far it is turned from the right, clockwise and in radians, if it runs askew and that is known.
    pub angle: f32,
    /// Whether the file marks it as no part of the content, such as the number of the page.
    pub is_artifact: bool,
    /// Whether it is the value of a field of a form, or a note.
    pub is_field: bool,
    /// The link that it belongs to, by its number on the page.
    pub link: Option<u32>,
    /// The structure element that it belongs to, by its number on the page.
    pub tag: Option<u32>,
}

/// Direction in which a line of glyphs runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turn {
    /// To the right.
    #[default]
    None,
    /// Up the page.
    Up,
    /// To the left, on its head.
    Over,
    /// Down the page.
    Down,
    /// In any other direction.
    Askew,
}

/// What the structure tree of a tagged file says of a part of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The number of the block that the file holds it to be part of; several pages may have it.
    pub block: u32,
    /// Its kind.
    pub kind: Kind,
    /// The level of a heading, from 1; 0 if it is not stated.
    pub level: u8,
}

/// A rectangle that is filled and has no line around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fill {
    /// Where it is.
    pub area: Area,
    /// Its colour, red in the highest of three bytes.
    pub colour: u32,
}

/// What is known of a page whose text was recognised.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recognition {
    /// The angle by which it was turned to stand upright, clockwise and in radians.
    pub skew: f32,
    /// How sure the engine is of the words, by the numbers of their styles: each has one of its own.
    pub confidences: Vec<f32>,
}

impl Recognition {
    /// How sure the engine is of words that are given by their styles and weights, from 0 to 1; none for no word.
    pub fn mean(&self, words: impl Iterator<Item = (u32, usize)>) -> Option<f64> {
        let (mut sum, mut n) = (0.0, 0.0);
        for (style, weight) in words {
            let confidence = self.confidences.get(style as usize).copied().unwrap_or_default();
            #[allow(clippy::cast_precision_loss, reason = "letters of a page")]
            let weight = weight as f64;
            sum += f64::from(confidence) * weight;
            n += weight;
        }
        (n > 0.0).then(|| sum / n)
    }
}

/// A word that was recognised.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecognisedWord {
    /// What it says.
    pub text: String,
    /// Its corners: upper left, upper right, lower right and lower left, as it is read.
    pub corners: [[f32; 2]; 4],
    /// How sure the engine is of it, from 0 to 1.
    pub confidence: f32,
    /// The number of its line; words of a line follow each other.
    pub line: usize,
}

/// A page.
#[derive(Clone, Debug, Default)]
pub struct PageContent {
    /// Its number, from 1.
    pub number: i64,
    /// Its width.
    pub width: f32,
    /// Its height.
    pub height: f32,
    /// What the file calls it, such as `xii`.
    pub label: Option<String>,
    /// Its glyphs, in the order of the file.
    pub glyphs: Vec<Glyph>,
    /// Their styles.
    pub styles: Vec<Style>,
    /// Structure elements of a tagged file.
    pub tags: Vec<Tag>,
    /// Straight lines, thin rectangles among them, along the edges of the page.
    pub rules: Vec<Area>,
    /// Rectangles that are drawn, filled or not.
    pub frames: Vec<Area>,
    /// Those that are only filled.
    pub fills: Vec<Fill>,
    /// Pictures and drawings.
    pub pictures: Vec<Area>,
    /// The targets of its links.
    pub targets: Vec<Box<str>>,
    /// How its text was recognised; none if the file has it.
    pub recognition: Option<Recognition>,
}

impl PageContent {
    /// Makes styles regular that nothing but a weight makes bold, if most letters of the page are such: a weight tells
    /// fonts of one page apart, and many files state a wrong one.
    pub fn lighten(&mut self, is_weighted: &[bool]) {
        let is_weighted = |style: usize| is_weighted.get(style).copied().unwrap_or_default();
        let letters = self.glyphs.iter().filter(|of| of.is_drawn && !of.c.is_whitespace());
        let (n, n_weighted) = letters.fold((0_usize, 0_usize), |(n, n_weighted), glyph| {
            (n + 1, n_weighted + usize::from(is_weighted(glyph.style as usize)))
        });
        if n_weighted * 2 > n {
            let styles = self.styles.iter_mut().enumerate();
            styles.filter(|(i, _)| is_weighted(*i)).for_each(|(_, style)| style.is_bold = false);
        }
    }

    /// Leaves out what is not seen of the page: glyphs whose middle lies outside of it, and what is drawn there.
    pub fn crop(&mut self) {
        let page = Area { left: 0.0, top: 0.0, right: self.width, bottom: self.height };
        if page.size() <= 0.0 {
            return;
        }
        self.glyphs.retain(|glyph| !glyph.is_drawn || page.holds(glyph.area.middle()));
        for drawn in [&mut self.rules, &mut self.frames, &mut self.pictures] {
            drawn.retain_mut(|area| {
                let is_seen = area.shared_width(page) >= 0.0 && area.shared_height(page) >= 0.0;
                *area = area.within(page);
                is_seen
            });
        }
    }
}

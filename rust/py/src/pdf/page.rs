//! A page of a PDF, read by `PDFium`: its glyphs with their styles, and what is drawn on it.
#![allow(unsafe_code, reason = "PDFium is a library in C")]

use std::collections::HashMap;
use std::ffi::c_int;
use std::ptr;

use chunkwright_read::pdf::fonts::FontLook;
use chunkwright_read::pdf::page::{Area, Glyph, PageContent, Style, Turn};
use chunkwright_read::pdf::turns::rotated;
use chunkwright_read::pdf::{fields, links};

use super::drawing::drawings;
use super::forms::Form;
use super::library::{Handle, Library, Matrix, Rect};
use super::links::links_of;
use super::tags::{Tags, said};
use super::upright::Upright;

/// A page with more is cut off: no page that anybody reads has so many.
const MAX_GLYPHS: c_int = 2_000_000;
/// So many degrees from the horizontal text still runs to the right; its lines are followed as they rise.
const MAX_SKEW: f32 = 8.0;
/// So many degrees from another right angle text still runs along an edge of the page.
const EVEN: f32 = 1.0;

/// An open page; closed when it goes.
struct Open<'l> {
    library: &'l Library,
    page: Handle,
    text: Handle,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        // SAFETY: both are open, and nobody else has them.
        unsafe {
            if !self.text.is_null() {
                (self.library.close_text)(self.text);
            }
            (self.library.close_page)(self.page);
        }
    }
}

/// Reads page `index` (from 0) of a document; none if it cannot be loaded.
///
/// # Safety
/// `document` is an open document of this library, which nobody uses meanwhile.
pub unsafe fn read(
    library: &Library,
    document: Handle,
    form: &Form<'_>,
    index: c_int,
) -> Option<PageContent> {
    // SAFETY: by contract; PDFium checks the index.
    unsafe {
        let page = (library.load_page)(document, index);
        if page.is_null() {
            return None;
        }
        let open = Open { library, page, text: (library.load_text)(page) };
        let mut bounds = Rect::default();
        (library.page_rect)(page, &raw mut bounds);
        let quarter_turns = (library.page_rotation)(page);
        let upright = Upright { bounds, quarter_turns };
        let [width, height] = match quarter_turns {
            1 | 3 => [bounds.top - bounds.bottom, bounds.right - bounds.left],
            _ => [bounds.right - bounds.left, bounds.top - bounds.bottom],
        };
        let mut content = PageContent {
            number: i64::from(index) + 1,
            width,
            height,
            label: label(library, document, index),
            ..PageContent::default()
        };
        let tags = Tags::of_page(library, page);
        if !open.text.is_null() {
            let glyphs = Glyphs {
                library,
                text: open.text,
                upright,
                tags: &tags,
                styles: HashMap::new(),
                fonts: HashMap::new(),
                weighted: Vec::new(),
            };
            glyphs.read(&mut content);
        }
        drawings(library, page, upright, &mut content);
        content.crop();
        fields::set(&mut content, form.fields(page, upright));
        links::set(&mut content, links_of(library, document, page, upright));
        content.tags = tags.tags;
        Some(content)
    }
}

/// What the file calls a page; none if it does not say.
unsafe fn label(library: &Library, document: Handle, index: c_int) -> Option<String> {
    let mut label = [0_u16; 32];
    // SAFETY: the document is open, and the buffer has 64 bytes.
    let n_bytes = unsafe { (library.page_label)(document, index, label.as_mut_ptr().cast(), 64) };
    Some(said(&label, n_bytes)).filter(|label| !label.is_empty())
}

/// Reads the glyphs of a page.
struct Glyphs<'l> {
    library: &'l Library,
    text: Handle,
    upright: Upright,
    tags: &'l Tags,
    /// The numbers of the styles of text objects.
    styles: HashMap<(Handle, u32), u32>,
    fonts: HashMap<Handle, FontLook>,
    /// Whether nothing but a weight makes a style bold, by its number.
    weighted: Vec<bool>,
}

impl Glyphs<'_> {
    unsafe fn read(mut self, content: &mut PageContent) {
        let Self { library, text, upright, .. } = self;
        // SAFETY: the page is open.
        unsafe {
            let n_chars = (library.n_chars)(text).clamp(0, MAX_GLYPHS);
            content.glyphs.reserve(usize::try_from(n_chars).unwrap_or(0));
            let (mut object, mut style) = (ptr::null_mut(), 0);
            let mut next = 0;
            while next < n_chars {
                let i = next;
                let (c, n_units) = self.character(i, n_chars);
                next += n_units;
                let is_drawn = (library.is_generated)(text, i) == 0;
                let mut glyph = Glyph {
                    c,
                    area: Area::default(),
                    baseline: 0.0,
                    style,
                    is_drawn,
                    is_unmapped: false,
                };
                if is_drawn {
                    let of = (library.text_object)(text, i);
                    if of != object || content.styles.is_empty() {
                        (object, style) = (of, self.style(of, i, &mut content.styles));
                    }
                    glyph.style = style;
                    glyph.is_unmapped = (library.is_unmapped)(text, i) == 1;
                    let mut edges = [0.0; 4];
                    let [left, bottom, right, top] = &mut edges;
                    (library.char_box)(text, i, left, right, bottom, top);
                    glyph.area = upright.area(edges);
                    let [mut x, mut y] = [0.0; 2];
                    (library.char_origin)(text, i, &raw mut x, &raw mut y);
                    #[allow(clippy::cast_possible_truncation, reason = "points of a page")]
                    let origin = upright.point(x as f32, y as f32);
                    let Style { turn, angle, .. } = content.styles[style as usize];
                    glyph.baseline = match turn {
                        Turn::Up | Turn::Down => origin[0],
                        Turn::Askew => rotated(origin, -angle)[1],
                        Turn::None | Turn::Over => origin[1],
                    };
                }
                content.glyphs.push(glyph);
            }
            content.lighten(&self.weighted);
        }
    }

    /// The character that begins at unit `i` of UTF-16 of `n`, and how many units it has.
    unsafe fn character(&self, i: c_int, n: c_int) -> (char, c_int) {
        // SAFETY: the page is open.
        let unit = |i: c_int| unsafe { (self.library.unicode)(self.text, i) };
        let first = unit(i);
        let is_half = (0xd800..0xe000).contains(&first);
        if is_half && i + 1 < n {
            let halves = [first, unit(i + 1)].map(|half| u16::try_from(half).unwrap_or(0));
            if let Some(Ok(c)) = char::decode_utf16(halves).next() {
                return (c, 2);
            }
        }
        (char::from_u32(first).unwrap_or('\u{fffd}'), 1)
    }

    /// The number of the style of a text object, whose glyph `i` is the first that is met.
    unsafe fn style(&mut self, object: Handle, i: c_int, styles: &mut Vec<Style>) -> u32 {
        let Self { library, text, .. } = *self;
        // SAFETY: the page and its objects are open.
        unsafe {
            let mut matrix = Matrix { a: 1.0, d: 1.0, ..Matrix::default() };
            (library.char_matrix)(text, i, &raw mut matrix);
            let (turn, angle) = turn(matrix.b.atan2(matrix.a), self.upright.quarter_turns);
            let key = (object, turn as u32);
            if let Some(&known) = self.styles.get(&key) {
                return known;
            }
            let font = if object.is_null() { FontLook::default() } else { self.font(object) };
            #[allow(clippy::cast_possible_truncation, reason = "a size in points")]
            let size = (library.font_size)(text, i) as f32;
            let scale = matrix.c.hypot(matrix.d);
            let size = if scale > 0.0 { size * scale } else { size };
            let (tag, is_artifact) =
                if object.is_null() { (None, false) } else { self.tags.of_object(library, object) };
            let FontLook { is_bold, is_weighted, is_italic, is_mono, is_caps } = font;
            self.weighted.push(is_weighted);
            styles.push(Style {
                size,
                is_bold,
                is_italic,
                is_mono,
                is_caps,
                turn,
                angle,
                is_artifact,
                tag,
                ..Style::default()
            });
            let number = u32::try_from(styles.len() - 1).unwrap_or(0);
            self.styles.insert(key, number);
            number
        }
    }

    unsafe fn font(&mut self, object: Handle) -> FontLook {
        let library = self.library;
        // SAFETY: the object is of an open page.
        unsafe {
            let font = (library.font)(object);
            if font.is_null() {
                return FontLook::default();
            }
            if let Some(&known) = self.fonts.get(&font) {
                return known;
            }
            let mut name = [0_u8; 128];
            let n = (library.font_name)(font, name.as_mut_ptr().cast(), name.len());
            // A name ends with a zero.
            let name = String::from_utf8_lossy(&name[..n.clamp(1, name.len()) - 1]);
            let flags = (library.font_flags)(font).max(0);
            let found = FontLook::of(&name, flags, (library.font_weight)(font));
            self.fonts.insert(font, found);
            found
        }
    }
}

/// The direction in which glyphs at an angle (radians, counterclockwise) run on a page turned clockwise, and their
/// angle clockwise as one sees them, if they run askew.
fn turn(angle: f32, quarter_turns: c_int) -> (Turn, f32) {
    #[allow(clippy::cast_precision_loss, reason = "0 to 3")]
    let seen = (angle.to_degrees() - 90.0 * quarter_turns as f32).rem_euclid(360.0);
    let near = |of: f32| (seen - of).abs() <= EVEN;
    match () {
        () if seen.min(360.0 - seen) <= MAX_SKEW => (Turn::None, 0.0),
        () if near(90.0) => (Turn::Up, 0.0),
        () if near(180.0) => (Turn::Over, 0.0),
        () if near(270.0) => (Turn::Down, 0.0),
        () => (Turn::Askew, -seen.to_radians()),
    }
}

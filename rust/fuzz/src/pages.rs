//! Pages of a PDF: glyphs in lines and anywhere, ruled lines, frames and pictures.

use chunkwright_read::pdf::headings::outline::OutlineEntry;
use chunkwright_read::pdf::page::{Area, Glyph, PageContent, Style, Tag, Turn};
use chunkwright_text::elements::Kind;
use proptest::collection::vec;
use proptest::prelude::{Strategy, any};
use proptest::prop_oneof;
use proptest::sample::select;

/// Words that mean something to the steps of the reader.
const WORDS: [&str; 22] = [
    "Rain",
    "fell",
    "for",
    "two-",
    "days.",
    "1.",
    "1.2",
    "•",
    "–",
    "Table",
    "Figure",
    "1:",
    "see",
    "x=1;",
    "{",
    "}",
    "12",
    "Page",
    "ﬁsh",
    "日本",
    "\u{5d0}\u{5d1}",
    "\u{fffd}",
];
const LETTER: f32 = 6.0;

/// A line of words at a place, in a style.
type Line = (f32, f32, u32, Vec<&'static str>, Option<u32>);

/// Pages, and an outline that leads to them.
pub fn pages() -> impl Strategy<Value = (Vec<PageContent>, Vec<OutlineEntry>)> {
    let entry = (select(&WORDS[..]), 0..4_i64, any::<u8>())
        .prop_map(|(title, page, level)| OutlineEntry { title: title.to_owned(), page, level });
    (vec(page(), 0..4), vec(entry, 0..4)).prop_map(|(pages, outline)| {
        let numbered = (1..).zip(pages);
        (numbered.map(|(number, page)| PageContent { number, ..page }).collect(), outline)
    })
}

fn page() -> impl Strategy<Value = PageContent> {
    let drawn = || vec(area(), 0..12);
    let tag = (0..4_u32, select(Kind::ALL.to_vec()), 0..9_u8);
    let tags = vec(tag.prop_map(|(block, kind, level)| Tag { block, kind, level }), 0..3);
    (vec(line(), 0..14), vec(style(), 1..4), tags, drawn(), drawn(), drawn(), any::<bool>())
        .prop_map(|(lines, mut styles, tags, rules, frames, pictures, is_tagged)| {
            let glyphs = lines.iter().flat_map(|line| glyphs(line, styles.len())).collect();
            for (i, style) in styles.iter_mut().enumerate() {
                style.tag = is_tagged.then_some(u32::try_from(i).unwrap_or(0));
            }
            PageContent {
                number: 1,
                width: 595.0,
                height: 842.0,
                label: None,
                glyphs,
                styles,
                tags,
                rules,
                frames,
                pictures,
                ..PageContent::default()
            }
        })
}

fn line() -> impl Strategy<Value = Line> {
    let words = vec(select(&WORDS[..]), 1..7);
    (place(), place(), 0..5_u32, words, proptest::option::weighted(0.1, 0..9_u32))
}

/// Places on a grid, by which columns and rows come about, and any others.
fn place() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => (0..20_u8).prop_map(|step| f32::from(step) * 36.0),
        2 => 0.0..600.0_f32,
        1 => select(vec![0.0, -1e6, 1e6, 1e30, f32::MAX, f32::MIN_POSITIVE]),
    ]
}

fn area() -> impl Strategy<Value = Area> {
    let corner = || (place(), place());
    let thin = (place(), place(), 0..9_u8, any::<bool>()).prop_map(|(x, y, n, is_across)| {
        let length = f32::from(n) * 36.0;
        let end = if is_across { [x + length, y] } else { [x, y + length] };
        Area::of_corners([x, y], end)
    });
    let any =
        (corner(), corner()).prop_map(|((x0, y0), (x1, y1))| Area::of_corners([x0, y0], [x1, y1]));
    prop_oneof![3 => thin, 1 => any]
}

fn style() -> impl Strategy<Value = Style> {
    let size = select(vec![0.0, 1.0, 8.0, 10.0, 10.5, 18.0, 1e9]);
    let turn = select(vec![
        Turn::None,
        Turn::None,
        Turn::None,
        Turn::Up,
        Turn::Over,
        Turn::Down,
        Turn::Askew,
    ]);
    (size, any::<[bool; 4]>(), turn).prop_map(
        |(size, [is_bold, is_italic, is_mono, is_artifact], turn)| Style {
            size,
            is_bold,
            is_italic,
            is_mono,
            is_artifact,
            turn,
            ..Style::default()
        },
    )
}

fn glyphs((x, y, style, words, unmapped): &Line, n_styles: usize) -> Vec<Glyph> {
    let (mut x, mut glyphs) = (*x, Vec::new());
    let style = style % u32::try_from(n_styles + 1).unwrap_or(1);
    for (i, c) in words.join(" ").chars().enumerate() {
        let area = if c == ' ' {
            Area::default()
        } else {
            Area::of_corners([x, *y], [x + LETTER, y + 8.0])
        };
        let is_unmapped = unmapped.is_some_and(|at| usize::try_from(at).is_ok_and(|at| at == i));
        glyphs.push(Glyph { c, area, baseline: y + 8.0, style, is_drawn: c != ' ', is_unmapped });
        x += LETTER;
    }
    glyphs
}

//! Values of form fields and notes on a page: glyphs at the place where a reader sees them.
//!
//! A file draws fields by themselves, and its values say what they hold. They are set as glyphs behind the text beside
//! them or above them, their labels, so that all later steps read them as they read any text.

use super::page::{Area, Glyph, PageContent, Style, Turn};

/// What is chosen.
pub const CHOSEN: char = '\u{2612}';
/// What may be chosen, and is not.
pub const NOT_CHOSEN: char = '\u{2610}';

/// Letters are no larger than this, in points, where the file leaves it open.
const MAX_SIZE: f32 = 12.0;
/// Letters are no smaller than this, in points.
const MIN_SIZE: f32 = 3.0;
/// Lines are so far apart, in the size of letters.
const LEADING: f32 = 1.2;
/// Letters are so wide, in their size.
const LETTER: f32 = 0.5;
/// Letters of scripts without blanks are so wide, in their size.
const WIDE_LETTER: f32 = 1.0;
/// Letters reach so far above their baseline, in their size.
const ASCENT: f32 = 0.7;
/// What reaches no further out of a line stands on it, in points.
const SLACK: f32 = 3.0;
/// A label above a field is as near as one so much further beside it.
const ABOVE: f32 = 2.0;
/// A label on the other side of a field, or below it, is as near as one that is further by so many points.
const OTHER_SIDE: f32 = 60.0;
/// So many glyphs are looked at for all fields of a page; those left stand behind its text.
const MAX_LOOKED_AT: usize = 20_000_000;
/// Glyphs of all fields of a page; longer values end there.
const MAX_GLYPHS: usize = 2_000_000;

/// A field, or a note that stands on the page.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// Where it stands.
    pub area: Area,
    /// What it says; [`CHOSEN`] or [`NOT_CHOSEN`] of what can be chosen.
    pub text: String,
    /// The size of its letters; 0 if the file leaves it open.
    pub size: f32,
    /// Whether its text may have several lines.
    pub is_wrapped: bool,
}

impl Field {
    fn is_mark(&self) -> bool {
        self.text.chars().all(|c| matches!(c, CHOSEN | NOT_CHOSEN))
    }
}

/// Sets fields as glyphs of their page. O(fields × lines) up to a limit.
pub fn set(page: &mut PageContent, mut fields: Vec<Field>) {
    fields.retain(|field| !field.text.trim().is_empty() && field.area.size() > 0.0);
    if fields.is_empty() {
        return;
    }
    fields.sort_by(|a, b| {
        a.area.top.total_cmp(&b.area.top).then(a.area.left.total_cmp(&b.area.left))
    });
    let is_few = page.glyphs.len().saturating_mul(fields.len()) <= MAX_LOOKED_AT;
    if is_few {
        // The line on which a value is written is none of the text.
        page.glyphs.retain(|glyph| {
            glyph.c != '_' || !fields.iter().any(|field| is_written_on(field, glyph.area))
        });
    }
    let runs = runs(page);
    let place = |field: &Field| {
        let runs = if is_few { &runs[..] } else { &[] };
        let nearest = runs.iter().filter_map(|run| place(page, run, field));
        nearest.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(page.glyphs.len(), |(_, place)| place)
    };
    let mut places: Vec<(usize, Field)> =
        fields.into_iter().map(|field| (place(&field), field)).collect();
    places.sort_by_key(|(place, _)| *place);
    let old = std::mem::take(&mut page.glyphs);
    let (mut at, mut left) = (0, MAX_GLYPHS);
    for (place, field) in places {
        page.glyphs.extend_from_slice(&old[at..place]);
        at = place;
        let lines = set_lines(&field);
        let size = lines.first().map_or(MAX_SIZE, |line| line.size);
        let style = u32::try_from(page.styles.len()).unwrap_or(u32::MAX);
        page.styles.push(Style { size, is_field: true, ..Style::default() });
        page.glyphs.push(blank(style));
        for line in lines {
            let set = glyphs(&line, &field, style);
            page.glyphs.extend(set.into_iter().take(left));
            left = left.saturating_sub(line.text.len());
            page.glyphs.push(blank(style));
        }
    }
    page.glyphs.extend_from_slice(&old[at..]);
}

fn is_written_on(field: &Field, area: Area) -> bool {
    !field.is_mark() && field.area.grown(SLACK).holds(area.middle())
}

/// Glyphs behind each other on one line of the page.
struct Run {
    glyphs: std::ops::Range<usize>,
    area: Area,
}

fn runs(page: &PageContent) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut baseline = f32::NAN;
    for (i, glyph) in page.glyphs.iter().enumerate() {
        let style = page.styles.get(glyph.style as usize).copied().unwrap_or_default();
        if !glyph.is_drawn || glyph.c.is_whitespace() || style.turn != Turn::None {
            continue;
        }
        let size = style.size.max(1.0);
        let follows = |run: &&mut Run| {
            let gap = glyph.area.left - run.area.right;
            (glyph.baseline - baseline).abs() < 0.3 * size && (-size..size).contains(&gap)
        };
        match runs.last_mut().filter(follows) {
            Some(run) => {
                run.glyphs.end = i + 1;
                run.area = run.area.around(glyph.area);
            }
            None => runs.push(Run { glyphs: i..i + 1, area: glyph.area }),
        }
        baseline = glyph.baseline;
    }
    runs
}

/// How far a run is from a field, if it may be its label, and at which glyph the field then stands.
fn place(page: &PageContent, run: &Run, field: &Field) -> Option<(f32, usize)> {
    let (of, field_is_mark) = (field.area, field.is_mark());
    let [_, middle] = run.area.middle();
    let other_side = if field_is_mark { 0.0 } else { OTHER_SIDE };
    if of.top - SLACK <= middle && middle <= of.bottom + SLACK {
        let is_left = |i: &usize| {
            let glyph = &page.glyphs[*i];
            glyph.is_drawn && glyph.area.middle()[0] < of.left
        };
        let before = run.glyphs.clone().rev().find(is_left);
        return Some(match before {
            Some(last) => {
                let gap = (of.left - page.glyphs[last].area.right).max(0.0);
                (if field_is_mark { gap + SLACK } else { gap }, last + 1)
            }
            None => ((run.area.left - of.right).max(0.0) + other_side, run.glyphs.start),
        });
    }
    if run.area.shared_width(of) <= 0.0 {
        return None;
    }
    Some(if middle < of.top {
        (ABOVE * (of.top - middle), run.glyphs.end)
    } else {
        (ABOVE * (middle - of.bottom) + OTHER_SIDE, run.glyphs.start)
    })
}

/// A line of a field.
struct SetLine {
    text: Vec<char>,
    baseline: f32,
    size: f32,
}

/// The lines of a field, with the places where they stand in it.
fn set_lines(field: &Field) -> Vec<SetLine> {
    let (width, height) = (field.area.width(), field.area.height());
    if field.is_mark() {
        let size = width.min(height);
        let baseline = field.area.middle()[1] + ASCENT / 2.0 * size;
        return vec![SetLine { text: field.text.chars().collect(), baseline, size }];
    }
    let fitting = (ASCENT * height).clamp(MIN_SIZE, MAX_SIZE);
    let mut size = if field.size > 0.0 { field.size.clamp(MIN_SIZE, 72.0) } else { fitting };
    let mut lines = wrapped(field, width / size);
    while field.is_wrapped && lines_height(&lines, size) > height && size > MIN_SIZE {
        size = (0.85 * size).max(MIN_SIZE);
        lines = wrapped(field, width / size);
    }
    #[allow(clippy::cast_precision_loss, reason = "lines of a page")]
    let n = lines.len() as f32;
    let leading = (LEADING * size).min(height / n);
    let top = if lines.len() == 1 && !field.is_wrapped {
        field.area.middle()[1] - leading / 2.0
    } else {
        field.area.top
    };
    let set = |(i, text)| {
        #[allow(clippy::cast_precision_loss, reason = "lines of a page")]
        let above = leading * i as f32;
        SetLine { text, baseline: top + above + f32::midpoint(leading, ASCENT * size), size }
    };
    lines.into_iter().enumerate().map(set).collect()
}

fn lines_height(lines: &[Vec<char>], size: f32) -> f32 {
    #[allow(clippy::cast_precision_loss, reason = "lines of a page")]
    let n = lines.len() as f32;
    n * LEADING * size
}

/// The lines of a text in a column of so many sizes of its letters.
fn wrapped(field: &Field, width: f32) -> Vec<Vec<char>> {
    let mut lines = Vec::new();
    for part in field.text.split(['\r', '\n']).filter(|part| !part.trim().is_empty()) {
        let (mut line, mut filled): (Vec<char>, f32) = (Vec::new(), 0.0);
        for word in part.split_whitespace() {
            let of_word: f32 = word.chars().map(width_of).sum();
            if field.is_wrapped && !line.is_empty() && filled + LETTER + of_word > width {
                lines.push(std::mem::take(&mut line));
                filled = 0.0;
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.extend(word.chars());
            filled += LETTER + of_word;
        }
        lines.push(line);
    }
    lines
}

const fn width_of(c: char) -> f32 {
    if matches!(c, '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}') {
        WIDE_LETTER
    } else {
        LETTER
    }
}

/// The glyphs of a line, from the left edge of its field to the right one.
fn glyphs(line: &SetLine, field: &Field, style: u32) -> Vec<Glyph> {
    let natural: f32 = line.text.iter().map(|&c| width_of(c)).sum::<f32>() * line.size;
    let Area { left, right, .. } = field.area;
    let scale = line.size * (field.area.width() / natural.max(1.0)).min(1.0);
    let mut x = left;
    let mut set: Vec<Glyph> = Vec::with_capacity(line.text.len());
    for &c in &line.text {
        let to = x + width_of(c) * scale;
        let (top, bottom) = (line.baseline - ASCENT * line.size, line.baseline);
        let area = Area { left: x, top, right: to, bottom };
        x = to;
        set.push(Glyph {
            c,
            area,
            baseline: line.baseline,
            style,
            is_drawn: true,
            is_unmapped: false,
        });
    }
    if let Some(last) = set.last_mut() {
        // What stands behind the field stands right behind its value.
        last.area.right = last.area.right.max(right);
    }
    set
}

fn blank(style: u32) -> Glyph {
    let (area, baseline) = (Area::default(), 0.0);
    Glyph { c: ' ', area, baseline, style, is_drawn: false, is_unmapped: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(lines: &[(&str, f32, f32)]) -> PageContent {
        let mut page = PageContent { width: 600.0, height: 800.0, ..PageContent::default() };
        page.styles.push(Style { size: 10.0, ..Style::default() });
        for &(text, x, baseline) in lines {
            for (i, c) in (0_u8..).zip(text.chars()) {
                let left = x + 5.0 * f32::from(i);
                let (top, right) = (baseline - 7.0, left + 5.0);
                let area = Area { left, top, right, bottom: baseline };
                let is_drawn = true;
                page.glyphs.push(Glyph {
                    c,
                    area,
                    baseline,
                    style: 0,
                    is_drawn,
                    is_unmapped: false,
                });
            }
        }
        page
    }

    fn text(lines: &[(&str, f32, f32)], fields: &[([f32; 4], &str)]) -> String {
        let mut page = page(lines);
        let field = |&([left, top, right, bottom], text): &([f32; 4], &str)| Field {
            area: Area { left, top, right, bottom },
            text: text.into(),
            ..Field::default()
        };
        set(&mut page, fields.iter().map(field).collect());
        let text: String = page.glyphs.iter().map(|glyph| glyph.c).collect();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn fields_stand_behind_their_labels() {
        let labels = [("Name:", 50.0, 100.0), ("Town:", 50.0, 130.0), ("end", 50.0, 160.0)];
        let fields = [([100.0, 120.0, 200.0, 134.0], "Ulm"), ([100.0, 90.0, 200.0, 104.0], "Eva")];
        assert_eq!(text(&labels, &fields), "Name: Eva Town: Ulm end");
        let above = [("Name", 50.0, 100.0), ("Town", 250.0, 100.0)];
        let fields = [([50.0, 104.0, 200.0, 118.0], "Eva"), ([250.0, 104.0, 400.0, 118.0], "Ulm")];
        assert_eq!(text(&above, &fields), "Name Eva Town Ulm");
    }

    #[test]
    fn a_field_within_a_line_stands_there() {
        let line = [("I, ________, agree", 50.0, 100.0)];
        assert_eq!(text(&line, &[([64.0, 90.0, 105.0, 102.0], "Eva")]), "I, Eva , agree");
    }

    #[test]
    fn marks_stand_before_what_they_choose() {
        let labels = [("yes", 70.0, 100.0), ("no", 130.0, 100.0)];
        let marks =
            [([55.0, 91.0, 65.0, 101.0], "\u{2612}"), ([115.0, 91.0, 125.0, 101.0], "\u{2610}")];
        assert_eq!(text(&labels, &marks), "\u{2612} yes \u{2610} no");
    }

    #[test]
    fn a_field_alone_is_read() {
        assert_eq!(text(&[], &[([0.0, 0.0, 100.0, 20.0], "a\rb")]), "a b");
    }

    #[test]
    fn long_values_have_several_lines_within_their_field() {
        let mut page = page(&[]);
        let area = Area { left: 0.0, top: 0.0, right: 60.0, bottom: 60.0 };
        let text = "rain ".repeat(40);
        set(&mut page, vec![Field { area, text, size: 12.0, is_wrapped: true }]);
        let drawn = page.glyphs.iter().filter(|glyph| glyph.is_drawn);
        let around = drawn.map(|glyph| glyph.area).reduce(Area::around).unwrap_or_default();
        assert!(around.within(area) == around && around.height() > 30.0);
    }
}

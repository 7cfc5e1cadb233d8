//! Vertical text of a page: columns of Chinese, Japanese and Korean letters, made lines that run down.
//!
//! A file does not tell by any angle that its letters stand below each other, so their places do. Of such a page the
//! columns go from right to left, as lines that run down do once they are turned.

use super::page::{Area, Glyph, PageContent, Style, Turn};

/// So many letters below each other are a column.
const MIN_LETTERS: usize = 4;
/// Letters of a column are no further apart, in their size; lines are.
const PITCH: std::ops::RangeInclusive<f32> = 0.8..=1.15;
/// Middles of letters of a column differ by no more of their size: stops and brackets stand aside.
const ASIDE: f32 = 0.7;
/// How much of a letter stands below its baseline.
const BELOW: f32 = 0.12;

/// Makes lines that run down of the columns of vertical text. O(glyphs).
pub fn set(page: &mut PageContent) {
    let mut turned = vec![None; page.styles.len()];
    for (column, middle) in columns(page) {
        for i in column {
            let PageContent { glyphs, styles, .. } = page;
            let of = styles[glyphs[i].style as usize];
            let number = *turned[glyphs[i].style as usize].get_or_insert_with(|| {
                styles.push(Style { turn: Turn::Down, ..of });
                styles.len() - 1
            });
            let (left, bottom) = (middle - of.size / 2.0, glyphs[i].baseline + BELOW * of.size);
            let (right, top) = (left + of.size, bottom - of.size);
            glyphs[i].area = Area { left, top, right, bottom };
            glyphs[i].baseline = left + BELOW * of.size;
            glyphs[i].style = u32::try_from(number).unwrap_or(glyphs[i].style);
        }
    }
}

/// The columns of a page, each with its middle.
fn columns(page: &PageContent) -> Vec<(Vec<usize>, f32)> {
    let runs = runs(page);
    let n_letters: usize = runs.iter().map(Vec::len).sum();
    let is_column = |run: &Vec<usize>| run.len() >= MIN_LETTERS;
    let n_vertical: usize = runs.iter().filter(|run| is_column(run)).map(Vec::len).sum();
    // What is short is the end of a column, if most of the page is vertical.
    let is_most = n_vertical * 2 > n_letters;
    let found = runs.into_iter().filter(|run| is_column(run) || is_most && !is_in_line(page, run));
    found
        .map(|run| {
            let middle = middle(page, &run);
            (run, middle)
        })
        .collect()
}

/// Letters of vertical scripts that stand below each other, in the order of the file; single ones as well.
fn runs(page: &PageContent) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for (i, glyph) in page.glyphs.iter().enumerate().filter(|(_, glyph)| is_letter(page, glyph)) {
        let before = runs.last().and_then(|run| run.last());
        if before.is_some_and(|&before| is_below(page, &page.glyphs[before], glyph)) {
            runs.last_mut().into_iter().for_each(|run| run.push(i));
        } else {
            runs.push(vec![i]);
        }
    }
    runs
}

/// Whether a glyph is a letter, or a sign, of scripts that are written from top to bottom, and upright.
fn is_letter(page: &PageContent, glyph: &Glyph) -> bool {
    let is_upright = page.styles.get(glyph.style as usize).is_some_and(|of| of.turn == Turn::None);
    glyph.is_drawn
        && is_upright
        && matches!(glyph.c,
            '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{2fff}' | '\u{3001}'..='\u{9fff}'
            | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}'
            | '\u{fe10}'..='\u{fe4f}' | '\u{ff01}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether a letter stands right below another one.
fn is_below(page: &PageContent, above: &Glyph, glyph: &Glyph) -> bool {
    let size = page.styles[above.style as usize].size;
    let is_alike = (page.styles[glyph.style as usize].size - size).abs() < 0.1 * size;
    let aside = (glyph.area.middle()[0] - above.area.middle()[0]).abs();
    is_alike && PITCH.contains(&((glyph.baseline - above.baseline) / size)) && aside <= ASIDE * size
}

/// Whether letters stand on a line with the next ones of the file.
fn is_in_line(page: &PageContent, run: &[usize]) -> bool {
    let [first, last] = [run[0], run[run.len() - 1]];
    let is_beside = |a: usize, b: Option<usize>| {
        b.map(|b| (&page.glyphs[a], &page.glyphs[b])).is_some_and(|(a, b)| {
            let size = page.styles[a.style as usize].size;
            let apart = (a.area.middle()[0] - b.area.middle()[0]).abs();
            b.is_drawn && (a.baseline - b.baseline).abs() < 0.1 * size && apart < 1.2 * size
        })
    };
    is_beside(first, first.checked_sub(1))
        || is_beside(last, Some(last + 1).filter(|&i| i < page.glyphs.len()))
}

/// Where the middle of a column is: that of most of its letters.
fn middle(page: &PageContent, run: &[usize]) -> f32 {
    let mut middles: Vec<f32> = run.iter().map(|&i| page.glyphs[i].area.middle()[0]).collect();
    middles.sort_by(f32::total_cmp);
    middles[middles.len() / 2]
}

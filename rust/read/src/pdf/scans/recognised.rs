//! Words that were recognised in a picture of a page, as its glyphs.
//!
//! An engine says what a word is and where it stands, and no more. Baselines, sizes and weights follow from the ink of
//! its line in the picture, else from the letters of it; and the page is turned by the angle at which most lines run.
//! Then its words go the way of all others.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use super::picture::Picture;
use super::rulings::{Upright, rulings};
use super::spacing::spaced;
use crate::pdf::page::{Area, Glyph, PageContent, RecognisedWord, Recognition, Style, Turn};
use crate::pdf::quality::PageQuality;
use crate::pdf::turns::rotated;
use crate::pdf::words::is_rtl;

/// From the baseline up to the top of a capital or an ascender, in its size.
const ASCENDER: f32 = 0.7;
/// Up to the top of a small letter without one.
const X_HEIGHT: f32 = 0.47;
/// Down to the end of a descender.
const DESCENDER: f32 = 0.21;
/// The height of an ideograph.
const IDEOGRAPH: f32 = 0.85;
/// Fewer characters say little of their size, which may be so many times another one.
const MIN_CHARS: usize = 4;
const VAGUE: f32 = 1.7;
/// Strokes of bold letters are so many times as thick as those of most.
const BOLD: f32 = 1.3;
/// Lines whose sizes differ by no more than this have the same one: boxes of engines are no closer.
const SAME_SIZE: f32 = 1.16;
/// Baselines that differ by so much of the size are level.
const LEVEL: f32 = 0.25;
/// Lines that run so many degrees from the others are turned.
const MAX_SKEW: f32 = 8.0;
/// A line so many times as long as it is high says at which angle it runs.
const LONG: f32 = 3.0;

impl PageContent {
    /// Puts words that were recognised in the place of the page's own. O(n log n) in their lines.
    ///
    /// Pictures of a page that is nothing but pictures are the text itself, and no figures.
    pub fn recognise(&mut self, words: &[RecognisedWord], picture: &Picture) {
        if PageQuality::of(self).needs_picture() {
            self.pictures.clear();
        }
        let words = &spaced(words, picture, [self.width, self.height]);
        let mut lines: Vec<Line> =
            words.chunk_by(|a, b| a.line == b.line).filter_map(Line::of).collect();
        let skew = skew(&lines);
        let middle = [self.width / 2.0, self.height / 2.0];
        for line in &mut lines {
            line.set(middle, skew);
            line.measure(picture, [self.width, self.height], skew);
        }
        snap(&mut lines);
        level(&mut lines);
        embolden(&mut lines);
        self.rules.extend(rules(&lines, picture, [self.width, self.height], skew));
        let n_words = words.len();
        (self.glyphs, self.styles, self.tags) = (Vec::new(), Vec::with_capacity(n_words), vec![]);
        let mut confidences = Vec::with_capacity(n_words);
        for line in &lines {
            for (word, area) in line.words.iter().zip(&line.areas) {
                let style = u32::try_from(self.styles.len()).unwrap_or(u32::MAX);
                self.styles.push(Style {
                    size: line.size,
                    turn: line.turn,
                    is_bold: line.is_bold,
                    ..Style::default()
                });
                confidences.push(word.confidence.clamp(0.0, 1.0));
                self.glyphs.extend(line.glyphs(&word.text, line.even(*area), style));
                self.glyphs.push(Glyph { c: ' ', is_drawn: false, ..BLANK });
            }
        }
        self.recognition = Some(Recognition { skew, confidences });
    }
}

/// The ruled lines of a page, which stand where its lines of words do not.
fn rules(lines: &[Line<'_>], picture: &Picture, page: [f32; 2], skew: f32) -> Vec<Area> {
    #[allow(clippy::cast_precision_loss, reason = "letters of a line")]
    let sizes = lines.iter().map(|line| (line.size, line.n_chars as f32)).collect();
    let Some(size) = median(sizes) else { return Vec::new() };
    // What its ink says of the height of a line, and what its boxes say of it.
    let around = |line: &Line<'_>| -> Vec<Area> {
        line.areas.iter().map(|&area| line.even(area).around(area)).collect()
    };
    let words: Vec<Area> = lines.iter().flat_map(around).collect();
    rulings(picture, Upright { page, skew, words: &words, size })
}

const BLANK: Glyph = Glyph {
    c: ' ',
    area: Area { left: 0.0, top: 0.0, right: 0.0, bottom: 0.0 },
    baseline: 0.0,
    style: 0,
    is_drawn: true,
    is_unmapped: false,
};

/// A line of words, before and after the page is turned.
struct Line<'w> {
    words: &'w [RecognisedWord],
    /// The direction in which it runs, clockwise and in radians.
    angle: f32,
    length: f32,
    n_chars: usize,
    turn: Turn,
    areas: Vec<Area>,
    middle: [f32; 2],
    size: f32,
    baseline: f32,
    /// From its middle down to its baseline; none if the picture does not say.
    below: Option<f32>,
    /// How thick its strokes are, in its size.
    stroke: Option<f32>,
    is_bold: bool,
}

impl<'w> Line<'w> {
    fn of(words: &'w [RecognisedWord]) -> Option<Self> {
        let (first, last) = (words.first()?, words.last()?);
        let between =
            |a: [f32; 2], b: [f32; 2]| [f32::midpoint(a[0], b[0]), f32::midpoint(a[1], b[1])];
        let start = between(first.corners[0], first.corners[3]);
        let end = between(last.corners[1], last.corners[2]);
        let [x, y] = [end[0] - start[0], end[1] - start[1]];
        let n_chars = words.iter().map(|word| word.text.chars().count()).sum();
        let finite = |word: &RecognisedWord| word.corners.iter().flatten().all(|x| x.is_finite());
        (n_chars > 0 && words.iter().all(finite)).then(|| Self {
            words,
            angle: y.atan2(x),
            length: x.hypot(y),
            n_chars,
            turn: Turn::None,
            areas: Vec::new(),
            middle: [0.0; 2],
            size: 0.0,
            baseline: 0.0,
            below: None,
            stroke: None,
            is_bold: false,
        })
    }

    /// Sets where its words stand on the page once that is turned upright, and how large they are.
    fn set(&mut self, middle: [f32; 2], skew: f32) {
        self.turn = turn(self.angle - skew);
        let is_upright = matches!(self.turn, Turn::Up | Turn::Down);
        let area = |word: &RecognisedWord| {
            let [first, second, _, last] = word.corners;
            let length = |to: [f32; 2]| (to[0] - first[0]).hypot(to[1] - first[1]);
            let lengths = [length(second), length(last)];
            let [width, height] = if is_upright { [lengths[1], lengths[0]] } else { lengths };
            let sum = |axis: usize| word.corners.iter().map(|corner| corner[axis]).sum::<f32>();
            let [x, y] = turned([sum(0) / 4.0, sum(1) / 4.0], middle, -skew);
            Area::of_corners(
                [x - width / 2.0, y - height / 2.0],
                [x + width / 2.0, y + height / 2.0],
            )
        };
        self.areas = self.words.iter().map(area).collect();
        let around = self.areas.iter().copied().reduce(Area::around).unwrap_or_default();
        let [up, down] = reach(self.words);
        let height = if is_upright { around.width() } else { around.height() };
        self.size = height / (up + down);
        self.middle = around.middle();
    }

    /// Sets what its ink in the picture says of its size, its baseline and its weight.
    fn measure(&mut self, picture: &Picture, [width, height]: [f32; 2], skew: f32) {
        let (Some(first), Some(last)) = (self.words.first(), self.words.last()) else { return };
        #[allow(clippy::cast_precision_loss, reason = "pixels")]
        let scale = [picture.width as f32 / width, picture.height as f32 / height];
        if !scale.iter().all(|scale| scale.is_finite() && *scale > 0.0) {
            return;
        }
        let between = |a: [f32; 2], b: [f32; 2]| {
            [0, 1].map(|axis| f32::midpoint(a[axis], b[axis]) * scale[axis])
        };
        let mut start = between(first.corners[0], first.corners[3]);
        let mut end = between(last.corners[1], last.corners[2]);
        let [a, _, _, d] = first.corners;
        let high = ((d[0] - a[0]) * scale[0]).hypot((d[1] - a[1]) * scale[1]);
        let half = (end[0] - start[0]).hypot(end[1] - start[1]) / 2.0;
        if self.turn == Turn::None && half < LONG * high {
            // A short box says little of the angle.
            let middle = [f32::midpoint(start[0], end[0]), f32::midpoint(start[1], end[1])];
            let (sin, cos) = skew.sin_cos();
            start = [middle[0] - half * cos, middle[1] - half * sin];
            end = [middle[0] + half * cos, middle[1] + half * sin];
        }
        let Some(band) = picture.band(start, end, high) else { return };
        let size = band.height / band_height(self.words);
        // A band that is much lower or higher than the box is none of letters.
        if !(0.5..2.0).contains(&(size / scale[1] / self.size.max(1.0))) {
            return;
        }
        // The ink of a few letters has other edges.
        if self.n_chars >= MIN_CHARS {
            self.size = size / scale[1];
        }
        self.below = Some(band.below / scale[1]);
        self.stroke = Some(band.stroke / size);
    }

    /// Where its baseline is, by its middle: what a box says of that is surer than where its edges are.
    fn baseline(&self) -> f32 {
        let [up, down] = reach(self.words);
        let below = self.below.unwrap_or((up - down) / 2.0 * self.size);
        match self.turn {
            Turn::Up => self.middle[0] + below,
            Turn::Down => self.middle[0] - below,
            Turn::Over => self.middle[1] - below,
            Turn::None | Turn::Askew => self.middle[1] + below,
        }
    }

    /// An area of its words, as high as its letters may be: boxes are higher or lower by chance.
    fn even(&self, area: Area) -> Area {
        let (above, below) = (ASCENDER * self.size, DESCENDER * self.size);
        let from = self.baseline;
        match self.turn {
            Turn::None | Turn::Askew => Area { top: from - above, bottom: from + below, ..area },
            Turn::Over => Area { top: from - below, bottom: from + above, ..area },
            Turn::Up => Area { left: from - above, right: from + below, ..area },
            Turn::Down => Area { left: from - below, right: from + above, ..area },
        }
    }

    /// The letters of a word, which share its area between them.
    fn glyphs<'a>(
        &self,
        text: &'a str,
        area: Area,
        style: u32,
    ) -> impl Iterator<Item = Glyph> + 'a {
        let (turn, baseline) = (self.turn, self.baseline);
        let n = text.chars().count();
        let is_backward = text.chars().any(is_rtl) != matches!(turn, Turn::Up | Turn::Over);
        text.chars().enumerate().map(move |(i, c)| {
            let i = if is_backward { n - 1 - i } else { i };
            #[allow(clippy::cast_precision_loss, reason = "letters of a word")]
            let [from, to] = [i as f32 / n as f32, (i + 1) as f32 / n as f32];
            let area = if matches!(turn, Turn::Up | Turn::Down) {
                let height = area.height();
                let [top, bottom] = [area.top + from * height, area.top + to * height];
                Area { top, bottom, ..area }
            } else {
                let width = area.width();
                let [left, right] = [area.left + from * width, area.left + to * width];
                Area { left, right, ..area }
            };
            Glyph { c, area, baseline, style, ..BLANK }
        })
    }
}

/// How far the letters of words reach above and below their baseline, in their size.
fn reach(words: &[RecognisedWord]) -> [f32; 2] {
    let letters = || words.iter().flat_map(|word| word.text.chars());
    let is_low = |c: char| "gjpqy,;()[]{}|/$@QJ".contains(c) || !c.is_ascii();
    let is_flat = |c: char| "acemnorsuvwxzgpqy.,-:;+=~<>_*".contains(c);
    let up = if letters().all(is_flat) { X_HEIGHT } else { ASCENDER };
    let down = if letters().any(is_low) { DESCENDER } else { 0.0 };
    [up, down]
}

/// How high the band is that has most ink of words, in their size: of small letters, capitals and digits, or others.
fn band_height(words: &[RecognisedWord]) -> f32 {
    let letters = || words.iter().flat_map(|word| word.text.chars());
    let n = letters().filter(|c| c.is_alphanumeric()).count();
    let n_small = letters().filter(|c| c.is_lowercase() && !"bdfhklt".contains(*c)).count();
    let n_wide = letters().filter(|c| *c >= '\u{2e80}').count();
    match () {
        () if n_wide * 2 > n => IDEOGRAPH,
        () if n_small * 5 > n * 2 => X_HEIGHT,
        () => ASCENDER,
    }
}

/// Lines whose strokes are much thicker than those of most are bold.
fn embolden(lines: &mut [Line<'_>]) {
    #[allow(clippy::cast_precision_loss, reason = "letters of a line")]
    let strokes = lines.iter().filter_map(|line| Some((line.stroke?, line.n_chars as f32)));
    let Some(usual) = median(strokes.collect()) else { return };
    for line in lines {
        line.is_bold = line.stroke.is_some_and(|stroke| stroke > BOLD * usual);
    }
}

/// The angle at which most of the page runs, whichever side of it is up: the median of long lines, by their lengths; 0 if
/// there is none.
fn skew(lines: &[Line<'_>]) -> f32 {
    let is_long = |line: &&Line<'_>| {
        let height = line.words.iter().map(|word| {
            let [a, _, _, d] = word.corners;
            (d[0] - a[0]).hypot(d[1] - a[1])
        });
        let highest = height.fold(0.0, f32::max);
        line.length > LONG * highest
    };
    // A quarter of a turn changes the side that is up, not the angle.
    let angle = |line: &Line<'_>| (line.angle + FRAC_PI_4).rem_euclid(FRAC_PI_2) - FRAC_PI_4;
    median(lines.iter().filter(is_long).map(|line| (angle(line), line.length)).collect())
        .unwrap_or(0.0)
}

/// The value that half of all weights are below.
fn median(mut values: Vec<(f32, f32)>) -> Option<f32> {
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = values.iter().map(|(_, weight)| weight).sum::<f32>() / 2.0;
    let mut sum = 0.0;
    let at = values.iter().find(|(_, weight)| {
        sum += weight;
        sum >= half
    });
    at.map(|(value, _)| *value)
}

/// Gives lines of about the same size the same one: that which most letters have, again and again. What a line of few
/// letters says of its size is vague.
fn snap(lines: &mut [Line<'_>]) {
    #[allow(clippy::cast_precision_loss, reason = "letters of a line")]
    let sizes = lines.iter().map(|line| (line.size, line.n_chars as f32)).collect();
    let usual = median(sizes).unwrap_or(0.0);
    for line in lines.iter_mut().filter(|line| line.n_chars < MIN_CHARS) {
        if (1.0 / VAGUE..VAGUE).contains(&(line.size / usual)) {
            line.size = usual;
        }
    }
    let mut left: Vec<usize> = (0..lines.len()).collect();
    #[allow(clippy::cast_precision_loss, reason = "letters of a line")]
    while let Some(size) =
        median(left.iter().map(|&i| (lines[i].size, lines[i].n_chars as f32)).collect())
    {
        let is_other = |of: f32| of > size * SAME_SIZE || of * SAME_SIZE < size;
        let before = left.len();
        left.retain(|&i| {
            let is_other = is_other(lines[i].size);
            if !is_other {
                lines[i].size = size;
            }
            is_other
        });
        if left.len() == before {
            return;
        }
    }
}

/// Sets the baselines of lines; those that are about level have the same one, as the cells of a row do.
fn level(lines: &mut [Line<'_>]) {
    for line in lines.iter_mut() {
        line.baseline = line.baseline();
    }
    let mut upright: Vec<&mut Line<'_>> =
        lines.iter_mut().filter(|line| line.turn == Turn::None).collect();
    upright.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
    let is_level = |a: &&mut Line<'_>, b: &&mut Line<'_>| {
        b.baseline - a.baseline <= LEVEL * a.size.min(b.size)
    };
    for row in upright.chunk_by_mut(is_level) {
        let lengths = row.iter().map(|line| (line.baseline, line.length)).collect();
        let (first, last) = (row[0].baseline, row[row.len() - 1].baseline);
        // Lines of columns that are set apart may lie between each other.
        let is_row = last - first <= 2.0 * LEVEL * row[0].size;
        if let Some(baseline) = median(lengths).filter(|_| is_row) {
            for line in row.iter_mut() {
                line.baseline = baseline;
            }
        }
    }
}

/// The direction of a line at an angle to the others, clockwise and in radians.
fn turn(angle: f32) -> Turn {
    let seen = angle.to_degrees().rem_euclid(360.0);
    let near = |of: f32| (seen - of).abs() <= MAX_SKEW || (seen - of).abs() >= 360.0 - MAX_SKEW;
    match () {
        () if near(0.0) => Turn::None,
        () if near(90.0) => Turn::Down,
        () if near(180.0) => Turn::Over,
        () if near(270.0) => Turn::Up,
        () => Turn::Askew,
    }
}

/// A point turned around another one, clockwise as one sees it.
fn turned([x, y]: [f32; 2], [middle_x, middle_y]: [f32; 2], by: f32) -> [f32; 2] {
    let [x, y] = rotated([x - middle_x, y - middle_y], by);
    [middle_x + x, middle_y + y]
}

/// Where an area of a page that was turned upright stands on the page itself: what is around its corners.
pub fn turned_back(area: Area, [width, height]: [f32; 2], skew: f32) -> Area {
    if skew == 0.0 {
        return area;
    }
    // What is around all of a line that runs askew would reach into those above and below at its ends; its own
    // ends do not.
    let middle = [width / 2.0, height / 2.0];
    let Area { left, top, right, bottom } = area;
    let corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
    let points = corners.map(|corner| turned(corner, middle, skew));
    let at = |point: [f32; 2]| Area::of_corners(point, point);
    let around = points.into_iter().map(at).reduce(Area::around).unwrap_or(area);
    let page = Area { left: 0.0, top: 0.0, right: width, bottom: height };
    if around.shared(page) > 0.0 { around.within(page) } else { around }
}

//! Turns of a page: what runs in one direction, turned so that it runs to the right, and places turned back.

use super::page::{Area, Glyph, PageContent, Style, Turn};

/// Lines whose angles differ by no more run in one direction, in radians.
const SAME_ANGLE: f32 = 0.026;
/// So many letters at one angle are a text; fewer are a letter each of a line that is bent.
const MIN_LETTERS: usize = 4;
/// No more angles are told apart on a page.
const MAX_ANGLES: usize = 16;
/// Where the sides of a box around a letter tell no more of its own sides: near half a right angle.
const MIN_SLANT: f32 = 0.2;
/// Baselines that differ by so much of the size are those of two lines.
const STEP: f32 = 0.3;
/// No more lines are put in order.
const MAX_RUNS: usize = 10_000;
/// A letter is at least so high, in its size.
const MIN_HEIGHT: f32 = 0.2;

/// A direction in which some lines of a page do not run to the right.
#[derive(Clone, Debug)]
pub struct Direction {
    turn: Turn,
    /// How far its lines are turned from the right, clockwise and in radians, if they run askew.
    angle: f32,
    /// Whether its lines have a style, by the number of that.
    has: Vec<bool>,
    /// Left and top, width and height of the page when it is turned.
    corner: [f32; 2],
    size: [f32; 2],
    /// Width and height of the page itself.
    page: [f32; 2],
}

impl Direction {
    /// All directions of a page, but that to the right. O(glyphs + styles log styles).
    pub fn all(page: &PageContent) -> Vec<Self> {
        let styles = &page.styles;
        let turns = [Turn::Up, Turn::Down, Turn::Over].into_iter().filter_map(|turn| {
            let has: Vec<bool> = styles.iter().map(|style| style.turn == turn).collect();
            has.contains(&true).then(|| Self::new(page, turn, 0.0, has))
        });
        turns.chain(askew(page)).collect()
    }

    fn new(page: &PageContent, turn: Turn, angle: f32, has: Vec<bool>) -> Self {
        let page = [page.width, page.height];
        let mut of = Self { turn, angle, has, corner: [0.0; 2], size: page, page };
        let [width, height] = page;
        let corners = [[0.0, 0.0], [width, 0.0], [0.0, height], [width, height]];
        let turned =
            corners.map(|corner| of.to(corner)).map(|corner| Area::of_corners(corner, corner));
        if let Some(around) = turned.into_iter().reduce(Area::around) {
            (of.corner, of.size) = ([around.left, around.top], [around.width(), around.height()]);
        }
        of
    }

    /// The page with what runs in this direction, turned so that it runs to the right.
    pub fn turned(&self, page: &PageContent) -> PageContent {
        let is_askew = self.turn == Turn::Askew;
        let area = |area: &Area| self.mapped(*area, |point| self.to(point));
        let glyph = |glyph: &Glyph| {
            let style = page.styles.get(glyph.style as usize);
            let size = style.map_or(0.0, |style| style.size);
            let baseline = self.baseline(glyph.baseline);
            let area =
                if is_askew { self.upright(glyph.area, baseline, size) } else { area(&glyph.area) };
            Glyph { area, baseline, ..*glyph }
        };
        let style = |(style, &is_own): (&Style, &bool)| {
            let turn = if is_own { Turn::None } else { Turn::Over };
            Style { turn, ..*style }
        };
        let styles: Vec<Style> = page.styles.iter().zip(&self.has).map(style).collect();
        let glyphs: Vec<Glyph> = page.glyphs.iter().map(glyph).collect();
        PageContent {
            number: page.number,
            width: self.size[0],
            height: self.size[1],
            label: None,
            glyphs: from_top(glyphs, &styles),
            styles,
            tags: page.tags.clone(),
            rules: if is_askew { Vec::new() } else { page.rules.iter().map(area).collect() },
            frames: Vec::new(),
            fills: Vec::new(),
            pictures: Vec::new(),
            targets: page.targets.clone(),
            recognition: page.recognition.clone(),
        }
    }

    /// Where an area of the turned page is on the page itself.
    pub fn turned_back(&self, area: Area) -> Area {
        self.mapped(area, |point| self.back(point))
    }

    /// Where a point of the page is when it is turned.
    fn to(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        let [width, height] = self.page;
        let [left, top] = self.corner;
        match self.turn {
            Turn::Up => [height - y, x],
            Turn::Down => [y, width - x],
            Turn::Over => [width - x, height - y],
            Turn::None => [x, y],
            Turn::Askew => {
                let [x, y] = rotated([x, y], -self.angle);
                [x - left, y - top]
            }
        }
    }

    /// Where a point of the turned page is on the page.
    fn back(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        let [width, height] = self.page;
        let [left, top] = self.corner;
        match self.turn {
            Turn::Up => [y, height - x],
            Turn::Down => [width - y, x],
            Turn::Over => [width - x, height - y],
            Turn::None => [x, y],
            Turn::Askew => rotated([x + left, y + top], self.angle),
        }
    }

    /// What is around an area whose corners are moved.
    fn mapped(&self, area: Area, map: impl Fn([f32; 2]) -> [f32; 2]) -> Area {
        let Area { left, top, right, bottom } = area;
        let around = Area::of_corners(map([left, top]), map([right, bottom]));
        if self.turn == Turn::Askew {
            around.around(Area::of_corners(map([right, top]), map([left, bottom])))
        } else {
            around
        }
    }

    /// The height of a baseline on the turned page.
    fn baseline(&self, baseline: f32) -> f32 {
        match self.turn {
            Turn::Down => self.page[0] - baseline,
            Turn::Over => self.page[1] - baseline,
            Turn::Askew => baseline - self.corner[1],
            Turn::None | Turn::Up => baseline,
        }
    }

    /// The area of a letter that stands upright when the page is turned, of what is around it on the page.
    fn upright(&self, around: Area, baseline: f32, size: f32) -> Area {
        let (sin, cos) = (self.angle.sin().abs(), self.angle.cos().abs());
        let [x, y] = self.to(around.middle());
        let (width, height) = (around.width(), around.height());
        let slant = cos * cos - sin * sin;
        let (width, height) = if slant.abs() > MIN_SLANT {
            ((width * cos - height * sin) / slant, (height * cos - width * sin) / slant)
        } else {
            let both = (width + height) / (sin + cos);
            let height =
                (2.0 * (baseline - y)).clamp(MIN_HEIGHT * size, both.max(MIN_HEIGHT * size));
            (both - height, height)
        };
        let [width, height] = [width, height].map(|side| side.max(0.0) / 2.0);
        Area { left: x - width, top: y - height, right: x + width, bottom: y + height }
    }
}

/// A line of a turned page, with what follows it in the file before the next one.
struct Run {
    area: Area,
    baseline: f32,
    glyphs: Vec<Glyph>,
}

/// Glyphs with the lines of a column from top to bottom: the library puts those of turned text in another order.
fn from_top(glyphs: Vec<Glyph>, styles: &[Style]) -> Vec<Glyph> {
    let mut runs: Vec<Run> = Vec::new();
    for glyph in glyphs {
        let style = styles.get(glyph.style as usize).filter(|style| style.turn == Turn::None);
        let is_seen = glyph.is_drawn && !glyph.c.is_whitespace();
        let step = style.filter(|_| is_seen).map(|style| STEP * style.size);
        let run = runs.last_mut();
        match (run, step) {
            (Some(run), None) => run.glyphs.push(glyph),
            (Some(run), Some(step)) if (run.baseline - glyph.baseline).abs() <= step => {
                run.area = run.area.around(glyph.area);
                run.glyphs.push(glyph);
            }
            (_, step) => {
                let baseline = if step.is_some() { glyph.baseline } else { f32::MIN };
                runs.push(Run { area: glyph.area, baseline, glyphs: vec![glyph] });
            }
        }
    }
    if runs.len() <= MAX_RUNS {
        for at in 1..runs.len() {
            let is_above = |other: &Run| {
                runs[at].baseline < other.baseline && runs[at].area.shared_width(other.area) > 0.0
            };
            let n_below = runs[..at].iter().rev().take_while(|other| is_above(other)).count();
            runs[at - n_below..=at].rotate_right(1);
        }
    }
    runs.into_iter().flat_map(|run| run.glyphs).collect()
}

/// The directions of lines that run askew: one for each angle, and one for all letters that stand at many.
fn askew(page: &PageContent) -> Vec<Direction> {
    let mut n_letters = vec![0; page.styles.len()];
    for glyph in page.glyphs.iter().filter(|glyph| glyph.is_drawn && !glyph.c.is_whitespace()) {
        if let Some(n) = n_letters.get_mut(glyph.style as usize) {
            *n += 1;
        }
    }
    let is_askew = |&style: &usize| page.styles[style].turn == Turn::Askew;
    let angle = |style: &usize| page.styles[*style].angle;
    let mut styles: Vec<usize> = (0..page.styles.len()).filter(is_askew).collect();
    styles.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    let groups = styles.chunk_by(|a, b| angle(b) - angle(a) <= SAME_ANGLE);
    let n_of = |group: &[usize]| group.iter().map(|&style| n_letters[style]).sum::<usize>();
    let (mut texts, bent): (Vec<_>, Vec<_>) = groups.partition(|group| n_of(group) >= MIN_LETTERS);
    texts.sort_by_key(|group| std::cmp::Reverse(n_of(group)));
    let others = texts.split_off(texts.len().min(MAX_ANGLES));
    let direction = |angle: f32, of: &[usize]| {
        let mut has = vec![false; page.styles.len()];
        for &style in of {
            has[style] = true;
        }
        Direction::new(page, Turn::Askew, angle, has)
    };
    let mut found: Vec<Direction> =
        texts.iter().map(|group| direction(angle(&group[group.len() / 2]), group)).collect();
    let rest = [bent, others].concat().concat();
    if !rest.is_empty() {
        found.push(direction(0.0, &rest));
    }
    found
}

/// A point turned clockwise around the top left corner of its page.
pub fn rotated([x, y]: [f32; 2], by: f32) -> [f32; 2] {
    let (sin, cos) = by.sin_cos();
    [x * cos - y * sin, x * sin + y * cos]
}

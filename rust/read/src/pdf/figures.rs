//! Figures of a page: pictures and drawings that touch each other.

use std::ops::Range;

use super::lines::runs;
use super::page::{Area, PageContent};
use super::words::Words;

/// What is lower or narrower is decoration, in points.
const MIN_SIDE: f32 = 24.0;
/// What covers so much of the page is its ground.
const GROUND: f32 = 0.8;
/// Text that covers so much of a picture stands on it, and is no part of it.
const MAX_COVERED: f32 = 0.22;
/// So many words, so many to a line, are text that stands on a picture.
const MIN_TEXT: usize = 20;
/// Words in a line of such text, on average.
const MIN_RUN: usize = 3;
/// A page with more drawings than this has them looked at in this number of the largest.
const MAX_PICTURES: usize = 1500;
/// Drawings that share so much of the smaller one are one.
const OVERLAID: f32 = 0.2;
/// So many rectangles beside each other are a chart.
const MIN_BARS: usize = 4;
/// Bars of a chart are no further apart, in points.
const BETWEEN_BARS: f32 = 9.0;
/// Labels of a chart stand no further from it, in points.
const LABELS: f32 = 14.0;
/// Drawings this close are one, in points.
const NEAR: f32 = 3.0;

/// A figure, and the words in it by their numbers.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Where it stands.
    pub area: Area,
    /// Its words.
    pub words: Vec<usize>,
}

/// The figures of a page, but for what is part of `tables`. O(pictures² + words · figures).
pub fn figures(page: &PageContent, words: &Words, free: &[bool], tables: &[Area]) -> Vec<Figure> {
    let is_figure = |area: &Area| {
        is_large(*area)
            && !is_ground(page, *area)
            && !tables.iter().any(|table| table.holds(area.middle()) || area.holds(table.middle()))
    };
    let areas = drawings(page).into_iter().filter(is_figure);
    let runs = runs(words);
    let mut found: Vec<Figure> =
        areas.filter_map(|area| figure(words, &runs, free, area)).collect();
    for chart in charts(page, words) {
        let is_new = !found.iter().any(|figure| figure.area.shared(chart) > 0.0);
        if is_new && is_figure(&chart) {
            found.push(labelled(words, &runs, free, chart));
        }
    }
    found
}

/// Where rectangles stand beside each other that no words are in, as the bars of a chart do. O(rectangles² + words).
fn charts(page: &PageContent, words: &Words) -> Vec<Area> {
    let is_bar = |area: &&Area| !is_ground(page, **area) && area.width().min(area.height()) > 2.0;
    let bars: Vec<Area> = page.frames.iter().filter(is_bar).copied().take(MAX_PICTURES).collect();
    let is_empty = |bar: &Area| !words.words.iter().any(|word| bar.holds(word.area.middle()));
    let mut groups: Vec<(Area, usize)> = Vec::new();
    for bar in bars.into_iter().filter(is_empty) {
        let (mut grown, mut n) = (bar, 1);
        groups.retain(|(area, n_bars)| {
            let near = grown.grown(BETWEEN_BARS);
            let is_near = near.shared_width(*area) > 0.0 && near.shared_height(*area) > 0.0;
            if is_near {
                (grown, n) = (grown.around(*area), n + n_bars);
            }
            !is_near
        });
        groups.push((grown, n));
    }
    groups.into_iter().filter(|(_, n)| *n >= MIN_BARS).map(|(area, _)| area).collect()
}

/// A chart with the short texts around it.
fn labelled(words: &Words, runs: &[Range<usize>], free: &[bool], chart: Area) -> Figure {
    let near = chart.grown(LABELS);
    let is_label = |run: &&Range<usize>| {
        let is_near = |i: usize| free[i] && near.holds(words.words[i].area.middle());
        run.len() <= 3 && (*run).clone().all(is_near)
    };
    let labels: Vec<usize> = runs.iter().filter(is_label).cloned().flatten().collect();
    let area = labels.iter().fold(chart, |area, &i| area.around(words.words[i].area));
    Figure { area, words: labels }
}

/// Where pictures and drawings stand that touch each other, or stand in one frame. O(pictures²).
pub fn drawings(page: &PageContent) -> Vec<Area> {
    let within = |area: &Area| Area {
        left: area.left.max(0.0),
        top: area.top.max(0.0),
        right: area.right.min(page.width),
        bottom: area.bottom.min(page.height),
    };
    let by_size = |areas: &[Area]| {
        let mut areas: Vec<Area> = areas.iter().map(within).collect();
        areas.retain(|area| area.width() > 0.0 && area.height() > 0.0 && !is_ground(page, *area));
        areas.sort_by(|a, b| b.size().total_cmp(&a.size()));
        areas.truncate(MAX_PICTURES);
        areas
    };
    let (mut used, mut others) = (Vec::new(), Vec::new());
    let mut frames = by_size(&page.frames);
    frames.retain(|frame| is_large(*frame));
    for picture in by_size(&page.pictures) {
        match frames.iter().position(|frame| frame.holds(picture.middle())) {
            Some(frame) => used.push(frame),
            None => others.push(picture),
        }
    }
    used.sort_unstable();
    used.dedup();
    overlaid(used.into_iter().map(|frame| frames[frame]).chain(clustered(others)).collect())
}

fn is_large(area: Area) -> bool {
    area.width() >= MIN_SIDE && area.height() >= MIN_SIDE
}

fn is_ground(page: &PageContent, area: Area) -> bool {
    area.size() >= GROUND * page.width * page.height
}

/// Areas that touch each other as one; they are given from large to small. One whose middle lies in another
/// belongs to that and widens it no more: what is cut off there has larger bounds than it shows. One between two
/// belongs to one of them: figures beside each other are not one for a line in between.
fn clustered(areas: Vec<Area>) -> Vec<Area> {
    let mut clusters: Vec<Area> = Vec::new();
    for area in areas {
        let near = area.grown(NEAR);
        let touches = |cluster: &Area| {
            near.shared_width(*cluster) > 0.0 && near.shared_height(*cluster) > 0.0
        };
        if clusters.iter().any(|cluster| cluster.holds(area.middle())) {
            continue;
        }
        match clusters.iter_mut().find(|cluster| touches(cluster)) {
            Some(cluster) => *cluster = cluster.around(area),
            None => clusters.push(area),
        }
    }
    clusters
}

/// Areas of which one covers a good part of another as one.
fn overlaid(mut areas: Vec<Area>) -> Vec<Area> {
    let mut merged: Vec<Area> = Vec::new();
    while let Some(area) = areas.pop() {
        let covers = |other: &Area| area.shared(*other) > OVERLAID * area.size().min(other.size());
        match merged.iter().position(covers) {
            // It has grown, and may cover others now.
            Some(i) => areas.push(merged.swap_remove(i).around(area)),
            None => merged.push(area),
        }
    }
    merged
}

/// The figure in an area, unless it is the ground on which text stands. Words of lines that go on outside of it are
/// none of its own.
fn figure(words: &Words, runs: &[Range<usize>], free: &[bool], area: Area) -> Option<Figure> {
    let wide = area.grown(1.0);
    let is_in = |i: &usize| free[*i] && wide.holds(words.words[*i].area.middle());
    let whole = runs.iter().filter(|run| (*run).clone().all(|i| is_in(&i)));
    let inside: Vec<usize> = whole.cloned().flatten().collect();
    let covered: f32 = inside.iter().map(|&i| words.words[i].area.size()).sum();
    let n_runs = runs.iter().filter(|run| (*run).clone().all(|i| is_in(&i))).count();
    // Labels are short; sentences on a picture are text of the page.
    let is_text = inside.len() >= MIN_TEXT && inside.len() >= MIN_RUN * n_runs;
    let words = if is_text { Vec::new() } else { inside };
    (covered < MAX_COVERED * area.size()).then_some(Figure { area, words })
}

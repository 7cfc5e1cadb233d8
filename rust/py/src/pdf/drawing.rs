//! Drawings on a page of a PDF: ruled lines, and the places of pictures.
#![allow(unsafe_code, reason = "PDFium is a library in C")]

use std::ffi::{c_int, c_ulong};

use chunkwright_read::pdf::page::{Area, Fill, PageContent};

use super::library::{Handle, Library, Matrix};
use super::upright::Upright;

const PATH: c_int = 2;
const IMAGE: c_int = 3;
const FORM: c_int = 5;
const LINE_TO: c_int = 0;
const BEZIER_TO: c_int = 1;
/// Forms in forms are followed so deep.
const MAX_DEPTH: usize = 12;
/// So many objects of a page are looked at.
const MAX_OBJECTS: usize = 100_000;
/// What is no thicker is a line, in points.
const MAX_THICK: f32 = 3.0;
/// What is shorter is no line, but a dot or a dash.
const MIN_LONG: f32 = 4.0;

/// Adds what is drawn on a page.
///
/// # Safety
/// The page is open.
pub unsafe fn drawings(
    library: &Library,
    page: Handle,
    upright: Upright,
    content: &mut PageContent,
) {
    let mut walk = Walk { library, upright, left: MAX_OBJECTS, content };
    let identity = Matrix { a: 1.0, d: 1.0, ..Matrix::default() };
    // SAFETY: by contract.
    unsafe {
        for i in 0..(library.n_objects)(page) {
            walk.object((library.object)(page, i), identity, 0);
        }
    }
}

struct Walk<'a> {
    library: &'a Library,
    upright: Upright,
    left: usize,
    content: &'a mut PageContent,
}

impl Walk<'_> {
    unsafe fn object(&mut self, object: Handle, around: Matrix, depth: usize) {
        if object.is_null() || self.left == 0 {
            return;
        }
        self.left -= 1;
        let library = self.library;
        // SAFETY: the object is of an open page.
        unsafe {
            match (library.object_type)(object) {
                PATH => self.path(object, around),
                IMAGE => {
                    let area = self.bounds(object, around);
                    self.content.pictures.extend(area);
                }
                FORM if depth < MAX_DEPTH => {
                    let mut own = Matrix { a: 1.0, d: 1.0, ..Matrix::default() };
                    (library.object_matrix)(object, &raw mut own);
                    let within = joined(own, around);
                    let n = c_ulong::try_from((library.n_form_objects)(object)).unwrap_or(0);
                    for i in 0..n {
                        self.object((library.form_object)(object, i), within, depth + 1);
                    }
                }
                _ => {}
            }
        }
    }

    unsafe fn bounds(&self, object: Handle, around: Matrix) -> Option<Area> {
        let [mut left, mut bottom, mut right, mut top] = [0.0; 4];
        // SAFETY: the object is of an open page.
        let is_known = unsafe {
            (self.library.object_bounds)(
                object,
                &raw mut left,
                &raw mut bottom,
                &raw mut right,
                &raw mut top,
            )
        };
        let corner = |x, y| self.seen(around, x, y);
        (is_known != 0).then(|| Area::of_corners(corner(left, bottom), corner(right, top)))
    }

    fn seen(&self, matrix: Matrix, x: f32, y: f32) -> [f32; 2] {
        let [x, y] = moved(matrix, [x, y]);
        self.upright.point(x, y)
    }

    /// Adds the lines of a path along the edges of the page; one with other lines is a drawing.
    unsafe fn path(&mut self, object: Handle, around: Matrix) {
        let library = self.library;
        // SAFETY: the object is of an open page.
        unsafe {
            let [mut fill, mut stroke] = [0; 2];
            (library.draw_mode)(object, &raw mut fill, &raw mut stroke);
            if fill == 0 && stroke == 0 {
                return;
            }
            let Some(area) = self.bounds(object, around) else { return };
            let is_line = area.width().min(area.height()) <= MAX_THICK;
            if is_line {
                self.rule(area);
                return;
            }
            let mut own = Matrix { a: 1.0, d: 1.0, ..Matrix::default() };
            (library.object_matrix)(object, &raw mut own);
            let matrix = joined(own, around);
            match self.lines(object, matrix) {
                Some(lines) => {
                    if stroke == 0 {
                        self.content.fills.push(Fill { area, colour: self.colour(object) });
                    } else {
                        for line in lines {
                            self.rule(line);
                        }
                    }
                    self.content.frames.push(area);
                }
                None => self.content.pictures.push(area),
            }
        }
    }

    /// The colour that an object is filled with, red in the highest of its three bytes.
    unsafe fn colour(&self, object: Handle) -> u32 {
        let [mut red, mut green, mut blue, mut alpha] = [0; 4];
        // SAFETY: the object is of an open page.
        unsafe {
            (self.library.fill_colour)(
                object,
                &raw mut red,
                &raw mut green,
                &raw mut blue,
                &raw mut alpha,
            );
        }
        red << 16 | green << 8 | blue
    }

    /// The lines of a path, if all of them run along the edges of the page.
    unsafe fn lines(&mut self, object: Handle, matrix: Matrix) -> Option<Vec<Area>> {
        let library = self.library;
        let (mut lines, mut start, mut at) = (Vec::new(), [0.0; 2], [0.0; 2]);
        // SAFETY: the object is of an open page.
        unsafe {
            for i in 0..(library.n_segments)(object) {
                if self.left == 0 {
                    return None;
                }
                self.left -= 1;
                let segment = (library.segment)(object, i);
                let [mut x, mut y] = [0.0; 2];
                (library.segment_point)(segment, &raw mut x, &raw mut y);
                let to = self.seen(matrix, x, y);
                match (library.segment_type)(segment) {
                    LINE_TO => lines.push(Area::of_corners(at, to)),
                    BEZIER_TO => return None,
                    _ => start = to,
                }
                at = to;
                if (library.segment_closes)(segment) != 0 {
                    lines.push(Area::of_corners(at, start));
                    at = start;
                }
            }
        }
        lines.iter().all(|line| is_thin(*line)).then_some(lines)
    }

    fn rule(&mut self, line: Area) {
        if line.width().max(line.height()) >= MIN_LONG {
            self.content.rules.push(line);
        }
    }
}

fn is_thin(line: Area) -> bool {
    line.width().min(line.height()) <= MAX_THICK
}

fn moved(by: Matrix, [x, y]: [f32; 2]) -> [f32; 2] {
    [by.a * x + by.c * y + by.e, by.b * x + by.d * y + by.f]
}

/// The transformation by `first`, then by `second`.
fn joined(first: Matrix, second: Matrix) -> Matrix {
    let turned = Matrix { e: 0.0, f: 0.0, ..second };
    let across = moved(turned, [first.a, first.b]);
    let up = moved(turned, [first.c, first.d]);
    let shift = moved(second, [first.e, first.f]);
    Matrix { a: across[0], b: across[1], c: up[0], d: up[1], e: shift[0], f: shift[1] }
}

//! Canvas of a grid table: what stands in each display column of its lines, and the frames that are drawn there.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::span::Span;

/// A tab reaches to the next multiple of so many columns.
const TAB: usize = 8;

/// Columns of lines, all of the same width.
pub struct Canvas {
    pub n_lines: usize,
    /// Columns of each line.
    pub width: usize,
    /// Line after line, the byte of each column that a frame may be made of; else a blank.
    marks: Vec<u8>,
    /// For each line where the character of each column begins in it; empty if columns are bytes.
    bytes: Vec<Vec<usize>>,
    /// The lines that are frames from end to end.
    rules: Vec<usize>,
    /// Those of them that are double.
    doubles: Vec<usize>,
}

impl Canvas {
    /// That of some lines of `text`, of which the first and the last are frames; none if one of them is wider or
    /// narrower than the first.
    pub fn draw(text: &str, lines: &[Span]) -> Option<Self> {
        let first = &text[lines.first()?.range()];
        let (n_lines, width) = (lines.len(), first.len());
        let mut canvas = Self {
            n_lines,
            width,
            marks: Vec::new(),
            bytes: Vec::with_capacity(n_lines),
            rules: Vec::new(),
            doubles: Vec::new(),
        };
        for (number, line) in lines.iter().enumerate() {
            let line = &text[line.range()];
            if is_rule(line) {
                canvas.rules.push(number);
                if line.contains('=') {
                    canvas.doubles.push(number);
                }
            }
            canvas.push(line)?;
        }
        let is_framed =
            canvas.rules.first() == Some(&0) && canvas.rules.last() == Some(&(n_lines - 1));
        (is_framed && n_lines > 2).then_some(canvas)
    }

    fn push(&mut self, line: &str) -> Option<()> {
        let is_single = self.rules.last() == Some(&self.bytes.len());
        let drawn = |byte: u8| match byte {
            b'=' | b':' if is_single => b'-',
            b'+' | b'-' | b'|' => byte,
            _ => b' ',
        };
        if line.is_ascii() && !line.contains('\t') {
            self.bytes.push(Vec::new());
            self.marks.extend(line.bytes().map(drawn));
            return (line.len() == self.width).then_some(());
        }
        let starts = columns_of_chars(line, self.width)
            .or_else(|| columns_of_graphemes(line, self.width))?;
        let byte = |at: usize| line.as_bytes()[at];
        let marks = starts[..self.width].iter().enumerate().map(|(column, &at)| {
            let is_second = column > 0 && starts[column - 1] == at;
            if is_second { b' ' } else { drawn(byte(at)) }
        });
        self.marks.extend(marks);
        self.bytes.push(starts);
        Some(())
    }

    /// What stands there.
    pub fn mark(&self, line: usize, column: usize) -> u8 {
        self.marks[line * self.width + column]
    }

    /// The byte of a line at which a column begins.
    pub fn byte(&self, line: usize, column: usize) -> usize {
        self.bytes[line].get(column).copied().unwrap_or(column)
    }

    /// The line below the header, if there is one: the first double frame inside the table that begins no footer.
    pub fn header_end(&self) -> Option<usize> {
        let last = self.n_lines - 1;
        let has_footer = self.doubles.last() == Some(&last);
        let mut inside = self.doubles.iter().copied().filter(|&line| line > 0 && line < last);
        let first = inside.next()?;
        (!has_footer || inside.next().is_some()).then_some(first)
    }
}

/// Whether a line is a frame from end to end.
pub fn is_rule(line: &str) -> bool {
    let Some(inside) = line.strip_prefix('+').and_then(|rest| rest.strip_suffix('+')) else {
        return false;
    };
    let of = |mark: char| inside.chars().all(|c| matches!(c, '+' | ':') || c == mark);
    inside.contains('-') && of('-') || inside.contains('=') && of('=')
}

/// For each column of a line that has so many, and its end, the byte where its character begins; each code point as
/// wide as it is by itself.
fn columns_of_chars(line: &str, width: usize) -> Option<Vec<usize>> {
    columns(line, width, line.char_indices().map(|(at, c)| (at, c.width().unwrap_or(0))))
}

/// The same for graphemes, of which several code points may be as wide as one.
fn columns_of_graphemes(line: &str, width: usize) -> Option<Vec<usize>> {
    columns(line, width, line.grapheme_indices(true).map(|(at, part)| (at, part.width())))
}

fn columns(
    line: &str,
    width: usize,
    widths: impl Iterator<Item = (usize, usize)>,
) -> Option<Vec<usize>> {
    let mut starts = Vec::with_capacity(width + 1);
    for (at, wide) in widths {
        let wide = match line.as_bytes()[at] {
            b'\t' => TAB - starts.len() % TAB,
            _ => wide,
        };
        starts.extend(std::iter::repeat_n(at, wide));
        if starts.len() > width {
            return None;
        }
    }
    starts.push(line.len());
    (starts.len() == width + 1).then_some(starts)
}

//! Blanks between the words of a line, found in the picture of its page.
//!
//! Engines know the words of a line better than where they end: those that read a line at once say it by steps that are
//! as wide as a letter. A word ends where its ink does.

use super::picture::Picture;
use crate::pdf::page::RecognisedWord;

/// A step along a line has ink if so many pixels across it have.
const INKED: f32 = 1.0;
/// An edge is off by no more letters than this.
const OFF: f32 = 1.0;

/// Words of lines, with their edges where the ink of their line ends; as they are where it does not say. O(pixels of the
/// lines + words).
pub fn spaced(
    words: &[RecognisedWord],
    picture: &Picture,
    [width, height]: [f32; 2],
) -> Vec<RecognisedWord> {
    let mut words = words.to_vec();
    #[allow(clippy::cast_precision_loss, reason = "pixels")]
    let scale = [picture.width as f32 / width, picture.height as f32 / height];
    if scale.iter().all(|scale| scale.is_finite() && *scale > 0.0) {
        for line in words.chunk_by_mut(|a, b| a.line == b.line) {
            let _ = space(line, picture, scale);
        }
    }
    words
}

/// Sets the edges of the words of a line; none if its ink says nothing of them.
fn space(line: &mut [RecognisedWord], picture: &Picture, scale: [f32; 2]) -> Option<()> {
    let (first, last) = (line.first()?, line.last()?);
    let pixel = |at: [f32; 2]| [at[0] * scale[0], at[1] * scale[1]];
    let between = |a: [f32; 2], b: [f32; 2]| {
        let (a, b) = (pixel(a), pixel(b));
        [f32::midpoint(a[0], b[0]), f32::midpoint(a[1], b[1])]
    };
    let start = between(first.corners[0], first.corners[3]);
    let end = between(last.corners[1], last.corners[2]);
    let (upper, lower) = (pixel(first.corners[0]), pixel(first.corners[3]));
    let high = (lower[0] - upper[0]).hypot(lower[1] - upper[1]);
    let length = (end[0] - start[0]).hypot(end[1] - start[1]);
    let along = [(end[0] - start[0]) / length, (end[1] - start[1]) / length];
    let place = |at: [f32; 2]| (at[0] - start[0]) * along[0] + (at[1] - start[1]) * along[1];
    let reach = |word: &RecognisedWord| {
        let [a, b, c, d] = word.corners;
        Reach::of(place(between(a, d)), place(between(b, c)), word.text.chars().count())
    };
    let before: Vec<Reach> = line.iter().map(reach).collect();
    // Words that stand from right to left, or over each other, stand as they are.
    if !before.windows(2).all(|pair| pair[0].middle() < pair[1].middle()) {
        return None;
    }
    let (rows, step) = picture.ink(start, end, high)?;
    let blanks = blanks(&rows, step);
    let mut after = before.clone();
    for at in 1..before.len() {
        let (a, b) = (before[at - 1], before[at]);
        let from = (a.end - OFF * a.letter).max(a.middle());
        let to = (b.start + OFF * b.letter).min(b.middle());
        if let Some([from, to]) = widest(&blanks, from, to) {
            (after[at - 1].end, after[at].start) = (from, to);
        }
    }
    let n = after.len() - 1;
    // What is blank at the ends is no part of a word.
    if let Some(blank) = blanks.first().filter(|blank| blank[0] <= 0.0) {
        after[0].start = blank[1].min(before[0].start + OFF * before[0].letter);
    }
    if let Some(blank) = blanks.last().filter(|blank| blank[1] + step >= length) {
        after[n].end = blank[0].max(before[n].end - OFF * before[n].letter);
    }
    for ((word, before), after) in line.iter_mut().zip(before).zip(after) {
        let moves = [after.start - before.start, after.end - before.end];
        for (corner, by) in word.corners.iter_mut().zip([moves[0], moves[1], moves[1], moves[0]]) {
            for axis in 0..2 {
                corner[axis] += by * along[axis] / scale[axis];
            }
        }
    }
    Some(())
}

/// From where to where a word reaches along its line, and how wide its letters are.
#[derive(Clone, Copy)]
struct Reach {
    start: f32,
    end: f32,
    letter: f32,
}

impl Reach {
    #[allow(clippy::cast_precision_loss, reason = "letters of a word")]
    fn of(start: f32, end: f32, n_letters: usize) -> Self {
        Self { start, end, letter: (end - start).max(0.0) / n_letters.max(1) as f32 }
    }

    const fn middle(self) -> f32 {
        f32::midpoint(self.start, self.end)
    }
}

/// Where a line has no ink, from its start to its end. O(pixels).
fn blanks(rows: &[Vec<f32>], step: f32) -> Vec<[f32; 2]> {
    let n = rows.first().map_or(0, Vec::len);
    let is_blank: Vec<bool> =
        (0..n).map(|x| rows.iter().map(|row| row[x]).sum::<f32>() < INKED).collect();
    let mut at = 0;
    let of = is_blank.chunk_by(|a, b| a == b).filter_map(|run| {
        let from = at;
        at += run.len();
        #[allow(clippy::cast_precision_loss, reason = "pixels of a line")]
        run[0].then_some([from as f32 * step, at as f32 * step])
    });
    of.collect()
}

/// The widest blank of those that reach between two places, as far as it does. O(log blanks + those).
fn widest(blanks: &[[f32; 2]], from: f32, to: f32) -> Option<[f32; 2]> {
    let first = blanks.partition_point(|blank| blank[1] <= from);
    let near = blanks[first..].iter().take_while(|blank| blank[0] < to);
    near.map(|blank| [blank[0].max(from), blank[1].min(to)])
        .max_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, left: f32, right: f32) -> RecognisedWord {
        let corners = [[left, 10.0], [right, 10.0], [right, 30.0], [left, 30.0]];
        RecognisedWord { text: text.into(), corners, confidence: 0.9, line: 0 }
    }

    /// A page of 200 by 40 points, a pixel each, with letters of 8 pixels, 2 apart, from each of these on.
    fn drawn(words: &[(usize, usize)]) -> Picture {
        let (width, height) = (200, 40);
        let mut grey = vec![255; width * height];
        for (left, n) in words {
            for letter in 0..*n {
                for y in 12..28 {
                    grey[y * width + left + 10 * letter..][..8].fill(0);
                }
            }
        }
        Picture { grey, width, height }
    }

    fn edges(words: &[RecognisedWord], picture: &Picture) -> Vec<[f32; 2]> {
        let spaced = spaced(words, picture, [200.0, 40.0]);
        spaced.iter().map(|word| [word.corners[0][0], word.corners[2][0]]).collect()
    }

    #[test]
    fn words_end_where_their_ink_does() {
        let picture = drawn(&[(20, 4), (80, 3), (120, 5)]);
        let words =
            [word("Rain", 14.0, 66.0), word("had", 84.0, 100.0), word("begun", 124.0, 175.0)];
        assert_eq!(edges(&words, &picture), [[20.0, 58.0], [80.0, 108.0], [120.0, 168.0]]);
    }

    #[test]
    fn words_stay_where_no_ink_tells_or_they_run_backward() {
        let words = [word("Rain", 14.0, 66.0), word("had", 84.0, 100.0)];
        let as_they_are = [[14.0, 66.0], [84.0, 100.0]];
        assert_eq!(edges(&words, &drawn(&[])), as_they_are);
        assert_eq!(edges(&words, &Picture::default()), as_they_are);
        let backward = [words[1].clone(), words[0].clone()];
        assert_eq!(edges(&backward, &drawn(&[(20, 4)])), [as_they_are[1], as_they_are[0]]);
    }
}

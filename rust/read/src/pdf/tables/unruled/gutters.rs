//! Gutters of a page: gaps between columns of running text, by which tables are told from what stands beside them.

use crate::pdf::lines::Line;

/// Lines of so many words are running text.
const MIN_WORDS: usize = 5;
/// So many lines of running text stand on each side of a gutter.
const MIN_LINES: usize = 5;
/// A gutter is at least so wide, in points.
const MIN_WIDTH: f32 = 6.0;

/// The middles of the gutters of a page, ascending: gaps that hardly any running text crosses, with such text on
/// both sides. O(n log n).
pub fn gutters(lines: &[Line]) -> Vec<f32> {
    let texts: Vec<&Line> = lines.iter().filter(|line| line.words.len() >= MIN_WORDS).collect();
    // Where lines begin (+1) and end (-1), from left to right.
    let mut edges: Vec<(f32, i32)> =
        texts.iter().flat_map(|line| [(line.area.left, 1), (line.area.right, -1)]).collect();
    edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let few = i32::try_from(texts.len() / 20).unwrap_or(i32::MAX);
    let (mut found, mut n_open, mut n_ended) = (Vec::new(), 0, 0_usize);
    for pair in edges.windows(2) {
        let ((x, step), (next, _)) = (pair[0], pair[1]);
        n_open += step;
        n_ended += usize::from(step < 0);
        let n_right = texts.len().saturating_sub(n_ended);
        let is_gap = n_open <= few && next - x >= MIN_WIDTH;
        if is_gap && n_ended >= MIN_LINES && n_right >= MIN_LINES {
            found.push(f32::midpoint(x, next));
        }
    }
    found
}

/// The number of the column that a line stands in; none if it crosses a gutter.
pub fn column(gutters: &[f32], line: &Line) -> Option<usize> {
    let within = |x: f32| gutters.partition_point(|gutter| *gutter < x);
    let (left, right) = (within(line.area.left), within(line.area.right));
    (left == right).then_some(left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::page::Area;

    #[test]
    fn a_gutter_has_running_text_on_both_sides() {
        let line = |left: f32, right: f32, n: usize| Line {
            words: (0..n).collect(),
            area: Area { left, top: 0.0, right, bottom: 1.0 },
            ..Line::default()
        };
        let mut lines = vec![line(72.0, 280.0, 7); 6];
        assert!(gutters(&lines).is_empty());
        lines.extend(vec![line(310.0, 520.0, 7); 6]);
        lines.push(line(100.0, 500.0, 3)); // a title
        assert_eq!(gutters(&lines), [295.0]);
        let column = |left, right| column(&gutters(&lines), &line(left, right, 1));
        assert_eq!(
            [column(72.0, 90.0), column(320.0, 350.0), column(72.0, 350.0)],
            [Some(0), Some(1), None]
        );
    }
}

//! Rows of a table that are lines of the text: as many as fit in a part, the header repeated.

use crate::cut::table::Part;
use crate::cut::table::lines::fit::fit;
use crate::error::Result;
use crate::grid::Grid;
use crate::measure::Measure;
use crate::measure::ruler::Ruler;
use crate::pulse::Beat;
use crate::span::{Piece, Role, Span};
use crate::unicode::space::trim_end;

/// A table of lines that is over the limit.
pub struct Table<'a> {
    /// The text that it stands in.
    pub text: &'a str,
    /// Its rows; it has no HTML.
    pub grid: &'a Grid,
    /// Measures spans of the text.
    pub measure: &'a dyn Measure,
    /// Measures a header with the rows behind it.
    pub ruler: &'a dyn Ruler,
    /// The size that no part exceeds, but for rows that do so alone.
    pub hard_max: usize,
    /// Asked after each part.
    pub beat: &'a Beat<'a>,
}

impl Table<'_> {
    /// The parts, and how many rows of the header each but the first repeats; none if it has only a header.
    ///
    /// A header of more than half the limit is not repeated, nor where no row would fit behind it. O(n log
    /// `hard_max`).
    ///
    /// # Errors
    /// Those of the measure and the ruler, and what the pulse says.
    pub fn split(&self, repeat_headers: bool) -> Result<Option<(Vec<Part>, usize)>> {
        let (n_rows, n_header_rows) = (self.grid.rows.len(), self.grid.n_header_rows());
        if n_rows <= n_header_rows {
            return Ok(None);
        }
        let header = Span::new(self.start(0), self.start(n_header_rows));
        let repeats = repeat_headers && self.measure.size(header)? <= self.hard_max / 2;
        let mut parts = Vec::new();
        let mut push = |header: Option<Span>, body: Span| {
            let header = header.map(|span| Piece { span, role: Role::Header });
            let pieces = header.into_iter().chain([Piece::body(body)]).collect();
            parts.push(Part { pieces, html: String::new() });
            self.beat.after(body.len())
        };
        let mut next = self.rows_that_fit(None, 0)?.max(n_header_rows).max(1);
        push(None, self.body(0, next))?;
        while next < n_rows {
            let first = next;
            if repeats {
                next = self.rows_that_fit(Some(header), first)?;
            }
            if next > first {
                push(Some(header), self.body(first, next))?;
                continue;
            }
            // One that the header leaves no room for goes without it, so that those behind have it again.
            next = if repeats { first + 1 } else { self.rows_that_fit(None, first)? };
            next = next.max(first + 1);
            push(None, self.body(first, next))?;
        }
        Ok(Some((parts, if repeats { n_header_rows } else { 0 })))
    }

    /// The end of the rows from `first` on that fit behind a header.
    fn rows_that_fit(&self, header: Option<Span>, first: usize) -> Result<usize> {
        let header_size = header.map_or(Ok(0), |header| self.measure.size(header))?;
        let room = self.hard_max.saturating_sub(header_size);
        let reach = self.measure.longest(self.start(first), room)?;
        let rows = &self.grid.rows;
        let guess = first + rows[first..].partition_point(|row| row.source.end <= reach);
        fit(first, guess, rows.len(), |end| {
            let body = self.body(first, end);
            let size = match header {
                Some(header) => {
                    let said = [header, body].map(|span| &self.text[span.range()]);
                    self.ruler.size(&said.concat())?
                }
                None => self.measure.size(body)?,
            };
            Ok(size <= self.hard_max)
        })
    }

    /// Where row `i` starts.
    fn start(&self, i: usize) -> usize {
        self.grid.rows[i].source.start
    }

    /// The rows from `first` up to `end`, with what stands between them.
    fn body(&self, first: usize, end: usize) -> Span {
        let start = self.start(first);
        let stop = match self.grid.rows.get(end) {
            Some(row) => row.source.start,
            None => self.grid.rows[end - 1].source.end,
        };
        Span::new(start, trim_end(self.text, start, stop))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::document::Document;
    use crate::elements::Kind;
    use crate::measure::ruler::CharRuler;
    use crate::measure::testing::TokenRuler;
    use crate::pulse::no_pulse;
    use crate::read::markdown;

    fn parts(text: &str, hard_max: usize, ruler: &dyn Ruler) -> Option<(Vec<Part>, usize)> {
        let elements = markdown::read(text).elements;
        let document = Document::new(text).with_elements(&elements);
        let measure = ruler.measure(document.text()).unwrap();
        let beat = Beat::of_bytes(no_pulse());
        let grid = elements.iter().find_map(|element| element.grid.as_deref())?;
        Table { text, grid, measure: &*measure, ruler, hard_max, beat: &beat }.split(true).unwrap()
    }

    fn texts(text: &str, parts: &[Part]) -> Vec<String> {
        let said =
            |part: &Part| part.pieces.iter().map(|piece| &text[piece.span.range()]).collect();
        parts.iter().map(said).collect()
    }

    #[test]
    fn parts_are_tables_with_the_header() {
        let header = "> | a | b |\n> |---|---|";
        let text = format!("{header}\n> | 1 | 2 |\n> | 3 | 4 |\n> | 5 | 6 |\n");
        let (parts, n_header_rows) = parts(&text, 48, &CharRuler).unwrap();
        let expected = ["\n> | 1 | 2 |\n> | 3 | 4 |", "\n> | 5 | 6 |"];
        assert_eq!(texts(&text, &parts), expected.map(|rows| format!("{header}{rows}")));
        assert_eq!(n_header_rows, 1);
    }

    #[test]
    fn a_row_that_the_header_leaves_no_room_for_goes_without_it() {
        let row = "| long long long long |";
        let text = format!("| a |\n|---|\n{row}\n| b |\n| c |\n");
        let (parts, _) = parts(&text, 25, &CharRuler).unwrap();
        assert_eq!(texts(&text, &parts), ["| a |\n|---|", row, "| a |\n|---|\n| b |\n| c |"]);
    }

    #[test]
    fn a_header_by_itself_has_no_parts() {
        assert!(parts("| a |\n|---|\n", 3, &CharRuler).is_none());
    }

    proptest! {
        #[test]
        fn every_row_is_in_one_part_below_the_header(
            rows in prop::collection::vec(prop::collection::vec("[ab é漢]{0,6}", 2), 1..12),
            mark in prop::sample::select(vec!["", "> ", "  "]),
            hard_max in 1..90_usize,
            counts_chars in any::<bool>(),
        ) {
            let line = |row: &Vec<String>| format!("{mark}| {} |\n", row.join(" | "));
            let header = format!("{mark}| Xx | Y |\n{mark}|---|---|\n");
            let text = header.clone() + &rows.iter().map(line).collect::<String>();
            let tokens = TokenRuler::new("cl100k_base");
            let ruler: &dyn Ruler = if counts_chars { &CharRuler } else { &tokens };
            let (parts, _) = parts(&text, hard_max, ruler).unwrap();
            let mut at = 0;
            for (i, (part, said)) in parts.iter().zip(texts(&text, &parts)).enumerate() {
                let body = part.pieces.last().unwrap().span;
                prop_assert!(text[at..body.start].trim().is_empty() && body.start < body.end);
                at = body.end;
                if part.pieces.len() == 1 && i > 0 {
                    prop_assert!(!said.contains('\n') || header.len() > hard_max / 2);
                    continue;
                }
                let read = markdown::read(&said).elements;
                prop_assert_eq!(read.len(), 1);
                prop_assert_eq!(read[0].kind, Kind::Table);
                prop_assert!(i == 0 || ruler.size(&said).unwrap() <= hard_max);
            }
            prop_assert!(text[at..].trim().is_empty());
        }
    }
}

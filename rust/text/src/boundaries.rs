//! Boundaries of chunks: why a text was cut there, and the score found there.
//!
//! Strategies by meaning find out more than where to cut: how strong each boundary is, and why a chunk ends
//! there. Rows and plots show it, so that a threshold can be judged by looking at it; boundaries at which no cut
//! was made are there, too.

use serde::{Deserialize, Serialize};

use crate::span::Span;

/// Why a text was cut at a boundary, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// It was not cut.
    Whole,
    /// The score says so.
    Score,
    /// What would else have been one chunk exceeded the limit.
    Limit {
        /// The boundaries at which the chunk could have ended instead, this one included.
        n_places: u32,
    },
    /// The model, or another caller that was asked, says so.
    Given,
    /// The structure of the document: what meets there stands under two headings, or is of two kinds.
    Structure,
}

impl Verdict {
    /// A cut for the limit, at one of so many places.
    pub fn limit(n_places: usize) -> Self {
        Self::Limit { n_places: u32::try_from(n_places).unwrap_or(u32::MAX) }
    }

    /// Its number: 0 for no cut, 1 for the score, 2 for the limit, 3 for one that was given, 4
    /// for the structure.
    pub const fn code(self) -> u8 {
        match self {
            Self::Whole => 0,
            Self::Score => 1,
            Self::Limit { .. } => 2,
            Self::Given => 3,
            Self::Structure => 4,
        }
    }

    /// The verdict of a number, at one of so many places if it is one for the limit.
    pub const fn of_code(code: u8, n_places: u32) -> Option<Self> {
        match code {
            0 => Some(Self::Whole),
            1 => Some(Self::Score),
            2 => Some(Self::Limit { n_places }),
            3 => Some(Self::Given),
            4 => Some(Self::Structure),
            _ => None,
        }
    }

    /// Among how many places one was chosen for the limit; 0 if the limit did not cut.
    pub const fn n_places(self) -> u32 {
        match self {
            Self::Limit { n_places } => n_places,
            Self::Whole | Self::Score | Self::Given | Self::Structure => 0,
        }
    }
}

/// Why a chunk ends where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// For the score of the boundary there.
    Score,
    /// What would else have been one chunk exceeded the limit.
    Limit,
    /// Because the model, or another caller that was asked, says so.
    Given,
    /// For the structure of the document.
    Structure,
    /// Because the text does.
    End,
}

impl Reason {
    /// The name of the reason.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::Limit => "limit",
            Self::Given => "given",
            Self::Structure => "structure",
            Self::End => "end",
        }
    }
}

/// How a chunk ends: the score of the boundary there, if one is there, and why.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    /// The cosine distance of what meets there, 0 to 2.
    pub score: Option<f64>,
    /// Why it ends there.
    pub reason: Reason,
    /// Among how many boundaries the limit had this one chosen; 0 for every other reason, and where the
    /// chunk ends at no boundary.
    pub n_places: u32,
}

/// The boundaries between the pieces of one text, or of one text after another, as columns.
///
/// ```
/// use chunkwright_text::boundaries::{Boundaries, Reason, Verdict};
///
/// let mut boundaries = Boundaries::default();
/// boundaries.push(10, 0.2, Verdict::Whole);
/// boundaries.push(20, 0.9, Verdict::Score);
/// boundaries.end_text(0.5); // the threshold of this text
/// assert_eq!((boundaries.ats(), boundaries.thresholds()), (&[10, 20][..], &[0.5][..]));
/// let endings = boundaries.endings(0, [20, 30].into_iter());
/// assert_eq!(endings[0].reason, Reason::Score);
/// assert_eq!((endings[1].score, endings[1].reason), (None, Reason::End));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Boundaries {
    ats: Vec<usize>,
    scores: Vec<f64>,
    verdicts: Vec<Verdict>,
    /// For each text: one past its last boundary.
    text_ends: Vec<usize>,
    /// For each text: what a score had to exceed.
    thresholds: Vec<f64>,
}

impl Boundaries {
    /// Adds a boundary: the byte where the text before it ends, the cosine distance of what meets
    /// there, NaN where nobody knows it, and what became of it.
    pub fn push(&mut self, at: usize, score: f64, verdict: Verdict) {
        self.ats.push(at);
        self.scores.push(score);
        self.verdicts.push(verdict);
    }

    /// Says that the only text was not cut in `gap` after all.
    pub fn join(&mut self, gap: Span) {
        let first = self.ats.partition_point(|&at| at < gap.start);
        for (&at, verdict) in self.ats[first..].iter().zip(&mut self.verdicts[first..]) {
            if at > gap.end {
                break;
            }
            *verdict = Verdict::Whole;
        }
    }

    /// Ends a text: what a score had to exceed in it, NaN if there was no such number.
    pub fn end_text(&mut self, threshold: f64) {
        self.text_ends.push(self.ats.len());
        self.thresholds.push(threshold);
    }

    /// Adds the boundaries of the next texts.
    pub fn append(&mut self, next: &Self) {
        let n = self.ats.len();
        self.ats.extend_from_slice(&next.ats);
        self.scores.extend_from_slice(&next.scores);
        self.verdicts.extend_from_slice(&next.verdicts);
        self.text_ends.extend(next.text_ends.iter().map(|end| n + end));
        self.thresholds.extend_from_slice(&next.thresholds);
    }

    /// Number of boundaries.
    pub fn len(&self) -> usize {
        self.ats.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ats.is_empty()
    }

    /// For each boundary: the byte where the text before it ends.
    pub fn ats(&self) -> &[usize] {
        &self.ats
    }

    /// For each boundary: the cosine distance of what meets there, 0 to 2; NaN where nobody knows it.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// For each boundary: whether and why the text was cut there.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }

    /// For each text: one past its last boundary.
    pub fn text_ends(&self) -> &[usize] {
        &self.text_ends
    }

    /// How chunks of text `text` end, the last of which ends it; `ends` are those of all its chunks,
    /// ascending bytes. O(chunks and boundaries).
    pub fn endings(&self, text: usize, ends: impl ExactSizeIterator<Item = usize>) -> Vec<Ending> {
        let first = text.checked_sub(1).map_or(0, |before| self.text_ends[before]);
        let (mut at, last) = (first, self.text_ends[text]);
        let mut n_left = ends.len();
        let ending = |end| {
            n_left -= 1;
            while at < last && self.ats[at] < end {
                at += 1;
            }
            let found = at < last && self.ats[at] == end;
            let verdict = if found { self.verdicts[at] } else { Verdict::Whole };
            // No boundary is where a piece was cut inside: that is for the limit only.
            let cut = match verdict {
                Verdict::Score => Reason::Score,
                Verdict::Given => Reason::Given,
                Verdict::Structure => Reason::Structure,
                Verdict::Whole | Verdict::Limit { .. } => Reason::Limit,
            };
            let reason = if n_left == 0 { Reason::End } else { cut };
            let n_places = if reason == Reason::Limit { verdict.n_places() } else { 0 };
            // Where somebody else said where to cut there are no scores.
            let score = found.then(|| self.scores[at]).filter(|score| !score.is_nan());
            Ending { score, reason, n_places }
        };
        ends.map(ending).collect()
    }

    /// For each text: what a score had to exceed; NaN if there was no such number.
    pub fn thresholds(&self) -> &[f64] {
        &self.thresholds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_end_at_boundaries_inside_pieces_and_with_the_text() {
        let mut boundaries = Boundaries::default();
        boundaries.end_text(f64::NAN);
        for (at, score, verdict) in
            [(3, 0.1, Verdict::Whole), (5, 0.9, Verdict::Score), (9, 0.4, Verdict::limit(3))]
        {
            boundaries.push(at, score, verdict);
        }
        boundaries.end_text(0.5);
        boundaries.push(5, 0.7, Verdict::Whole);
        boundaries.end_text(0.5);
        let endings = |text, ends: &[usize]| -> Vec<_> {
            let endings = boundaries.endings(text, ends.iter().copied());
            let facts = |ending: &Ending| (ending.score, ending.reason.name(), ending.n_places);
            endings.iter().map(facts).collect()
        };
        assert_eq!(endings(0, &[]), []);
        let of_second = [
            (Some(0.9), "score", 0),
            (None, "limit", 0),
            (Some(0.4), "limit", 3),
            (None, "end", 0),
        ];
        assert_eq!(endings(1, &[5, 7, 9, 12]), of_second);
        assert_eq!(endings(2, &[7]), [(None, "end", 0)]);
    }

    #[test]
    fn verdicts_have_numbers() {
        let few = [Verdict::Whole, Verdict::Score, Verdict::limit(7)];
        for verdict in few.into_iter().chain([Verdict::Given, Verdict::Structure]) {
            assert_eq!(Verdict::of_code(verdict.code(), verdict.n_places()), Some(verdict));
        }
        assert_eq!(Verdict::of_code(5, 0), None);
        assert_eq!(Verdict::limit(usize::MAX).n_places(), u32::MAX);
    }
}

//! Cosines of questions with stored vectors, smoothed over neighbours without making smoothed vectors.
//!
//! A store keeps the vector of a text once: several chunks may share its slot, and a chunk that is put between
//! others changes what these lean to, but no vector. A smoothed vector is a sum of vectors, so its dot product
//! with a question is the sum of theirs: the cosines of the slots are taken, then smoothed as numbers are, and
//! divided by the smoothed vector's length, which depends on no question and is known before.

use std::ops::Range;
use std::sync::Arc;

use super::cosine::units;
use super::matrix::room_for;
use super::neighbours::Neighbours;
use super::smooth::{LEAST, NO_LENGTH, check};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::vectors::dot::{Float, dot};
use chunkwright_text::vectors::half::{Direction, HalfBlock};
use chunkwright_text::vectors::{Dense, Vectors};

/// Sums of the vectors before are held for so many rows at once.
const WINDOW: usize = 256;

/// Vectors of rows by their slots, which are numbered through the blocks.
#[derive(Debug)]
pub struct Slots<B> {
    blocks: Vec<Arc<HalfBlock<B>>>,
    n_dims: usize,
    n_stored: usize,
    /// Where the vector of each row is.
    rows: Vec<Option<Place>>,
    smoothing: Option<Smoothing>,
}

/// Where a vector is.
#[derive(Clone, Copy, Debug)]
struct Place {
    slot: usize,
    block: usize,
    row: usize,
}

/// Neighbours, and what makes a cosine with a smoothed vector of the cosines of a row and of its neighbours.
#[derive(Debug)]
struct Smoothing {
    neighbours: Neighbours,
    weight: f64,
    /// What the row's own counts, and what its neighbours give; both 0 where the row has no direction.
    own: Vec<f64>,
    given: Vec<f64>,
}

impl<B: AsRef<[u8]>> Slots<B> {
    /// The vectors of rows: the slot of each, -1 where there is none, in blocks of `n_dims` numbers a row.
    ///
    /// With `neighbours` and their weight, each leans towards those beside it as
    /// [`smooth::vectors`](super::smooth::vectors) has it. O(the numbers of all rows).
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use chunkwright_text::pulse::no_pulse;
    /// use chunkwright_search::retrieve::slots::Slots;
    /// use chunkwright_text::vectors::Dense;
    /// use chunkwright_text::vectors::half::{HalfBlock, to_halves};
    ///
    /// let halves = to_halves(&Dense::new(vec![1.0_f32, 0.0, 0.0, 1.0], 2)?, no_pulse())?;
    /// let blocks = vec![Arc::new(HalfBlock::new(halves, 2)?)];
    /// let slots = Slots::new(blocks, 2, &[1, 0, 1, -1], None, no_pulse())?;
    /// let question = Dense::new(vec![0.0_f32, 3.0], 2)?;
    /// assert_eq!(slots.cosines(&question, None, no_pulse())?, [1.0, 0.0, 1.0, 0.0]);
    /// assert_eq!(slots.cosines(&question, Some(&[2, 3]), no_pulse())?, [1.0, 0.0]);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Config`] if a block has other dimensions, a slot is none, or there are more or fewer neighbours;
    /// those of `pulse`.
    pub fn new(
        blocks: Vec<Arc<HalfBlock<B>>>,
        n_dims: usize,
        row_slots: &[i64],
        neighbours: Option<(Neighbours, f64)>,
        pulse: Pulse<'_>,
    ) -> Result<Self> {
        Self::made(blocks, n_dims, row_slots, neighbours, None, pulse)
    }

    /// The same as [`Slots::new`] makes of these parts, where most documents are those of `self`: `rows_before` has
    /// for each row its number here, or -1 for those of documents whose rows, sizes or vectors changed. O(the rows,
    /// and the numbers of those that are -1).
    ///
    /// # Errors
    /// Those of [`Slots::new`], and [`Error::Config`] if there is not one of `rows_before` for each row, or it is none.
    pub fn renewed(
        &self,
        blocks: Vec<Arc<HalfBlock<B>>>,
        row_slots: &[i64],
        neighbours: Option<(Neighbours, f64)>,
        rows_before: &[i64],
        pulse: Pulse<'_>,
    ) -> Result<Self> {
        let (n, n_before) = (row_slots.len(), rows_before.len());
        if n != n_before {
            return Err(Error::Config(format!("{n} rows need as many before, got {n_before}")));
        }
        let before = numbers_below(rows_before, self.len())?;
        Self::made(blocks, self.n_dims, row_slots, neighbours, Some((self, &before)), pulse)
    }

    fn made(
        blocks: Vec<Arc<HalfBlock<B>>>,
        n_dims: usize,
        row_slots: &[i64],
        neighbours: Option<(Neighbours, f64)>,
        before: Option<(&Self, &[Option<usize>])>,
        pulse: Pulse<'_>,
    ) -> Result<Self> {
        if let Some(i) = blocks.iter().position(|block| block.n_dims() != n_dims) {
            let own = blocks[i].n_dims();
            let message = format!("blocks must have {n_dims} dimensions, got {own} in block {i}");
            return Err(Error::Config(message));
        }
        let mut ends = Vec::new();
        let n_stored = blocks.iter().fold(0, |n_before, block| {
            ends.push(n_before + block.len());
            n_before + block.len()
        });
        let rows: Result<_> = row_slots.iter().map(|&slot| place(slot, &ends)).collect();
        let mut slots = Self { blocks, n_dims, n_stored, rows: rows?, smoothing: None };
        if let Some((neighbours, weight)) = neighbours {
            check(&neighbours, row_slots.len(), weight)?;
            let known = before.and_then(|(slots, rows)| Some((slots.smoothing.as_ref()?, rows)));
            let known = known.filter(|(before, _)| before.weight.to_bits() == weight.to_bits());
            slots.smoothing = Some(slots.smoothing(neighbours, weight, known, pulse)?);
        }
        Ok(slots)
    }

    /// How many rows there are.
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The cosine of each question with each row, or with each of `rows`, which ascend: one line for each
    /// question.
    ///
    /// All slots are read once for each question; of some rows those of their documents, or without neighbours
    /// their own alone. The numbers are the same to the last bit.
    ///
    /// # Errors
    /// [`Error::Config`] if questions have other dimensions, `rows` are no such numbers or do not ascend, or there
    /// is no memory for the result; [`Error::Model`] if a number is not finite; those of `pulse`.
    pub fn cosines<T: Float, S: AsRef<[T]>>(
        &self,
        questions: &Dense<S, T>,
        rows: Option<&[i64]>,
        pulse: Pulse<'_>,
    ) -> Result<Vec<f32>> {
        let rows = rows.map(|rows| checked(rows, self.len())).transpose()?;
        let n_wanted = rows.as_ref().map_or(self.len(), Vec::len);
        let mut cosines = room_for(questions.len(), n_wanted)?;
        if n_wanted == 0 || questions.is_empty() {
            return Ok(cosines);
        }
        if questions.n_dims() != self.n_dims {
            let (given, n_dims) = (questions.n_dims(), self.n_dims);
            let message = format!("queries have {given} dimensions, vectors have {n_dims}");
            return Err(Error::Config(message));
        }
        let beat = Beat::of_numbers(pulse);
        let mut values = Vec::new();
        for unit in units::<f32, T, S>(questions).chunks_exact(self.n_dims) {
            let direction = Direction::new(unit);
            let Some(rows) = &rows else {
                self.all(&direction, &mut values, &beat)?;
                self.push(0, &values, None, &mut cosines);
                continue;
            };
            for (span, some) in self.spans(rows) {
                beat.after(span.len() * self.n_dims)?;
                values.clear();
                values.extend(
                    self.rows[span.clone()].iter().map(|&place| self.one(place, &direction)),
                );
                self.push(span.start, &values, Some(some), &mut cosines);
            }
        }
        Ok(cosines)
    }

    /// The cosine of each row's own vector, all slots being read from the first to the last.
    fn all(&self, direction: &Direction, values: &mut Vec<f64>, beat: &Beat<'_>) -> Result<()> {
        let mut by_slot = Vec::with_capacity(self.n_stored);
        for block in &self.blocks {
            beat.after(block.len() * self.n_dims)?;
            by_slot.extend((0..block.len()).map(|i| block.cosine(i, direction)));
        }
        values.clear();
        values.extend(self.rows.iter().map(|place| place.map_or(0.0, |place| by_slot[place.slot])));
        Ok(())
    }

    /// The cosine of one row's own vector.
    fn one(&self, place: Option<Place>, direction: &Direction) -> f64 {
        place.map_or(0.0, |Place { block, row, .. }| self.blocks[block].cosine(row, direction))
    }

    /// Adds to `cosines` those of the rows from `first` on, whose own cosines are `values`, or of `some` of them.
    fn push(&self, first: usize, values: &[f64], some: Option<&[usize]>, cosines: &mut Vec<f32>) {
        let mut around = Vec::new();
        if let Some(smoothing) = &self.smoothing {
            smoothing.neighbours.given_from(first, values, &mut around);
        }
        let cosine = |row: usize| {
            let own = values[row - first];
            let cosine = self.smoothing.as_ref().map_or(own, |smoothing| {
                smoothing.own[row] * own + smoothing.given[row] * around[row - first]
            });
            cosine.clamp(-1.0, 1.0).to_f32()
        };
        match some {
            Some(rows) => cosines.extend(rows.iter().map(|&row| cosine(row))),
            None => cosines.extend((first..first + values.len()).map(cosine)),
        }
    }

    /// What has to be read for `rows`, and which of them are in it: their documents, or each by itself.
    fn spans<'r>(&self, rows: &'r [usize]) -> Vec<(Range<usize>, &'r [usize])> {
        let (mut spans, mut rest) = (Vec::new(), rows);
        while let Some(&row) = rest.first() {
            let span = match &self.smoothing {
                Some(smoothing) => smoothing.neighbours.document(row),
                None => row..row + 1,
            };
            let (some, behind) = rest.split_at(rest.partition_point(|&row| row < span.end));
            spans.push((span, some));
            rest = behind;
        }
        spans
    }

    /// The lengths of the smoothed vectors, as what is multiplied by; of documents that are known, those from before.
    fn smoothing(
        &self,
        neighbours: Neighbours,
        weight: f64,
        known: Option<(&Smoothing, &[Option<usize>])>,
        pulse: Pulse<'_>,
    ) -> Result<Smoothing> {
        let (n, beat) = (self.len(), Beat::of_numbers(pulse));
        let mut made = Smoothing { neighbours, weight, own: vec![0.0; n], given: vec![0.0; n] };
        let Some((before, rows)) = known else {
            self.smooth(0..n, &mut made, &beat)?;
            return Ok(made);
        };
        let mut start = 0;
        while start < n {
            let document = start..made.neighbours.end_of_document(start);
            let old: Option<Vec<usize>> = rows[document.clone()].iter().copied().collect();
            match old {
                Some(old) => {
                    for (row, old) in document.clone().zip(old) {
                        (made.own[row], made.given[row]) = (before.own[old], before.given[old]);
                    }
                }
                None => self.smooth(document.clone(), &mut made, &beat)?,
            }
            start = document.end;
        }
        Ok(made)
    }

    /// Makes the lengths of whole documents. One pass forward and one back, in which the sums before are made again
    /// for a window of rows at a time: no more of them is held.
    fn smooth(&self, all: Range<usize>, made: &mut Smoothing, beat: &Beat<'_>) -> Result<()> {
        let Smoothing { neighbours, weight, own, given } = made;
        let n_dims = self.n_dims;
        let (mut unit, mut sum) = (vec![0.0; n_dims], vec![0.0; n_dims]);
        let mut begins = Vec::new();
        for i in all.clone() {
            beat.after(n_dims)?;
            if (i - all.start).is_multiple_of(WINDOW) {
                begins.extend_from_slice(&sum);
            }
            self.step(i, narrow(neighbours.decays()[i]), &mut sum, &mut unit);
        }
        let (mut before, mut behind) = (Vec::new(), vec![0.0; n_dims]);
        for window in (0..all.len().div_ceil(WINDOW)).rev() {
            let first = all.start + window * WINDOW;
            let rows = first..all.end.min(first + WINDOW);
            sum.copy_from_slice(&begins[window * n_dims..(window + 1) * n_dims]);
            before.clear();
            for i in rows.clone() {
                beat.after(n_dims)?;
                let decay = narrow(neighbours.decays()[i]);
                scale(decay, &mut sum);
                before.extend_from_slice(&sum);
                self.step(i, 1.0, &mut sum, &mut unit);
            }
            for (i, before) in rows.zip(before.chunks_exact(n_dims.max(1))).rev() {
                beat.after(n_dims)?;
                let decay = neighbours.decays().get(i + 1).map_or(0.0, |&decay| narrow(decay));
                scale(decay, &mut behind);
                let share = *weight * neighbours.factors()[i];
                if self.unit(i, &mut unit) {
                    (own[i], given[i]) = parts(&unit, before, &behind, share);
                    add(&unit, &mut behind);
                }
            }
        }
        Ok(())
    }

    /// Takes the sum of what is before row `i - 1`, and that row, to what is before row `i`, and adds row `i`.
    fn step(&self, i: usize, decay: f32, sum: &mut [f32], unit: &mut [f32]) {
        scale(decay, sum);
        if self.unit(i, unit) {
            add(unit, sum);
        }
    }

    /// The vector of row `i` at unit length, in place of what `unit` held; whether it has one.
    fn unit(&self, i: usize, unit: &mut [f32]) -> bool {
        let place = self.rows[i].filter(|place| self.blocks[place.block].has_direction(place.row));
        if let Some(Place { block, row, .. }) = place {
            self.blocks[block].unit(row, unit);
        }
        place.is_some()
    }
}

/// What the cosine of the row itself is multiplied by, and what its neighbours give.
fn parts(unit: &[f32], before: &[f32], behind: &[f32], share: f64) -> (f64, f64) {
    // No share is so large that this overflows.
    let (own, given) = (1.0 / (1.0 + share), share / (1.0 + share));
    let (by_own, by_given) = (narrow(own), narrow(given));
    let sum = unit.iter().zip(before).zip(behind);
    let sum: Vec<f32> =
        sum.map(|((own, before), behind)| by_own * own + by_given * (before + behind)).collect();
    let norm = dot(&sum, &sum).sqrt();
    if norm > NO_LENGTH { (own / norm, given / norm) } else { (1.0, 0.0) }
}

fn scale(by: f32, sum: &mut [f32]) {
    for x in sum {
        let given = *x * by;
        *x = if given.abs() < narrow(LEAST) { 0.0 } else { given };
    }
}

fn add(row: &[f32], sum: &mut [f32]) {
    for (sum, x) in sum.iter_mut().zip(row) {
        *sum += x;
    }
}

/// A weight in the precision of the sums.
#[allow(clippy::cast_possible_truncation, reason = "that is meant")]
const fn narrow(x: f64) -> f32 {
    x as f32
}

/// Where the vector of a slot is, the last slots of the blocks being before `ends`.
fn place(slot: i64, ends: &[usize]) -> Result<Option<Place>> {
    if slot == -1 {
        return Ok(None);
    }
    let n_slots = ends.last().copied().unwrap_or(0);
    let Some(slot) = usize::try_from(slot).ok().filter(|&slot| slot < n_slots) else {
        let message = format!("slots must be -1, or from 0 to below {n_slots}, got {slot}");
        return Err(Error::Config(message));
    };
    let block = ends.partition_point(|&end| end <= slot);
    let first = block.checked_sub(1).map_or(0, |before| ends[before]);
    Ok(Some(Place { slot, block, row: slot - first }))
}

/// Numbers below `n`; none for -1.
fn numbers_below(rows: &[i64], n: usize) -> Result<Vec<Option<usize>>> {
    rows.iter()
        .map(|&row| if row == -1 { Ok(None) } else { number_below(row, n).map(Some) })
        .collect()
}

fn number_below(row: i64, n: usize) -> Result<usize> {
    let row_in = usize::try_from(row).ok().filter(|&row| row < n);
    row_in.ok_or_else(|| Error::Config(format!("rows must be from 0 to below {n}, got {row}")))
}

/// Rows as numbers below `n`, ascending.
fn checked(rows: &[i64], n: usize) -> Result<Vec<usize>> {
    if let Some(at) = rows.windows(2).position(|pair| pair[0] >= pair[1]) {
        let message = format!("rows must ascend, got {} behind {}", rows[at + 1], rows[at]);
        return Err(Error::Config(message));
    }
    rows.iter().map(|&row| number_below(row, n)).collect()
}

#[cfg(test)]
mod tests;

//! Tests of slots: cosines are those of smoothed vectors, made at once or renewed.

use proptest::prelude::*;

use super::super::oracle::chunks;
use super::super::{cosine, smooth};
use super::*;
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::vectors::half::to_halves;

const N_DIMS: usize = 5;

fn blocks(rows: &[Vec<f32>], size: usize) -> Vec<Arc<HalfBlock<Vec<u8>>>> {
    let block = |rows: &[Vec<f32>]| {
        let dense = Dense::new(rows.concat(), N_DIMS).unwrap();
        Arc::new(HalfBlock::new(to_halves(&dense, no_pulse()).unwrap(), N_DIMS).unwrap())
    };
    rows.chunks(size).map(block).collect()
}

/// The rows as they are in their blocks, zeros where there is none.
fn stored(blocks: &[Arc<HalfBlock<Vec<u8>>>], row_slots: &[i64]) -> Vec<f32> {
    let mut slots = Vec::new();
    for block in blocks {
        for i in 0..block.len() {
            let mut unit = vec![0.0; N_DIMS];
            block.unit(i, &mut unit);
            slots.push(unit);
        }
    }
    let row =
        |&slot: &i64| usize::try_from(slot).map_or(vec![0.0; N_DIMS], |slot| slots[slot].clone());
    row_slots.iter().flat_map(row).collect()
}

fn question() -> impl Strategy<Value = Vec<f32>> {
    proptest::collection::vec(-1.0_f32..1.0, 2 * N_DIMS)
}

type Case = ((Vec<i64>, Vec<i64>), Vec<Vec<f32>>, Vec<i64>);

/// Documents and sizes of rows, vectors, and which of them each row has.
fn cases() -> impl Strategy<Value = Case> {
    let vector = prop_oneof![
        9 => proptest::collection::vec(-1.0_f32..1.0, N_DIMS),
        1 => Just(vec![0.0; N_DIMS]),
    ];
    (chunks(), proptest::collection::vec(vector, 1..9)).prop_flat_map(|(chunks, vectors)| {
        let (n, n_slots) = (chunks.0.len(), i64::try_from(vectors.len()).unwrap());
        (Just(chunks), Just(vectors), proptest::collection::vec(-1..n_slots, n))
    })
}

proptest! {
    #[test]
    fn cosines_are_those_of_smoothed_vectors(
        ((docs, sizes), vectors, row_slots) in cases(),
        question in question(),
        size in 1..4_usize,
        weight in prop::option::of(0.0..2.0),
        is_wanted in proptest::collection::vec(any::<bool>(), 12),
    ) {
        let blocks = blocks(&vectors, size);
        let rows = stored(&blocks, &row_slots);
        let neighbours = Neighbours::new(&docs, &sizes, 200.0).unwrap();
        let dense = Dense::new(rows.clone(), N_DIMS).unwrap();
        let smoothed = match weight {
            Some(weight) => smooth::vectors(&dense, &neighbours, weight, no_pulse()).unwrap(),
            None => rows,
        };
        let questions = Dense::new(question, N_DIMS).unwrap();
        let expected = cosine::cosines(&smoothed, N_DIMS, &questions, no_pulse()).unwrap();
        let both = weight.map(|weight| (neighbours, weight));
        let slots = Slots::new(blocks, N_DIMS, &row_slots, both, no_pulse()).unwrap();
        let found = slots.cosines(&questions, None, no_pulse()).unwrap();
        prop_assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            prop_assert!((found - expected).abs() < 1e-5, "{} {}", found, expected);
        }
        let n = row_slots.len();
        let wanted: Vec<usize> = (0..n).filter(|&row| is_wanted[row]).collect();
        let numbers: Vec<i64> = wanted.iter().map(|&row| i64::try_from(row).unwrap()).collect();
        let some = slots.cosines(&questions, Some(&numbers), no_pulse()).unwrap();
        let of_all: Vec<u32> = (0..2)
            .flat_map(|question| wanted.iter().map(move |row| question * n + row))
            .map(|at| found[at].to_bits())
            .collect();
        prop_assert_eq!(some.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), of_all);
    }
}

proptest! {
    #[test]
    fn renewed_slots_are_those_that_are_made_of_the_same_parts(
        ((mut docs, sizes), vectors, row_slots) in cases(),
        question in question(),
        (first, n_gone, n_new) in (0..9_i64, 0..3_i64, 0..4_i64),
        weight in prop::option::of(0.0..2.0),
    ) {
        docs.sort_unstable();
        let neighbours = |docs: &[i64], sizes: &[i64]| {
            weight.map(|weight| (Neighbours::new(docs, sizes, 200.0).unwrap(), weight))
        };
        let blocks = blocks(&vectors, 3);
        let old = Slots::new(
            blocks.clone(), N_DIMS, &row_slots, neighbours(&docs, &sizes), no_pulse(),
        ).unwrap();
        // Some documents go, and others come in their place.
        let is_kept = |doc: i64| doc < first || doc >= first + n_gone;
        let (mut rows, mut is_put) = (Vec::new(), false);
        for (row, &doc) in docs.iter().enumerate() {
            if !is_put && doc >= first {
                is_put = true;
                rows.extend((0..n_new).map(|i| (-10 - i / 2, 30 + i, i64::from(i == 0) - 1, -1)));
            }
            if is_kept(doc) {
                let number = i64::try_from(row).unwrap();
                rows.push((doc, sizes[row], row_slots[row], number));
            }
        }
        let column = |i: usize| -> Vec<i64> {
            rows.iter().map(|row| [row.0, row.1, row.2, row.3][i]).collect()
        };
        let (docs, sizes, row_slots, before) = (column(0), column(1), column(2), column(3));
        let both = || neighbours(&docs, &sizes);
        let made = Slots::new(blocks.clone(), N_DIMS, &row_slots, both(), no_pulse()).unwrap();
        let renewed = old.renewed(blocks, &row_slots, both(), &before, no_pulse()).unwrap();
        let questions = Dense::new(question, N_DIMS).unwrap();
        let bits = |slots: &Slots<Vec<u8>>| -> Vec<u32> {
            let cosines = slots.cosines(&questions, None, no_pulse()).unwrap();
            cosines.iter().map(|x| x.to_bits()).collect()
        };
        prop_assert_eq!(bits(&made), bits(&renewed));
        prop_assert!(old.renewed(Vec::new(), &[], None, &[1], no_pulse()).is_err());
    }
}

#[test]
fn long_documents_are_smoothed_in_windows() {
    let n = 3 * WINDOW + 7;
    let number = |i: usize| f32::from(u16::try_from(i * i % 101).unwrap()) - 40.0;
    let vectors: Vec<Vec<f32>> =
        (0..n).map(|i| (0..N_DIMS).map(|k| number(7 * i + 31 * k)).collect()).collect();
    let sizes: Vec<i64> = (0..n).map(|i| i64::try_from(i % 90).unwrap()).collect();
    let row_slots: Vec<i64> = (0..i64::try_from(n).unwrap()).collect();
    let neighbours = Neighbours::new(&vec![0; n], &sizes, 200.0).unwrap();
    let blocks = blocks(&vectors, 100);
    let dense = Dense::new(stored(&blocks, &row_slots), N_DIMS).unwrap();
    let smoothed = smooth::vectors(&dense, &neighbours, 0.5, no_pulse()).unwrap();
    let questions = Dense::new(vec![1.0_f32, -2.0, 3.0, 0.5, 1.0], N_DIMS).unwrap();
    let expected = cosine::cosines(&smoothed, N_DIMS, &questions, no_pulse()).unwrap();
    let slots =
        Slots::new(blocks, N_DIMS, &row_slots, Some((neighbours, 0.5)), no_pulse()).unwrap();
    let found = slots.cosines(&questions, None, no_pulse()).unwrap();
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-5, "{found} {expected}");
    }
}

#[test]
fn what_cancels_out_stays() {
    let vectors = [vec![3.0, 4.0, 0.0, 0.0, 0.0], vec![-3.0, -4.0, 0.0, 0.0, 0.0]];
    let around = Neighbours::new(&[0, 0], &[0, 0], 200.0).unwrap();
    let slots = Slots::new(blocks(&vectors, 2), N_DIMS, &[0, 1], Some((around, 1.0)), no_pulse());
    let question = Dense::new(vec![3.0_f32, 4.0, 0.0, 0.0, 0.0], N_DIMS).unwrap();
    let found = slots.unwrap().cosines(&question, None, no_pulse()).unwrap();
    assert!((found[0] - 1.0).abs() < 1e-3 && (found[1] + 1.0).abs() < 1e-3, "{found:?}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let vectors = vec![vec![1.0; N_DIMS]; 3];
    let of = |n_dims, row_slots: &[i64], around: Option<Neighbours>| {
        let around = around.map(|around| (around, 0.5));
        Slots::new(blocks(&vectors, 2), n_dims, row_slots, around, no_pulse())
    };
    let error = |slots: Result<Slots<Vec<u8>>>| slots.map(|_| ()).unwrap_err().to_string();
    assert_eq!(error(of(4, &[], None)), "blocks must have 4 dimensions, got 5 in block 0");
    let slots = "slots must be -1, or from 0 to below 3, got";
    assert_eq!(error(of(5, &[3], None)), format!("{slots} 3"));
    assert_eq!(error(of(5, &[-2], None)), format!("{slots} -2"));
    let around = Neighbours::new(&[0, 0], &[1, 1], 200.0).unwrap();
    let neighbours = "1 chunks need as many neighbours, got 2";
    assert_eq!(error(of(5, &[0], Some(around))), neighbours);
    let slots = of(5, &[0, 2, 1], None).unwrap();
    let refused = |question: Vec<f32>, n_dims, rows: Option<&[i64]>| {
        let question = Dense::new(question, n_dims).unwrap();
        slots.cosines(&question, rows, no_pulse()).unwrap_err().to_string()
    };
    let dimensions = "queries have 2 dimensions, vectors have 5";
    assert_eq!(refused(vec![1.0; 2], 2, None), dimensions);
    assert_eq!(refused(vec![1.0; 5], 5, Some(&[1, 1])), "rows must ascend, got 1 behind 1");
    let rows = "rows must be from 0 to below 3, got";
    assert_eq!(refused(vec![1.0; 5], 5, Some(&[3])), format!("{rows} 3"));
    assert_eq!(refused(vec![1.0; 5], 5, Some(&[-1])), format!("{rows} -1"));
    let (none, stop) = (Dense::new(Vec::<f32>::new(), 5).unwrap(), || Err(Error::Interrupted));
    assert!(slots.cosines(&none, None, no_pulse()).unwrap().is_empty());
    let question = Dense::new(vec![1.0_f32; 5], 5).unwrap();
    assert!(slots.cosines(&question, None, &stop).is_err());
}

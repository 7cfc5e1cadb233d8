//! Tests of batch.

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use chunkwright_text::cut::strategy::Strategy;
use chunkwright_text::error::Error;
use chunkwright_text::options::{Limits, OverlapAt};
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::segment::sentence::Language;

use serde_json::json;

use super::*;
use crate::host::NoHost;
use crate::strategies::{Parts, Spec};

fn cutter(max: usize) -> Cutter {
    let limits = Limits::new(max, None, 0).unwrap();
    let strategy = Strategy::Balanced { language: Language::english(), repeat_headers: true };
    Cutter { strategy, limits, overlap_at: OverlapAt::Word }
}

fn tokens() -> Unit {
    Unit::named("cl100k_base").unwrap()
}

/// Texts of many lengths, long enough together for several threads.
fn texts() -> Vec<String> {
    (0..200).map(|i| "A sentence, no. 7. Grüße! ".repeat(i % 40)).collect()
}

/// What the core alone makes of a text.
fn alone(cutter: &Cutter, unit: &Unit, text: &str) -> Cut {
    let document = Document::new(text);
    let chunks = unit
        .with_measure(document, no_pulse(), |measure, pulse| cutter.cut(document, measure, pulse));
    Cut::new(document, chunks.unwrap())
}

/// Texts of which some are none.
struct Broken<'t> {
    texts: &'t [String],
    is_broken: fn(usize) -> bool,
}

impl<'t> Texts<'t> for Broken<'t> {
    fn n_texts(&self) -> usize {
        self.texts.len()
    }

    fn n_bytes(&self, i: usize) -> usize {
        self.texts[i].len()
    }

    fn document(&self, i: usize) -> Result<Document<'t>> {
        if (self.is_broken)(i) {
            return Err(Error::read(format!("text {i}")));
        }
        Ok(Document::new(&self.texts[i]))
    }
}

#[test]
fn pieces_are_those_of_the_core_on_any_number_of_threads() {
    let spec = json!({"strategy": "cluster", "max_tokens": 40, "piece_max": 10});
    let spec: Spec = serde_json::from_value(spec).unwrap();
    let (unit, cutter) = (spec.unit().unwrap(), spec.cutter(&Parts::default()).unwrap());
    let texts = texts();
    for workers in [1, 3] {
        let texts = texts.as_slice();
        let found = Batch::new(&cutter, &unit, &texts).pieces(workers, &NoHost).unwrap();
        assert_eq!(found.len(), texts.len());
        for (text, found) in texts.iter().zip(found) {
            let document = Document::new(text);
            let alone = unit.with_measure(document, no_pulse(), |measure, pulse| {
                cutter.pieces(document, measure, pulse)
            });
            let (found, alone) = (found.unwrap(), alone.unwrap());
            assert_eq!(found.spans(), alone.spans());
            assert_eq!(found.n_texts(), alone.n_texts());
        }
    }
}

#[test]
fn threads_give_what_one_gives() {
    let (texts, cutter, unit) = (texts(), cutter(16), tokens());
    for workers in [1, 2, 5] {
        let cuts = Batch::new(&cutter, &unit, &texts.as_slice()).run(workers, &NoHost).unwrap();
        assert_eq!(cuts.len(), texts.len());
        for (text, cut) in texts.iter().zip(cuts) {
            let (cut, alone) = (cut.unwrap(), alone(&cutter, &unit, text));
            assert_eq!(cut.chunks, alone.chunks);
            assert_eq!((cut.starts, cut.ends), (alone.starts, alone.ends));
        }
    }
    let none: &[&str] = &[];
    assert!(Batch::new(&cutter, &unit, &none).run(3, &NoHost).unwrap().is_empty());
}

#[test]
fn a_long_text_is_indexed_in_parts_and_cut_the_same() {
    let long = "Words and more words, 12 of them or 13.\n".repeat(LONG_BYTES / 40 + 100);
    let texts = ["Short.", &long, "Short again."];
    let (cutter, unit) = (cutter(400), tokens());
    let texts = texts.as_slice();
    let batch = Batch::new(&cutter, &unit, &texts);
    assert_eq!(batch.longs(0..3).iter().map(|long| long.number).collect::<Vec<_>>(), [1]);
    assert!(batch.longs(0..3)[0].spans.len() > 2);
    let [one, three] = [1, 3].map(|workers| batch.run(workers, &NoHost).unwrap());
    for (one, three) in one.into_iter().zip(three) {
        assert_eq!(one.unwrap().chunks, three.unwrap().chunks);
    }
}

#[test]
fn errors_are_collected() {
    let (texts, cutter, unit) = (texts(), cutter(16), tokens());
    let broken = Broken { texts: &texts, is_broken: |i| i % 7 == 3 };
    for workers in [1, 4] {
        let batch = Batch { collects: true, ..Batch::new(&cutter, &unit, &broken) };
        for (i, cut) in batch.run(workers, &NoHost).unwrap().into_iter().enumerate() {
            match cut {
                Ok(cut) => assert_eq!(cut.chunks, alone(&cutter, &unit, &texts[i]).chunks),
                Err(error) => assert_eq!(error.to_string(), format!("text {i}")),
            }
        }
    }
}

#[test]
fn texts_before_the_first_error_are_cut() {
    let (texts, cutter, unit) = (texts(), cutter(16), tokens());
    let broken = Broken { texts: &texts, is_broken: |i| i == 20 || i > 150 };
    for workers in [1, 4] {
        let cuts = Batch::new(&cutter, &unit, &broken).run(workers, &NoHost).unwrap();
        let first = cuts.iter().position(Result::is_err).unwrap();
        assert_eq!(first, 20);
        assert_eq!(cuts[20].as_ref().unwrap_err().to_string(), "text 20");
        if workers == 1 {
            let is_left = |cut: &Result<Cut>| matches!(cut, Err(Error::Interrupted));
            assert!(cuts[21..].iter().all(is_left), "nothing behind it is cut");
        }
    }
}

#[test]
fn what_is_wanted_of_each_text_is_made_on_its_thread() {
    let (texts, cutter, unit) = (texts(), cutter(16), tokens());
    let batch = Batch {
        cutter: &cutter,
        unit: &unit,
        texts: &texts.as_slice(),
        finish: &|i, document, cut| Ok((i, document.text().len(), cut.chunks.len())),
        collects: false,
    };
    for (i, made) in batch.run(3, &NoHost).unwrap().into_iter().enumerate() {
        let (number, n_bytes, n_chunks) = made.unwrap();
        assert_eq!((number, n_bytes), (i, texts[i].len()));
        assert_eq!(n_chunks, alone(&cutter, &unit, &texts[i]).chunks.len());
    }
}

/// A program that gets a signal once `is_due`.
struct Signalled(AtomicBool);

impl Host for Signalled {
    fn listen(&self) -> Result<()> {
        let is_due = self.0.load(Ordering::Relaxed);
        if is_due { Err(Error::Config("a signal".into())) } else { Ok(()) }
    }
}

#[test]
fn a_host_stops_a_run() {
    let (texts, cutter, unit) = (vec!["A sentence. ".repeat(100); 1000], cutter(16), tokens());
    for workers in [1, 3] {
        let (host, n_cut) = (Signalled(AtomicBool::new(false)), AtomicUsize::new(0));
        let batch = Batch {
            cutter: &cutter,
            unit: &unit,
            texts: &texts.as_slice(),
            finish: &|_, _, _| {
                host.0.store(true, Ordering::Relaxed);
                n_cut.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(10));
                Ok(())
            },
            collects: true,
        };
        assert_eq!(batch.run(workers, &host).unwrap_err().to_string(), "a signal");
        assert!(n_cut.load(Ordering::Relaxed) < texts.len());
    }
}

/// A program that takes one message for its own end.
struct EndsWith(&'static str);

impl Host for EndsWith {
    fn stops_for(&self, error: &Error) -> bool {
        error.to_string() == self.0
    }
}

#[test]
fn an_error_that_is_not_the_texts_own_ends_the_run() {
    let (texts, cutter, unit) = (texts(), cutter(16), tokens());
    let broken = Broken { texts: &texts, is_broken: |i| i % 50 == 3 };
    for workers in [1, 4] {
        let batch = Batch { collects: true, ..Batch::new(&cutter, &unit, &broken) };
        let error = batch.run(workers, &EndsWith("text 53")).unwrap_err();
        assert_eq!(error.to_string(), "text 53");
    }
}

/// Texts that are there only once they were made ready.
struct Arriving {
    texts: Vec<OnceLock<String>>,
}

impl<'t> Texts<'t> for &'t Arriving {
    fn n_texts(&self) -> usize {
        self.texts.len()
    }

    fn n_bytes(&self, _: usize) -> usize {
        10_000
    }

    fn prepare(&self) -> Result<()> {
        for text in &self.texts {
            text.set("A sentence. Another.".into()).unwrap();
        }
        Ok(())
    }

    fn document(&self, i: usize) -> Result<Document<'t>> {
        Ok(Document::new(self.texts[i].wait()))
    }
}

#[test]
fn texts_are_made_ready_once_while_others_wait_for_them() {
    let (cutter, unit) = (cutter(4), tokens());
    for workers in [1, 3] {
        let arriving = &Arriving { texts: (0..50).map(|_| OnceLock::new()).collect() };
        let cuts = Batch::new(&cutter, &unit, &arriving).run(workers, &NoHost).unwrap();
        assert!(cuts.into_iter().all(|cut| cut.unwrap().chunks.len() == 2));
    }
}

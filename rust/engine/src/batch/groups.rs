//! Groups of documents, whose texts a caller's embedder or model is given at once.
//!
//! The pieces of documents are found on all threads; then the embedder is asked, once for each group of
//! documents, for all texts that differ; then the documents are cut on all threads. A group that fails is
//! asked for again document by document, so that an error is that of the document which it is for. Whoever
//! says where chunks begin is asked in the same way, for each document.
//!
//! A vector is expected to depend on its text alone: then chunks are those of documents cut one by one. A
//! document that is a group by itself is embedded as it would be alone.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use chunkwright_text::cut::pieces::{Asked, Known, Pieces};
use chunkwright_text::cut::strategy::not_for_each;
use chunkwright_text::document::Document;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::Pulse;
use chunkwright_text::vectors::{Embedded, Embedder};

use super::Batch;
use crate::crew::Crew;
use crate::unit::Prepared;

/// Texts that an embedder is given at once, those of several documents together: 64 MiB of vectors of 4,096
/// 32-bit numbers each.
pub const GROUP_TEXTS: usize = 4096;
/// Bytes of these texts.
pub const GROUP_BYTES: usize = 1 << 22;
/// Groups that an embedder is asked for at once, if it is concurrent.
pub const GROUPS_AT_ONCE: usize = 4;
/// Bytes of documents whose pieces are found before an embedder is asked for the first of them, unless one
/// document has more.
const WINDOW_BYTES: usize = 1 << 23;

/// A document that waits for what has to be known about its pieces.
struct Waiting<'t> {
    number: usize,
    document: Document<'t>,
    prepared: Prepared,
    pieces: Pieces,
}

/// What is known of the documents of a group.
enum Found<'t> {
    /// Nothing: each is to be asked for by itself.
    Nothing,
    /// Vectors, and for each text its row.
    Vectors(Embedded<'t>, Vec<usize>),
    /// For each document that has texts, where its chunks begin, or why nobody knows; taken once.
    Starts(Vec<Mutex<Option<Result<Vec<usize>>>>>),
}

/// What is known of one of them.
#[derive(Clone, Copy)]
enum Own<'g, 't> {
    Nothing,
    Vectors(&'g Embedded<'t>, &'g [usize]),
    Starts(&'g Mutex<Option<Result<Vec<usize>>>>),
}

/// Cuts all texts of `batch`, whose strategy asks a caller's embedder or model; as [`Batch::run`].
///
/// # Errors
/// What the host stops the run for.
pub(crate) fn run<T: Send + Sync>(
    batch: &Batch<'_, '_, T>,
    crew: &Crew<'_>,
) -> Result<Vec<Result<T>>> {
    let n_texts = batch.texts.n_texts();
    let mut results: Vec<Result<T>> = Vec::with_capacity(n_texts);
    while results.len() < n_texts {
        let window = window(batch, results.len());
        let found = batch.each(window, crew, |number, document, prepared, pulse| {
            let pieces = batch.pieces_of(document, &prepared, pulse)?;
            Ok(Waiting { number, document, prepared, pieces })
        })?;
        cut_window(batch, crew, found, &mut results)?;
        if !crew.collects && results.last().is_some_and(Result::is_err) {
            results.resize_with(n_texts, || Err(Error::Interrupted));
        }
    }
    Ok(results)
}

/// Texts from `start` on that are looked at together.
fn window<T>(batch: &Batch<'_, '_, T>, start: usize) -> Range<usize> {
    let mut n_bytes = 0_usize;
    let texts = (start..batch.texts.n_texts()).take_while(|&i| {
        n_bytes = n_bytes.saturating_add(batch.texts.n_bytes(i));
        i == start || n_bytes <= WINDOW_BYTES
    });
    start..start + texts.count()
}

/// Adds what becomes of each text whose pieces were found; up to the first that fails, unless errors are
/// collected.
fn cut_window<'t, T: Send + Sync>(
    batch: &Batch<'_, 't, T>,
    crew: &Crew<'_>,
    found: Vec<Result<Waiting<'t>>>,
    results: &mut Vec<Result<T>>,
) -> Result<()> {
    let (first, mut errors, mut waiting) = (results.len(), Vec::new(), Vec::new());
    for (i, found) in found.into_iter().enumerate() {
        match found {
            Ok(one) => waiting.push(one),
            Err(error) => errors.push((first + i, error)),
        }
        if !crew.collects && !errors.is_empty() {
            break;
        }
    }
    // Where chunks begin takes no memory to speak of, and a model is quick with much at once.
    let most = if batch.cutter.asked().is_some() { usize::MAX } else { GROUP_TEXTS };
    let groups = groups(&waiting, most);
    let is_concurrent = batch.cutter.embedder().is_some_and(Embedder::is_concurrent);
    let n_at_once = if is_concurrent { crew.workers.clamp(1, GROUPS_AT_ONCE) } else { 1 };
    let mut errors = errors.into_iter().peekable();
    for groups in groups.chunks(n_at_once) {
        for (one, result) in cut_groups(batch, crew, &waiting, groups)? {
            while let Some((_, error)) = errors.next_if(|(number, _)| *number < one.number) {
                results.push(Err(error));
            }
            let fails = result.is_err();
            results.push(result);
            if fails && !crew.collects {
                return Ok(());
            }
        }
    }
    results.extend(errors.map(|(_, error)| Err(error)));
    Ok(())
}

/// Documents with at most `most` texts, and as many bytes of them as are given at once, or one.
fn groups(waiting: &[Waiting<'_>], most: usize) -> Vec<Range<usize>> {
    let (mut groups, mut start, mut size) = (Vec::new(), 0, (0, 0));
    for (i, one) in waiting.iter().enumerate() {
        let more = (size.0 + one.pieces.n_texts(), size.1 + one.pieces.n_bytes());
        if size.0 > 0 && (more.0 > most || more.1 > GROUP_BYTES) {
            groups.push(start..i);
            (start, size) = (i, (one.pieces.n_texts(), one.pieces.n_bytes()));
        } else {
            size = more;
        }
    }
    groups.push(start..waiting.len());
    groups
}

/// Asks for what has to be known of `groups`, and cuts their documents.
fn cut_groups<'w, 't, T: Send + Sync>(
    batch: &Batch<'_, 't, T>,
    crew: &Crew<'_>,
    waiting: &'w [Waiting<'t>],
    groups: &[Range<usize>],
) -> Result<Vec<(&'w Waiting<'t>, Result<T>)>> {
    let n = groups.len();
    // What fails is tried again, so nothing is told of it.
    let tries = Crew { collects: true, workers: crew.workers.min(n), ..*crew };
    let found = tries.each(
        n,
        n,
        |i| i,
        || Ok(()),
        |i, pulse| Some(found(batch, &waiting[groups[i].clone()], pulse)),
    )?;
    let mut tasks = Vec::new();
    for (group, found) in groups.iter().zip(&found) {
        add_tasks(&waiting[group.clone()], found.as_ref().ok(), &mut tasks);
    }
    let n = tasks.len();
    let results = crew.each(
        n,
        n,
        |i| i,
        || Ok(()),
        |i, pulse| {
            let (one, own) = tasks[i];
            Some(cut(batch, one, own, pulse))
        },
    )?;
    Ok(tasks.into_iter().map(|(one, _)| one).zip(results).collect())
}

/// Adds the documents of a group to `tasks`, each with what was found of its own texts.
fn add_tasks<'w, 'f, 't>(
    group: &'w [Waiting<'t>],
    found: Option<&'f Found<'t>>,
    tasks: &mut Vec<(&'w Waiting<'t>, Own<'f, 't>)>,
) {
    let (mut row, mut number) = (0, 0);
    for one in group {
        let rows = row..row + one.pieces.n_texts();
        let own = match found {
            Some(Found::Vectors(embedded, all)) if !rows.is_empty() => {
                all.get(rows.clone()).map(|rows| Own::Vectors(embedded, rows))
            }
            Some(Found::Starts(starts)) if !rows.is_empty() => starts.get(number).map(Own::Starts),
            _ => None,
        };
        tasks.push((one, own.unwrap_or(Own::Nothing)));
        number += usize::from(!rows.is_empty());
        row = rows.end;
    }
}

/// What has to be known of all documents of a group; no vectors where only one of them has texts.
///
/// A model is asked here in any case, on the thread that can be interrupted: it may take long.
fn found<'t, T>(
    batch: &Batch<'_, 't, T>,
    group: &[Waiting<'t>],
    pulse: Pulse<'_>,
) -> Result<Found<'t>> {
    let n_asking = group.iter().filter(|one| one.pieces.n_texts() > 0).count();
    match (batch.cutter.asked(), batch.cutter.embedder()) {
        (Some(asked), _) if n_asking > 0 => starts(asked, group, pulse),
        (None, Some(embedder)) if n_asking > 1 => vectors(embedder, group, pulse),
        _ => Ok(Found::Nothing),
    }
}

/// Where the chunks of all documents of a group begin.
fn starts<'t>(asked: &dyn Asked, group: &[Waiting<'t>], pulse: Pulse<'_>) -> Result<Found<'t>> {
    let asking = group.iter().filter(|one| one.pieces.n_texts() > 0);
    let texts: Vec<Vec<&str>> =
        asking.map(|one| one.pieces.texts(one.document.text()).collect()).collect();
    let starts = asked.starts(&texts, pulse)?;
    if starts.len() != texts.len() {
        return Err(not_for_each(starts.len(), texts.len()));
    }
    Ok(Found::Starts(starts.into_iter().map(|starts| Mutex::new(Some(starts))).collect()))
}

/// The vectors of all texts of a group, equal ones once.
fn vectors<'t>(
    embedder: &dyn Embedder,
    group: &[Waiting<'t>],
    pulse: Pulse<'_>,
) -> Result<Found<'t>> {
    let (mut numbers, mut texts, mut rows) = (HashMap::new(), Vec::new(), Vec::new());
    for text in group.iter().flat_map(|one| one.pieces.texts(one.document.text())) {
        rows.push(*numbers.entry(text).or_insert_with(|| {
            texts.push(text);
            texts.len() - 1
        }));
    }
    drop(numbers);
    let vectors = embedder.embed(&texts, pulse)?;
    let (n, n_texts) = (vectors.len(), texts.len());
    if n != n_texts {
        return Err(Error::Model(format!("the embedder gave {n} vectors for {n_texts} texts")));
    }
    Ok(Found::Vectors(vectors, rows))
}

/// Cuts a document by what is known of it, alone or with its group.
fn cut<'t, T: Send + Sync>(
    batch: &Batch<'_, 't, T>,
    one: &Waiting<'t>,
    own: Own<'_, 't>,
    pulse: Pulse<'_>,
) -> Result<T> {
    let Waiting { number, document, prepared, pieces } = one;
    let (document, cutter) = (*document, batch.cutter);
    let alone = || cutter.known(document, pieces, pulse);
    let mut known = match own {
        Own::Nothing => alone()?,
        Own::Vectors(embedded, rows) => Known::Vectors(embedded.rows(rows)?),
        Own::Starts(starts) => match starts.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(starts) => Known::Starts(starts?),
            None => alone()?,
        },
    };
    let chunks = batch.unit.measured(document, prepared, pulse, |measure| {
        cutter.cut_given(document, measure, pieces, known.given(), pulse)
    })?;
    batch.finished(*number, document, chunks)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use chunkwright_text::cut::pieces::Asked;
    use chunkwright_text::cut::semantic::{Scoring, Segments, Semantic};
    use chunkwright_text::cut::strategy::{Cutter, Strategy};
    use chunkwright_text::options::{Limits, OverlapAt};
    use chunkwright_text::segment::sentence::Language;
    use chunkwright_text::vectors::Dense;

    use super::*;
    use crate::host::NoHost;
    use crate::unit::Unit;

    /// A caller's embedder by the letters of a text; it refuses a `z`.
    #[derive(Debug, Default)]
    struct Letters {
        asked: Mutex<Vec<Vec<String>>>,
    }

    impl Embedder for Letters {
        fn embed<'t>(&self, texts: &[&'t str], _: Pulse<'_>) -> Result<Embedded<'t>> {
            self.asked.lock().unwrap().push(texts.iter().map(ToString::to_string).collect());
            if texts.iter().any(|text| text.contains('z')) {
                return Err(Error::Model(format!("refused {}", texts.len())));
            }
            let count = |text: &str, letter| {
                f32::from(u16::try_from(text.matches(letter).count()).unwrap())
            };
            let rows = texts.iter().flat_map(|text| ['a', 'b', 'c'].map(|x| count(text, x)));
            Ok(Box::new(Dense::new(rows.collect::<Vec<f32>>(), 3)?))
        }

        fn calls_back(&self) -> bool {
            true
        }
    }

    fn cutter(letters: &Arc<Letters>) -> Cutter {
        let segments = Segments::Sentences(Language::english());
        let embedder: Arc<dyn Embedder> = letters.clone();
        let scoring = Scoring::Discontinuity { window: 1 };
        let strategy = Strategy::Semantic(Semantic { segments, embedder, scoring });
        Cutter { strategy, limits: Limits::new(12, None, 0).unwrap(), overlap_at: OverlapAt::Any }
    }

    fn n_asked(letters: &Letters) -> Vec<usize> {
        letters.asked.lock().unwrap().drain(..).map(|texts| texts.len()).collect()
    }

    #[test]
    fn a_group_is_one_call_and_each_text_is_cut_as_by_itself() {
        let letters = Arc::new(Letters::default());
        let (cutter, unit) = (cutter(&letters), Unit::named("chars").unwrap());
        let texts = ["Aaa. Bbb. Abc. Ccc.", "", "Aaa. Cab. Bbb.", "One."].as_slice();
        for workers in [1, 3] {
            let cuts = Batch::new(&cutter, &unit, &texts).run(workers, &NoHost).unwrap();
            assert_eq!(n_asked(&letters), [5]);
            for (text, cut) in texts.iter().zip(cuts) {
                let alone = [*text];
                let alone = Batch::new(&cutter, &unit, &alone.as_slice()).run(1, &NoHost).unwrap();
                let spans = |cut: &Result<crate::cut::Cut>| {
                    cut.as_ref().unwrap().chunks.spans().collect::<Vec<_>>()
                };
                assert_eq!(spans(&cut), spans(&alone[0]));
            }
            assert_eq!(n_asked(&letters), [4, 3]);
        }
    }

    #[test]
    fn a_group_that_fails_is_asked_for_again_document_by_document() {
        let letters = Arc::new(Letters::default());
        let (cutter, unit) = (cutter(&letters), Unit::named("chars").unwrap());
        let texts = ["Aaa. Bbb. Ccc. Abc.", "Zz. Azz. Bbb. Ccc.", "Ccc. Bbb. Aaa."].as_slice();
        let batch = Batch { collects: true, ..Batch::new(&cutter, &unit, &texts) };
        let cuts = batch.run(2, &NoHost).unwrap();
        let message = |cut: &Result<_>| cut.as_ref().err().map(ToString::to_string);
        let messages: Vec<_> = cuts.iter().map(message).collect();
        assert_eq!(messages, [None, Some("refused 4".into()), None]);
        assert_eq!(n_asked(&letters).len(), 4);
        let cuts = Batch::new(&cutter, &unit, &texts).run(1, &NoHost).unwrap();
        assert!(cuts[0].is_ok());
        assert_eq!(message(&cuts[1]), Some("refused 4".into()));
        assert!(matches!(cuts[2], Err(Error::Interrupted)));
        assert_eq!(n_asked(&letters).len(), 3);
    }

    /// Says that chunks begin with what begins with `A`, and nothing of texts with a `Z`.
    #[derive(Debug, Default)]
    struct Capitals {
        asked: Mutex<Vec<usize>>,
        /// Whether it answers no more than one question at once.
        is_short: bool,
    }

    impl Asked for Capitals {
        fn starts(&self, texts: &[Vec<&str>], _: Pulse<'_>) -> Result<Vec<Result<Vec<usize>>>> {
            self.asked.lock().unwrap().push(texts.len());
            let starts = |pieces: &Vec<&str>| {
                if pieces.iter().any(|piece| piece.starts_with('Z')) {
                    return Err(Error::Model("refused".into()));
                }
                Ok((0..pieces.len()).filter(|&i| pieces[i].starts_with('A')).collect())
            };
            Ok(texts.iter().take(if self.is_short { 1 } else { usize::MAX }).map(starts).collect())
        }
    }

    #[test]
    fn whoever_says_where_chunks_begin_is_asked_about_all_documents_of_a_group() {
        let texts = ["Bb. Aa. Bb. Aa.", "", "Zz. Aa.", "Aa.", "Cc. Aa. Cc.", "Bb. Aa."].as_slice();
        let unit = Unit::named("chars").unwrap();
        for (is_short, calls) in [(false, vec![4]), (true, vec![4, 1, 1, 1, 1])] {
            let capitals = Arc::new(Capitals { is_short, ..Capitals::default() });
            let segments = Segments::Sentences(Language::english());
            let strategy = Strategy::Given { segments, asked: capitals.clone() };
            let limits = Limits::new(20, None, 0).unwrap();
            let cutter = Cutter { strategy, limits, overlap_at: OverlapAt::Any };
            let batch = Batch { collects: true, ..Batch::new(&cutter, &unit, &texts) };
            let cuts = batch.run(2, &NoHost).unwrap();
            let n_chunks = |cut: &Result<crate::cut::Cut>| {
                cut.as_ref().map(|cut| cut.chunks.len()).map_err(ToString::to_string)
            };
            let found: Vec<_> = cuts.iter().map(n_chunks).collect();
            assert_eq!(found, [Ok(3), Ok(0), Err("refused".into()), Ok(1), Ok(2), Ok(2)]);
            assert_eq!(*capitals.asked.lock().unwrap(), calls);
        }
    }

    #[test]
    fn groups_are_within_the_budget() {
        let letters = Arc::new(Letters::default());
        let (cutter, unit) = (cutter(&letters), Unit::named("chars").unwrap());
        let sentences = |n: usize| (0..1500).map(move |i| format!("A{n}b{i}."));
        let text = |n: usize| sentences(n).collect::<Vec<_>>().join(" ");
        let texts: Vec<String> = (0..7).map(text).collect();
        let cuts = Batch::new(&cutter, &unit, &texts.as_slice()).run(2, &NoHost).unwrap();
        assert!(cuts.iter().all(Result::is_ok));
        let asked = n_asked(&letters);
        assert_eq!(asked.iter().sum::<usize>(), 7 * 1500);
        assert!(asked.len() == 4 && asked.iter().all(|&n| n <= GROUP_TEXTS), "{asked:?}");
    }
}

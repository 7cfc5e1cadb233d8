//! Tests of arrow table.

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, FixedSizeListArray, Int64Array,
    LargeStringArray, RecordBatch, StringArray, StringViewArray, StructArray,
};
use arrow_schema::{ArrowError, DataType, Field};
use chunkwright_text::cut::elements::{ElementStrategy, Packing, Starts};
use chunkwright_text::cut::strategy::{Cutter, Strategy};
use chunkwright_text::document::Document;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::identity::{Identities, document_id};
use chunkwright_text::options::{Limits, OverlapAt};
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::rows;
use chunkwright_text::segment::sentence::Language;

use super::documents::DocumentTable;
use super::repeat::repeat;
use super::width::width;
use super::{ChunkStream, ColumnNames, Counting, Job, Layout, Reading, checks};
use crate::cut::Cut;
use crate::host::{Host, NoHost};
use crate::rows::{Context, RowSchema};
use crate::unit::Unit;

pub(super) fn window(max: usize) -> Cutter {
    let limits = Limits::new(max, None, 0).unwrap();
    Cutter { strategy: Strategy::Window, limits, overlap_at: OverlapAt::Any }
}

pub(super) fn names() -> ColumnNames {
    ColumnNames {
        text: "text".into(),
        name: None,
        document_id: None,
        name_from_id: false,
        rows: RowSchema { ids: None, document_ids: false, n_tokens: false, ..RowSchema::default() },
        reading: Reading::Plain,
        needs_elements: false,
    }
}

/// The same with other columns of chunks.
pub(super) fn with_rows(change: impl FnOnce(&mut RowSchema)) -> ColumnNames {
    let mut names = names();
    change(&mut names.rows);
    names
}

/// A job without counts and contexts of its own.
pub(super) fn job_of<'a>(
    layout: &'a Layout,
    cutter: &'a Cutter,
    counting: Counting<'a>,
) -> Job<'a> {
    Job {
        layout,
        cutter,
        counting,
        count_tokens: None,
        write_contexts: None,
        workers: 2,
        host: &NoHost,
        may_be_large: true,
    }
}

pub(super) fn named(columns: Vec<(&str, ArrayRef)>) -> StructArray {
    RecordBatch::try_from_iter(columns).unwrap().into()
}

pub(super) fn texts(texts: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(texts.to_vec()))
}

/// The chunks of `documents` in windows of three characters.
fn cut(documents: &StructArray, names: &ColumnNames) -> Result<RecordBatch> {
    let layout = Layout::new(documents.data_type(), names).map_err(Error::Config)?;
    with_job(&layout, &NoHost, |job| job.chunks(documents.clone())).map(Into::into)
}

fn with_job<T>(layout: &Layout, host: &dyn Host, work: impl FnOnce(&Job<'_>) -> T) -> T {
    let unit = Unit::named("chars").unwrap();
    let cutter = window(3);
    work(&Job { host, ..job_of(layout, &cutter, Counting::Unit(&unit)) })
}

pub(super) fn strings<'a>(batch: &'a RecordBatch, name: &str) -> Vec<&'a str> {
    batch.column_by_name(name).unwrap().as_string::<i32>().iter().flatten().collect()
}

pub(super) fn numbers(batch: &RecordBatch, name: &str) -> Vec<i64> {
    batch.column_by_name(name).unwrap().as_primitive::<Int64Type>().values().to_vec()
}

#[test]
fn chunks_stand_where_their_documents_stood() {
    let documents = named(vec![
        ("path", texts(&[Some("a"), None, Some("c"), Some("a")])),
        ("text", texts(&[Some("aäöüb"), None, Some(""), Some("abcd")])),
        ("year", Arc::new(Int64Array::from(vec![1, 2, 3, 4]))),
    ]);
    let names = ColumnNames { name: Some("path".into()), rows: RowSchema::default(), ..names() };
    let chunks = cut(&documents, &names).unwrap();
    let schema = chunks.schema();
    let columns: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(columns[..rows::BASE.len()], rows::BASE.map(|column| column.name));
    assert_eq!(columns[rows::BASE.len()..], ["path", "year"]);
    assert_eq!(strings(&chunks, "document"), ["a"; 4]);
    assert_eq!(strings(&chunks, "document_id")[1..3], ["aäöüb", "abcd"].map(document_id));
    assert_eq!(strings(&chunks, "text"), ["aäö", "üb", "abc", "d"]);
    assert_eq!(strings(&chunks, "path"), ["a"; 4]);
    assert_eq!(numbers(&chunks, "year"), [1, 1, 4, 4]);
    assert_eq!(numbers(&chunks, "doc_index"), [0, 0, 3, 3]);
    assert_eq!(numbers(&chunks, "start"), [0, 3, 0, 3]);
    assert_eq!(numbers(&chunks, "end"), [3, 5, 3, 4]);
    assert_eq!(numbers(&chunks, "byte_start"), [0, 5, 0, 3]);
    assert_eq!(numbers(&chunks, "byte_end"), [5, 8, 3, 4]);
    assert_eq!(numbers(&chunks, "n_tokens"), [3, 2, 3, 1]);
    let mut identities = Identities::new("a");
    assert_eq!(strings(&chunks, "chunk_id")[..2], ["aäö", "üb"].map(|text| identities.next(text)));
}

#[test]
fn strings_of_all_layouts_are_read() {
    let rows = [Some("abcd"), None, Some("Grüße, world, in more than twelve bytes")];
    let columns: [ArrayRef; 3] = [
        texts(&rows),
        Arc::new(LargeStringArray::from(rows.to_vec())),
        Arc::new(StringViewArray::from(rows.to_vec())),
    ];
    let cuts = columns.map(|column| cut(&named(vec![("text", column)]), &names()).unwrap());
    assert_eq!(strings(&cuts[0], "text")[..3], ["abc", "d", "Grü"]);
    assert!(cuts.iter().all(|chunks| *chunks == cuts[0]));
}

#[test]
fn a_table_without_texts_has_no_chunks() {
    for rows in [&[][..], &[None, Some("")]] {
        let chunks = cut(&named(vec![("text", texts(rows))]), &names()).unwrap();
        assert_eq!((chunks.num_rows(), chunks.num_columns()), (0, rows::BASE.len() - 3));
    }
}

#[test]
fn part_of_a_table_is_cut() {
    let whole = named(vec![("text", texts(&[Some("zz"), None, Some("abcd"), Some("ef")]))]);
    let chunks = cut(&whole.slice(1, 2), &names()).unwrap();
    assert_eq!(strings(&chunks, "text"), ["abc", "d"]);
    assert_eq!(numbers(&chunks, "doc_index"), [1, 1]);
}

#[test]
fn columns_that_cannot_be_are_named() {
    let refused = |columns: &[(&str, DataType)], names: &ColumnNames| {
        let fields = columns.iter().map(|(name, kind)| Field::new(*name, kind.clone(), true));
        Layout::new(&DataType::Struct(fields.collect()), names).unwrap_err()
    };
    let text = ("text", DataType::Utf8);
    let with = |name, kind| [text.clone(), (name, kind)];
    let message = refused(&[("a", DataType::Utf8), ("b", DataType::Int8)], &names());
    assert_eq!(message, r#"there is no column "text"; the columns are "a", "b""#);
    let message = refused(&with("text", DataType::Utf8), &names());
    assert_eq!(message, r#"there is more than one column "text""#);
    let message = refused(&[("text", DataType::Int64)], &names());
    assert_eq!(message, r#"column "text" must hold strings, but is of type Int64"#);
    for own in ["doc_index", "start", "end", "byte_start", "byte_end"] {
        let message = refused(&with(own, DataType::Utf8), &names());
        assert_eq!(message, format!("column {own:?} would appear twice: rename the table's own"));
    }
    for (own, names) in [
        ("n_tokens", with_rows(|rows| rows.n_tokens = true)),
        ("reason", with_rows(|rows| rows.endings = true)),
        ("id", with_rows(|rows| rows.ids = Some("id".into()))),
    ] {
        assert!(refused(&with(own, DataType::Utf8), &names).contains(own));
        let fields = with(own, DataType::Utf8).map(|(name, kind)| Field::new(name, kind, true));
        let table = DataType::Struct(fields.into_iter().collect());
        assert!(Layout::new(&table, &self::names()).is_ok(), "{own} is free otherwise");
    }
    let of_texts = with_rows(|rows| rows.ids = Some("text".into()));
    let message = refused(std::slice::from_ref(&text), &of_texts);
    assert!(message.contains("twice"), "{message}");
    let message = Layout::new(&DataType::Int64, &names()).unwrap_err();
    assert_eq!(message, "a record batch or a table is needed, got an array of Int64");
}

#[test]
fn a_callers_own_counter_cuts() {
    let documents = named(vec![("text", texts(&[Some("abcdef"), Some("xy")]))]);
    let layout = Layout::new(documents.data_type(), &names()).unwrap();
    let (unit, cutter) = (Unit::named("bytes").unwrap(), window(4));
    let called = |document: Document<'_>| {
        if document.text() == "xy" {
            return Err(Error::Tokenizer("no count".into()));
        }
        let chunks = unit.with_measure(document, no_pulse(), |measure, pulse| {
            cutter.cut(document, measure, pulse)
        })?;
        Ok(Cut::new(document, chunks))
    };
    let job = job_of(&layout, &cutter, Counting::Caller(&called));
    let chunks = job.chunks(documents.slice(0, 1)).unwrap().into();
    assert_eq!(strings(&chunks, "text"), ["abcd", "ef"]);
    assert_eq!(job.chunks(documents).unwrap_err().to_string(), "no count");
}

#[test]
fn tokens_and_contexts_come_from_the_caller() {
    let documents = named(vec![
        ("text", texts(&[Some("abcdef"), None, Some("xy")])),
        ("id", texts(&[None, None, Some("second")])),
    ]);
    let of = |name: &str| Context {
        text: (name != "def").then(|| format!("on {name}")),
        n_tokens: 7,
        ..Context::default()
    };
    let mut names = with_rows(|rows| {
        (rows.n_tokens, rows.document_ids, rows.contexts) = (true, true, Some("model".into()));
    });
    names.document_id = Some("id".into());
    let layout = Layout::new(documents.data_type(), &names).unwrap();
    let (unit, cutter) = (Unit::named("chars").unwrap(), window(3));
    let job = Job {
        count_tokens: Some(&|text| Ok(10 * text.len())),
        write_contexts: Some(&|documents, cut| {
            assert_eq!(documents.rows, [0, 2]);
            let text =
                |i: usize, chunk| cut[i].cut.chunks.text(chunk, documents.text_of(i).unwrap());
            Ok(vec![vec![of(&text(0, 0)), of(&text(0, 1))], vec![of(&text(1, 0))]])
        }),
        ..job_of(&layout, &cutter, Counting::Unit(&unit))
    };
    let chunks = RecordBatch::from(job.chunks(documents).unwrap());
    assert_eq!(numbers(&chunks, "n_tokens"), [30, 30, 20]);
    assert_eq!(strings(&chunks, "context"), ["on abc", "on xy"]);
    assert_eq!(strings(&chunks, "contextual_text"), ["[on abc] abc", "def", "[on xy] xy"]);
    assert_eq!(numbers(&chunks, "contextual_n_tokens"), [7; 3]);
    assert_eq!(strings(&chunks, "context_model"), ["model"; 3]);
    let first = document_id("abcdef");
    assert_eq!(strings(&chunks, "document_id"), [&*first, &*first, "second"]);
}

/// A program that gets a signal at once.
struct Signalled;

impl Host for Signalled {
    fn listen(&self) -> Result<()> {
        Err(Error::Interrupted)
    }
}

#[test]
fn a_host_stops_what_is_copied() {
    let documents = named(vec![("text", texts(&[Some("abcdef")]))]);
    let layout = Layout::new(documents.data_type(), &names()).unwrap();
    let stopped = with_job(&layout, &Signalled, |job| job.chunks(documents));
    assert!(matches!(stopped, Err(Error::Interrupted)));
}

#[test]
fn a_stream_gives_what_its_batches_give_together() {
    let rows = [Some("abcd"), None, Some("Grüße"), Some(""), Some("xyz"), Some("end")];
    let whole = named(vec![("text", texts(&rows))]);
    let batches = [(0, 2), (2, 0), (2, 3), (5, 1), (6, 0)];
    let batches = batches.map(|(start, n)| Ok(whole.slice(start, n)));
    let layout = Arc::new(Layout::new(whole.data_type(), &names()).unwrap());
    let mut stream = ChunkStream::new(batches.into_iter(), Arc::clone(&layout));
    let all: Vec<RecordBatch> = with_job(&layout, &NoHost, |job| {
        std::iter::from_fn(|| stream.next_batch(job).unwrap()).collect()
    });
    assert_eq!(all.len(), 3, "a batch of no documents gives none");
    let all = joined(&all);
    assert_eq!(all, cut(&whole, &names()).unwrap());
}

/// The batches as one.
fn joined(batches: &[RecordBatch]) -> RecordBatch {
    let schema = batches[0].schema();
    let columns = schema.fields().iter().map(|field| {
        let column = batches[0].column_by_name(field.name()).unwrap();
        let column: ArrayRef = match column.data_type() {
            DataType::Utf8 => {
                let of = |batch: &RecordBatch| {
                    let column = batch.column_by_name(field.name()).unwrap().as_string::<i32>();
                    column.iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>()
                };
                Arc::new(batches.iter().flat_map(of).collect::<StringArray>())
            }
            DataType::Boolean => {
                let flags = |batch: &RecordBatch| {
                    let flags = batch.column_by_name(field.name()).unwrap().as_boolean().clone();
                    flags.iter().collect::<Vec<_>>()
                };
                Arc::new(batches.iter().flat_map(flags).collect::<BooleanArray>())
            }
            _ => {
                let of = |batch| numbers(batch, field.name());
                Arc::new(batches.iter().flat_map(of).collect::<Int64Array>())
            }
        };
        column
    });
    let columns = columns.collect();
    RecordBatch::try_new(Arc::clone(&schema), columns).unwrap()
}

#[test]
fn a_stream_ends_with_what_its_source_says() {
    let good = named(vec![("text", texts(&[Some("abcd")]))]);
    let layout = Arc::new(Layout::new(good.data_type(), &names()).unwrap());
    let batches = [Ok(good), Err(Error::read("the second batch"))];
    let mut stream = ChunkStream::new(batches.into_iter(), Arc::clone(&layout));
    with_job(&layout, &NoHost, |job| {
        assert_eq!(stream.next_batch(job).unwrap().unwrap().num_rows(), 2);
        assert_eq!(stream.next_batch(job).unwrap_err().to_string(), "the second batch");
    });
}

#[test]
fn batches_of_chunks_are_bounded() {
    let documents = named(vec![
        ("text", texts(&[Some("abcdefghi"), Some("jkl"), Some("mno")])),
        ("carried", texts(&[Some("0123456789"), Some(""), None])),
    ]);
    let layout = Layout::new(documents.data_type(), &names()).unwrap();
    let table = DocumentTable::new(documents, &layout, 0).unwrap();
    with_job(&layout, &NoHost, |job| {
        let ranges = |most_bytes: usize| {
            let mut cut = job.cut(&table.documents(0..3), most_bytes).unwrap();
            std::iter::from_fn(move || cut.next_range()).collect::<Vec<_>>()
        };
        assert_eq!(ranges(usize::MAX).len(), 1);
        assert_eq!(ranges(26), [0..2, 2..5], "three bytes of text and ten carried, twice");
        assert_eq!(ranges(1), [0..1, 1..2, 2..3, 3..4, 4..5], "one chunk at least");
    });
    assert_eq!(table.rows(0, 12), 0..2);
    assert_eq!(table.rows(0, 1), 0..1, "one document at least");
    assert_eq!(table.rows(1, 100), 1..3);
}

fn columns() -> Vec<ArrayRef> {
    let mut lists = ListBuilder::new(Int32Builder::new());
    lists.append_value([Some(1), None, Some(3)]);
    lists.append_null();
    lists.append_value([]);
    lists.append_value([Some(4)]);
    let pairs =
        [Some(vec![Some(1), Some(2)]), None, Some(vec![None, Some(3)]), Some(vec![Some(4); 2])];
    let words = ["a", "b", "a", "a"].into_iter().collect::<DictionaryArray<Int32Type>>();
    let strings = texts(&[Some("one"), None, Some(""), Some("four")]);
    vec![
        Arc::new(Int64Array::from(vec![Some(1), None, Some(3), Some(4)])),
        Arc::new(lists.finish()),
        Arc::new(FixedSizeListArray::from_iter_primitive::<Int32Type, _, _>(pairs, 2)),
        Arc::new(words),
        Arc::new(named(vec![("s", Arc::clone(&strings))])),
        strings,
    ]
}

#[test]
fn rows_are_repeated_in_their_order() {
    for column in columns() {
        for rows in [&[][..], &[2], &[0, 1, 2, 3], &[3, 3, 0, 1, 1, 2]] {
            let repeated = repeat(&column, rows).unwrap();
            assert_eq!(repeated.len(), rows.len());
            for (i, &row) in rows.iter().enumerate() {
                let (row, repeated) = (column.slice(row, 1), repeated.slice(i, 1));
                assert_eq!(&repeated, &row, "{}", column.data_type());
            }
        }
    }
}

#[test]
fn widths_are_those_of_the_values() {
    let widths = columns().into_iter().map(|column| [0, 1, 2, 3].map(|row| width(&column, row)));
    let widths: Vec<_> = widths.collect();
    assert_eq!(widths[0], [8; 4]);
    assert_eq!(widths[1], [12, 0, 0, 4]);
    assert_eq!(widths[2], [8; 4]);
    assert_eq!(widths[3], [4; 4]);
    assert_eq!(widths[4], [3, 0, 0, 4]);
    assert_eq!(widths[5], [3, 0, 0, 4]);
}

#[test]
fn what_no_column_can_hold_is_not_copied() {
    let long = "x".repeat(1 << 20);
    let column = texts(&[Some(&long)]);
    let error = repeat(&column, &[0; 1 << 11]).unwrap_err();
    assert!(matches!(error, ArrowError::OffsetOverflowError(n_bytes) if n_bytes == 1 << 31));
}

#[test]
fn types_without_arrays_are_refused() {
    let item = || Arc::new(Field::new("item", DataType::Int8, true));
    assert!(checks::check_type(&DataType::FixedSizeList(item(), 2)).is_ok());
    let inner = DataType::FixedSizeList(item(), -2);
    let nested = DataType::List(Arc::new(Field::new("item", inner, true)));
    assert!(checks::check_type(&nested).unwrap_err().contains("-2"));
    let keys = DataType::Dictionary(Box::new(DataType::Utf8), Box::new(DataType::Utf8));
    assert!(checks::check_type(&keys).unwrap_err().contains("Utf8"));
}

#[test]
fn columns_must_be_what_the_schema_says() {
    let nullable = named(vec![("text", texts(&[Some("a"), None]))]).to_data();
    assert!(checks::check_columns(&nullable).is_ok());
    let fields = [Field::new("text", DataType::Utf8, false)];
    let strict = nullable.into_builder().data_type(DataType::Struct(fields.into_iter().collect()));
    let error = strict.build().map_or_else(
        |error| error.to_string(),
        |strict| checks::check_columns(&strict).unwrap_err().to_string(),
    );
    assert!(error.contains("\"text\""), "{error}");
}

#[test]
fn a_panic_over_broken_data_is_an_error() {
    let caught: Result<()> = checks::caught(|| panic!("an offset of {}", 7));
    let Err(Error::Read(message)) = caught else { panic!("no error") };
    assert_eq!(message.to_string(), "the Arrow data contradict their schema: an offset of 7");
}

pub(super) fn of_elements() -> Cutter {
    let packing = Packing {
        overlap_all: false,
        overlap_over_starts: true,
        combine_under: 0,
        isolate_tables: true,
        skip_tables: false,
        repeat_headers: true,
        language: Language::english(),
    };
    let strategy = ElementStrategy { starts: Starts::Titles { multipage: true }, packing };
    Cutter {
        strategy: Strategy::Elements(strategy),
        limits: Limits::new(40, None, 0).unwrap(),
        overlap_at: OverlapAt::Word,
    }
}

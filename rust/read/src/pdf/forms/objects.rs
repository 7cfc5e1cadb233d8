//! Objects of a PDF file, found by looking through all of its bytes rather than by its tables.
//!
//! Tables of a hostile file point where they like, and `PDFium` repairs what is damaged. So each place at which an
//! object may begin is taken for one, and a number may have several.

use std::cell::Cell;

use super::filters::{Filter, Predictor};
use super::syntax::{Cursor, Entries, Value, integer, is_regular, is_space, items, unescaped};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};

/// The number of an object whose number cannot be told; no reference has it.
pub const UNNUMBERED: u32 = u32::MAX;
/// Bytes that a stream may hold.
pub const MAX_STREAM: usize = 64 << 20;
const MAX_FILTERS: usize = 64;
const MAX_STREAMS: usize = 1 << 30;

/// Bounds of the work that a file of some length may ask for.
pub struct Work<'p> {
    beat: Beat<'p>,
    n_left: Cell<usize>,
    n_unpacked: Cell<usize>,
}

impl<'p> Work<'p> {
    /// Some times as much as an undamaged file asks for.
    pub fn of(n_bytes: usize, pulse: Pulse<'p>) -> Self {
        let n_left = n_bytes.saturating_mul(16).saturating_add(1 << 24);
        Self { beat: Beat::of_bytes(pulse), n_left: Cell::new(n_left), n_unpacked: Cell::new(0) }
    }

    /// Counts steps.
    ///
    /// # Errors
    /// If there were too many; those of the pulse.
    pub fn after(&self, n: usize) -> Result<()> {
        let left = self.n_left.get().checked_sub(n.max(1));
        let too_much = || Error::read("its objects overlap or repeat without end: refused");
        self.n_left.set(left.ok_or_else(too_much)?);
        self.beat.after(n)
    }

    /// Counts bytes that a stream held, which may be looked through.
    fn unpacked(&self, n: usize, number: u32) -> Result<()> {
        let sum = self.n_unpacked.get().saturating_add(n);
        self.n_unpacked.set(sum);
        self.n_left.set(self.n_left.get().saturating_add(n.saturating_mul(16)));
        if sum > MAX_STREAMS {
            return Err(too_long(number, "with those before it ", MAX_STREAMS));
        }
        self.beat.after(n)
    }
}

fn too_long(number: u32, which: &str, limit: usize) -> Error {
    let limit = limit >> 20;
    Error::read(format!("the stream of its object {number} holds {which}over {limit} MiB: refused"))
}

/// A place at which a value is said to have a number.
#[derive(Clone, Copy)]
pub struct Definition<'a> {
    /// The number.
    pub number: u32,
    /// All that follows `obj`.
    pub bytes: &'a [u8],
}

/// Values of a dictionary that matter here, and the stream behind it.
#[derive(Clone, Copy, Default)]
pub struct Fields<'a> {
    /// What kind of form, image or font it is.
    pub subtype: Option<Value<'a>>,
    /// Its resources.
    pub resources: Option<Value<'a>>,
    /// Forms and images, if it is resources itself.
    pub x_objects: Option<Value<'a>>,
    /// Content of a page.
    pub contents: Option<Value<'a>>,
    /// Content of the glyphs of a font.
    pub glyphs: Option<Value<'a>>,
    first: Option<Value<'a>>,
    filter: Option<Value<'a>>,
    parameters: Option<Value<'a>>,
    length: Option<Value<'a>>,
    /// All that follows `stream` and the end of its line.
    pub stream: Option<&'a [u8]>,
}

impl<'a> Definition<'a> {
    /// Its value, if it has one.
    pub fn value(&self) -> Option<Value<'a>> {
        Cursor::new(self.bytes).value()
    }

    /// Its fields if it is a dictionary, and how many bytes that takes.
    pub fn fields(&self) -> (Fields<'a>, usize) {
        let mut fields = Fields::default();
        let mut cursor = Cursor::new(self.bytes);
        cursor.skip_space();
        if !cursor.skip(b"<<") {
            return (fields, cursor.at);
        }
        let mut entries = Entries::of(cursor.rest());
        for (key, value) in entries.by_ref() {
            let field = match &*key {
                b"Subtype" => &mut fields.subtype,
                b"Resources" => &mut fields.resources,
                b"XObject" => &mut fields.x_objects,
                b"Contents" => &mut fields.contents,
                b"CharProcs" => &mut fields.glyphs,
                b"First" => &mut fields.first,
                b"Filter" => &mut fields.filter,
                b"DecodeParms" => &mut fields.parameters,
                b"Length" => &mut fields.length,
                _ => continue,
            };
            *field = Some(value);
        }
        let n_bytes = cursor.at + entries.cursor.at;
        let mut behind = entries.cursor;
        behind.skip_space();
        if behind.skip(b"stream") {
            let line = memchr::memchr2(b'\n', b'\r', behind.rest());
            behind.at += line.map_or(0, |end| end + 1);
            let _ =
                behind.bytes.get(behind.at.wrapping_sub(1)) == Some(&b'\r') && behind.skip(b"\n");
            fields.stream = Some(behind.rest());
        }
        (fields, n_bytes)
    }
}

/// The places in a file at which an object may begin.
///
/// # Errors
/// Those of the work.
pub fn scanned<'a>(data: &'a [u8], work: &Work<'_>) -> Result<Vec<Definition<'a>>> {
    let mut found = Vec::new();
    for at in memchr::memmem::find_iter(data, b"obj") {
        work.after(1)?;
        let bytes = &data[at + 3..];
        let Some(before) = data[..at].iter().rposition(|&byte| !is_space(byte)) else { continue };
        if before + 1 == at {
            continue;
        }
        let number = number_before(&data[..=before]);
        let mut cursor = Cursor::new(bytes);
        if number.is_none() {
            cursor.skip_space();
            work.after(cursor.at)?;
        }
        if number.is_some() || cursor.rest().starts_with(b"<<") {
            found.push(Definition { number: number.unwrap_or(UNNUMBERED), bytes });
        }
        work.after(at - before)?;
    }
    Ok(found)
}

/// The number in front of the generation that bytes end with.
fn number_before(bytes: &[u8]) -> Option<u32> {
    // Longer words are no numbers, and need not be looked through.
    let word = |bytes: &'_ [u8]| {
        let tail = &bytes[bytes.len().saturating_sub(64)..];
        let n = tail.iter().rev().take_while(|&&byte| is_regular(byte)).count();
        bytes.len() - n
    };
    let start = word(bytes);
    integer(&bytes[start..])?;
    let gap = bytes[..start].iter().rev().take(64).take_while(|&&byte| is_space(byte)).count();
    let bytes = &bytes[..start - gap];
    integer(&bytes[word(bytes)..]).filter(|&number| gap > 0 && number != UNNUMBERED)
}

/// Objects by number.
pub struct Objects<'a> {
    all: Vec<Definition<'a>>,
}

impl<'a> Objects<'a> {
    /// The objects of these definitions.
    pub fn of(mut all: Vec<Definition<'a>>) -> Self {
        all.sort_by_key(|definition| definition.number);
        Self { all }
    }

    /// All definitions, by number.
    pub fn all(&self) -> &[Definition<'a>] {
        &self.all
    }

    /// Definitions of a number, in the order of the file.
    pub fn at(&self, number: u32) -> &[Definition<'a>] {
        let start = self.all.partition_point(|definition| definition.number < number);
        let n = self.all[start..].partition_point(|definition| definition.number == number);
        &self.all[start..start + n]
    }

    /// A value, or those of the object that it refers to.
    pub fn resolved(&self, value: Value<'a>) -> impl Iterator<Item = Value<'a>> {
        let (own, definitions) = match value {
            Value::Reference(number) => (None, self.at(number)),
            value => (Some(value), &[][..]),
        };
        own.into_iter().chain(definitions.iter().filter_map(Definition::value))
    }

    fn last(&self, value: Option<Value<'a>>) -> Option<Value<'a>> {
        match value? {
            Value::Reference(number) => self.at(number).last()?.value(),
            value => Some(value),
        }
    }

    fn integer(&self, value: Option<Value<'a>>) -> Option<u32> {
        match self.last(value)? {
            Value::Integer(number) => Some(number),
            _ => None,
        }
    }

    /// What packed streams of objects define.
    ///
    /// # Errors
    /// Those of the work; if a stream is too long.
    pub fn unpacked(&self, work: &Work<'_>) -> Result<Vec<(usize, Vec<u8>)>> {
        let mut packed = Vec::new();
        for definition in &self.all {
            let (fields, n) = definition.fields();
            work.after(n)?;
            if fields.first.is_none() || fields.stream.is_none() {
                continue;
            }
            let first = self.integer(fields.first).unwrap_or(0) as usize;
            let mut held = self.raw(&fields, work)?.to_vec();
            for filter in self.filters(&fields)? {
                held = undone(filter, &held, definition.number, work)?;
            }
            packed.push((first, held));
        }
        Ok(packed)
    }

    /// The bytes of a stream as they stand in the file.
    ///
    /// # Errors
    /// Those of the work.
    pub fn raw(&self, fields: &Fields<'a>, work: &Work<'_>) -> Result<&'a [u8]> {
        let rest = fields.stream.unwrap_or_default();
        if let Some(n) = self.integer(fields.length) {
            let n = n as usize;
            let mut behind = Cursor::new(rest.get(n..).unwrap_or_default());
            while behind.skip(b"\r") || behind.skip(b"\n") || behind.skip(b" ") {}
            if behind.rest().starts_with(b"endstream") {
                return Ok(&rest[..n]);
            }
        }
        let n = memchr::memmem::find(rest, b"endstream").unwrap_or(rest.len());
        work.after(n)?;
        Ok(&rest[..n])
    }

    /// How a stream was packed, outermost first, up to the first that is not for text.
    ///
    /// # Errors
    /// If there are absurdly many.
    pub fn filters(&self, fields: &Fields<'a>) -> Result<Vec<Filter>> {
        let (names, mut parameters) = (self.list(fields.filter), self.list(fields.parameters));
        if names.len() > MAX_FILTERS {
            let message =
                format!("one of its streams has more than {MAX_FILTERS} filters: refused");
            return Err(Error::read(message));
        }
        parameters.resize(names.len(), Value::Other);
        let pairs = names.into_iter().zip(parameters);
        Ok(pairs
            .map(|(name, parameters)| (self.last(Some(name)), parameters))
            .filter(|(name, _)| *name != Some(Value::Name(b"Crypt")))
            .map_while(|(name, parameters)| self.filter(name?, parameters))
            .collect())
    }

    /// The items of an array, or a value alone.
    fn list(&self, value: Option<Value<'a>>) -> Vec<Value<'a>> {
        match self.last(value) {
            Some(Value::Array(array)) => items(array).take(MAX_FILTERS + 1).collect(),
            Some(value) => vec![value],
            None => Vec::new(),
        }
    }

    fn filter(&self, name: Value<'a>, parameters: Value<'a>) -> Option<Filter> {
        let Value::Name(name) = name else { return None };
        match &*unescaped(name) {
            b"FlateDecode" | b"Fl" => Some(Filter::Flate(self.predictor(parameters).0)),
            b"LZWDecode" | b"LZW" => {
                let (predictor, is_early) = self.predictor(parameters);
                Some(Filter::Lzw { is_early, predictor })
            }
            b"ASCII85Decode" | b"A85" => Some(Filter::Ascii85),
            b"ASCIIHexDecode" | b"AHx" => Some(Filter::AsciiHex),
            b"RunLengthDecode" | b"RL" => Some(Filter::RunLength),
            _ => None,
        }
    }

    /// Predictor and early change.
    fn predictor(&self, parameters: Value<'a>) -> (Predictor, bool) {
        let mut predictor = Predictor { kind: 0, colours: 1, bits: 8, columns: 1 };
        let mut is_early = true;
        if let Some(Value::Dictionary(entries)) = self.last(Some(parameters)) {
            for (key, value) in Entries::of(entries) {
                let Some(number) = self.integer(Some(value)) else { continue };
                match &*key {
                    b"Predictor" => predictor.kind = number,
                    b"Colors" => predictor.colours = number,
                    b"BitsPerComponent" => predictor.bits = number,
                    b"Columns" => predictor.columns = number,
                    b"EarlyChange" => is_early = number != 0,
                    _ => {}
                }
            }
        }
        (predictor, is_early)
    }
}

/// What a filter gives, counted.
///
/// # Errors
/// If it is too long; those of the work.
pub fn undone(filter: Filter, packed: &[u8], number: u32, work: &Work<'_>) -> Result<Vec<u8>> {
    let bytes = filter.undone(packed, MAX_STREAM).map_err(|_| too_long(number, "", MAX_STREAM))?;
    work.unpacked(bytes.len(), number)?;
    Ok(bytes)
}

/// The objects that a stream of them defines, behind pairs of numbers and places.
///
/// # Errors
/// Those of the work.
pub fn packed_in<'a>(first: usize, held: &'a [u8], work: &Work<'_>) -> Result<Vec<Definition<'a>>> {
    let mut found = Vec::new();
    let mut pairs = Cursor::new(&held[..first.min(held.len())]);
    while let (Some(Value::Integer(number)), Some(Value::Integer(at))) =
        (pairs.value(), pairs.value())
    {
        work.after(1)?;
        if let Some(bytes) = held.get(first.saturating_add(at as usize)..) {
            found.push(Definition { number, bytes });
        }
    }
    Ok(found)
}

//! Chunks as the unstructured-api answers them: JSON, with ids that are derived from what they say.

use chunkwright_text::error::Result as CoreResult;
use chunkwright_text::pulse::{Beat, CHUNK_BYTES, Pulse};
use sha2::{Digest, Sha256};

use super::super::fields::{MAX_KEPT_CHARS, PAYLOADS};
use super::super::{ChunkKind, ElementChunk};
use super::elements::JsonElement;
use super::fields_of_chunk::{ChunkFields, Said};
use super::ids::{N_BYTES, uuid};
use super::payload::Deflater;
use super::value::{Value, write_text};
use super::{Odd, ascii, originals};

/// What is told of chunks beside what they are.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    /// The name of the file; not empty.
    pub filename: &'a str,
    /// Its media type.
    pub filetype: &'a str,
    /// Whether chunks hold the elements that they are made of, compressed.
    pub originals: bool,
    /// Whether ids are random.
    pub unique_ids: bool,
    /// What random ids are made of; nobody can guess it.
    pub seed: &'a [u8],
}

/// JSON of `chunks`, which were cut from `elements`, whose text is `source`; None if only Python can say it.
///
/// # Errors
/// What `pulse` says.
pub fn written(
    elements: &[JsonElement<'_>],
    source: &str,
    chunks: &[ElementChunk],
    told: &Told<'_>,
    pulse: Pulse<'_>,
) -> CoreResult<Option<Vec<u8>>> {
    let writer = Writer {
        elements,
        source,
        told,
        beat: Beat::of_bytes(pulse),
        json: Vec::with_capacity(source.len() * 2 + chunks.len() * CHUNK_BYTES),
        originals: Vec::new(),
        payload: String::new(),
        deflater: Deflater::default(),
        page: None,
        n_on_page: 0,
        n_chunks: 0,
    };
    match writer.all(chunks) {
        Ok(json) => Ok(Some(json)),
        Err(Odd::Unsaid) => Ok(None),
        Err(Odd::Error(error)) => Err(error),
    }
}

struct Writer<'a> {
    elements: &'a [JsonElement<'a>],
    source: &'a str,
    told: &'a Told<'a>,
    beat: Beat<'a>,
    json: Vec<u8>,
    /// The elements of a chunk, and those compressed.
    originals: Vec<u8>,
    payload: String,
    deflater: Deflater,
    /// The page of the chunk before, and how many of its chunks stood before it.
    page: Option<i128>,
    n_on_page: usize,
    n_chunks: usize,
}

impl<'a> Writer<'a> {
    fn all(mut self, chunks: &'a [ElementChunk]) -> Result<Vec<u8>, Odd> {
        self.json.push(b'[');
        for group in chunks.chunk_by(|_, next| next.part > 0) {
            match group[0].kind {
                ChunkKind::Composite => {
                    for parts in group.chunk_by(|part, next| part.elements == next.elements) {
                        self.composites(parts)?;
                    }
                }
                ChunkKind::Table | ChunkKind::TablePart => self.tables(group)?,
                ChunkKind::Untouched => return Err(Odd::Unsaid),
            }
        }
        self.json.push(b']');
        Ok(self.json)
    }

    /// Elements, in one chunk or in several.
    fn composites(&mut self, parts: &'a [ElementChunk]) -> Result<(), Odd> {
        let mut fields = ChunkFields::of_composite(&self.elements[parts[0].elements.clone()])?;
        if self.has_payload(parts)? {
            fields.set("orig_elements", Said::Payload);
        }
        for chunk in parts {
            let mut fields = fields.clone();
            if chunk.part > 0 {
                fields.set("is_continuation", Said::True);
            }
            self.chunk("CompositeElement", chunk, fields)?;
        }
        Ok(())
    }

    /// A table, in one chunk or in several.
    fn tables(&mut self, group: &'a [ElementChunk]) -> Result<(), Odd> {
        let is_kept = self.has_payload(group)?;
        let table = &self.elements[group[0].elements.start];
        let first = self.n_chunks;
        for chunk in group {
            let mut fields = ChunkFields::of_table(table, chunk);
            if is_kept {
                fields.set("orig_elements", Said::Payload);
            }
            if chunk.kind == ChunkKind::Table {
                self.chunk("Table", chunk, fields)?;
                continue;
            }
            if chunk.part > 0 {
                fields.set("is_continuation", Said::True);
            }
            let n_rows = if chunk.part > 0 { chunk.n_header_rows } else { 0 };
            fields.set("num_carried_over_header_rows", Said::Number(n_rows));
            fields.set("table_id", Said::Text(uuid(self.told.seed, b"chunk", first).into()));
            fields.set("chunk_index", Said::Number(chunk.part));
            self.chunk("TableChunk", chunk, fields)?;
        }
        Ok(())
    }

    /// Compresses the elements of chunks, if they keep them, and returns whether they do.
    fn has_payload(&mut self, group: &[ElementChunk]) -> Result<bool, Odd> {
        let range = group[0].elements.clone();
        let (first, elements) = (range.start, &self.elements[range]);
        if !self.told.originals
            || (group.len() > 1 && elements.len() == 1 && is_large(&elements[0]))
        {
            return Ok(false);
        }
        self.originals.clear();
        self.payload.clear();
        originals::write(&mut self.originals, elements, first, self.told.seed);
        self.beat.after(self.originals.len() * BYTES_OF_DEFLATING)?;
        self.deflater.add(&mut self.payload, &self.originals, self.beat.pulse())?;
        Ok(true)
    }

    fn chunk(
        &mut self,
        class: &str,
        chunk: &'a ElementChunk,
        mut fields: ChunkFields<'a>,
    ) -> Result<(), Odd> {
        let text = chunk.text.of(self.source);
        self.beat.after(text.len() + self.payload.len() + CHUNK_BYTES)?;
        self.json.extend_from_slice(if self.n_chunks > 0 { b"," } else { b"" });
        self.json.extend_from_slice(br#"{"type":""#);
        self.json.extend_from_slice(class.as_bytes());
        self.json.extend_from_slice(br#"","element_id":""#);
        self.id(text, &fields);
        self.json.extend_from_slice(br#"","text":"#);
        write_text(&mut self.json, text);
        self.json.extend_from_slice(br#","metadata":"#);
        fields.set("filename", Said::Text(self.told.filename.into()));
        fields.set("filetype", Said::Text(self.told.filetype.into()));
        fields.write(&mut self.json, &self.payload);
        self.json.push(b'}');
        self.n_chunks += 1;
        Ok(())
    }

    /// Writes the id of a chunk: derived from its file, text, page and place on that, or random.
    fn id(&mut self, text: &str, fields: &ChunkFields<'_>) {
        let page = fields.get("page_number").and_then(Said::number);
        let is_same = self.n_chunks > 0 && self.page == page;
        self.n_on_page = if is_same { self.n_on_page + 1 } else { 0 };
        self.page = page;
        if self.told.unique_ids {
            let id = uuid(self.told.seed, b"chunk", self.n_chunks);
            return self.json.extend_from_slice(id.as_bytes());
        }
        // An attachment keeps the name that the mail gives it until its id is derived.
        let filename = match fields.get("attached_to_filename") {
            None => self.told.filename,
            Some(_) => fields.get("filename").and_then(Said::text).unwrap_or("None"),
        };
        let page = page.map_or_else(|| "None".to_owned(), |page| page.to_string());
        let said = Sha256::new().chain_update(filename).chain_update(text).chain_update(page);
        let hash = said.chain_update(self.n_on_page.to_string()).finalize();
        ascii::hexadecimal(&mut self.json, &hash[..N_BYTES]);
    }
}

/// Bytes of text that are cut in the time in which one is compressed.
const BYTES_OF_DEFLATING: usize = 2;

/// Whether an element is so large that its parts do not keep it.
fn is_large(element: &JsonElement<'_>) -> bool {
    let of_metadata = PAYLOADS.iter().filter_map(|name| element.get(name)).map(Value::len);
    element.text.chars().count() + of_metadata.sum::<usize>() > MAX_KEPT_CHARS
}

//! Forms, pages and glyphs of a file with the calls that each draws.

use std::collections::HashMap;

use super::calls::Calls;
use super::maps::Maps;
use super::objects::{Definition, Fields, Objects, UNNUMBERED, Work, undone};
use super::syntax::{Entries, Value, items, unescaped};
use chunkwright_text::error::Result;

/// Something that is drawn.
pub struct Drawing {
    /// The object that it is.
    pub number: u32,
    /// Whether others may call it.
    pub is_form: bool,
    /// The map of its own names.
    pub map: Option<usize>,
    /// What it calls.
    pub calls: Calls,
}

/// Gathers the drawings of a file.
pub struct Gatherer<'o, 'a, 'p> {
    objects: &'o Objects<'a>,
    work: &'o Work<'p>,
    /// All names of forms.
    pub maps: Maps<'o, 'a, 'p>,
    /// All drawings.
    pub drawings: Vec<Drawing>,
    contents: HashMap<u32, Calls>,
}

impl<'o, 'a, 'p> Gatherer<'o, 'a, 'p> {
    /// The drawings and names of these objects.
    ///
    /// # Errors
    /// Those of the work; if a stream is too long.
    pub fn of(objects: &'o Objects<'a>, work: &'o Work<'p>) -> Result<Self> {
        let maps = Maps::new(objects, work);
        let contents = HashMap::new();
        let mut gatherer = Self { objects, work, maps, drawings: Vec::new(), contents };
        for definition in objects.all() {
            let (fields, n) = definition.fields();
            work.after(n)?;
            gatherer.add(definition, &fields)?;
        }
        Ok(gatherer)
    }

    fn add(&mut self, definition: &Definition<'a>, fields: &Fields<'a>) -> Result<()> {
        if let Some(value) = fields.x_objects {
            self.maps.of_x_objects(value)?;
        }
        let map = match fields.resources {
            Some(resources) => self.maps.of_resources(resources)?,
            None => None,
        };
        if is_form(fields) {
            let calls = self.calls(definition, fields)?;
            self.drawings.push(Drawing { number: definition.number, is_form: true, map, calls });
        }
        if let Some(contents) = fields.contents {
            self.add_page(definition.number, contents, map)?;
        }
        if let Some(glyphs) = fields.glyphs {
            self.add_glyphs(glyphs, map)?;
        }
        Ok(())
    }

    fn add_page(&mut self, number: u32, contents: Value<'a>, map: Option<usize>) -> Result<()> {
        let (mut calls, work) = (Calls::default(), self.work);
        let mut of = |this: &mut Self, value| -> Result<()> {
            if let Value::Reference(content) = value {
                let content = this.content(content)?;
                work.after(64 * (1 + content.by_name.len()))?;
                calls.and(content);
            }
            Ok(())
        };
        of(self, contents)?;
        for value in self.objects.resolved(contents) {
            let Value::Array(array) = value else { continue };
            for item in items(array) {
                of(self, item)?;
            }
        }
        if calls != Calls::default() {
            self.drawings.push(Drawing { number, is_form: false, map, calls });
        }
        Ok(())
    }

    fn add_glyphs(&mut self, glyphs: Value<'a>, map: Option<usize>) -> Result<()> {
        for value in self.objects.resolved(glyphs) {
            let Value::Dictionary(entries) = value else { continue };
            for (_, value) in Entries::of(entries) {
                let Value::Reference(number) = value else { continue };
                let calls = self.content(number)?.clone();
                self.work.after(64 * (1 + calls.by_name.len()))?;
                self.drawings.push(Drawing { number, is_form: false, map, calls });
            }
        }
        Ok(())
    }

    /// The calls of content by its number.
    fn content(&mut self, number: u32) -> Result<&Calls> {
        if !self.contents.contains_key(&number) {
            let mut calls = Calls::default();
            for definition in self.objects.at(number) {
                let (fields, n) = definition.fields();
                self.work.after(n)?;
                if fields.stream.is_some() {
                    calls.or(self.calls(definition, &fields)?);
                }
            }
            self.contents.insert(number, calls);
        }
        Ok(&self.contents[&number])
    }

    /// The calls of a stream. `PDFium` takes a stream as it stands if it cannot undo a filter, so each stage counts.
    fn calls(&self, definition: &Definition<'a>, fields: &Fields<'a>) -> Result<Calls> {
        let raw = self.objects.raw(fields, self.work)?;
        self.work.after(raw.len())?;
        let mut calls = Calls::of(raw);
        let mut held = Vec::new();
        for (i, filter) in self.objects.filters(fields)?.into_iter().enumerate() {
            let packed = if i == 0 { raw } else { &held };
            held = undone(filter, packed, definition.number, self.work)?;
            calls.or(Calls::of(&held));
        }
        Ok(calls)
    }
}

/// Whether a stream may be called as a form: not if it says that it is something else.
fn is_form(fields: &Fields<'_>) -> bool {
    fields.stream.is_some()
        && match fields.subtype {
            Some(Value::Name(name)) => *unescaped(name) == *b"Form",
            Some(Value::Reference(number)) => number != UNNUMBERED,
            _ => false,
        }
}

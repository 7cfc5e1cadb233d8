//! Names of forms and images in resources.

use std::borrow::Cow;
use std::collections::HashMap;

use super::objects::{Objects, Work};
use super::syntax::{Entries, Value};
use chunkwright_text::error::Result;

/// Names and the numbers of the objects that they call, by name.
pub type Map<'a> = Vec<(Cow<'a, [u8]>, u32)>;

/// All maps of a file. Those that are objects of their own are read once.
pub struct Maps<'o, 'a, 'p> {
    objects: &'o Objects<'a>,
    work: &'o Work<'p>,
    all: Vec<Map<'a>>,
    of_resources: HashMap<u32, Option<usize>>,
    of_x_objects: HashMap<u32, Option<usize>>,
}

impl<'o, 'a, 'p> Maps<'o, 'a, 'p> {
    /// No maps.
    pub fn new(objects: &'o Objects<'a>, work: &'o Work<'p>) -> Self {
        Self {
            objects,
            work,
            all: Vec::new(),
            of_resources: HashMap::new(),
            of_x_objects: HashMap::new(),
        }
    }

    /// The maps.
    pub fn all(&self) -> &[Map<'a>] {
        &self.all
    }

    /// The map of resources; none if they have no names of forms and images, and those of the caller hold.
    ///
    /// # Errors
    /// Those of the work.
    pub fn of_resources(&mut self, resources: Value<'a>) -> Result<Option<usize>> {
        if let Value::Reference(number) = resources
            && let Some(&known) = self.of_resources.get(&number)
        {
            return Ok(known);
        }
        let mut found = Vec::new();
        for value in self.objects.resolved(resources) {
            let Value::Dictionary(bytes) = value else { continue };
            let mut entries = Entries::of(bytes);
            for (key, value) in entries.by_ref() {
                if *key == *b"XObject" {
                    found.extend(self.of_x_objects(value)?);
                }
            }
            self.work.after(entries.cursor.at)?;
        }
        let map = self.joined(&found)?;
        if let Value::Reference(number) = resources {
            self.of_resources.insert(number, map);
        }
        Ok(map)
    }

    /// The map that a value is.
    ///
    /// # Errors
    /// Those of the work.
    pub fn of_x_objects(&mut self, value: Value<'a>) -> Result<Option<usize>> {
        if let Value::Reference(number) = value
            && let Some(&known) = self.of_x_objects.get(&number)
        {
            return Ok(known);
        }
        let mut map = None;
        for value in self.objects.resolved(value) {
            let Value::Dictionary(bytes) = value else { continue };
            let map = map.get_or_insert_with(Map::new);
            let mut entries = Entries::of(bytes);
            map.extend(entries.by_ref().filter_map(|(name, value)| match value {
                Value::Reference(number) => Some((name, number)),
                _ => None,
            }));
            self.work.after(entries.cursor.at)?;
        }
        let map = map.map(|map| self.add(map));
        if let Value::Reference(number) = value {
            self.of_x_objects.insert(number, map);
        }
        Ok(map)
    }

    fn joined(&mut self, found: &[usize]) -> Result<Option<usize>> {
        if let [] | [_] = found {
            return Ok(found.first().copied());
        }
        let mut joined = Map::new();
        for &map in found {
            self.work.after(64 * self.all[map].len())?;
            joined.extend_from_slice(&self.all[map]);
        }
        Ok(Some(self.add(joined)))
    }

    fn add(&mut self, mut map: Map<'a>) -> usize {
        map.sort();
        map.dedup();
        self.all.push(map);
        self.all.len() - 1
    }
}

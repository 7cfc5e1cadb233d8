//! Expansion of forms in forms: how much drawing a file asks for.
//!
//! Content of a page calls forms, whose content calls others. `PDFium` draws each call anew, 41 levels deep and without
//! a look at what has been drawn, so that a form of twenty bytes that calls itself twice takes all memory there is, and
//! ends the process. [`check_forms`] looks at a file before `PDFium` does: it finds forms and pages, counts the calls in
//! their content, and works out from the deepest level upwards how much each asks for. Streams that unpack to absurd
//! lengths are refused on the way.
//!
//! Where a file can be read in two ways, the one that draws more counts. An encrypted file passes: its content cannot
//! be seen. So do patterns and annotations, which the text of a page does not need.

mod calls;
mod drawings;
mod filters;
mod maps;
mod objects;
mod syntax;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashMap;

use self::drawings::{Drawing, Gatherer};
use self::maps::Map;
use self::objects::{Objects, UNNUMBERED, Work, packed_in, scanned};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::Pulse;

/// How deep `PDFium` goes, and a little more.
const N_LEVELS: usize = 45;
/// How much one page may draw: forms, and thousands of bytes of content. `PDFium` takes some twenty to eighty bytes of
/// memory for each byte of content.
const MAX_DRAWN: f64 = 50_000.0;

/// Refuses a file whose pages draw forms within forms without end, or unpack without end.
///
/// Takes time and memory linear in the length of the file and of what it unpacks to, of which there is a limit.
///
/// # Errors
/// [`Error::Read`] with the number of the object that is to blame; those of the pulse.
pub fn check_forms(data: &[u8], pulse: Pulse<'_>) -> Result<()> {
    let work = Work::of(data.len(), pulse);
    let mut all = scanned(data, &work)?;
    let packed = Objects::of(all.clone()).unpacked(&work)?;
    for (first, held) in &packed {
        all.extend(packed_in(*first, held, &work)?);
    }
    let objects = Objects::of(all);
    let gathered = Gatherer::of(&objects, &work)?;
    Graph::of(&gathered.drawings, gathered.maps.all(), &work)?.check(pulse)
}

/// Number of a set of forms, of which a call draws one.
type Group = usize;

/// Drawings with their calls.
struct Graph<'d> {
    drawings: &'d [Drawing],
    /// For each drawing, which groups it calls how often.
    calls: Vec<Vec<(Group, u32)>>,
    groups: Vec<Vec<usize>>,
    /// Forms by number, which groups name by their place here.
    forms: HashMap<u32, usize>,
}

impl<'d> Graph<'d> {
    fn of(drawings: &'d [Drawing], maps: &[Map<'_>], work: &Work<'_>) -> Result<Self> {
        let mut forms = HashMap::new();
        for drawing in drawings.iter().filter(|drawing| drawing.is_form) {
            let n = forms.len();
            forms.entry(drawing.number).or_insert(n);
        }
        let mut names = Names {
            maps,
            forms: &forms,
            work,
            by_name: HashMap::new(),
            of_map: HashMap::new(),
            groups: Vec::new(),
        };
        names.gather()?;
        let mut calls = Vec::with_capacity(drawings.len());
        for drawing in drawings {
            calls.push(names.called(drawing)?);
        }
        let groups = names.groups;
        Ok(Self { drawings, calls, groups, forms })
    }

    /// Refuses a drawing that asks for too much, by a table: what one level more draws, for all drawings at once.
    fn check(&self, pulse: Pulse<'_>) -> Result<()> {
        let unnumbered = self.forms.get(&UNNUMBERED);
        let mut drawn = vec![0.0; self.forms.len()];
        for _ in 0..N_LEVELS {
            pulse()?;
            // A reference to a form whose number cannot be told looks like one to another form.
            let least: f64 = unnumbered.map_or(0.0, |&form| drawn[form]);
            let most =
                |group: &Vec<usize>| group.iter().map(|&form| drawn[form]).fold(least, f64::max);
            let groups: Vec<f64> = self.groups.iter().map(most).collect();
            let mut next = vec![0.0; drawn.len()];
            for (drawing, calls) in self.drawings.iter().zip(&self.calls) {
                #[allow(clippy::cast_precision_loss, reason = "a weight")]
                let own = 1.0 + drawing.calls.n_bytes as f64 / 1000.0;
                let sum =
                    own + calls.iter().map(|&(group, n)| f64::from(n) * groups[group]).sum::<f64>();
                if sum > MAX_DRAWN {
                    return Err(too_much(drawing.number));
                }
                if drawing.is_form {
                    let form = &mut next[self.forms[&drawing.number]];
                    *form = sum.max(*form);
                }
            }
            if next == drawn {
                break;
            }
            drawn = next;
        }
        Ok(())
    }
}

fn too_much(number: u32) -> Error {
    let object = if number == UNNUMBERED { "an object".into() } else { format!("object {number}") };
    Error::read(format!(
        "{object} draws over {MAX_DRAWN} forms, or kilobytes of content, forms within forms: refused"
    ))
}

/// Finds forms by the names that content calls.
struct Names<'g, 'a, 'p> {
    maps: &'g [Map<'a>],
    forms: &'g HashMap<u32, usize>,
    work: &'g Work<'p>,
    by_name: HashMap<&'g [u8], Group>,
    of_map: HashMap<Option<usize>, Group>,
    groups: Vec<Vec<usize>>,
}

impl Names<'_, '_, '_> {
    /// Groups of all forms, and of those with the same name.
    fn gather(&mut self) -> Result<()> {
        let all = self.add(self.forms.values().copied().collect());
        self.of_map.insert(None, all);
        for map in self.maps {
            self.work.after(map.len())?;
            for (name, number) in map {
                let group = *self.by_name.entry(&**name).or_insert_with(|| {
                    self.groups.push(Vec::new());
                    self.groups.len() - 1
                });
                self.groups[group].extend(self.forms.get(number));
            }
        }
        for group in &mut self.groups {
            group.sort_unstable();
            group.dedup();
        }
        Ok(())
    }

    fn add(&mut self, group: Vec<usize>) -> Group {
        self.groups.push(group);
        self.groups.len() - 1
    }

    fn called(&mut self, drawing: &Drawing) -> Result<Vec<(Group, u32)>> {
        let mut calls = Vec::new();
        for (name, &n) in &drawing.calls.by_name {
            self.work.after(64)?;
            calls.push((self.named(name, drawing.map)?, n));
        }
        if drawing.calls.n_unnamed > 0 {
            calls.push((self.any(drawing.map)?, drawing.calls.n_unnamed));
        }
        let may_call = |&(group, _): &(Group, u32)| {
            !self.groups[group].is_empty() || self.forms.contains_key(&UNNUMBERED)
        };
        calls.retain(may_call);
        Ok(calls)
    }

    /// The forms of a name: those of the map, if there is one, else of all maps; any if it is in none.
    fn named(&mut self, name: &[u8], map: Option<usize>) -> Result<Group> {
        let Some(entries) = map.map(|map| &self.maps[map]) else {
            return match self.by_name.get(name) {
                Some(&group) => Ok(group),
                None => self.any(None),
            };
        };
        let start = entries.partition_point(|(other, _)| **other < *name);
        let n = entries[start..].partition_point(|(other, _)| **other == *name);
        if n == 0 {
            return self.any(map);
        }
        self.work.after(64 * n)?;
        let forms = entries[start..start + n].iter();
        let group = forms.filter_map(|(_, number)| self.forms.get(number).copied()).collect();
        Ok(self.add(group))
    }

    /// Any form of a map, or of the file.
    fn any(&mut self, map: Option<usize>) -> Result<Group> {
        if let Some(&group) = self.of_map.get(&map) {
            return Ok(group);
        }
        let entries: &[(Cow<'_, [u8]>, u32)] = map.map_or(&[], |map| &self.maps[map]);
        self.work.after(entries.len())?;
        let forms = entries.iter().filter_map(|(_, number)| self.forms.get(number).copied());
        let group = self.add(forms.collect());
        self.of_map.insert(map, group);
        Ok(group)
    }
}

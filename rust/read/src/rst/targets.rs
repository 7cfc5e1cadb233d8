//! Targets of references: by name, by order, and those that other targets lead to.

use std::collections::HashMap;

use memchr::memchr;

/// Targets lead to others so many times at most.
const MAX_STEPS: usize = 16;

/// The targets of a document.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    named: HashMap<String, String>,
    sections: HashMap<String, String>,
    anonymous: Vec<String>,
    n_taken: usize,
}

impl Targets {
    /// Adds a target that leads to what is stated; one without a name is called `_`.
    pub fn define(&mut self, name: &str, to: &str) {
        if name == "_" {
            self.anonymous.push(to.trim().to_owned());
            return;
        }
        let name = normalized(name);
        let to =
            if to.trim().is_empty() { format!("#{}", id(&name)) } else { to.trim().to_owned() };
        self.named.entry(name).or_insert(to);
    }

    /// Adds the title of a section.
    pub fn section(&mut self, title: &str) {
        let name = normalized(title);
        let to = format!("#{}", id(&name));
        self.sections.entry(name).or_insert(to);
    }

    /// What a reference by name leads to; none if there is no such target.
    pub fn named(&self, name: &str) -> Option<String> {
        let mut name = normalized(name);
        for _ in 0..MAX_STEPS {
            let to = self.named.get(&name).or_else(|| self.sections.get(&name))?;
            match referred(to) {
                Some(next) => name = normalized(next),
                None => return Some(address(to)),
            }
        }
        None
    }

    /// What the next reference without a name leads to.
    pub fn next_anonymous(&mut self) -> Option<String> {
        let to = self.anonymous.get(self.n_taken)?.clone();
        self.n_taken += 1;
        match referred(&to) {
            Some(name) => self.named(name),
            None => Some(address(&to)),
        }
    }
}

/// The name that a target refers to, as in `` `other name`_ ``.
pub fn referred(to: &str) -> Option<&str> {
    let name = to.strip_suffix('_').filter(|name| !name.ends_with('\\'))?;
    if let Some(quoted) = name.strip_prefix('`') {
        return quoted.strip_suffix('`');
    }
    let is_name = super::markers::simple_name(name) == name.len() && !name.is_empty();
    is_name.then_some(name)
}

/// An address as it is stated: escapes and blanks left out.
pub fn address(to: &str) -> String {
    let said: String = unescaped(to).split_whitespace().collect();
    let is_mail = memchr(b'@', said.as_bytes()).is_some_and(|at| at > 0)
        && !said.contains([':', '/'])
        && !said.starts_with('#');
    if is_mail { format!("mailto:{said}") } else { said }
}

/// A text without the signs that escape others.
pub fn unescaped(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => said.extend(chars.next().filter(|c| !c.is_whitespace())),
            c => said.push(c),
        }
    }
    said
}

/// A name as names are compared: small letters, single blanks.
fn normalized(name: &str) -> String {
    let said = unescaped(name).to_lowercase();
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The fragment that a name is found by in a page.
fn id(name: &str) -> String {
    let parts = name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_lead_to_others() {
        let mut targets = Targets::default();
        targets.define("A  b", "http://x/\\_ y");
        targets.define("c", "`a B`_");
        targets.define("d", "d_");
        targets.define("e", "");
        targets.define("_", "c_");
        targets.section("Two Words!");
        assert_eq!(targets.named("C").as_deref(), Some("http://x/_y"));
        assert_eq!((targets.named("d"), targets.named("f")), (None, None));
        assert_eq!(targets.named("e").as_deref(), Some("#e"));
        assert_eq!(targets.named("two words!").as_deref(), Some("#two-words"));
        assert_eq!(targets.next_anonymous().as_deref(), Some("http://x/_y"));
        assert_eq!(targets.next_anonymous(), None);
        assert_eq!(address("a@b.c"), "mailto:a@b.c");
    }
}

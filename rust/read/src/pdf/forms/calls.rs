//! Calls of forms and images in content, counted by name.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::syntax::{is_regular, is_space, unescaped};

const MAX_NAMES: usize = 100_000;
/// `PDFium` shortens longer names.
const MAX_NAME: usize = 200;

/// How often content calls each name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// Calls by name.
    pub by_name: BTreeMap<Vec<u8>, u32>,
    /// Calls of a name that is not told: of any.
    pub n_unnamed: u32,
    /// Bytes of the content.
    pub n_bytes: usize,
}

impl Calls {
    /// The calls in content. Strings and comments are not skipped, since what looks like a call there is rare, and
    /// damage would hide calls.
    pub fn of(content: &[u8]) -> Self {
        let mut calls = Self { n_bytes: content.len(), ..Self::default() };
        for at in memchr::memmem::find_iter(content, b"Do") {
            if content.get(at + 2).is_some_and(|&byte| is_regular(byte)) {
                continue;
            }
            match called(&content[..at]) {
                Call::Nothing => {}
                Call::Name(name) => calls.add(&name),
                Call::Unnamed => calls.n_unnamed = calls.n_unnamed.saturating_add(1),
            }
        }
        calls
    }

    fn add(&mut self, name: &[u8]) {
        let n = if self.by_name.contains_key(name) || self.by_name.len() < MAX_NAMES {
            self.by_name.entry(name.to_vec()).or_default()
        } else {
            &mut self.n_unnamed
        };
        *n = n.saturating_add(1);
    }

    /// As often as in either.
    pub fn or(&mut self, other: Self) {
        for (name, n) in other.by_name {
            let own = self.by_name.entry(name).or_default();
            *own = n.max(*own);
        }
        self.n_unnamed = self.n_unnamed.max(other.n_unnamed);
        self.n_bytes = self.n_bytes.max(other.n_bytes);
    }

    /// As often as in both together.
    pub fn and(&mut self, other: &Self) {
        for (name, n) in &other.by_name {
            let own = self.by_name.entry(name.clone()).or_default();
            *own = own.saturating_add(*n);
        }
        self.n_unnamed = self.n_unnamed.saturating_add(other.n_unnamed);
        self.n_bytes = self.n_bytes.saturating_add(other.n_bytes);
    }
}

enum Call<'a> {
    Nothing,
    Name(Cow<'a, [u8]>),
    Unnamed,
}

/// What an operator `Do` behind these bytes calls.
fn called(before: &[u8]) -> Call<'_> {
    let n = before.iter().rposition(|&byte| !is_space(byte)).map_or(0, |at| at + 1);
    let (before, gap) = before.split_at(n);
    match before.last() {
        // A string serves as a name.
        Some(b')' | b'>') => return Call::Unnamed,
        Some(b'/') => return Call::Name(Cow::Borrowed(&[])),
        Some(_) if gap.is_empty() => return Call::Nothing,
        _ => {}
    }
    if gap.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
        let line = before.iter().rev().take_while(|byte| !matches!(byte, b'\n' | b'\r'));
        if line.into_iter().any(|&byte| byte == b'%') {
            return Call::Unnamed;
        }
    }
    let n = before.iter().rev().take_while(|&&byte| is_regular(byte)).count();
    let (before, word) = before.split_at(before.len() - n);
    match before.last() {
        Some(b'/') if word.len() < MAX_NAME => Call::Name(unescaped(word)),
        Some(b'/') => Call::Unnamed,
        _ => Call::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(content: &[u8]) -> (Vec<(String, u32)>, u32) {
        let calls = Calls::of(content);
        let text = |name: Vec<u8>| String::from_utf8(name).unwrap();
        (calls.by_name.into_iter().map(|(name, n)| (text(name), n)).collect(), calls.n_unnamed)
    }

    #[test]
    fn operators_behind_names_are_calls() {
        let content = b"q /X Do Q/X\n\t Do/Y#41 Do [/Z Do] / Do /XDo /X Dont /X DoDo /X 1 Do Do";
        let of = |name: &str, n| (name.to_owned(), n);
        assert_eq!(counts(content).0, [of("", 1), of("X", 2), of("YA", 1), of("Z", 1)]);
        assert_eq!(counts(content).1, 0);
    }

    #[test]
    fn names_that_are_hidden_are_any() {
        let long = [b"/".as_slice(), &b"a".repeat(300), b" Do"].concat();
        for content in [&b"(X) Do"[..], b"<58>Do", b"/X % c\nDo", b"/X%c\r\n Do", &long] {
            assert_eq!(counts(content), (vec![], 1), "{}", content.escape_ascii());
        }
    }

    #[test]
    fn counts_are_joined() {
        let (mut a, b) = (Calls::of(b"/X Do /X Do /Y Do"), Calls::of(b"/X Do /Z Do () Do"));
        let mut either = a.clone();
        either.or(b.clone());
        assert_eq!(either.by_name.values().sum::<u32>() + either.n_unnamed, 5);
        a.and(&b);
        assert_eq!(a.by_name.values().sum::<u32>() + a.n_unnamed, 6);
        assert_eq!((either.n_bytes, a.n_bytes), (17, 34));
    }
}

//! Explicit markup: footnotes, citations, targets, substitutions, comments, and the way to directives.

use chunkwright_text::elements::Kind;
use chunkwright_text::span::Span;

use super::directive::Directive;
use super::lines::{Line, indented, least};
use super::listed::Listed;
use super::made::Container;
use super::markers::simple_name;
use super::walk::Walk;

impl Walk<'_> {
    /// Takes what begins with two dots in line `i`; returns the line behind it.
    pub fn explicit(
        &mut self,
        i: usize,
        end: usize,
        base: usize,
        before: Option<&Listed>,
        listed: &mut Option<Listed>,
    ) -> usize {
        let line = self.lines[i];
        let behind = &line.said(self.text)[2..];
        let rest = behind.trim_start_matches([' ', '\t']);
        let at = line.end - rest.len();
        let last = indented(&self.lines, i + 1, end, base).max(i + 1);
        if let Some(len) = label(rest) {
            return self.footnote(i, last, at + len);
        }
        if rest.starts_with('_') && rest.len() > 1 && !rest.starts_with("_ ") {
            return self.target(i, end, base, at + 1);
        }
        if rest.starts_with('|') && substitution(rest).is_some() {
            self.substitution(i, last, at);
            return last;
        }
        if let Some(found) = Directive::of(self.text, &self.lines, i, last, at) {
            self.directive(&found, before, listed);
            return last;
        }
        self.made.close();
        let is_empty = rest.is_empty() && self.lines[..end].get(i + 1).is_none_or(Line::is_blank);
        if is_empty { i + 1 } else { last }
    }

    /// Takes a footnote or a citation, whose text begins at `at`.
    fn footnote(&mut self, i: usize, last: usize, at: usize) -> usize {
        let line = self.lines[i];
        let number = self.made.push(Kind::Footnote, 0, Span::new(line.at, at));
        self.made.enter(Container::Footnote);
        self.made.open(number);
        let margin = least(&self.lines[i + 1..last]);
        if at < line.end {
            let margin = margin.unwrap_or(line.column + at - line.at);
            (self.lines[i].at, self.lines[i].column) = (at, margin);
            self.blocks(i, last, margin, false);
        } else if let Some(margin) = margin {
            self.blocks(i + 1, last, margin, false);
        }
        self.made.leave();
        last
    }

    /// Takes a target of links, whose name begins at `at`. One that leads elsewhere is a definition; another one is
    /// a label of what follows, which is not shown.
    fn target(&mut self, i: usize, end: usize, base: usize, at: usize) -> usize {
        let is_in = |line: &&Line| !line.is_blank() && line.column > base;
        let last = i + 1 + self.lines[i + 1..end].iter().take_while(is_in).count();
        let stop = self.lines[last - 1].end;
        let said = &self.text[at..stop];
        let Some((name, to)) = target_parts(said) else {
            self.made.close();
            return indented(&self.lines, i + 1, end, base).max(i + 1);
        };
        if let Some(inline) = &mut self.made.inline {
            inline.targets.define(name, to);
        }
        if to.is_empty() {
            self.made.close();
        } else {
            self.made.definition(Span::new(self.lines[i].at, stop));
        }
        last
    }

    /// Takes a target without a name, `__ https://...`.
    pub fn anonymous_target(&mut self, i: usize, end: usize, base: usize) -> usize {
        let line = self.lines[i];
        let is_in = |line: &&Line| !line.is_blank() && line.column > base;
        let last = i + 1 + self.lines[i + 1..end].iter().take_while(is_in).count();
        let stop = self.lines[last - 1].end;
        if let Some(inline) = &mut self.made.inline {
            inline.targets.define("_", &self.text[line.at + 2..stop]);
        }
        self.made.definition(Span::new(line.at, stop));
        last
    }

    /// Takes the definition of a substitution, which begins at `at`.
    fn substitution(&mut self, i: usize, last: usize, at: usize) {
        let rest = &self.text[at..self.lines[i].end];
        let directive = substitution(rest).map(|len| at + len);
        let found = directive.and_then(|at| Directive::of(self.text, &self.lines, i, last, at));
        if let Some(found) = found {
            self.note_images(&found);
        }
        self.made.definition(Span::new(self.lines[i].at, self.lines[last - 1].end));
    }
}

/// The length of the label of a footnote or a citation and the blanks behind it.
fn label(rest: &str) -> Option<usize> {
    let (name, behind) = rest.strip_prefix('[')?.split_once(']')?;
    let bare = name.strip_prefix('#').unwrap_or(name);
    let is_label =
        name == "*" || name == "#" || !bare.is_empty() && simple_name(bare) == bare.len();
    let text = behind.trim_start_matches([' ', '\t']);
    (is_label && (text.is_empty() || text.len() < behind.len())).then(|| rest.len() - text.len())
}

/// Where in the definition of a substitution its directive begins.
fn substitution(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('|').filter(|inner| !inner.starts_with(' '))?;
    let end = inner.find('|').filter(|end| *end > 0 && !inner[..*end].ends_with(' '))?;
    let behind = &inner[end + 1..];
    let directive = behind.trim_start_matches([' ', '\t']);
    (directive.len() < behind.len()).then(|| rest.len() - directive.len())
}

/// The name of a target, and what it leads to.
fn target_parts(said: &str) -> Option<(&str, &str)> {
    if let Some(rest) = said.strip_prefix('_') {
        return rest.strip_prefix(':').map(|to| ("_", to.trim()));
    }
    if let Some(quoted) = said.strip_prefix('`') {
        let (name, to) = quoted.split_once("`:")?;
        let is_whole = to.is_empty() || to.starts_with(char::is_whitespace);
        return is_whole.then(|| (name, to.trim()));
    }
    let mut from = 0;
    while let Some(found) = said[from..].find(':') {
        let at = from + found;
        let is_escaped = said[..at].ends_with('\\');
        let to = &said[at + 1..];
        if !is_escaped && (to.is_empty() || to.starts_with(char::is_whitespace)) {
            return (at > 0).then(|| (&said[..at], to.trim()));
        }
        from = at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_of_footnotes_and_citations() {
        for (rest, len) in [
            ("[1] a", Some(4)),
            ("[#] a", Some(4)),
            ("[#a-b]", Some(6)),
            ("[*] a", Some(4)),
            ("[CIT2002]  a", Some(11)),
            ("[1]a", None),
            ("[a b] c", None),
            ("[]", None),
        ] {
            assert_eq!(label(rest), len, "{rest}");
        }
    }

    #[test]
    fn targets_have_a_name() {
        assert_eq!(target_parts("a: http://b"), Some(("a", "http://b")));
        assert_eq!(target_parts("`a: b`: c"), Some(("a: b", "c")));
        assert_eq!(target_parts("a\\: b: c"), Some(("a\\: b", "c")));
        assert_eq!(target_parts("a:b:"), Some(("a:b", "")));
        assert_eq!(target_parts("_: a"), Some(("_", "a")));
        assert_eq!(target_parts("a b"), None);
    }
}

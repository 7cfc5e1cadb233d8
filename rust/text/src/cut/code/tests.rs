//! Laws of the code strategy, over generated programs whose outlines are known.

use proptest::prelude::*;

use super::*;
use crate::measure::Chars;
use crate::pulse::no_pulse;
use crate::syntax::code::languages::named;
use crate::syntax::code::outline::{Definition, Symbol};

/// A part of a generated program.
#[derive(Clone, Debug)]
enum Part {
    Statement(usize),
    Comment(usize),
    Blank,
    Function { is_decorated: bool, body: Vec<usize> },
    Class(Vec<Part>),
}

fn parts(depth: u32) -> BoxedStrategy<Vec<Part>> {
    let leaf = prop_oneof![
        (1_usize..30).prop_map(Part::Statement),
        (1_usize..20).prop_map(Part::Comment),
        Just(Part::Blank),
        (any::<bool>(), prop::collection::vec(1_usize..30, 1..5))
            .prop_map(|(is_decorated, body)| Part::Function { is_decorated, body }),
    ];
    if depth == 0 {
        return prop::collection::vec(leaf, 1..6).boxed();
    }
    let class = parts(depth - 1).prop_map(Part::Class);
    prop::collection::vec(prop_oneof![4 => leaf, 1 => class], 1..8).boxed()
}

/// A program and its outline.
#[derive(Debug, Default)]
struct Program {
    text: String,
    outline: Outline,
}

impl Program {
    fn of(parts: &[Part]) -> Self {
        let mut program = Self::default();
        program.add(parts, 0, None);
        program
    }

    fn line(&mut self, depth: usize, words: &str) -> Span {
        self.text.push_str(&"    ".repeat(depth));
        let start = self.text.len();
        self.text.push_str(words);
        let end = self.text.len();
        self.text.push('\n');
        Span::new(start, end)
    }

    fn add(&mut self, parts: &[Part], depth: usize, parent: Option<usize>) {
        for part in parts {
            match part {
                Part::Statement(n) => {
                    self.line(depth, &"s".repeat(*n));
                }
                Part::Comment(n) => {
                    self.line(depth, &format!("# {}", "c".repeat(*n)));
                }
                Part::Blank => self.text.push('\n'),
                Part::Function { is_decorated, body } => {
                    let first = is_decorated.then(|| self.line(depth, "@cached"));
                    let number = self.begin(depth, "def f():", Symbol::Function, parent, first);
                    let lines = body.iter().map(|n| "b".repeat(*n)).collect::<Vec<_>>();
                    for line in lines {
                        self.line(depth + 1, &line);
                    }
                    self.outline.definitions[number].span.end = self.text.len() - 1;
                }
                Part::Class(members) => {
                    let number = self.begin(depth, "class C:", Symbol::Class, parent, None);
                    self.add(members, depth + 1, Some(number));
                    self.outline.definitions[number].span.end = self.text.trim_end().len();
                }
            }
        }
    }

    fn begin(
        &mut self,
        depth: usize,
        words: &str,
        symbol: Symbol,
        parent: Option<usize>,
        first: Option<Span>,
    ) -> usize {
        let head = self.line(depth, words);
        let span = Span::new(first.unwrap_or(head).start, head.end);
        let name = words[words.len() - 2 - usize::from(symbol != Symbol::Class) * 2..].chars();
        let name: String = name.take(1).collect();
        self.outline.definitions.push(Definition { span, head, name: name.into(), symbol, parent });
        self.outline.definitions.len() - 1
    }
}

/// Knows one outline.
#[derive(Debug)]
struct Known(Outline);

impl Outliner for Known {
    fn outline(&self, _: &str, _: &str, _: Pulse<'_>) -> Result<Option<Outline>> {
        Ok(Some(self.0.clone()))
    }
}

fn chunks_of(program: &Program, limits: Limits, repeat_heads: bool) -> Chunks {
    let document = Document::new(&program.text);
    let how = Coding {
        language: named("python"),
        repeat_heads,
        outliner: Some(Arc::new(Known(program.outline.clone()))),
    };
    code(document, &Chars::new(document), limits, OverlapAt::Any, &how, no_pulse()).unwrap()
}

/// The text from where a definition begins with its comments and decorators; each of one line here.
fn outer(text: &str, span: Span) -> Span {
    let mut start = text[..span.start].rfind('\n').map_or(0, |feed| feed + 1);
    let indent = span.start - start;
    let mut outer = start;
    while start > 0 {
        let line = text[..start - 1].rfind('\n').map_or(0, |feed| feed + 1);
        let words = text[line..start].trim_start();
        let own = start - line - words.len();
        let is_blank = words.trim().is_empty();
        if !(is_blank || words.starts_with('#') && own <= indent) {
            break;
        }
        start = line;
        if !is_blank {
            outer = line;
        }
    }
    Span::new(outer, span.end)
}

proptest! {
    #[test]
    fn no_definition_that_fits_is_cut(parts in parts(2), most in 20_usize..200) {
        let program = Program::of(&parts);
        let text = &program.text;
        let chunks = chunks_of(&program, Limits::new(most, None, 0).unwrap(), false);
        for of in &program.outline.definitions {
            let whole = outer(text, of.span);
            if whole.len() <= most {
                let start = skip_space(text, whole.start);
                let holds = |i| chunks.body(i).start <= start && whole.end <= chunks.body(i).end;
                prop_assert!((0..chunks.len()).any(holds), "{:?} is cut", &text[whole.range()]);
            }
        }
    }

    #[test]
    fn all_is_there_within_the_limit(
        parts in parts(2), most in 1_usize..120, overlap in 0_usize..20, heads: bool,
    ) {
        let program = Program::of(&parts);
        let text = &program.text;
        let limits = Limits::new(most, None, overlap.min(most - 1)).unwrap();
        let chunks = chunks_of(&program, limits, heads);
        let mut end = 0;
        for i in 0..chunks.len() {
            let body = chunks.body(i);
            prop_assert!(text[end..body.start].trim().is_empty());
            prop_assert!(chunks.text(i, text).chars().count() <= most);
            prop_assert_eq!(chunks.text(i, text).chars().count(), chunks.sizes()[i]);
            end = body.end;
        }
        prop_assert!(text[end..].trim().is_empty());
    }

    #[test]
    fn a_chunk_lies_in_its_scope(parts in parts(2), most in 20_usize..200) {
        let program = Program::of(&parts);
        let text = &program.text;
        let chunks = chunks_of(&program, Limits::new(most, None, 0).unwrap(), false);
        for i in 0..chunks.len() {
            let own = chunks.body(i);
            let own = Span::new(skip_space(text, own.start), own.end);
            let mut around = program.outline.definitions.iter().enumerate().filter(|(_, of)| {
                let whole = outer(text, of.span);
                skip_space(text, whole.start) <= own.start && own.end <= whole.end
            });
            let scope = around.next_back().map(|(number, _)| program.outline.scope(number));
            let subject = chunks.subject(i).unwrap();
            prop_assert_eq!(&*subject.scope, scope.unwrap_or_default());
            prop_assert_eq!(&*subject.language, "python");
        }
    }

    #[test]
    fn heads_are_those_around(parts in parts(2), most in 60_usize..200) {
        let program = Program::of(&parts);
        let chunks = chunks_of(&program, Limits::new(most, None, 0).unwrap(), true);
        for i in 0..chunks.len() {
            let heads = chunks.pieces(i).iter().filter(|piece| piece.role == Role::Heading);
            let at = skip_space(&program.text, chunks.body(i).start);
            for piece in heads {
                let is_around = program.outline.definitions.iter().any(|of| {
                    piece.span.start <= of.head.start
                        && of.head.end <= piece.span.end
                        && of.span.start < at
                        && at < of.span.end
                });
                prop_assert!(is_around);
            }
        }
    }

    #[test]
    fn any_text_is_cut_without_an_outline(text in "[ab漢#@}(\n \t\r\u{85}\u{2029}]{0,120}", most in 1_usize..30) {
        let document = Document::new(&text);
        let limits = Limits::new(most, None, 0).unwrap();
        let chars = Chars::new(document);
        let chunks =
            code(document, &chars, limits, OverlapAt::Word, &Coding::default(), no_pulse()).unwrap();
        let own: String = (0..chunks.len()).map(|i| &text[chunks.body(i).range()]).collect();
        let words = |text: &str| text.split_whitespace().collect::<String>();
        prop_assert_eq!(words(&own), words(&text));
        prop_assert!(chunks.sizes().iter().all(|&size| size <= most));
    }
}

#[test]
fn what_fits_the_hard_limit_is_not_cut_at_the_soft_one() {
    let parts = [
        Part::Statement(5),
        Part::Function { is_decorated: false, body: vec![20, 20, 20] },
        Part::Statement(5),
    ];
    let program = Program::of(&parts);
    let chunks = chunks_of(&program, Limits::new(120, Some(30), 0).unwrap(), false);
    let texts: Vec<&str> = chunks.spans().map(|span| &program.text[span.range()]).collect();
    assert_eq!(texts.len(), 3);
    assert!(texts[1].starts_with("def f():") && texts[1].lines().count() == 4);
}

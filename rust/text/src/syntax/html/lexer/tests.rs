//! Tests of the lexer as pages are read: html5ever's tokenizer is the oracle.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token as Theirs, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use proptest::prelude::*;

use super::*;

/// Tokens in words; texts that stand next to each other as one, comments left out.
#[derive(Default)]
struct Said(RefCell<Vec<String>>);

impl Said {
    fn text(&self, text: &str) {
        let mut said = self.0.borrow_mut();
        match said.last_mut() {
            Some(last) if last.starts_with('"') => last.push_str(text),
            _ if text.is_empty() => {}
            _ => said.push(format!("\"{text}")),
        }
    }

    fn open(&self, name: &str, attributes: impl Iterator<Item = (String, String)>) {
        let attributes: Vec<String> =
            attributes.map(|(name, value)| format!(" {name}={value:?}")).collect();
        self.0.borrow_mut().push(format!("<{name}{}>", attributes.concat()));
    }

    fn close(&self, name: &str) {
        self.0.borrow_mut().push(format!("</{name}>"));
    }
}

impl TokenSink for Said {
    type Handle = ();

    fn process_token(&self, token: Theirs, _line: u64) -> TokenSinkResult<()> {
        match token {
            Theirs::CharacterTokens(text) => self.text(&text),
            Theirs::TagToken(tag) if tag.kind == TagKind::EndTag => self.close(&tag.name),
            Theirs::TagToken(tag) => {
                let attributes = tag.attrs.iter();
                self.open(
                    &tag.name,
                    attributes.map(|each| (each.name.local.to_string(), each.value.to_string())),
                );
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

fn theirs(html: &str) -> Vec<String> {
    let tokenizer = Tokenizer::new(Said::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}

fn ours(html: &str) -> Vec<String> {
    let said = Said::default();
    let mut lexer = Lexer::new(html, Dialect::Page);
    let mut at = 0;
    while let Some(token) = lexer.next_of_page(|| false) {
        assert!(lexer.at() > at, "{html:?} stands still at {at}");
        at = lexer.at();
        match token {
            Token::Text(text) => said.text(&text),
            Token::Close(name) => said.close(&name),
            Token::Comment(_) => {}
            Token::Open { name, .. } => {
                let attributes = lexer.attributes().iter();
                said.open(&name, attributes.map(|a| (a.name.to_string(), a.value.to_string())));
            }
        }
    }
    assert!(at <= html.len());
    said.0.into_inner()
}

fn soup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<",
        "</",
        "<a",
        "</b",
        "<P",
        ">",
        "/",
        "/>",
        "=",
        " ",
        "\n",
        "\r\n",
        "\"",
        "'",
        "x",
        "é",
        "&amp",
        "&lt;",
        "&#65",
        "&",
        "!",
        "<!--",
        "-->",
        "--!>",
        "-",
        "--",
        "<!",
        "<?",
        "<x y=z",
        "a='&ampb'",
        "`",
        "1",
        ":",
        "<i-j.k>",
        "</q z>",
        "B=\"c>\"",
    ]);
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]
    #[test]
    fn pages_have_the_tokens_of_the_standard(html in soup()) {
        prop_assert_eq!(ours(&html), theirs(&html));
    }
}

#[test]
fn what_is_odd_is_read_all_the_same() {
    for html in [
        "a<!-->b<!--->c<!--x--!>d<!---->e<!--f",
        "<p a='x' a=y b c=>d<p/ e=f/>g",
        "a</>b</ c>d</",
        "<a b",
        "x<",
        "<=>",
        "<a =b=c d='",
    ] {
        assert_eq!(ours(html), theirs(html), "{html}");
    }
    assert_eq!(ours("a\0b<p\0>"), ["\"ab", "<p\0>"]);
}

#[test]
fn character_data_are_text_in_foreign_elements_alone() {
    let tokens = |html: &str, is_foreign: bool| {
        let mut lexer = Lexer::new(html, Dialect::Page);
        let mut said = Vec::new();
        while let Some(token) = lexer.next_of_page(|| is_foreign) {
            said.push(match token {
                Token::Text(text) => text.to_string(),
                Token::Comment(text) => format!("<!{text}>"),
                _ => String::from("tag"),
            });
        }
        said
    };
    let html = "a<![CDATA[<b>&lt;\r\n\0]]]>c<![CDATA[d";
    assert_eq!(tokens(html, true), ["a", "<b>&lt;\n]", "c", "d"]);
    assert_eq!(tokens(html, false), ["a", "<![CDATA[<b>", "<\n]]]>c", "<![CDATA[d>"]);
    assert_eq!(tokens("<![CDATA[]]><![cdata[a>", true), ["", "<![cdata[a>"]);
}

#[test]
fn raw_text_ends_at_its_own_tag() {
    let raw = |html: &'static str| {
        let mut lexer = Lexer::new(html, Dialect::Page);
        (lexer.take_raw("script"), lexer.at())
    };
    assert_eq!(raw("a</b></scripts></SCRIPT\n>c"), ("a</b></scripts>", 15));
    assert_eq!(raw("a</script"), ("a</script", 9));
    assert_eq!(raw(""), ("", 0));
}

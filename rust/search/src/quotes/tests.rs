//! Places of quotations, compared with those letter by letter; what counts and what does not.

use proptest::prelude::*;

use super::quote::Quote;
use super::*;
use chunkwright_text::error::Error;
use chunkwright_text::pulse::no_pulse;

/// What `find` finds, as text.
fn found<'t>(text: &'t str, quote: &str) -> Vec<&'t str> {
    let index = QuoteIndex::new(text, no_pulse()).unwrap();
    let spans = index.find(text, quote, 100, no_pulse()).unwrap();
    spans.into_iter().map(|span| &text[span.range()]).collect()
}

fn compared(texts: &[&str], quote: &str) -> Comparison {
    let index = |text: &&str| QuoteIndex::new(text, no_pulse()).unwrap();
    let indexes: Vec<QuoteIndex> = texts.iter().map(index).collect();
    let sources = texts.iter().zip(&indexes).map(|(text, index)| Source { text, index });
    compare(&sources.collect::<Vec<_>>(), quote, 10, no_pulse()).unwrap()
}

/// What stands before a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Nothing,
    Blank,
    Dash,
    /// A hyphen at the end of a line, which may be a part of the word or not.
    Hyphen,
}

impl Before {
    fn of(gap: &str) -> Self {
        match gap {
            "" => Self::Nothing,
            "-\n" => Self::Hyphen,
            _ if gap.contains('-') => Self::Dash,
            _ => Self::Blank,
        }
    }

    fn may_be(self, other: Self) -> bool {
        let is_either = |one, other| one == Self::Hyphen && other != Self::Blank;
        self == other || is_either(self, other) || is_either(other, self)
    }
}

/// The letters of words, each with what stands before it and where.
fn letters(words: &[&str], gaps: &[&str]) -> Vec<(char, Before, usize)> {
    let (mut letters, mut at) = (Vec::new(), 0);
    for (word, gap) in words.iter().zip(gaps) {
        at += gap.len();
        for (i, c) in word.chars().enumerate() {
            letters.push((c, if i == 0 { Before::of(gap) } else { Before::Nothing }, at));
            at += 1;
        }
    }
    letters
}

/// Places of a quotation, letter by letter.
fn places(text: &[(char, Before, usize)], quote: &[(char, Before, usize)]) -> Vec<(usize, usize)> {
    let is_border = |i: usize| {
        i == 0 || text.get(i).is_none_or(|&(_, gap, _)| matches!(gap, Before::Blank | Before::Dash))
    };
    let stands = |start: usize| {
        is_border(start)
            && is_border(start + quote.len())
            && quote.iter().enumerate().all(|(i, &(c, gap, _))| {
                let (other, other_gap, _) = text[start + i];
                c == other && (i == 0 || gap.may_be(other_gap))
            })
    };
    let (mut found, mut at) = (Vec::new(), 0);
    while at + quote.len() <= text.len() {
        if stands(at) {
            found.push((text[at].2, text[at + quote.len() - 1].2 + 1));
            at += quote.len();
        } else {
            at += 1;
        }
    }
    found
}

const WORDS: [&str; 7] = ["rain", "fall", "rainfall", "in", "the", "all", "therein"];
const GAPS: [&str; 8] = [" ", " ", "\n", "-", " - ", "-\n", " \n ", ""];

/// Words and the gaps in front of them.
fn joined(words: &[&str], gaps: &[&str]) -> String {
    gaps.iter().zip(words).flat_map(|(gap, word)| [*gap, *word]).collect()
}

proptest! {
    #[test]
    fn places_are_those_letter_by_letter(
        text in proptest::collection::vec((0..WORDS.len(), 0..GAPS.len()), 0..40),
        from in 0_usize..30, quoted in proptest::collection::vec((0..WORDS.len(), 0..GAPS.len()), 4..9),
        is_of_text in any::<bool>(),
    ) {
        let (words, mut gaps): (Vec<&str>, Vec<&str>) =
            text.iter().map(|&(word, gap)| (WORDS[word], GAPS[gap])).unzip();
        gaps.first_mut().into_iter().for_each(|gap| *gap = "");
        let source = joined(&words, &gaps);
        let part = words.iter().zip(&gaps).skip(from);
        let mut quoted: Vec<(&str, &str)> =
            quoted.iter().map(|&(word, gap)| (WORDS[word], GAPS[gap])).collect();
        if is_of_text {
            quoted.iter_mut().zip(part).for_each(|(own, (word, _))| own.0 = word);
        }
        let (quoted, mut quoted_gaps): (Vec<&str>, Vec<&str>) = quoted.into_iter().unzip();
        quoted_gaps[0] = "";
        let quote = joined(&quoted, &quoted_gaps);
        prop_assume!(quote.len() > 24);
        let expected = places(&letters(&words, &gaps), &letters(&quoted, &quoted_gaps));
        let expected: Vec<&str> = expected.into_iter().map(|(start, end)| &source[start..end]).collect();
        prop_assert_eq!(found(&source, &quote), expected, "{:?} in {:?}", quote, source);
    }

    #[test]
    fn no_text_is_a_problem(
        text in any::<String>(),
        quote in any::<String>(),
        signs in "[-*_|#>\\[\\]()\\\\!`' \nab1]{0,60}",
    ) {
        for text in [&text, &signs] {
            let index = QuoteIndex::new(text, no_pulse()).unwrap();
            for quote in [text, &quote, &signs] {
                match index.find(text, quote, 3, no_pulse()) {
                    Ok(spans) => for span in spans {
                        prop_assert!(!text[span.range()].is_empty());
                    },
                    Err(error) => prop_assert!(error.to_string().contains("at least 12")),
                }
                let sources = [Source { text, index: &index }];
                let _ = compare(&sources, quote, 3, no_pulse());
            }
        }
    }

    #[test]
    fn a_text_quotes_itself(text in "a[a-zß-ÿΑ-ωא-תک-ی漢-龥가-힣ก-๛ .,;\n’“”*_-]{30,80}") {
        if Quote::new(&text, &chunkwright_text::pulse::Beat::of_bytes(no_pulse())).is_ok() {
            prop_assert_eq!(found(&text, &text).len(), 1);
            let spaced = text.replace(' ', " \u{a0}");
            prop_assert_eq!(found(&spaced, &text).len(), 1, "{:?}", spaced);
        }
    }
}

#[test]
fn a_place_has_the_punctuation_of_the_quotation_as_far_as_it_is_there() {
    let text = "(It rained for two days.) So it did.";
    assert_eq!(found(text, "it rained for two days!"), ["It rained for two days"]);
    assert_eq!(found(text, "(it rained for two days.)"), ["(It rained for two days.)"]);
    assert_eq!(found(text, "“It rained for two days.”"), ["It rained for two days."]);
}

#[test]
fn short_quotations_are_refused() {
    let index = QuoteIndex::new("so short", no_pulse()).unwrap();
    for quote in [
        "",
        "...",
        "elevenchars",
        "(elevenchars.)",
        "*word*",
        "---",
        "[]",
        "1743",
        "北京",
        "วัน",
        "слово",
        "déjàvécu",
    ] {
        let error = index.find("so short", quote, 1, no_pulse()).unwrap_err();
        assert!(error.to_string().contains("at least 12 bytes"), "{error}");
    }
    for quote in [
        "twelveletter",
        "in 1743",
        "so short",
        "5-10 days",
        "总部设在北京",
        "今天下雨了",
        "비가 왔다",
        "비 와",
        "วันนี้",
        "ฝน ตก",
        "ຝົນຕົກ",
        "ភ្លៀង",
        "မိုးရွာ",
        "བོད་ཡིག",
        "在 1743",
        "ሚልዮን ነው",
    ] {
        assert!(index.find("so short", quote, 1, no_pulse()).is_ok(), "{quote}");
    }
    let error = index.find("so short", "ฝน\n", 1, no_pulse()).unwrap_err();
    assert!(error.to_string().contains(r#"got 6: "ฝน\n""#), "{error}");
}

proptest! {
    #[test]
    fn one_word_is_measured_in_bytes_in_each_script(
        word in "[a-z]{1,14}|[а-я]{1,8}|[א-ת]{1,8}|[ا-غ]{1,8}|[一-龥]{1,6}|[가-힣]{1,6}|[ก-ฮ]{1,6}|[ກຂຄງຈຊ]{1,6}|[ក-ឝ]{1,6}|[က-ဟ]{1,6}|[ཀ-ག]{1,6}|[ક-ન]{1,6}",
        other in "[a-z]|[ก-ฮ]|[가-힣]",
    ) {
        let beat = chunkwright_text::pulse::Beat::of_bytes(no_pulse());
        prop_assert_eq!(Quote::new(&word, &beat).is_ok(), word.len() >= 12, "{}", word);
        let marked = format!("(*{word}*!)");
        prop_assert_eq!(Quote::new(&marked, &beat).is_ok(), word.len() >= 12, "{}", marked);
        let two = format!("{word} {other}");
        prop_assert!(Quote::new(&two, &beat).is_ok(), "{}", two);
    }
}

const RIVER: &str = "It rained for two days. In the valley nobody slept, for the dam had been repaired \
    only in part. On the third day the river rose above its banks.";

#[test]
fn what_is_left_out_is_told() {
    for mark in ["...", "…", " [...] ", " […] ", " (...) ", ". . ."] {
        let quote = format!("It rained for two days{mark}the river rose above its banks.");
        let comparison = compared(&["another text", RIVER], &quote);
        assert_eq!(comparison.verdict, Verdict::Abridged, "{mark}");
        let texts: Vec<&str> = comparison.places.iter().map(|p| &RIVER[p.span.range()]).collect();
        assert!(texts[0].starts_with("It rained for two days"), "{texts:?}");
        assert_eq!(texts[1], "the river rose above its banks.");
    }
    let reversed = compared(&[RIVER], "the river rose above its banks... It rained for two days");
    assert_eq!(reversed.verdict, Verdict::Stitched);
}

#[test]
fn parts_are_as_long_as_quotations_and_short_ones_are_near() {
    let verdict = |text: &str, quote: &str| compared(&["another text", text], quote).verdict;
    let quote = "The mill stood here. [...] It was old.";
    assert_eq!(verdict("The mill stood here. It was old.", quote), Verdict::Abridged);
    assert_eq!(verdict("It was old. The mill stood here.", quote), Verdict::Missing);
    for n in [0, 1, 100, 900, 1100] {
        let text = format!("It was old. The mill stood here. {} It was old.", "x".repeat(n));
        let expected = if n < 1000 { Verdict::Abridged } else { Verdict::Missing };
        assert_eq!(verdict(&text, quote), expected, "{n}");
        let chain = format!("It was old. {text}");
        let places = compared(&[&chain], quote).places;
        let spans = places.iter().map(|place| &chain[place.span.range()]);
        assert!(places.is_empty() || spans.eq(["The mill stood here", "It was old."]), "{n}");
    }
    // The second place of the part between is near both others.
    let text = format!(
        "The mill stood here. It is. {} It is. {} It was old.",
        "x".repeat(600),
        "y".repeat(600)
    );
    assert_eq!(verdict(&text, "The mill stood here ... it is ... it was old"), Verdict::Abridged);
    assert_eq!(verdict("The mill stood here.", "The mill ... here"), Verdict::Missing);
    let texts = ["The mill stood here.", "It was old."];
    assert_eq!(compared(&texts, quote).verdict, Verdict::Missing);
}

#[test]
fn what_is_put_together_is_told() {
    let quote = "It rained for two days the river rose above its banks.";
    let comparison = compared(&[RIVER], quote);
    assert_eq!(comparison.verdict, Verdict::Stitched);
    assert_eq!(comparison.places.len(), 2);
    let quote = "It rained for two days nobody slept, for the dam the river rose above its banks.";
    assert_eq!(compared(&[RIVER], quote).verdict, Verdict::Stitched);
    let comparison = compared(
        &["Another text says it.", RIVER, "All of the fields were under water."],
        "It rained for two days. All of the fields were under water",
    );
    assert_eq!(comparison.verdict, Verdict::Stitched);
    assert_eq!(comparison.places.iter().map(|place| place.slot).collect::<Vec<_>>(), [1, 2]);
    // A word that is left out is no seam.
    let quote = "In the valley slept, for the dam had been repaired";
    assert_eq!(compared(&[RIVER], quote).verdict, Verdict::Missing);
}

#[test]
fn the_nearest_place_and_its_first_other_word_are_told() {
    let words = |quote: &str| {
        let comparison = compared(&["another text", RIVER], quote);
        assert_eq!(comparison.verdict, Verdict::Missing);
        let nearest = comparison.nearest.unwrap();
        assert_eq!(nearest.place.slot, 1);
        let [place, stands] = [nearest.place.span, nearest.stands].map(|span| &RIVER[span.range()]);
        (place, quote[nearest.quoted.range()].to_string(), stands)
    };
    assert_eq!(
        words("nobody slept, because the dam had been repaired only in part"),
        (
            "the dam had been repaired \\\n    only in part".replace("\\\n    ", "").as_str(),
            "because".into(),
            "for"
        )
    );
    assert_eq!(
        words("On the third day the river fell above"),
        ("On the third day the river", "fell".into(), "rose")
    );
    assert_eq!(
        words("above its banks. And then more rain"),
        ("above its banks.", "And".into(), "")
    );
    assert!(compared(&[RIVER], "Nothing of all this is there").nearest.is_none());
}

#[test]
fn one_letter_repeated_takes_little_time() {
    let text = "a ".repeat(200_000);
    let quote = "aa ".repeat(100);
    let index = QuoteIndex::new(&text, no_pulse()).unwrap();
    assert!(index.find(&text, &quote, 10, no_pulse()).unwrap().is_empty());
    let stop = || Err(Error::Interrupted);
    assert!(QuoteIndex::new(&text, &stop).is_err());
    let marks = "[](".repeat(50_000) + &"* ".repeat(50_000) + "x" + &"\u{301}".repeat(50_000);
    assert_eq!(
        found(&format!("{marks} it rained for two days"), "It rained for two days").len(),
        1
    );
}

//! Places of quotations, compared with those that a regular expression finds; what counts and what does not.

use proptest::prelude::*;
use regex::Regex;

use super::*;
use crate::error::Error;
use crate::pulse::no_pulse;

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

/// The pattern of a quotation that is words and gaps by turns.
fn pattern(words: &[&str], gaps: &[&str]) -> Regex {
    let letters: Vec<(char, &str)> = words
        .iter()
        .enumerate()
        .flat_map(|(i, word)| {
            word.chars()
                .enumerate()
                .map(move |(k, c)| (c, if k == 0 && i > 0 { gaps[i] } else { "" }))
        })
        .collect();
    let mut pattern = String::from(r"\b");
    for (i, (letter, gap)) in letters.iter().enumerate() {
        if i > 0 {
            pattern += match *gap {
                gap if gap.contains('-') => r"[\s-]*",
                "" => r"([\s-]*-[\s-]*)?",
                _ => r"(\s+|[\s-]*-[\s-]*)",
            };
        }
        pattern.push(*letter);
    }
    Regex::new(&(pattern + r"\b")).unwrap()
}

const WORDS: [&str; 7] = ["rain", "fall", "rainfall", "in", "the", "all", "therein"];
const GAPS: [&str; 8] = [" ", " ", "\n", "-", " - ", "-\n", " \n ", ""];

/// Words and the gaps in front of them.
fn joined(words: &[&str], gaps: &[&str]) -> String {
    gaps.iter().zip(words).flat_map(|(gap, word)| [*gap, *word]).collect()
}

proptest! {
    #[test]
    fn places_are_those_of_a_pattern(
        text in proptest::collection::vec((0..WORDS.len(), 0..GAPS.len()), 0..40),
        from in 0_usize..30, quoted in proptest::collection::vec((0..WORDS.len(), 0..GAPS.len()), 4..9),
        is_of_text in any::<bool>(),
    ) {
        let (words, gaps): (Vec<&str>, Vec<&str>) =
            text.iter().map(|&(word, gap)| (WORDS[word], GAPS[gap])).unzip();
        let source = joined(&words, &gaps);
        let word = |(i, &(other, _)): (usize, &(usize, usize))| match words.get(from + i) {
            Some(word) if is_of_text => word,
            _ => WORDS[other],
        };
        let mut gaps: Vec<&str> = quoted.iter().map(|&(_, gap)| GAPS[gap]).collect();
        gaps[0] = "";
        let words: Vec<&str> = quoted.iter().enumerate().map(word).collect();
        let quote = joined(&words, &gaps);
        prop_assume!(quote.len() > 24);
        let pattern = pattern(&words, &gaps);
        let expected: Vec<&str> = pattern.find_iter(&source).map(|found| found.as_str()).collect();
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
        if Quote::new(&text, &crate::pulse::Beat::of_bytes(no_pulse())).is_ok() {
            prop_assert_eq!(found(&text, &text).len(), 1);
            let spaced = text.replace(' ', " \u{a0}");
            prop_assert_eq!(found(&spaced, &text).len(), 1, "{:?}", spaced);
        }
    }
}

use super::quote::Quote;

#[test]
fn what_does_not_change_a_word_does_not_count() {
    let same = [
        ("It rained for two days.", "it  RAINED\u{c}for\u{a0}two\r\ndays"),
        ("The coordinate system of it", "The co-\nordinate system of it"),
        ("The co-ordinate system of it", "The coordi-\n   nate system of it"),
        ("The coordinate system of it", "The co\u{ad}ordi\u{200b}nate system of it"),
        ("well-known efficient offices", "well‑known eﬃcient oﬃces"),
        ("from 1990-1995 and later on", "from 1990–1995 and later on"),
        ("the river - a wide one - rose", "the river—a wide one—rose"),
        ("he said \"it's over\" and left", "he said “it’s over” and left"),
        ("and so on... and so forth", "and so on… and so forth"),
        ("Ｆｕｌｌ ｗｉｄｔｈ ｌｅｔｔｅｒｓ", "full width letters"),
        ("Crème brûlée à la carte", "Cre\u{300}me bru\u{302}le\u{301}e a\u{300} la carte"),
        ("STRASSEN UND GASSEN", "Straßen und Gassen"),
        ("ΟΔΥΣΣΕΥΣ ΚΑΙ ΠΗΝΕΛΟΠΗ", "Οδυσσευς και Πηνελοπη"),
        ("IŞIK VE İSTANBUL BOĞAZI", "ışık ve istanbul boğazı"),
        ("الكتاب على الطاولة", "الكتــاب على\nالطاولة"),
        ("今天下了一整天的大雨河水上涨", "今天下了一整天\n的大雨 河水上涨"),
        ("ガスタービンの効率を測定した", "ｶﾞｽﾀｰﾋﾞﾝの効率を測定した"),
        ("한국어 문장은 이렇게 된다 그리고", "한국어\n문장은 이렇게\u{a0}된다 그리고"),
        ("some bold and italic text", "some **bold** and _italic_ `text`"),
        ("Name Value rain 12 sun 30", "| Name | Value |\n|---|--:|\n| rain | 12 |\n| sun | 30 |"),
        ("A Heading And what it heads", "## A Heading\n\nAnd what it heads"),
        ("A Heading And what it heads", "A Heading\n=========\n> And what\n> it heads"),
        ("first part second part", "first part\n* \u{a0}*\u{3000}**\nsecond part"),
        ("first part second part", "first part\u{2028}***\u{2028}second part"),
        ("first point second point", "- first point\n* second point\n"),
        ("first point second point", "• first point\n• second point\n"),
        ("see the manual for the rest", "see [the manual](https://a.b/c#d) for the rest"),
        ("five * three and snake_case", "five \\* three and snake\\_case"),
    ];
    for (quote, text) in same {
        let whole = format!("Before it.\n{text}\nBehind it.");
        assert_eq!(found(&whole, quote).len(), 1, "{quote:?} in {text:?}");
        assert_eq!(found(quote, text).len(), 1, "{text:?} in {quote:?}");
    }
}

#[test]
fn what_changes_a_word_counts() {
    let different = [
        ("It rained for two days", "It rained for ten days"),
        ("It rained for two days", "It rained two days"),
        ("It rained for two days", "It rained for two long days"),
        ("It rained for two days", "It for rained two days"),
        ("the therapist came in", "the the rapist came in"),
        ("nowhere near the river", "now here near the river"),
        ("it fell by -5 degrees", "it fell by 5 degrees"),
        ("rain fell for two days", "train fell for two days"),
        ("rain fell for two days", "rain fell for two daystars"),
        ("it was said: we're late", "it was said: were late"),
        ("a résumé of last year", "a resume of last year"),
        ("the product 2*3*4*5*6", "the product 23456"),
        ("the name is snake_case", "the name is snakecase"),
        ("今天下了一整天的大雨河水上涨", "今天下了一整天的小雨河水上涨"),
    ];
    for (quote, text) in different {
        assert_eq!(found(text, quote), [""; 0], "{quote:?} in {text:?}");
        assert_ne!(compared(&[text], quote).verdict, Verdict::Found);
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
    for quote in ["", "...", "eleven char", "(eleven char.)", "*eleven-char*"] {
        let error = index.find("so short", quote, 1, no_pulse()).unwrap_err();
        assert!(error.to_string().contains("at least 12 characters"), "{error}");
    }
    assert!(index.find("so short", "twelve chars", 1, no_pulse()).is_ok());
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
    assert_eq!(comparison.places.iter().map(|place| place.text).collect::<Vec<_>>(), [1, 2]);
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
        assert_eq!(nearest.text, 1);
        let [place, stands] = [nearest.span, nearest.stands].map(|span| &RIVER[span.range()]);
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

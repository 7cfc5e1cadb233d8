//! Laws of sentence boundaries, for generated texts in several languages.

use super::*;
use crate::error::Error;
use proptest::prelude::*;

fn sentences(text: &str) -> Vec<&str> {
    Sentences::new(text).map(|span| &text[span.range()]).collect()
}

/// Pieces that the rules look at, put together at random.
fn text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "The",
        "he",
        "I",
        "A",
        "Dr",
        "U.S",
        "a.m",
        "No",
        "etc",
        "p",
        "J",
        "5",
        "12",
        "1.5",
        "word",
        "Yahoo",
        ".",
        ".",
        ".",
        ". ",
        ". ",
        ". ",
        "!",
        "? ",
        "…",
        "...",
        ". . .",
        "\"",
        "'",
        "(",
        ")",
        "[1]",
        "”",
        "“",
        "」",
        "「",
        "»",
        " ",
        " ",
        " ",
        "\n",
        "°",
        " . ",
        " ' ",
        " '' ",
        "\n\n",
        "\r\n",
        "\t",
        "\u{a0}",
        "\u{2029}",
        "- ",
        "1. ",
        "2) ",
        "a) ",
        "# ",
        "| ",
        ",",
        ";",
        ":",
        "—",
        "漢字",
        "。",
        "？",
        "と",
        "é",
        "Ärzte",
        "।",
        "؟",
        "डॉ",
        "प्र",
        "ص",
        "ครับ",
        "Chapter 1",
        "рис",
        "．",
        "Ｕ",
        "！",
        "\u{589}",
        "\u{1361}",
        "\u{1361}\u{1361}",
        "::",
        "J.-P",
        "t.ex",
        "بی۔",
        "“你",
        "@",
        "/",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn sentences_tile_the_text(text in text(), code in prop::sample::select(vec!["en", "de", "ja", "el", "th", "hy", "hi", "am", "cs"])) {
        let language = Language::from_code(code).unwrap();
        let mut at = 0;
        for span in Sentences::in_language(&text, language) {
            prop_assert_eq!(span.start, at);
            prop_assert!(span.end > at && text.is_char_boundary(span.end));
            let blank = text[span.range()].trim_matches(crate::unicode::space::is_space).is_empty();
            prop_assert!(!blank || span.len() == text.len());
            at = span.end;
            let behind = text[at..].chars().next();
            prop_assert!(behind.is_none_or(|c| !crate::unicode::space::is_space(c)));
        }
        prop_assert_eq!(at, text.len());
    }

    #[test]
    fn any_string_is_tiled(text in "\\PC{0,60}") {
        prop_assert_eq!(sentences(&text).concat(), text);
    }

    #[test]
    fn what_follows_a_paragraph_changes_nothing_before_it(text in text(), more in text()) {
        let text = format!("{text}x\n\n");
        let both = format!("{text}y{more}");
        let of_both = sentences(&both);
        let before = sentences(&text);
        prop_assert_eq!(&of_both[..before.len()], &before[..]);
    }

    #[test]
    fn the_rest_of_a_text_has_the_rest_of_its_sentences(text in text()) {
        let all = sentences(&text);
        let mut at = 0;
        for (i, sentence) in all.iter().enumerate() {
            at += sentence.len();
            prop_assert_eq!(&sentences(&text[at..])[..], &all[i + 1..], "from {}", at);
        }
    }
}

#[test]
fn a_pulse_stops_one_endless_sentence() {
    let text = "a.".repeat(1 << 17);
    let stop = || Err(Error::Config("stopped".into()));
    assert!(Sentences::new(&text).try_next(&Beat::of_bytes(&stop)).is_err());
    assert_eq!(Sentences::new(&text).next(), Some(Span::new(0, text.len())));
}

fn split<'t>(text: &'t str, code: &str) -> Vec<&'t str> {
    let language = Language::from_code(code).unwrap();
    Sentences::in_language(text, language).map(|span| text[span.range()].trim_end()).collect()
}

#[test]
fn an_abbreviation_before_a_number_ends_no_sentence_in_any_language() {
    for (code, text) in [
        ("de", "Das regelt § 8 Abs. 4 und Abb. 7 zeigt es."),
        ("cs", "To říká odst. 7 a obr. 12."),
        ("sv", "Detta visas i kap. 4 och fig. 9."),
        ("pl", "Mówi o tym rozdz. 9 oraz rys. 2."),
        ("ru", "Это видно на рис. 7 и в табл. 3."),
        ("el", "Δείτε σελ. 90 και κεφ. 2."),
        ("es", "Lo dice la pág. 71 del cap. 3."),
        ("ar", "هذا في ص. ٧١ وهو واضح."),
        ("th", "เกิดใน พ.ศ. ๒๔๗๕ ที่นี่"),
        // No list has this one: short, in lower case, cut off behind a consonant.
        ("de", "Siehe qxr. 9 im Anhang."),
    ] {
        assert_eq!(split(text, code), [text], "{code}");
    }
    // Everyday words are none, however short.
    assert_eq!(split("Me lo dijo a mí y no. 8 perros ladran.", "es").len(), 2);
    assert_eq!(split("Sie kam mit uns. 8 Leute blieben.", "de").len(), 2);
    assert_eq!(split("She left with us. 8 people stayed.", "en").len(), 2);
}

#[test]
fn titles_hold_in_every_script() {
    for (code, text) in [
        ("tr", "Toplantıya Prof. Dr. Zeynep Arslan geldi."),
        ("cs", "Přednášel prof. Malý a po něm Ing. Veselá."),
        ("ro", "A venit prof. Ionescu la noi."),
        ("ru", "Лекцию читал проф. Волков вчера."),
        ("kk", "Бүгін проф. Асанов келді."),
        ("hi", "कल डॉ. राव आए।"),
        ("ml", "ഇന്ന് ഡോ. രാജൻ വന്നു."),
        ("en", "Yesterday MUDr. Malý and डॉ. राव came."),
    ] {
        assert_eq!(split(text, code), [text], "{code}");
    }
}

#[test]
fn a_named_language_has_the_abbreviations_of_an_unnamed_one() {
    let texts = ["We saw Dr. Brown there.", "See fig. 7 there.", "At Mt. Etna it snows."];
    for code in Language::codes().filter(|&code| Language::from_code(code).unwrap().dots) {
        for text in texts {
            assert_eq!(split(text, code), [text], "{code}");
        }
    }
}

#[test]
fn a_label_goes_on_with_its_title() {
    for (code, text) in [
        ("en", "Chapter 7. A House by the Lake."),
        ("en", "Section 4.2. Rules of Order."),
        ("de", "Teil IV. Wege zum Meer."),
        ("uk", "Розділ 7. Будинок."),
        ("fa", "فصل ۷. خانه."),
        ("sw", "Sura ya 7. Nyumba."),
    ] {
        assert_eq!(split(text, code), [text], "{code}");
    }
    assert_eq!(split("Anna is 7. Bella has 8.", "en").len(), 2);
    assert_eq!(split("Born 1987. She left.", "en").len(), 2);
    assert_eq!(split("We read Chapter 7. It rained.", "en").len(), 2);
}

#[test]
fn initials_have_no_need_of_case() {
    for (code, text) in [
        ("hi", "वह म.प्र. और उ.प्र. गया।"),
        ("am", "ወደ ኢ.ፌ.ዴ. ሄደ።"),
        ("ur", "یہ ق.م. کا ہے۔"),
        ("zh", "他在Ｕ．Ｎ．工作。"),
    ] {
        assert_eq!(split(text, code), [text], "{code}");
    }
    // "है" is a word of one syllable.
    assert_eq!(split("यह घर है. वह दूर है.", "hi").len(), 2);
}

#[test]
fn pauses_and_leaders_end_nothing() {
    assert_eq!(split("वह रुका... फिर चला गया।", "hi").len(), 1);
    assert_eq!(split("The Lake ........ 41", "en").len(), 1);
    assert_eq!(split("He waited... Then he left.", "en").len(), 2);
    assert_eq!(split("Նա եկավ. Ես գնացի։ Վերջ։", "hy").len(), 2);
    assert_eq!(split("He came. She left.", "hy").len(), 2);
}

#[test]
fn a_mark_in_a_name_goes_on_with_its_particle() {
    assert_eq!(split("昨日パズル！の本を読んだ。", "ja").len(), 1);
    assert_eq!(split("行こう！はい。", "ja").len(), 2);
}

#[test]
fn thai_ends_a_sentence_behind_a_particle_and_a_blank() {
    let text = "ขอบคุณมากครับ พรุ่งนี้ฝนตก แต่เราจะไป";
    assert_eq!(split(text, "th"), ["ขอบคุณมากครับ", "พรุ่งนี้ฝนตก แต่เราจะไป"]);
}

#[test]
fn a_day_belongs_to_its_time() {
    assert_eq!(split("We meet at 7 p.m. Friday in town.", "en").len(), 1);
    assert_eq!(split("We met at 7 p.m. Friday's talk was long.", "en").len(), 2);
}

#[test]
fn abbreviations_are_known_by_their_dots_and_hyphens() {
    for (code, text) in [
        ("fr", "J.-P. Sartre a vu M. J.-C. Martin."),
        ("sv", "Fr.o.m. 3 maj, se t.ex. Novak."),
        ("it", "Lo dice il D.Lgs. 231 del 2001."),
        ("fi", "Noin 500 eKr. Rooma oli pieni."),
        ("ro", "În anul 500 î. Hr. Roma era un sat."),
        ("bg", "През 500 г. пр. Хр. Рим е село."),
        ("ru", "Об этом пишет Ж.-П. Волков."),
    ] {
        assert_eq!(split(text, code), [text], "{code}");
    }
    assert_eq!(split("Open a.out. Nora waits.", "en").len(), 2);
    assert_eq!(split("Je to 500 km. Jan jde.", "cs").len(), 2);
}

#[test]
fn abbreviations_of_a_kind_hold_in_every_language_that_has_them() {
    for (code, text) in [
        ("cs", "Města, např. Praha, mají tzv. Králův dvůr za 5 mil. Kč."),
        ("pl", "Było ok. 300 osób, zob. Dz. U. z 2000 r."),
        ("es", "Son aprox. 300 casas."),
        ("pt", "A Cia. Vale tem aprox. 300 casas."),
        ("ro", "Sunt cca. 300 de case."),
        ("ru", "См. напр. Волков."),
        ("el", "Ο Άγ. Νικόλαος."),
        ("hi", "मो. रफ़ी को रु. 500 मिले।"),
    ] {
        assert_eq!(split(text, code), [text], "{code}");
    }
}

#[test]
fn words_that_lists_take_for_abbreviations_end_sentences() {
    for (code, text) in [
        ("de", "Wir essen Obst. Nora lacht."),
        ("de", "Das ist seine Art. Nora lacht."),
        ("de", "Er kennt Max. Nora lacht."),
        ("es", "Nada en el mar. Nora mira."),
        ("it", "Si paga l'IVA. Nora ride."),
        ("pt", "Ajuda-me. Nora espera."),
        ("sv", "Det är maj. Nora ler."),
        ("sl", "Vidim ga. Nora gre."),
    ] {
        assert_eq!(split(text, code).len(), 2, "{code} {text}");
    }
    assert_eq!(split("Es kostet max. Preise, siehe Art. 7 und Mag. Huber.", "de").len(), 1);
}

#[test]
fn dates_of_numbers_hold_together() {
    for (code, text) in [
        ("de", "Am 3. 5. 2023 regnete es."),
        ("cs", "Sešli se 3. 5. 2023 v Praze."),
        ("ro", "Pe 3. 5. 2023 a plouat."),
        ("hu", "A határidő 2023. 12. 31. napja."),
        ("de", "Das Gesetz v. 3. Mai 1990 gilt."),
    ] {
        assert_eq!(split(text, code), [text], "{code}");
    }
    assert_eq!(split("Es ging um 3:1. Nora jubelte.", "de").len(), 2);
    assert_eq!(split("Er las Art. 12. Nora schlief.", "de").len(), 2);
    assert_eq!(split("Es war 1987. 12 Leute kamen.", "de").len(), 2);
}

#[test]
fn the_blank_of_ethiopic_ends_a_sentence_where_it_stands_twice() {
    for text in ["ዝናብ ዘነበ፡፡ ወንዙ ሞላ፡፡", "ዝናብ ዘነበ፡፡ወንዙ ሞላ፡፡", "ዝናብ ዘነበ:: ወንዙ ሞላ::"]
    {
        assert_eq!(split(text, "am").len(), 2, "{text}");
    }
    assert_eq!(split("ዝናብ፡ዘነበ፡ወንዙ: ሞላ።", "am").len(), 1);
}

#[test]
fn quotations_in_a_row_are_sentences_of_their_own() {
    let text = "“你去吗？”“不去。”“为什么？”";
    assert_eq!(split(text, "zh"), ["“你去吗？”", "“不去。”", "“为什么？”"]);
    assert_eq!(split("他走了。“你好。”", "zh").len(), 2);
    assert_eq!(split("Er sagte: „Ja.“ Dann ging er.", "de").len(), 2);
}

#[test]
fn initials_of_urdu_stand_in_a_row() {
    assert_eq!(split("بی۔ بی۔ سی۔ نے خبر دی۔ وہ گیا۔", "ur").len(), 2);
    assert_eq!(split("یہ اس کے۔ وہ گیا۔", "ur").len(), 2);
}

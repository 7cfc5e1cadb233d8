//! Cases of what may differ between a text and a quotation, and of what may not.

use proptest::prelude::*;

use super::*;
use crate::pulse::no_pulse;

fn n_found(text: &str, quote: &str) -> usize {
    let index = QuoteIndex::new(text, no_pulse()).unwrap();
    index.find(text, quote, 100, no_pulse()).unwrap().len()
}

/// Quotations and texts that are the same, whichever is which.
const SAME: &[(&str, &str)] = &[
    // White space.
    ("It rained for two days.", "it  RAINED\u{c}for\u{a0}two\r\ndays"),
    ("pages 5 - 10 of it", "pages 5-10 of it"),
    ("non-breaking\u{202f}and thin", "non‑breaking\u{2009}and thin"),
    ("今天下了一整天的大雨河水上涨", "今天下了一整天\n的大雨 河水上涨"),
    ("한국어 문장은 이렇게 된다 그리고", "한국어\n문장은 이렇게\u{a0}된다 그리고"),
    // Soft hyphens and invisible characters.
    ("The coordinate system of it", "The co\u{ad}ordi\u{200b}nate system of it"),
    ("a sum of 1000 in all", "a sum of 1\u{200b}000 in all"),
    ("الكتاب على الطاولة", "الكتــاب على\nالطاولة"),
    // Hyphens at ends of lines.
    ("The coordinate system of it", "The co-\nordinate system of it"),
    ("The co-ordinate system of it", "The co-\n   ordinate system of it"),
    ("The coordinate system of it", "The co\u{ad}\nordinate system of it"),
    ("pre- and post-war years", "pre-\nand post-war years"),
    ("from 5-10 days of it", "from 5-\n10 days of it"),
    ("the COVID-19 years of it", "the COVID-\n19 years of it"),
    // Forms of one sign.
    ("well-known efficient offices", "well‑known eﬃcient oﬃces"),
    ("from 1990-1995 and later on", "from 1990–1995 and later on"),
    ("the river - a wide one - rose", "the river—a wide one—rose"),
    ("the river -- a wide one -- rose", "the river – a wide one – rose"),
    ("it fell by -5 degrees", "it fell by −5 degrees"),
    ("and so on... and so forth", "and so on… and so forth"),
    ("Ｆｕｌｌ ｗｉｄｔｈ（１２３）［ｎｏｔ］", "full width(123)[not]"),
    ("Crème brûlée à la carte", "Cre\u{300}me bru\u{302}le\u{301}e a\u{300} la carte"),
    ("ガスタービンの効率を測定した", "ｶﾞｽﾀｰﾋﾞﾝの効率を測定した"),
    ("น้ำท่วมในหมู่บ้านสองวัน", "น้ํ\u{200b}าท่วมในหมู่บ้านสองวัน"),
    ("որ եւ այդ օրը անձրեւ էր", "որ և այդ օրը անձրև էր"),
    // Quotation marks.
    ("he said \"it's over\" and left", "he said “it’s over” and left"),
    ("the year \"1984\" was the title", "the year «1984» was the title"),
    ("a pipe of 5\" and 10' long", "a pipe of 5″ and 10′ long"),
    // Case of words.
    ("STRASSEN UND GASSEN", "Straßen und Gassen"),
    ("ΟΔΥΣΣΕΥΣ ΚΑΙ ΠΗΝΕΛΟΠΗ", "Οδυσσευς και Πηνελοπη"),
    ("IŞIK VE İSTANBUL BOĞAZI", "ışık ve istanbul boğazı"),
    ("IN 1743 IT WAS BUILT THERE", "in 1743 it was built there"),
    ("In 1743 the Mill was built", "in 1743 the mill was built"),
    ("a period of 10 Days after it", "a period of 10 days after it"),
    // Markdown, as it is written.
    ("some bold and italic text", "some **bold** and _italic_ `text`"),
    ("an unbelievable story of it", "an un*believ*able story of it"),
    ("A Heading And what it heads", "## A Heading\n\nAnd what it heads"),
    ("A Heading And what it heads", "A Heading\n=========\n> And what\n> it heads"),
    ("first part second part", "first part\n* \u{a0}*\u{3000}**\nsecond part"),
    ("first part second part", "first part\u{2028}***\u{2028}second part"),
    ("first point second point", "- first point\n* second point\n"),
    ("first point second point", "• first point\n• second point\n"),
    ("see the manual for the rest", "see [the manual](https://a.b/c#d) for the rest"),
    ("see the manual for the rest", "see [the manual](file \"a title\") for the rest"),
    ("see the manual for the rest", "see [the manual](a_(b).html) for the rest"),
    ("see the manual for the rest", "see [the manual](<a b>) for the rest"),
    ("see the manual for the rest", "see [the manual][ref] for the rest"),
    ("see the chapters for the rest", "see the [chapter](x)s for the rest"),
    ("five * three and snake_case", "five \\* three and snake\\_case"),
    ("struck and marked words", "~~struck~~ and ==marked== words"),
    ("where x + y = z holds for all", "where $x + y = z$ holds for all"),
    ("one line and another one", "one line\\\nand another one"),
    ("the name of x's method is y", "the name of `x`'s method is y"),
    ("使用配置文件来设置端口号", "使用`配置文件`来设置`端口号`"),
    ("使用 config 来设置端口号", "使用`config`来设置端口号"),
    // HTML and roles.
    ("Smith & Sons — a new firm", "Smith &amp; Sons &mdash; a&nbsp;new firm"),
    ("it is bold, and over", "it is <b>bold</b>,<br>and <!-- not --> over"),
    ("water is H2O in all of them", "water is H<sub>2</sub>O in all of them"),
    ("see https://a.b/c for the rest", "see <https://a.b/c> for the rest"),
    ("if a < b and b > c then", "if a &lt; b and b &gt; c then"),
    ("write to me@mail.org for it", "write to <me@mail.org> for it"),
    ("see the method read of files", "see the method :meth:`~io.Base.read` of files"),
    ("see the guide for the rest", "see :ref:`the guide <guide-1>` for the rest"),
    ("see the guide for the rest", "see `the guide <https://a.b>`_ for the rest"),
];

/// Quotations, and texts that have more.
const FOUND: &[(&str, &str)] = &[
    ("Name Value rain 12 sun 30", "| Name | Value |\n|---|--:|\n| rain | 12 |\n| sun | 30 |"),
    ("First point Second point Third", "1. First point\n2. Second point\n3. Third"),
    ("1. First point 2. Second point", "1. First point\n2. Second point\n3. Third"),
    ("as it is now. 2) Second point", "1) as it is now.\n2) Second point"),
    ("- first point - second point", "- first point\n- second point"),
    ("Value | rain | 12", "| Name | Value |\n| rain | 12 |"),
    ("First point 2.\nSecond point", "1. First point\n2. Second point\n3. Third"),
    ("to do and it is done now", "- [ ] to do\n- [x] and it is done now"),
    ("was founded in 1871. It has", "The city was founded in 1871.[3] It has people."),
    ("was founded in 1871.[3] It has", "The city was founded in 1871.[3] It has people."),
    ("has a population of 200,000", "It has a population[a][4] of 200,000 people."),
    ("has a population of 200,000", "It has a population[^1] of 200,000 people."),
    ("has a population of 200,000", "It has a population¹² of 200,000 people."),
    ("has a population of 200,000", "It has a population [12] of 200,000 people."),
    ("is the end. And more of it", "This is the end.² And more of it"),
    ("الكتاب على الطاولة", "الْكِتَابُ عَلَى الطَّاوِلَةِ"),
    ("בראשית ברא אלהים את השמים", "בְּרֵאשִׁית בָּרָא אֱלֹהִים אֵת הַשָּׁמַיִם"),
    ("the words of *this text", "all the words of *this text* are"),
    ("see [the manual] for the rest", "see [the manual][ref] for the rest"),
    ("the value a[3] = b of it", "the value `a[3] = b` of it"),
    ("say \"texts/2\" there", "```\nsay \"texts/2\" there\n```\n"),
    ("manual](x_(y)) for the rest", "see [the manual](x_(y)) for the rest"),
    ("see [the manual", "see [the manual](x_(y)) for the rest"),
    ("built in 1990. Then it was", "1. It was\nbuilt in 1990. Then it was"),
    ("built in 1990. Then it was", "It was built in\n1990. Then it was"),
    ("he was 5 years \"old", "he was 5 years \"old\" then"),
    ("associated with it [36,\r\n38], and", "associated with it [36, 38], and there"),
    ("the space at 18.\n5. The rest", "4. Behind the space at 18.\n5. The rest"),
    // Words that a quotation mark, or the end of a paragraph, parts from what stands before.
    ("Changed since the last run", "note(f\"Changed since the last run\")"),
    ("note(f“Changed since", "note(f\"Changed since the last run\")"),
    ("LIMIT = 4\n“““the exit code", "LIMIT = 4\n\"\"\"The exit code of a run"),
    ("in worms of rrf-3 we saw", "It was in worms of rrf-3\n\nWe saw it"),
    // Code stands as it is.
    ("the <pre> tag of a page", "the `<pre>` tag of a page"),
    ("td>stone 1</td", "```\n<tr><td>stone 1</td></tr>\n```\n"),
    ("<div>deep</div>\n```\nAnd it goes", "```\n<div>deep</div>\n```\nAnd it goes on"),
    ("It rained &amp; rained", "```html\n<p>It rained &amp; rained</p>\n```\n"),
    ("docs/**/*.md and all below", "`docs/**/*.md` and all below"),
    ("chunk, `$chunk` it; `$tokens", "the chunk, `$chunk` it; `$tokens` the limit"),
    ("1. `a` gives `_ｂｅ it", "It is so\n\n1. `a` gives `_be` it"),
    // Signs that have another one in more of the text.
    ("$(0.22) /$(0.12) to both", "of $3 to $(0.22) /$(0.12) to both"),
    ("net | $-410 (410) | $-381", "net | $-410 (410) | $-381 to $(0.22) /$(0.12)"),
    ("and **both of them", "it is *here and **both of them"),
    ("b** of both of them", "it is *a b** of both of them"),
];

/// Quotations, and texts in which they do not stand.
const DIFFERENT: &[(&str, &str)] = &[
    ("It rained for two days", "It rained for ten days"),
    ("It rained for two days", "It rained two days"),
    ("It rained for two days", "It rained for two long days"),
    ("It rained for two days", "It for rained two days"),
    ("the therapist came in", "the the rapist came in"),
    ("nowhere near the river", "now here near the river"),
    ("rain fell for two days", "train fell for two days"),
    ("rain fell for two days", "rain fell for two daystars"),
    ("it was said: we're late", "it was said: were late"),
    ("they dont pay the fee", "they don't pay the fee"),
    ("a résumé of last year", "a resume of last year"),
    ("the product 2*3*4*5*6", "the product 23456"),
    ("the name is snake_case", "the name is snakecase"),
    ("今天下了一整天的大雨河水上涨", "今天下了一整天的小雨河水上涨"),
    // Dashes.
    ("takes 510 days in all", "takes 5-10 days in all"),
    ("takes 5-10 days in all", "takes 510 days in all"),
    ("takes 510 days in all", "takes 5-\n10 days in all"),
    ("takes 510 days in all", "takes 5\u{ad}10 days in all"),
    ("is 12 million a year", "is 1–2 million a year"),
    ("must resign the contract", "must re-sign the contract"),
    ("must re-sign the contract", "must resign the contract"),
    ("must re sign the contract", "must re-sign the contract"),
    ("it fell by -5 degrees", "it fell by 5 degrees"),
    ("it fell by 5 degrees", "it fell by -5 degrees"),
    ("5 degrees below it", "it fell to −5 degrees below it"),
    ("see Listing 819 for it", "see Listing 8-19 for it"),
    ("use -force with it", "use --force with it"),
    ("use force with it", "use --force with it"),
    // Exponents, fractions, other forms of digits.
    ("is 102 metres wide", "is 10² metres wide"),
    ("is 10 metres wide", "is 10² metres wide"),
    ("is 10 m wide and long", "is 10 m² wide and long"),
    ("is 102 metres wide", "is 10<sup>2</sup> metres wide"),
    ("the sum is 11/2 of it", "the sum is 1½ of it"),
    ("the sum is 1 of all", "the sum is 1½ of all"),
    ("they pay 10", "they pay 10 000 in all"),
    ("they pay 1 234", "they pay 1\u{202f}234\u{a0}567 in all"),
    ("000 in all of it", "they pay 10 000 in all of it"),
    ("they pay 10", "they pay 10**6 in all"),
    ("they pay 10", "they pay 10×5 in all"),
    ("10 in all of it", "they pay ≠10 in all of it"),
    ("in step 1 of the list", "in step ① of the list"),
    ("the value of x1 is it", "the value of x₁ is it"),
    // Brackets, links.
    ("the buyer shall not pay", "the buyer shall [not] pay"),
    ("the buyer shall [not] pay", "the buyer shall not pay"),
    ("the buyer shall pay it", "the buyer shall [not] pay it"),
    ("section 42 of the norm", "section [4](#s4)2 of the norm"),
    ("founded in 1871.[4] It has", "founded in 1871.[3] It has"),
    ("founded in 1871. It has", "founded in 1871. [see there] It has"),
    ("the value a = b of it", "the value `a[3] = b` of it"),
    ("the tag of a page", "the `<pre>` tag of a page"),
    ("It rained & rained", "in `It rained &amp; rained` there"),
    // Units, symbols, signs.
    ("dose is 5 Mg a day", "dose is 5\nmg a day"),
    ("dose is 5 Mg a day", "dose is 5 mg a day"),
    ("dose is 5 MG a day", "dose is 5 mg a day"),
    ("size of 5 Gb in all", "size of 5 GB in all"),
    ("a layer of Co2 there", "a layer of CO2 there"),
    ("warm at 5 °c in it", "warm at 5 °C in it"),
    ("it rose by 5 in May", "it rose by 5% in May"),
    ("it rose by 5", "it rose by 5% in May"),
    ("it is ± 5 of that", "it is 5 of that"),
    ("it cost 5 million", "it cost $5 million"),
    ("it cost €5 million", "it cost $5 million"),
    ("a pipe of 5 in all", "a pipe of 5\" in all"),
    ("a pipe of 5' in all", "a pipe of 5\" in all"),
    ("written in C and more", "written in C# and more"),
    ("written in C and more", "written in C++ and more"),
    ("written in C+ and more", "written in C++ and more"),
    ("it is written in C", "it is written in C++ by them"),
    ("it is written in C++", "it is written in C by them"),
    ("it is written in C#", "it is written in C by them"),
    ("+5 degrees in all of it", "it fell 5 degrees in all of it"),
    ("-5 degrees in all of it", "it fell 5 degrees in all of it"),
    ("if x < 5 then it is", "if x ≤ 5 then it is"),
    ("if x = 5 then it is", "if x >= 5 then it is"),
    ("if a or b holds for it", "if a | b holds for it"),
    ("P(A B) of both of them", "P(A | B) of both of them"),
    ("with him and or her", "with him and/or her"),
    ("a == b holds for it", "a === b holds for it"),
    ("2**3 is the power of", "23 is the power of"),
    // Numbers.
    ("a sum of 1.000 in all", "a sum of 1,000 in all"),
    ("a sum of 1000 in all", "a sum of 1,000 in all"),
    ("a sum of 1000 in all", "a sum of 1 000 in all"),
    ("the values 3,5 of it", "the values 3, 5 of it"),
    ("a sum of 1. 5 in all", "a sum of 1.5 in all"),
    ("pays a fee of 10", "pays a fee of 100 to him"),
    ("pays a fee of 10", "pays a fee of 10.50 to him"),
    ("is due within 10", "is due within 10-30 days"),
    ("5 days in all of it", "takes 2.5 days in all of it"),
    ("10 days in all of it", "takes 5-10 days in all of it"),
    ("legal in all the states", "it is illegal in all the states"),
    ("legal in all the states", "it is il*legal* in all the states"),
    ("2. The fee is due now", "1. The fee is due now"),
    ("the end. 3. The fee is due", "the end.\n\n2. The fee is due"),
    ("built in 1991. Then it was", "1. It was built in\n1990. Then it was"),
    // Marks of Arabic that the quotation has.
    ("الكِتاب على الطاولة", "الكَتاب على الطاولة"),
    ("in part iv of the book", "in part vi of the book"),
];

#[test]
fn what_may_differ_does_not_count() {
    for (quote, text) in SAME {
        let whole = format!("Before it.\n{text}\nBehind it.");
        assert_eq!(n_found(&whole, quote), 1, "{quote:?} in {text:?}");
        let whole = format!("Before it.\n{quote}\nBehind it.");
        assert_eq!(n_found(&whole, text), 1, "{text:?} in {quote:?}");
    }
    for (quote, text) in FOUND {
        assert_eq!(n_found(text, quote), 1, "{quote:?} in {text:?}");
    }
}

#[test]
fn all_else_counts() {
    for (quote, text) in DIFFERENT {
        assert_eq!(n_found(text, quote), 0, "{quote:?} in {text:?}");
        let index = QuoteIndex::new(text, no_pulse()).unwrap();
        let found = compare(&[Source { text, index: &index }], quote, 3, no_pulse()).unwrap();
        assert_ne!(found.verdict, Verdict::Found, "{quote:?} in {text:?}");
    }
}

/// A text of words, numbers and signs, in which every part is another one.
fn sentence() -> impl Strategy<Value = Vec<String>> {
    let word = prop_oneof![
        4 => "[a-z]{3,9}",
        1 => "[A-Z][a-z]{3,9}",
        1 => "[1-9][0-9]{0,3}",
        1 => "[1-9][0-9]?[-.,/][1-9][0-9]",
        1 => "[a-z]{3,6}-[a-z]{3,6}",
        1 => "[1-9][0-9]?(%|°|²)",
    ];
    proptest::collection::vec(word, 5..12)
}

proptest! {
    #[test]
    fn no_other_sign_is_the_same(words in sentence(), at in any::<prop::sample::Index>(), new in "[a-z0-9%°²+#=/±-]") {
        let text = words.join(" ");
        let places: Vec<(usize, char)> = text.char_indices().filter(|&(_, c)| c != ' ').collect();
        let (start, old) = places[at.index(places.len())];
        let new = new.chars().next().unwrap();
        prop_assume!(!new.eq_ignore_ascii_case(&old));
        let changed = format!("{}{new}{}", &text[..start], &text[start + old.len_utf8()..]);
        // A dash at an end is punctuation.
        let is_end = |text: &str| text.starts_with('-') || text.ends_with('-');
        prop_assume!(!is_end(&changed) && !is_end(&text) && (start > 0 || new.is_alphanumeric()));
        prop_assert_eq!(n_found(&text, &changed), 0, "{:?} in {:?}", changed, text);
    }

    #[test]
    fn no_sign_may_be_missing(words in sentence(), at in any::<prop::sample::Index>()) {
        let text = words.join(" ");
        let inner: Vec<(usize, char)> = text.char_indices().skip(1).collect();
        let inner = &inner[..inner.len() - 1];
        let (start, old) = inner[at.index(inner.len())];
        let behind = &text[start + old.len_utf8()..];
        let changed = format!("{}{behind}", &text[..start]);
        // Beside punctuation no blank counts.
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_inner = is_word(text[..start].chars().next_back()) && is_word(behind.chars().next());
        prop_assume!(old != ' ' || is_inner);
        let bare = |text: &str| text.replace(' ', "");
        prop_assume!(if old == ' ' { !text.contains(&changed) } else { !bare(&text).contains(&bare(&changed)) });
        prop_assert_eq!(n_found(&text, &changed), 0, "{:?} in {:?}", changed, text);
    }

    #[test]
    fn each_difference_on_the_list_is_none(words in sentence(), seed in any::<u64>()) {
        let quote = words.join(" ");
        let mut state = seed | 1;
        let mut next = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        let mut text = String::from("Before it.\n\n");
        for (i, word) in words.iter().enumerate() {
            if i > 0 {
                text += ["\n", " ", "\u{a0}", "\r\n", " \t", "&nbsp;"][next(6)];
            }
            let is_plain = word.bytes().all(|byte| byte.is_ascii_lowercase());
            let shown = match next(12) {
                0 => format!("**{word}**"),
                1 => format!("<b>{word}</b>"),
                2 => format!("[{word}](a.html)"),
                3 => format!("“{word}”"),
                4 if is_plain => format!("{}-\n{}", &word[..2], &word[2..]),
                5 if is_plain => format!("{}\u{ad}{}", &word[..1], &word[1..]),
                6 if is_plain => word.chars().map(|c| char::from_u32(c as u32 + 0xfee0).unwrap()).collect(),
                7 => format!("`{word}`"),
                8 if is_plain => format!("{word}<!-- x -->"),
                9 if is_plain && word.len() > 4 => format!("{word}[3]"),
                10 => format!("~~{word}~~"),
                _ => word.clone(),
            };
            text += &shown;
        }
        text += "\n\nBehind it.";
        prop_assert_eq!(n_found(&text, &quote), 1, "{:?} in {:?}", quote, text);
    }
}

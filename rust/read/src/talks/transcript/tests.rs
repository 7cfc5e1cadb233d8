//! Tests of transcripts: how they are told, and what is read of them.

use chunkwright_text::elements::Kind;
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::turns::Turn;
use proptest::prelude::*;

use super::{looks_like_transcript, read};

/// Speaker, time and text of each turn of what is told to be a transcript.
fn turns(text: &str) -> Vec<(String, Option<f64>, String)> {
    assert!(looks_like_transcript(text), "{text}");
    let read = read(text, no_pulse()).unwrap();
    let row = |(i, turn): &(usize, Turn)| {
        let span = read.elements[*i].span;
        (
            turn.speaker.to_string(),
            turn.cues.first().map(|cue| cue.start),
            text[span.range()].to_owned(),
        )
    };
    read.turns.iter().map(row).collect()
}

fn times(text: &str) -> Vec<Option<f64>> {
    turns(text).into_iter().map(|(_, time, _)| time).collect()
}

#[test]
fn bracketed_times_of_a_chat_are_hours_and_those_of_a_recording_minutes() {
    let chat = "[12:03] <ada> It rained here.\n[12:05] <bo> All day?\n[23:59] <ada> Yes it did.\n[00:01] <ada> Until now.\n";
    assert_eq!(times(chat), [43_380.0, 43_500.0, 86_340.0, 86_460.0].map(Some));
    let chat = "[12:03] Ada: It rained here.\n[12:05] Bo: All day?\n[12:09] Ada: Yes it did.\n";
    assert_eq!(times(chat), [43_380.0, 43_500.0, 43_740.0].map(Some));
    let talk = "[00:03] Ada: It rained here.\n[12:05] Bo: All day?\n[59:09] Ada: Yes it did.\n[1:00:00] Bo: Oh my.\n";
    assert_eq!(times(talk), [3.0, 725.0, 3549.0, 3600.0].map(Some));
    let meeting =
        "Ada Lee  12:03\nIt rained here.\n\nBo  12:05\nAll day?\n\nAda Lee  12:09\nYes it did.\n";
    assert_eq!(times(meeting), [723.0, 725.0, 729.0].map(Some));
}

#[test]
fn days_are_seconds_since_1970() {
    let chat = "02/01/1970, 10:15 - Messages are encrypted.\n02/01/1970, 10:15 - Ada: It rained.\nAll day.\n13/01/1970, 00:00 - +44 7700: No.\n";
    let found = turns(chat);
    assert_eq!(
        found[0],
        (
            "Ada".into(),
            Some(86_400.0 + 36_900.0),
            "02/01/1970, 10:15 - Ada: It rained.\nAll day.".into()
        )
    );
    assert_eq!(found[1].1, Some(12.0 * 86_400.0));
}

#[test]
fn what_speakers_say_is_told_from_what_stands_before() {
    let text = "Minutes of May\n\nPresent: Ada, Bo\n\nTHE COURT: Did it rain?\n\nMR. O'NEILL: It did, all day.\nAnd at night.\n\nTHE COURT: I see.\n\nMR. O'NEILL: Thank you.\n";
    let found = turns(text);
    let speakers: Vec<&str> = found.iter().map(|(speaker, ..)| &**speaker).collect();
    assert_eq!(
        speakers[speakers.len() - 4..],
        ["THE COURT", "MR. O'NEILL", "THE COURT", "MR. O'NEILL"]
    );
    let deposition =
        "Q. Did it rain that day?\nA. It did.\nQ. For how long did it?\nA. All day, I think.\n";
    assert_eq!(turns(deposition)[1].2, "A. It did.");
    let model =
        "User: Did it rain\nAssistant: No it did not\nUser: Thanks for that\nAssistant: Any time\n";
    assert_eq!(turns(model).len(), 4);
}

#[test]
fn other_texts_are_none() {
    for text in [
        "",
        "It rained. It did: all day.\n\nNote: it was wet.\n",
        "name: ada\nage: 36\nname: bo\nage: 7\nname: cy\nage: 1\n",
        "Package: rain\nVersion: 1.2\nDescription: It rains. Much.\n\nPackage: sun\nVersion: 1.3\nDescription: It shines. Much.\n\nPackage: wind\nVersion: 2\nDescription: It blows. Much.\n",
        "12:00:01 INFO: It has started.\n12:00:02 INFO: It runs on.\n12:00:03 ERROR: It fell down.\n12:00:04 INFO: It has ended.\n",
        "2024-01-01 12:00:01 main: It has started.\n2024-01-01 12:00:02 main: It runs on.\n2024-01-01 12:00:03 main: It fell.\n",
        "Pancakes\n\nIngredients: flour, milk.\nMethod: Stir it well.\nTip: Wait a while.\nIngredients: more.\nMethod: Stir again.\n",
        "10:00 Opening\n10:30 Coffee\n11:00 Opening\n11:30 Coffee\n12:00 Lunch\n",
        "Monday: Rain in the north.\nTuesday: Sun in the south.\nWednesday: Wind.\nThursday: Snow.\n",
        "Figure 1: A stone.\nFigure 2: Two stones.\nFigure 1: A stone.\nFigure 2: Two stones.\n",
        "<p> a b </p>\n<b> c d </b>\n<p> e f </p>\n<b> g h </b>\n",
    ] {
        assert!(!looks_like_transcript(text), "{text}");
    }
}

/// Speakers of all elements of a text that is said to be a transcript; empty for a paragraph.
fn speakers(text: &str) -> Vec<String> {
    let read = read(text, no_pulse()).unwrap();
    let speaker = |i: usize| read.turns.iter().find(|(of, _)| *of == i);
    let name = |i| speaker(i).map_or_else(String::new, |(_, turn)| turn.speaker.to_string());
    (0..read.elements.len()).map(name).collect()
}

#[test]
fn who_is_not_written_as_a_name_speaks_if_he_does_again() {
    for name in [
        "Lee, Ada",
        "Ada Lee, minister of rain",
        "Bo/Cy",
        "Ada Lee | Acme",
        "bell hooks",
        "Mme la ministre",
        "The Secretary of State for Rain and Wind (Ada Lee)",
    ] {
        let text = format!("Zed: Who is it?\n{name}: It is me.\nZed: Come in.\n{name}: I do.\n");
        assert_eq!(speakers(&text), ["Zed", name, "Zed", name]);
    }
    // In a long talk small letters recur that are no name.
    let long = "Zed: Well.\nAmy: So?\n".repeat(20);
    let text = format!("{long}by the way: yes.\nfoo: no.\n{long}foo: no.\n{long}");
    let found = speakers(&text);
    assert!(found.iter().all(|name| matches!(&**name, "" | "Zed" | "Amy")));
    assert_eq!(found.iter().filter(|name| name.is_empty()).count(), 2);
}

#[test]
fn nicks_among_names_do_not_keep_a_text_from_being_told() {
    let talk = |day: &str| {
        format!(
            "Ada: Was it a {day} day for you?\nadam3us: It was so {day}, so far.\nBo: We had a {day} one.\nadam3us: Is it {day}?\nAda: Yes, it is {day}.\ngmaxwell: So {day} it is.\n"
        )
    };
    let text: String = ["rainy", "sunny", "windy", "snowy"].map(talk).concat();
    assert_eq!(turns(&text).len(), 24);
    let items = "Ada: See it.\n* Bo, Cy: [a rain](x)\n## Use case: rain\nBo: I see.\nAda: So.\n## Use case: sun\nBo: Yes.\n";
    assert_eq!(speakers(items), ["Ada", "Bo", "Ada", "Bo"]);
}

#[test]
fn a_time_behind_a_name_settles_that_it_is_one() {
    let talk = |form: &dyn Fn(&str, &str) -> String| {
        let said = [
            ("Ada", "How much rain fell?"),
            ("ada_lee", "Forty millimetres."),
            ("Ada", "And then?"),
            ("bell hooks", "It stopped."),
            ("Ada", "I see."),
        ];
        let turn = |(i, (name, words)): (usize, &(&str, &str))| {
            form(name, &format!("(00:0{i}:10)")).replace("{}", words) + "\n"
        };
        said.iter().enumerate().map(turn).collect::<String>()
    };
    let names = ["Ada", "ada_lee", "Ada", "bell hooks", "Ada"];
    let above = talk(&|name, time| format!("{name} {time}\n{{}}\n"));
    let before = talk(&|name, time| format!("{name} {time}: {{}}"));
    let bare = before.replace(['(', ')'], "");
    for text in [&above, &before, &bare] {
        assert_eq!(speakers(text), names);
        assert!(looks_like_transcript(text));
        // Nobody is written as a name.
        let small = text.to_lowercase();
        assert!(looks_like_transcript(&small), "{small}");
        assert_eq!(speakers(&small), names.map(str::to_lowercase));
    }
    let words = "Ada (00:01:10): We went home.\nand that was it (00:01:30)\nBo (00:02:00): I see.\nAda (00:02:10): So.\n";
    assert_eq!(speakers(words), ["Ada", "Bo", "Ada"]);
    let chat = "24/12/23, 21:05 - Mum: Hello\nlunch (12:30): eggs\n24/12/23, 21:06 - Joe: Well\n24/12/23, 21:07 - Mum: ok\n";
    assert_eq!(speakers(chat), ["Mum", "Joe", "Mum"]);
    let log = "worker (00:01:10): It started up.\nmain (00:01:20): It went on.\n".repeat(4);
    assert!(!looks_like_transcript(&log));
    let log = "[12:00:01] main: Is it up?\n[12:00:02] worker: It runs on.\n".repeat(4);
    assert!(!looks_like_transcript(&log));
}

#[test]
fn somebody_without_a_name_speaks() {
    let talk = |name: &str| {
        format!(
            "Moderator: Welcome.\nDr. Lee: Thank you.\n{name}: Why did the river rise?\nDr. Lee: It rained.\nModerator: Thank you.\n"
        )
    };
    for name in [
        "Unidentified speaker",
        "Audience member 2",
        "Male voice",
        "A woman",
        "Man in the audience",
        "Woman #2",
    ] {
        let expected = ["Moderator", "Dr. Lee", name, "Dr. Lee", "Moderator"];
        assert_eq!(speakers(&talk(name)), expected);
        let timed = talk(name).replace(": ", " (00:01:02): ");
        assert_eq!(speakers(&timed), expected);
    }
    for [open, close] in ["[]", "()"].map(|pair| [&pair[..1], &pair[1..]]) {
        let text = talk(&format!("{open}Speaker 2{close}"));
        assert_eq!(speakers(&text)[2], "Speaker 2");
    }
    assert_eq!(speakers(&talk("[Rain]")).len(), 4);
    // In a text of which each line is a turn, other words that begin with a capital are said by nobody.
    for name in ["Une femme", "Voz masculina"] {
        assert_eq!(speakers(&talk(name)), ["Moderator", "Dr. Lee", "", "Dr. Lee", "Moderator"]);
    }
    let wrapped = "Moderator: Welcome,\nall of you.\nDr. Lee: I say\nOne thing: it rained,\nand so.\nModerator: I see.\nDr. Lee: So.\n";
    assert_eq!(speakers(wrapped), ["Moderator", "Dr. Lee", "Moderator", "Dr. Lee"]);
}

#[test]
fn in_doubt_nobody_speaks() {
    let text = "Zed: Who is it?\nAmy: I am.\nLee, Bo: It is me.\nZed: Come in.\nAmy: I do.\n";
    assert_eq!(speakers(text), ["Zed", "Amy", "", "Zed", "Amy"]);
    let text = "Ada Lee  0:03\nHello.\n\nBerg, Bo  0:07\nI see.\n\nAda Lee  0:12\nWe met at 10:30\nor so.\n\nAda Lee  0:15\nYes.\n";
    assert_eq!(speakers(text), ["Ada Lee", "", "Ada Lee", "Ada Lee"]);
    let text = "[00:00:01] Ada: Yes.\n[00:00:05] all day long.\n[00:00:08] Bo: No.\n[00:00:09] bell hooks: Why?\n[00:00:12] Ada: So.\n";
    assert_eq!(speakers(text), ["Ada", "Bo", "", "Ada"]);
}

#[test]
fn what_nobody_says_in_a_chat_is_a_paragraph() {
    let irc = "[10:00] <ada> hello all\n[10:01] <eve|[away]^> I quit\n[10:02] * Joins: bo (~m@host)\n[10:03] <ada> bye now\n[10:04] -!- ada has left\n";
    assert_eq!(speakers(irc), ["ada", "eve|[away]^", "", "ada", ""]);
    let irc = "<ada> hello all\n* bo waves\n<bo> hello\n-->\tcy has joined\n<ada> bye\n";
    assert_eq!(speakers(irc), ["ada", "", "bo", "", "ada"]);
    let chat = "24/12/23, 21:05 - Mum: Hello\n24/12/23, 21:06 - Mum added Joe\n24/12/23, 21:07 - Dad: To buy:\n* eggs\nMilk: two\n24/12/23, 21:08 - Mum changed the subject to \"Rain: May\"\n24/12/23, 21:09 - Mum: ok\n";
    assert_eq!(speakers(chat), ["Mum", "", "Dad", "", "Mum"]);
}

#[test]
fn transcripts_of_all_scripts_are_told() {
    for [ada, bo, asks, says] in [
        ["ჟურნალისტი", "გიორგი", "როგორ ხართ დღეს?", "კარგად, გმადლობთ."],
        ["میزبان", "مہمان", "آپ کیسے ہیں؟", "میں ٹھیک ہوں۔"],
        ["พิธีกร", "สมชาย", "วันนี้คุณเป็นอย่างไรบ้าง", "สบายดีครับ ขอบคุณมาก"],
        ["ጋዜጠኛ", "አበበ", "ዛሬ እንዴት ነዎት?", "ደህና ነኝ፣ አመሰግናለሁ።"],
        ["Լրագրող", "Արամ", "Ինչպե՞ս եք այսօր։", "Լավ եմ, շնորհակալություն։"],
        ["သတင်းထောက်", "အောင်အောင်", "နေကောင်းလား။", "နေကောင်းပါတယ်။ ကျေးဇူးပါ။"],
    ] {
        let text = format!("{ada}: {asks}\n{bo}: {says}\n{ada}: {says}\n{bo}: {asks} {says}\n");
        let found: Vec<String> = turns(&text).into_iter().map(|(speaker, ..)| speaker).collect();
        assert_eq!(found, [ada, bo, ada, bo]);
    }
}

#[test]
fn pairs_of_question_and_answer_are_turns_and_records_are_not() {
    let pairs = "Interviewer: Did it rain?\nAda: It did, all day.\n\n".repeat(3);
    let pairs = format!("{pairs}Interviewer: Since when?\nAda: Since May.\n");
    assert_eq!(turns(&pairs).len(), 8);
    let list = "Package: rain\nLabel: Rain. And sun.\nLabel: Wind. And snow.\nLabel: Much. And more.\nLabel: Ice. And hail.\nLabel: Fog. And haze.\nLink: Here. And there.\nLink: There. And here.\nPackage: sun. And so.\n";
    assert!(!looks_like_transcript(list));
    let log = "2024-01-02 10:00:01 Server: It has started up.\n2024-01-02 10:00:02 Worker: It runs on now.\n";
    assert!(!looks_like_transcript(&log.repeat(3)));
}

/// Turns of some speakers, in one of the forms.
fn talk() -> impl Strategy<Value = String> {
    let turn = (0_usize..3, "[a-z]{2,7}( [a-zé]{1,7}){1,9}[.?!]( [a-z]{1,7}){0,5}", any::<bool>());
    (prop::collection::vec(turn, 4..30), 0_usize..4).prop_map(|(turns, form)| {
        let (mut text, mut at) = (String::new(), 0);
        for (who, words, is_long) in turns {
            at += 7;
            let name = ["Ada Lee", "BO", "Speaker 3"][who];
            let clock = format!("{:02}:{:02}:{:02}", at / 3600, at / 60 % 60, at % 60);
            let turn = match form {
                0 => format!("{name}: {words}\n"),
                1 => format!("[{clock}] {name}: {words}\n"),
                2 => format!("{name}  {clock}\n{words}\n\n"),
                _ => format!("02/01/2024, {clock} - {name}: {words}\n"),
            };
            text.push_str(&turn);
            if is_long {
                text += "and so it went on and on\n";
            }
        }
        text
    })
}

proptest! {
    #[test]
    fn all_of_the_text_is_in_elements_in_order(text in talk()) {
        let read = read(&text, no_pulse()).unwrap();
        let mut at = 0;
        for element in &read.elements {
            prop_assert!(text[at..element.span.start].trim().is_empty());
            at = element.span.end;
        }
        prop_assert!(text[at..].trim().is_empty());
        for (i, turn) in &read.turns {
            let span = read.elements[*i].span;
            prop_assert_eq!(read.elements[*i].kind, Kind::Turn);
            prop_assert!(span.start <= turn.label.start && turn.label.end <= span.end);
            prop_assert!(text[turn.label.range()].contains(&*turn.speaker));
        }
    }

    #[test]
    fn nobody_says_what_another_one_does(
        names in prop::sample::subsequence(vec!["Ada Lee", "Lee, Bo", "Cy (he/him)", "Di/Ed", "d'Eon", "Eve [host]", "Fay Orr | Acme"], 3),
        who in prop::collection::vec(0_usize..3, 8..40),
    ) {
        let say = |(i, who): (usize, &usize)| format!("{}: It rained {i} days.\n", names[*who]);
        let text: String = who.iter().enumerate().map(say).collect();
        let read = read(&text, no_pulse()).unwrap();
        for (i, turn) in &read.turns {
            let said = &text[read.elements[*i].span.range()];
            prop_assert!(said.starts_with(&*turn.speaker) && said.lines().count() == 1, "{}", said);
        }
    }

    #[test]
    fn any_lines_are_read(text in "(\\[?[0-9]{1,2}:[0-9]{2}\\]?|<a>|Ada|: |- |\\*\\*|[a-z ]{1,5}|\n|Q\\. |é|：|From |\t){0,80}") {
        looks_like_transcript(&text);
        let read = read(&text, no_pulse()).unwrap();
        prop_assert!(read.elements.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
    }
}

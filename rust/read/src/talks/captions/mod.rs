//! Reader of captions: WebVTT and SubRip, whose cues are joined to turns.
//!
//! Steps, each a module: `cues` are the times with their lines, `markup` takes tags and names of speakers off,
//! `rolling` what a cue repeats of the one before, `turns` joins what one speaker says.

mod cues;
mod markup;
mod rolling;
mod turns;

use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::Pulse;
use chunkwright_text::read::Read;

use self::cues::cues;
use self::turns::Turns;
use super::clock::Stamp;

/// The form of captions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `WebVTT`: a blank line ends a cue.
    Vtt,
    /// `SubRip`: the number and the times of the next cue end one.
    Srt,
}

/// Reads captions. O(n).
///
/// ```
/// use chunkwright_read::talks::captions::{Form, read};
/// use chunkwright_text::pulse::no_pulse;
///
/// let vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>It rained.\n\n00:02.000 --> 00:04.000\n<v Ada>All day.\n";
/// let read = read(vtt, Form::Vtt, no_pulse())?;
/// assert_eq!(read.text.as_deref(), Some("Ada: It rained. All day."));
/// let turn = &read.turns[0].1;
/// assert_eq!((&*turn.speaker, turn.cues[1].start), ("Ada", 2.0));
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Read`] if a text has no cue, and what `pulse` says.
pub fn read(source: &str, form: Form, pulse: Pulse<'_>) -> Result<Read> {
    let cues = cues(source, form, pulse)?;
    let has_cues = !cues.is_empty();
    if !has_cues && !is_bare(source) {
        let reason = "no captions: no line has times such as '00:00:01.000 --> 00:00:02.500'";
        return Err(Error::read(reason.to_owned()));
    }
    Ok(Turns::of(&cues).talk(pulse)?.read(source))
}

/// Whether captions have a head at most: those of a video in which nobody speaks.
fn is_bare(source: &str) -> bool {
    let source = source.trim_start_matches('\u{feff}').trim();
    source.is_empty() || looks_like_vtt(source)
}

/// Whether a text begins as `WebVTT` does.
pub fn looks_like_vtt(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let behind = text.strip_prefix("WEBVTT");
    behind.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r']))
}

/// Whether a text begins as `SubRip` does: with a number on a line, and two times on the next.
pub fn looks_like_srt(text: &str) -> bool {
    let mut lines = text.trim_start_matches('\u{feff}').trim_start().lines();
    let first = lines.next().unwrap_or_default().trim();
    let is_number =
        (1..=9).contains(&first.len()) && first.bytes().all(|byte| byte.is_ascii_digit());
    is_number && lines.next().is_some_and(|line| times(line).is_some())
}

/// The times of a line that has two of them, with an arrow between.
fn times(line: &str) -> Option<[f64; 2]> {
    let (start, end) = line.split_once("-->")?;
    let start = start.trim();
    let (begin, n_bytes) = Stamp::parse(start)?;
    let (end, _) = Stamp::parse(end.trim_start())?;
    (n_bytes == start.len()).then(|| [begin.elapsed(), end.elapsed()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use chunkwright_text::pulse::no_pulse;
    use proptest::prelude::*;

    fn said(source: &str, form: Form) -> Vec<(String, Option<f64>, Option<f64>)> {
        let read = read(source, form, no_pulse()).unwrap();
        let text = read.text.as_deref().unwrap();
        let turn = |(i, turn): &(usize, chunkwright_text::turns::Turn)| {
            let span = read.elements[*i].span;
            let [start, end] = turn.times(span);
            (text[span.range()].to_owned(), start, end)
        };
        read.turns.iter().map(turn).collect()
    }

    #[test]
    fn cues_of_one_speaker_are_one_turn() {
        let vtt = "\u{feff}WEBVTT - a talk\nKind: captions\n\nNOTE made by hand\n\nSTYLE\n::cue {}\n\n1\n\
                   00:01.000 --> 00:02.000 align:start\n<v.loud Ada Lee>It <i>rained</i> &amp; blew.</v>\n\n\
                   intro\n00:00:02.500 --> 00:00:04.000\n<v Ada Lee>All day.</v>\n<v Bo>No.\n";
        let ada = ("Ada Lee: It rained & blew. All day.".to_owned(), Some(1.0), Some(4.0));
        assert_eq!(said(vtt, Form::Vtt), [ada, ("Bo: No.".to_owned(), Some(2.5), Some(4.0))]);
    }

    #[test]
    fn names_before_a_colon_are_speakers_where_they_are_names() {
        let srt = "1\r\n00:00:01,000 --> 00:00:02,000\r\nADA: It rained\r\n\r\n2\r\n00:00:02,100 --> 00:00:03,000\r\n\
                   {\\an8}<i>all day.</i>\r\n\r\n3\r\n00:00:03,500 --> 00:00:05,000\r\n- BO: No.\r\n- One thing: sun.\r\n";
        let turns: Vec<_> = said(srt, Form::Srt).into_iter().map(|(text, ..)| text).collect();
        assert_eq!(turns, ["ADA: It rained all day.", "BO: No.", "- One thing: sun."]);
    }

    #[test]
    fn each_dash_begins_a_turn() {
        let vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Bob>See you tomorrow\n\n\
                   00:02.500 --> 00:04.000\n- Hello, who is it?\n<i>- It is me.</i>\n\n\
                   00:04.500 --> 00:05.000\n-and so?\n-no.\n\n00:05.500 --> 00:06.000\nSo\n- 5 it is.\n";
        let turns: Vec<_> = said(vtt, Form::Vtt).into_iter().map(|(text, ..)| text).collect();
        let expected = [
            "Bob: See you tomorrow",
            "- Hello, who is it?",
            "- It is me.",
            "-and so?",
            "-no. So - 5 it is.",
        ];
        assert_eq!(turns, expected);
    }

    #[test]
    fn words_of_another_name_go_to_nobody_else() {
        let lines = [
            "Ada: So it",
            "Berg, Bo: No",
            "Ada: rained",
            "Cy (he/him): It",
            "Ada: there",
            "Berg, Bo: did",
            "Di | Acme: I see",
        ];
        let cue = |(i, line): (usize, &&str)| format!("00:0{i}.000 --> 00:0{i}.900\n{line}\n\n");
        let vtt: String = lines.iter().enumerate().map(cue).collect();
        let turns = said(&format!("WEBVTT\n\n{vtt}"), Form::Vtt);
        assert_eq!(turns.into_iter().map(|(text, ..)| text).collect::<Vec<_>>(), lines);
    }

    /// What turns of cues of a second each say.
    fn said_in(cues: &[&str], form: Form) -> Vec<String> {
        let cue = |(i, lines): (usize, &&str)| {
            format!("{i}\n00:00:{i:02}.000 --> 00:00:{i:02}.900\n{lines}\n\n")
        };
        let cues: String = cues.iter().enumerate().map(cue).collect();
        let head = if form == Form::Vtt { "WEBVTT\n\n" } else { "" };
        said(&format!("{head}{cues}"), form).into_iter().map(|(text, ..)| text).collect()
    }

    #[test]
    fn each_line_of_a_cue_may_name_a_speaker() {
        let cues = [
            "ADA: Forty millimetres.\nBO: That is a lot.",
            "<i>ADA: It is, and\nthen some.</i>\n<i>BO:</i>\nAnd the mill?",
            "BO: It stood\nstill: all day.",
        ];
        let expected = [
            "ADA: Forty millimetres.",
            "BO: That is a lot.",
            "ADA: It is, and then some.",
            "BO: And the mill? It stood still: all day.",
        ];
        for (ada, bo) in
            [("ADA", "BO"), ("Ada", "Bo"), ("Lee, Ada", "Bo | Acme"), ("Ada Lee", "bell hooks")]
        {
            let named = |text: &&str| text.replace("ADA", ada).replace("BO", bo);
            let own: Vec<String> = cues.iter().map(named).collect();
            let own: Vec<&str> = own.iter().map(|cue| &**cue).collect();
            let expected: Vec<String> = expected.iter().map(named).collect();
            for form in [Form::Vtt, Form::Srt] {
                assert_eq!(said_in(&own, form), expected);
            }
        }
        // What is said in capitals names nobody there, and what stands once, where nobody is named.
        let loud = ["I TELL YOU\nTHREE THINGS: NO.", "AND THEN.", "NO RAIN."];
        assert_eq!(said_in(&loud, Form::Srt)[0], "I TELL YOU THREE THINGS: NO.");
        let plain = ["So I said\nOne thing: no."];
        assert_eq!(said_in(&plain, Form::Srt), ["So I said One thing: no."]);
    }

    #[test]
    fn what_rolls_is_there_once() {
        let cue = |i: u32, lines: &str| format!("00:0{i}.000 --> 00:0{}.000\n{lines}\n\n", i + 1);
        let rolling = [
            " \nso<00:00:01.000><c> it</c> rained",
            "so it rained\nall day",
            "all day\nand then",
            "and then\nit stopped",
        ];
        let vtt = rolling.iter().zip(1..).map(|(lines, i)| cue(i, lines)).collect::<String>();
        let turns = said(&format!("WEBVTT\n\n{vtt}"), Form::Vtt);
        assert_eq!(
            turns,
            [("so it rained all day and then it stopped".to_owned(), Some(1.0), Some(5.0))]
        );
        // Who says a thing twice says it twice.
        let twice =
            format!("WEBVTT\n\n{}{}{}", cue(1, "No."), cue(2, "No."), cue(3, "It did not."));
        assert_eq!(said(&twice, Form::Vtt)[0].0, "No. No. It did not.");
    }

    #[test]
    fn what_has_no_times_is_refused() {
        let error = read("It rained.", Form::Srt, no_pulse()).unwrap_err().to_string();
        assert!(error.contains("no captions") && error.contains("-->"), "{error}");
        for empty in ["", "\n", "WEBVTT\n", "\u{feff}WEBVTT"] {
            assert_eq!(read(empty, Form::Vtt, no_pulse()).unwrap().elements.len(), 0);
        }
    }

    #[test]
    fn forms_are_told() {
        assert!(looks_like_vtt("WEBVTT\n") && !looks_like_vtt("WEBVTTX") && !looks_like_vtt("a"));
        assert!(looks_like_srt("\n1\n00:00:01,000 --> 00:00:02,000\nA"));
        assert!(!looks_like_srt("1\nA") && !looks_like_srt("a\n00:00:01,000 --> 00:00:02,000"));
    }

    proptest! {
        #[test]
        fn every_word_is_in_a_turn(
            cues in prop::collection::vec(("[A-Za-z]{1,6}( [a-zé漢]{1,6}){0,4}", 0_u32..4), 1..20),
            is_srt in any::<bool>(),
        ) {
            let (mut source, mut at) = (String::from(if is_srt { "" } else { "WEBVTT\n\n" }), 0);
            for (i, (words, gap)) in cues.iter().enumerate() {
                at += gap;
                let stamp = |of: u32| format!("00:{:02}:{:02}.000", of / 60, of % 60);
                let (number, begin, end) = (i + 1, stamp(at), stamp(at + 1));
                let cue = format!("{number}\n{begin} --> {end}\n{words} {i}\n\n");
                source.push_str(&cue);
                at += 1;
            }
            let form = if is_srt { Form::Srt } else { Form::Vtt };
            let read = read(&source, form, no_pulse()).unwrap();
            let text = read.text.unwrap();
            let all = cues.iter().enumerate().map(|(i, (words, _))| format!("{words} {i}"));
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            prop_assert_eq!(words(&text), words(&all.collect::<Vec<_>>().join(" ")));
            let n_cues: usize = read.turns.iter().map(|(_, turn)| turn.cues.len()).sum();
            prop_assert_eq!(n_cues, cues.len());
            let starts: Vec<f64> = read.turns.iter().flat_map(|(_, turn)| turn.cues.iter().map(|cue| cue.start)).collect();
            prop_assert!(starts.is_sorted());
        }

        #[test]
        fn lines_are_said_by_those_whom_they_name(
            who in prop::collection::vec(prop::collection::vec(0_usize..3, 1..4), 6..20),
            names in prop::sample::select(vec![["ADA", "BO", "CY"], ["Ada Lee", "Bo", "Cy Orr"]]),
        ) {
            let line = |(i, who): (usize, &usize)| format!("{}: Word {i} of {who}.", names[*who]);
            let cues: Vec<String> = who.iter().map(|cue| {
                cue.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
            }).collect();
            let cues: Vec<&str> = cues.iter().map(|cue| &**cue).collect();
            let recur = (0..3).all(|i| who.iter().flatten().filter(|of| **of == i).count() != 1);
            for turn in said_in(&cues, Form::Srt).iter().filter(|_| recur) {
                let (name, words) = turn.split_once(": ").unwrap();
                let who = names.iter().position(|of| *of == name).unwrap();
                prop_assert_eq!(words.matches(" of ").count(), words.matches(&format!(" of {who}.")).count());
            }
        }

        #[test]
        fn any_text_is_read_or_refused(source in "(WEBVTT\n\n)?([0-9:,.> -]|-->|<v |<|>|\\{|\\}|[a-z]: |\n){0,60}") {
            for form in [Form::Vtt, Form::Srt] {
                if let Ok(read) = read(&source, form, no_pulse()) {
                    let text = read.text.clone().unwrap();
                    prop_assert!(Read::of_bytes(&read.to_bytes(None).unwrap(), &text).is_ok());
                }
            }
        }
    }
}

//! Tests of messages: how they are told, and what is read of them.

use super::{looks_like_messages, read};
use chunkwright_text::pulse::no_pulse;

fn said(json: &str) -> Vec<(String, Option<f64>)> {
    assert!(looks_like_messages(json), "{json}");
    let read = read(json, no_pulse()).unwrap();
    let text = read.text.as_deref().unwrap();
    let turn = |(i, turn): &(usize, chunkwright_text::turns::Turn)| {
        let span = read.elements[*i].span;
        (text[span.range()].to_owned(), turn.cues.first().map(|cue| cue.start))
    };
    read.turns.iter().map(turn).collect()
}

#[test]
fn messages_of_models_are_read() {
    let parts = r#"[{"role":"system","content":"Be brief."},{"role":"user","name":"Ada","content":[{"type":"text","text":"Rain?"},
        {"type":"image_url","image_url":{"url":"x"}}]},{"role":"assistant","content":null},{"role":"assistant","content":"\ud83d No."}]"#;
    let texts: Vec<_> = said(parts).into_iter().map(|(text, _)| text).collect();
    assert_eq!(texts, ["system: Be brief.", "Ada: Rain?", "assistant: \u{fffd} No."]);
    let shared =
        r#"{"conversations":[{"from":"human","value":"Rain?"},{"from":"gpt","value":"No."}]}"#;
    assert_eq!(said(shared)[1].0, "gpt: No.");
    let segments = r#"{"text":"x","segments":[{"start":0.5,"end":2,"text":" It rained."},{"start":2,"end":3,"text":"Yes.","speaker":"B"}]}"#;
    assert_eq!(
        said(segments),
        [("It rained.".to_owned(), Some(0.5)), ("B: Yes.".to_owned(), Some(2.0))]
    );
    let utterances = r#"{"utterances":[{"speaker":"A","start":1500,"end":2000,"text":"Yes."}]}"#;
    assert_eq!(said(utterances), [("A: Yes.".to_owned(), Some(1.5))]);
}

#[test]
fn exports_are_read() {
    let chatgpt = r#"[{"title":"Rain","current_node":"c","mapping":{
        "a":{"message":null,"parent":null,"children":["b"]},
        "x":{"message":{"author":{"role":"assistant"},"content":{"parts":["left out"]}},"parent":"b"},
        "c":{"message":{"author":{"role":"assistant"},"create_time":7.5,"content":{"parts":["No."]}},"parent":"b"},
        "b":{"message":{"author":{"role":"user"},"create_time":5,"content":{"parts":["Rain?",{"asset":1}]}},"parent":"a"}}}]"#;
    assert_eq!(
        said(chatgpt),
        [("user: Rain?".to_owned(), Some(5.0)), ("assistant: No.".to_owned(), Some(7.5))]
    );
    let endless = r#"{"mapping":{"a":{"message":{"author":{"role":"user"},"content":{"parts":["Rain?"]}},"parent":"a"}},"current_node":"a"}"#;
    assert_eq!(said(endless).len(), 1);
    let claude = r#"[{"name":"Rain","chat_messages":[{"sender":"human","text":"Rain?","created_at":"1970-01-01T00:00:09Z"}]}]"#;
    assert_eq!(said(claude), [("human: Rain?".to_owned(), Some(9.0))]);
    let slack = r#"[{"type":"message","user":"U1","text":"<@U2> see <http:\/\/a.b|this> &amp; rest","ts":"12.5","user_profile":{"real_name":"Ada Lee"}},
        {"type":"message","user":"U2","text":"No.","ts":"13.0"},{"type":"message","subtype":"channel_join","user":"U2","text":"joined","ts":"11"}]"#;
    let expected = [
        ("Ada Lee: @U2 see this & rest".to_owned(), Some(12.5)),
        ("U2: No.".to_owned(), Some(13.0)),
    ];
    assert_eq!(said(slack), expected);
    let teams = r#"{"value":[{"messageType":"message","createdDateTime":"1970-01-01T00:00:20Z","from":{"user":{"displayName":"Bo"}},"body":{"contentType":"html","content":"<p>It <b>did</b>.</p>"}},
        {"messageType":"message","createdDateTime":"1970-01-01T00:00:10Z","from":{"user":{"displayName":"Ada"}},"body":{"contentType":"text","content":"Rain?"}}]}"#;
    assert_eq!(
        said(teams),
        [("Ada: Rain?".to_owned(), Some(10.0)), ("Bo: It did.".to_owned(), Some(20.0))]
    );
    let telegram = r#"{"name":"Rain","messages":[{"type":"message","from":"Ada","date_unixtime":"30","text":["It ",{"type":"bold","text":"rained"}]}]}"#;
    assert_eq!(said(telegram), [("Ada: It rained".to_owned(), Some(30.0))]);
    let discord = r#"{"channel":{"name":"rain"},"messages":[{"timestamp":"1970-01-01T00:00:01+00:00","author":{"name":"ada"},"content":"Rain"}]}"#;
    assert_eq!(said(discord), [("ada: Rain".to_owned(), Some(1.0))]);
}

#[test]
fn other_json_is_none() {
    for json in [
        "[]",
        "{}",
        "{",
        r#"[{"role":"admin","id":7}]"#,
        r#"{"segments":[1],"ts":2}"#,
        r#"[{"type":"Title","text":"a"}]"#,
        r#"{"timestamp":1,"messages":[]}"#,
        r#"{"mapping":{"a":{"type":"keyword"}}}"#,
        r#"[{"ts":"1","text":"a"}]"#,
        r#"[{"role":"hero","content":"a"},{"role":"footer","content":"b"}]"#,
        r#"{"conversations":[{"from":"EUR","value":"USD"}]}"#,
    ] {
        assert!(!looks_like_messages(json), "{json}");
    }
    let error = read("{}", no_pulse()).unwrap_err().to_string();
    assert!(error.contains("'role' and 'content'"), "{error}");
    assert!(read("{", no_pulse()).is_err());
}

#[test]
fn what_is_attached_is_read() {
    let slack = r#"[{"type":"message","user":"U1","text":"Is it red?","ts":"1.0"},
        {"type":"message","subtype":"bot_message","username":"CI","text":"","ts":"2.0","attachments":[{"fallback":"Build failed","text":"Build 5 failed"}]},
        {"type":"message","user":"U2","text":"","ts":"3.0","files":[{"name":"a.png"}],"blocks":[{"type":"rich_text","elements":[
            {"type":"rich_text_section","elements":[{"type":"text","text":"I broke it, "},{"type":"user","user_id":"U1"}]},
            {"type":"rich_text_section","elements":[{"type":"text","text":"twice"}]}]}]},
        {"type":"message","subtype":"bot_message","bot_id":"B1","username":"Cron","text":"It ran.","ts":"3.5"},
        {"type":"message","subtype":"channel_topic","text":"Rain","ts":"4.0"}]"#;
    let texts: Vec<_> = said(slack).into_iter().map(|(text, _)| text).collect();
    assert_eq!(
        texts,
        [
            "U1: Is it red?",
            "CI: Build 5 failed",
            "U2: I broke it, @U1\ntwice\na.png",
            "Cron: It ran.",
            "Rain"
        ]
    );
    let discord = r#"[{"timestamp":"1970-01-01T00:00:01+00:00","author":{"name":"ada"},"content":"","attachments":[{"fileName":"rain.png"}],
        "embeds":[{"title":"Rain","description":"It rains.","fields":[{"name":"May","value":"40 mm"}]}]}]"#;
    assert_eq!(said(discord)[0].0, "ada: Rain\nIt rains.\nMay: 40 mm\nrain.png");
}

#[test]
fn a_message_without_a_time_keeps_its_place() {
    let texts = |json: &str| said(json).into_iter().map(|(text, _)| text).collect::<Vec<_>>();
    let slack = |messages: &[(&str, &str)]| {
        let one = |(text, ts): &(&str, &str)| {
            format!(r#"{{"type":"message","user":"U","text":"{text}","ts":{ts}}}"#)
        };
        format!("[{}]", messages.iter().map(one).collect::<Vec<_>>().join(","))
    };
    let ascending = [("a", "null"), ("b", "\"2\""), ("c", "null"), ("d", "\"3\""), ("e", "null")];
    let expected = ["U: a", "U: b", "U: c", "U: d", "U: e"];
    assert_eq!(texts(&slack(&ascending)), expected);
    // The newest first.
    let descending: Vec<_> = ascending.into_iter().rev().collect();
    assert_eq!(texts(&slack(&descending)), expected);
    let telegram = r#"{"messages":[
        {"type":"message","from":"Ada","date":"1970-01-01T02:00:10","date_unixtime":"10","text":"a"},
        {"type":"message","from":"Bo","date":"1970-01-01T02:00:20","text":"b"},
        {"type":"message","from":"Ada","date":"1970-01-01T02:00:30","date_unixtime":"30","text":"c"}]}"#;
    let expected = [("Ada: a", 10.0), ("Bo: b", 20.0), ("Ada: c", 30.0)];
    assert_eq!(said(telegram), expected.map(|(text, at)| (text.to_owned(), Some(at))));
}

#[test]
fn all_that_messages_say_is_read() {
    let texts = |json: &str| said(json).into_iter().map(|(text, _)| text).collect::<Vec<_>>();
    let calls = r#"[{"role":"user","content":"Rain?"},{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"Look."}]},
        {"type":"function_call","name":"f","arguments":"{\"a\":1}","call_id":"c","status":"completed"},
        {"type":"function_call_output","call_id":"c","output":"42 mm"},{"type":"web_search_call","id":"w","action":{"query":"rain"}},
        {"type":"message","role":"assistant","content":[{"type":"output_text","text":"42","annotations":[]}]}]"#;
    let expected = [
        "user: Rain?",
        "assistant: Look.",
        "assistant: f({\"a\":1})",
        "tool: 42 mm",
        "assistant: {\"action\":{\"query\":\"rain\"}}",
        "assistant: 42",
    ];
    assert_eq!(texts(calls), expected);
    let refused = r#"[{"role":"user","content":"Rain?"},{"role":"assistant","content":null,"refusal":"I cannot."},
        {"role":"assistant","content":[{"type":"refusal","refusal":"No way."}]},
        {"role":"user","content":[{"type":"document","title":"River","source":{"type":"text","data":"The river rose."}}]},
        {"role":"assistant","content":{"answer":"yes","n":4}},{"role":"user","content":"Hi","parts":[{"type":"text","text":"Hi"}]},
        {"role":"assistant","content":"","finish_reason":"stop"},{"role":"user","message":"Ho","source":"web"}]"#;
    let expected = [
        "user: Rain?",
        "assistant: I cannot.",
        "assistant: No way.",
        "user: River\nThe river rose.",
        "assistant: {\"answer\":\"yes\",\"n\":4}",
        "user: Hi",
        "user: Ho",
    ];
    assert_eq!(texts(refused), expected);
    let telegram = r#"{"messages":[{"type":"message","from":"Ada","date_unixtime":"1","text":"","poll":{"question":"Rain?","answers":[{"text":"yes","voters":1},{"text":"no"}]}},
        {"type":"message","from":"Ada","date_unixtime":"2","photo":"photos/rain.jpg","text":"","caption":"See"},
        {"type":"message","from":"Ada","date_unixtime":"3","file":"files/rain.pdf","text":["a",{"type":"bold","text":"b"}]},
        {"type":"message","from":"Bo","date_unixtime":"4","file":"(File not included.)","sticker_emoji":"🌧","text":""}]}"#;
    let expected = ["Ada: Rain?\n- yes\n- no", "Ada: See\nrain.jpg", "Ada: ab\nrain.pdf", "Bo: 🌧"];
    assert_eq!(texts(telegram), expected);
}

#[test]
fn tools_are_read() {
    let claude = r#"{"system":"Be kind.","messages":[{"role":"user","content":"Sum?"},
        {"role":"assistant","content":[{"type":"tool_use","id":"t","name":"calc","input":{"a":1}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"the sum is 42"}]}]}"#;
    let texts = |json| said(json).into_iter().map(|(text, _)| text).collect::<Vec<_>>();
    let expected =
        ["system: Be kind.", "user: Sum?", "assistant: calc({\"a\":1})", "user: the sum is 42"];
    assert_eq!(texts(claude), expected);
    let openai = r#"[{"role":"user","content":"hi"},{"role":"assistant","function_call":{"name":"f","arguments":"{}"}},
        {"role":"function","name":"f","content":"1"},
        {"role":"assistant","content":null,"tool_calls":[{"type":"function","function":{"name":"g","arguments":"{}"}}]},{"odd":1}]"#;
    assert_eq!(texts(openai), ["user: hi", "assistant: f({})", "f: 1", "assistant: g({})"]);
}

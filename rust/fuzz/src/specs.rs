//! Strategies with their options, as data.

use chunkwright_engine::strategies::Spec;
use proptest::option;
use proptest::prelude::{Just, Strategy, any};
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// Sizes up to which chunks are cut: small ones, by which much is cut.
const MOST: usize = 60;

/// The options of a strategy that all have.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    unit: &'static str,
    hard_max: usize,
    soft_max: Option<usize>,
    min_size: Option<usize>,
    overlap: usize,
    overlap_at: &'static str,
}

/// A strategy by its name, with any sizes and any of its own options that are flags or choices. Of options that make
/// no sense together there is no cutter.
pub fn specs(name: &'static str) -> impl Strategy<Value = Spec> {
    (sizes(), own(name)).prop_map(move |(sizes, own)| {
        let mut options = own;
        options.insert(sizes.unit.into(), json!(sizes.hard_max));
        options.insert("soft_max".into(), json!(sizes.soft_max));
        options.insert("min_size".into(), json!(sizes.min_size));
        if name != "json" {
            options.insert("overlap".into(), json!(sizes.overlap));
            options.insert("overlap_at".into(), json!(sizes.overlap_at));
        }
        Spec { name: name.into(), options }
    })
}

fn sizes() -> impl Strategy<Value = Sizes> {
    let unit = select(vec!["max_chars", "max_tokens"]);
    let at = select(vec!["word", "sentence", "any"]);
    (unit, 1..=MOST, any::<(u8, u8, u8)>(), any::<(bool, bool)>(), at).prop_map(
        |(unit, hard_max, (soft, min, overlap), (has_soft, has_min), overlap_at)| {
            let soft_max = has_soft.then_some(1 + usize::from(soft) % hard_max);
            let full = soft_max.unwrap_or(hard_max);
            let min_size = has_min.then_some(usize::from(min) % full);
            Sizes {
                unit,
                hard_max,
                soft_max,
                min_size,
                overlap: usize::from(overlap) % full,
                overlap_at,
            }
        },
    )
}

/// Options that are a strategy's own, none of them wrong.
fn own(name: &'static str) -> impl Strategy<Value = Map<String, Value>> {
    let (mut flags, mut choices): (Vec<&'static str>, Vec<(&'static str, Vec<Value>)>) =
        (vec![], vec![]);
    let mut language = vec![("language", vec![json!("en"), json!("de"), json!("ja")])];
    match name {
        "recursive" => {
            flags.push("repeat_headers");
            choices.push((
                "markup",
                vec![json!("text"), json!("markdown"), json!("rst"), json!("code")],
            ));
            let marks = json!([{"pattern": "\\s+", "regex": true, "keep": "end"}, "b", ""]);
            choices.push((
                "separators",
                vec![json!("markdown"), json!(["\n", " "]), json!([]), marks],
            ));
        }
        "sentence" => choices.push(("sentences", vec![json!(1), json!(3)])),
        "code" => {
            flags.push("repeat_heads");
            language = vec![("language", vec![json!("python"), json!("rust"), json!("html")])];
        }
        "balanced" => flags.push("repeat_headers"),
        "line_based" => {
            flags.push("omit_header_on_overflow");
            choices.push(("header_lines", vec![json!(0), json!(1), json!(3)]));
        }
        "kamradt" => choices.push((
            "threshold",
            ["percentile", "standard_deviation", "interquartile", "gradient"]
                .map(|kind| json!(kind))
                .to_vec(),
        )),
        "kamradt_modified" => choices.push(("target", vec![json!("average"), json!("max")])),
        "cluster" => choices.push(("mean", vec![json!("global"), json!("local")])),
        "discontinuity" => choices.push(("window", vec![json!(1), json!(5)])),
        "hierarchical" | "hybrid" => {
            flags.extend([
                "repeat_headings",
                "always_emit_headings",
                "repeat_headers",
                "omit_header_on_overflow",
            ]);
            flags.push(if name == "hybrid" { "merge_peers" } else { "merge_list_items" });
        }
        "json" => choices.push(("syntax", vec![json!("json"), json!("yaml")])),
        "basic" | "by_title" | "by_page" | "by_similarity" | "structural" => {
            flags.extend(["overlap_all", "isolate_tables", "repeat_headers"]);
            if name == "by_title" {
                flags.push("multipage_sections");
            }
            if matches!(name, "by_similarity" | "structural") {
                choices.push(("embedder", vec![json!("lexical")]));
            }
        }
        _ => {}
    }
    if matches!(name, "line_based" | "json" | "window" | "recursive") {
        language.clear();
    }
    choices.extend(language);
    let flags: Vec<_> =
        flags.into_iter().map(|flag| (flag, vec![json!(true), json!(false)])).collect();
    let options: Vec<_> = flags.into_iter().chain(choices).collect();
    let values: Vec<_> = options
        .iter()
        .map(|(option, values)| {
            let value = select(values.clone());
            let is_needed = name == "by_similarity" && *option == "embedder";
            if is_needed { value.prop_map(Some).boxed() } else { option::of(value).boxed() }
        })
        .collect();
    let known: Vec<&'static str> = options.iter().map(|(option, _)| *option).collect();
    (Just(known), values).prop_map(|(known, values)| {
        let chosen = known.iter().zip(values);
        chosen.filter_map(|(option, value)| Some(((*option).to_owned(), value?))).collect()
    })
}

//! Labels of captions: how a text begins that is the caption of a figure or a table.

/// Words that captions begin with, in front of a number.
const LABELS: [&str; 27] = [
    "figure",
    "fig",
    "table",
    "tab",
    "listing",
    "algorithm",
    "scheme",
    "chart",
    "exhibit",
    "plate",
    "box",
    "abbildung",
    "abb",
    "tabelle",
    "bild",
    "figura",
    "tabla",
    "tabela",
    "tableau",
    "illustration",
    "cuadro",
    "gr\u{e1}fico",
    "photo",
    "diagram",
    "map",
    "equation",
    "program",
];

/// Whether a text begins as captions do: `Figure 3: ...`, `Table 2. ...`. O(1) but for its first three words.
pub fn is_caption(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (Some(label), Some(number)) = (words.next(), words.next()) else { return false };
    let label = label.trim_end_matches('.').to_lowercase();
    let bare = number.trim_end_matches([':', '.', ')', '\u{2013}', '|']);
    let has_digit = bare.bytes().any(|byte| byte.is_ascii_digit())
        || !bare.is_empty() && bare.bytes().all(|byte| b"IVX".contains(&byte));
    let ends = bare.len() < number.len();
    // Without a sign behind the number, a capital begins the caption: "Table 2 shows" goes on with a text.
    let is_title =
        words.next().is_none_or(|word| word.chars().next().is_some_and(|c| !c.is_lowercase()));
    LABELS.contains(&&*label) && has_digit && (ends || is_title)
}

//! Attributes that say whether an element is shown, and what it is.
//!
//! Style sheets are not looked at, so hidden is what says so itself: `hidden`, `aria-hidden="true"`, `display:
//! none`, `mso-hide: all` of mail, and controls of wikis for those who edit. Roles of ARIA count as the tags that they stand for. There is no standard attribute for the language of
//! code; the class `language-x` is the one that the HTML standard suggests, the others are what highlighters
//! write.

use super::tags::Tag;
use chunkwright_text::syntax::html::landmark::Landmark;
use chunkwright_text::syntax::html::lexer::Attribute;
use chunkwright_text::unicode::space::is_space;

/// The value of the attribute `name`, if there is one.
pub fn value<'a>(attributes: &'a [Attribute<'_>], name: &str) -> Option<&'a str> {
    let found = attributes.iter().find(|attribute| attribute.name == name);
    found.map(|attribute| attribute.value.as_ref())
}

/// Whether the element is hidden by an attribute. What is shown when it is found is not.
pub fn is_hidden(attributes: &[Attribute<'_>]) -> bool {
    let is_hiding = |attribute: &Attribute<'_>| match attribute.name.as_ref() {
        "hidden" => !attribute.value.eq_ignore_ascii_case("until-found"),
        "style" => styles_away(&attribute.value),
        _ => false,
    };
    attributes.iter().any(is_hiding) || is_edit_control(attributes)
}

/// Whether the element says that it is not for those who cannot see, such as signs, and formulas said twice.
pub fn is_veiled(attributes: &[Attribute<'_>]) -> bool {
    value(attributes, "aria-hidden").is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

/// Whether a style says `display: none`, or what Outlook has for it.
fn styles_away(style: &str) -> bool {
    let mut away = false;
    for declaration in style.split(';') {
        let Some((name, value)) = declaration.split_once(':') else { continue };
        let value = value.split('!').next().unwrap_or_default().trim_matches(is_space);
        // The last one counts.
        match name.trim_matches(is_space) {
            name if name.eq_ignore_ascii_case("display") => {
                away = value.eq_ignore_ascii_case("none");
            }
            name if name.eq_ignore_ascii_case("mso-hide") && value.eq_ignore_ascii_case("all") => {
                away = true;
            }
            _ => {}
        }
    }
    away
}

/// The landmark that an element is, by its tag or its role; `is_in_part` says whether it stands in a part of
/// the page, whose headers and footers are its own.
pub fn landmark(tag: Tag, attributes: &[Attribute<'_>], is_in_part: bool) -> Option<Landmark> {
    let by_role = match value(attributes, "role") {
        Some("navigation") => Some(Landmark::Nav),
        Some("banner") => Some(Landmark::Header),
        Some("contentinfo") => Some(Landmark::Footer),
        Some("complementary") => Some(Landmark::Aside),
        _ => None,
    };
    by_role.or(match tag {
        Tag::Nav => Some(Landmark::Nav),
        Tag::Aside => Some(Landmark::Aside),
        Tag::Header if !is_in_part => Some(Landmark::Header),
        Tag::Footer if !is_in_part => Some(Landmark::Footer),
        _ => None,
    })
}

/// Whether a table says that it is none, but a layout.
pub fn is_layout(attributes: &[Attribute<'_>]) -> bool {
    matches!(value(attributes, "role"), Some("presentation" | "none"))
}

/// Whether a table says that it is one.
pub fn is_grid(attributes: &[Attribute<'_>]) -> bool {
    matches!(value(attributes, "role"), Some("table" | "grid" | "treegrid"))
}

/// Whether the class of a link says that it leads to where it stands, as signs beside headings and captions do.
pub fn is_permalink(attributes: &[Attribute<'_>]) -> bool {
    let classes = value(attributes, "class").unwrap_or_default();
    classes.split_ascii_whitespace().any(|class| PERMALINKS.contains(&class))
}

/// Whether a link leads into a page, by a fragment.
pub fn leads_within(attributes: &[Attribute<'_>]) -> bool {
    value(attributes, "href").is_some_and(|target| target.contains('#'))
}

/// Whether it is a control for those who edit the page, as wikis have beside headings.
fn is_edit_control(attributes: &[Attribute<'_>]) -> bool {
    let classes = value(attributes, "class").unwrap_or_default();
    classes.split_ascii_whitespace().any(|class| matches!(class, "mw-editsection" | "editsection"))
}

/// A box to be checked as it is shown, if an `<input>` is one.
pub fn check_box(attributes: &[Attribute<'_>]) -> Option<&'static str> {
    let is_box = value(attributes, "type").is_some_and(|of| of.eq_ignore_ascii_case("checkbox"));
    let is_checked = value(attributes, "checked").is_some();
    is_box.then_some(if is_checked { "☒" } else { "☐" })
}

/// Classes that writers of manuals and sites give to permalinks.
const PERMALINKS: [&str; 9] = [
    "anchor",
    "anchor-link",
    "anchorjs-link",
    "doc-anchor",
    "hash-link",
    "header-anchor",
    "heading-anchor",
    "headerlink",
    "permalink",
];

/// How class names that say the language of code begin.
const LANGUAGE_PREFIXES: [&str; 4] = ["language-", "lang-", "highlight-source-", "highlight-text-"];
/// Languages that say that there is none.
const NO_LANGUAGES: [&str; 3] = ["", "none", "default"];

/// The language of the code in an element, if its attributes state one: a class such as `language-x`, as the
/// HTML standard has it, or what highlighters write (`brush: x`, `sourceCode x`, `data-lang="x"`).
pub fn language<'a>(attributes: &'a [Attribute<'_>]) -> Option<&'a str> {
    let stated = attributes.iter().find_map(|attribute| match &*attribute.name {
        "class" => language_of_class(&attribute.value),
        "data-lang" | "data-language" => Some(attribute.value.trim_matches(is_space)),
        _ => None,
    });
    stated.filter(|language| !NO_LANGUAGES.contains(language))
}

fn language_of_class(class: &str) -> Option<&str> {
    let mut words = class.split_ascii_whitespace();
    while let Some(word) = words.next() {
        // Most classes are neither.
        if !word.starts_with(['l', 'h', 'b', 's']) {
            continue;
        }
        if let Some(language) = LANGUAGE_PREFIXES.iter().find_map(|it| word.strip_prefix(it)) {
            return Some(language);
        }
        match word.split_once(['-', ':']) {
            Some(("brush", "")) => return words.next()?.split(';').next(),
            Some(("brush", behind)) => return behind.split(';').next(),
            // Sphinx says so beside it; others call anything highlighted.
            Some(("highlight", language)) if words.clone().any(|word| word == "notranslate") => {
                return Some(language);
            }
            None if word == "sourceCode" => return words.next().filter(|it| *it != "numberLines"),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_state_languages() {
        let of = |name: &'static str, value: &'static str| {
            let attributes = [Attribute { name: name.into(), value: value.into() }];
            language(&attributes).map(str::to_owned)
        };
        for class in [
            "language-rust",
            "line-numbers\tlanguage-rust x",
            "lang-rust",
            "highlight highlight-source-rust",
            "brush: rust; toolbar: false",
            "brush:rust",
            "highlight-rust notranslate",
            "sourceCode rust numberLines",
        ] {
            assert_eq!(of("class", class).as_deref(), Some("rust"), "{class}");
        }
        for class in [
            "",
            "rust",
            "language-",
            "language-none",
            "highlight-rust",
            "highlight-default notranslate",
            "sourceCode",
            "sourceCode numberLines",
            "brush:",
            "slanguage-rust",
        ] {
            assert_eq!(of("class", class), None, "{class}");
        }
        assert_eq!(of("data-lang", " c++ ").as_deref(), Some("c++"));
        assert_eq!(of("data-language", "").as_deref(), None);
        assert_eq!(of("lang", "en").as_deref(), None);
    }
}

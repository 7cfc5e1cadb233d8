//! Hyperlink as Docling holds it: a URL in its normal form, or a path.

/// The normal form of a link.
pub fn normalized(link: &str) -> String {
    url::Url::parse(link).map_or_else(|_| path(link), String::from)
}

/// A path as Python's `pathlib` writes it: without empty and `.` parts.
fn path(path: &str) -> String {
    let rest = path.trim_start_matches('/');
    let root = match path.len() - rest.len() {
        0 => "",
        2 => "//",
        _ => "/",
    };
    let parts: Vec<&str> = rest.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    match (root, parts.is_empty()) {
        ("", true) => String::from("."),
        _ => root.to_owned() + &parts.join("/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_and_paths_have_one_form() {
        let cases = [
            ("https://Example.com", "https://example.com/"),
            ("mailto:a@b.org", "mailto:a@b.org"),
            ("./a//b/", "a/b"),
            ("//a/./b", "//a/b"),
            ("///a", "/a"),
            ("#part", "#part"),
            ("", "."),
            ("/", "/"),
            ("http://", "http:"),
        ];
        for (link, expected) in cases {
            assert_eq!(normalized(link), expected, "{link}");
        }
    }
}

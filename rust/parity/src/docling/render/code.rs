//! Code in Markdown: between fences, or in a line.

/// Code on lines of its own, between fences that are longer than any run of backticks in it.
pub fn block(code: &str) -> String {
    let fence = "`".repeat(longest_run(code).max(2) + 1);
    format!("{fence}\n{code}\n{fence}")
}

/// Code in a line, between more backticks than any run of them in it has.
pub fn span(code: &str) -> String {
    let ticks = "`".repeat(longest_run(code) + 1);
    let pad = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{code}{pad}{ticks}")
}

fn longest_run(code: &str) -> usize {
    code.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_outlast_what_they_hold() {
        assert_eq!(block("a"), "```\na\n```");
        assert_eq!(block("a ``` b `"), "````\na ``` b `\n````");
        assert_eq!(span("a"), "`a`");
        assert_eq!(span("``a"), "``` ``a ```");
        assert_eq!(span(""), "``");
    }
}

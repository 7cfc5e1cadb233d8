//! Addresses that stand in a text without marks: of pages and of mail.

/// Schemes by which an address is told.
const SCHEMES: [&str; 12] =
    ["http", "https", "ftp", "ftps", "mailto", "news", "irc", "ircs", "git", "ssh", "file", "urn"];
/// The longest of them.
const MAX_SCHEME: usize = 6;
/// Mail is addressed to no longer name.
const MAX_NAME: usize = 64;

/// The length of the address that `said` begins with.
pub fn standalone(said: &str) -> Option<usize> {
    let head = &said.as_bytes()[..said.len().min(MAX_SCHEME + 1)];
    let colon = memchr::memchr(b':', head)?;
    let scheme = said[..colon].to_ascii_lowercase();
    if !SCHEMES.contains(&&*scheme) {
        return None;
    }
    let n = said[colon + 1..].bytes().take_while(|byte| is_part(*byte)).count();
    let mut end = colon + 1 + n;
    while end > colon + 1 && !(is_end(said.as_bytes()[end - 1]) && closes(&said[end..])) {
        end -= 1;
    }
    let path = said[colon + 1..end].trim_start_matches('/');
    (!path.is_empty()).then_some(end)
}

/// Where the address of mail stands around the sign at `at`.
pub fn mail(said: &str, at: usize) -> Option<(usize, usize)> {
    let bytes = said.as_bytes();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_!~*'{}#?^&=+$%.".contains(byte);
    let front = bytes[..at].iter().rev().take(MAX_NAME).take_while(|byte| is_name(byte)).count();
    let from = at - front;
    let from =
        from + said[from..at].len() - said[from..at].trim_start_matches(['\'', '.', '{']).len();
    let is_host = |byte: &u8| byte.is_ascii_alphanumeric() || b"-.".contains(byte);
    let behind = bytes[at + 1..].iter().take_while(|byte| is_host(byte)).count();
    let host = said[at + 1..at + 1 + behind].trim_end_matches(['.', '-']);
    let is_address = from < at && host.contains('.') && !host.starts_with(['.', '-']);
    is_address.then(|| (from, at + 1 + host.len()))
}

/// Whether marks may end in front of `rest`.
pub fn closes(rest: &str) -> bool {
    rest.chars().next().is_none_or(|c| match c {
        '\'' | '"' | ')' | ']' | '}' | '>' | '-' | '/' | '\\' | ':' | '.' | ',' | ';' | '!'
        | '?' => true,
        c => c.is_whitespace() || !c.is_ascii() && !c.is_alphanumeric(),
    })
}

const fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'-' | b'_'
                | b'.'
                | b'!'
                | b'~'
                | b'*'
                | b'\''
                | b'('
                | b')'
                | b'['
                | b']'
                | b';'
                | b'/'
                | b':'
                | b'@'
                | b'&'
                | b'='
                | b'+'
                | b'$'
                | b','
                | b'%'
                | b'?'
                | b'#'
                | b'\\'
        )
}

const fn is_end(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'~' | b'*' | b'/' | b'=' | b'+')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_end_before_punctuation() {
        for (said, address) in [
            ("http://a.b/c_d?e=f#g).", "http://a.b/c_d?e=f#g"),
            ("https://a.b/(c)", "https://a.b/(c"),
            ("mailto:a@b.c>", "mailto:a@b.c"),
            ("ftp://a\u{e9}", "ftp://a"),
        ] {
            let len = standalone(said);
            let expected = if said.starts_with("ftp") { None } else { Some(address) };
            assert_eq!(len.map(|len| &said[..len]), expected, "{said}");
        }
        assert_eq!((standalone("note: a"), standalone("http://")), (None, None));
        assert_eq!(mail("(a.b@c.de).", 4), Some((1, 9)));
        assert_eq!(mail("a @b", 2), None);
    }
}

//! Reconstruction of a table from its parts.
//!
//! Chunks of a table repeat its header and the cells that reach into them; who wants the table back has the parts
//! alone. How many leading rows of each part are repeated ones is known, so the rows behind them are joined, and
//! the texts likewise.

use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::syntax::html::lexer::Dialect;
use chunkwright_text::syntax::html::respan::respanned;
use chunkwright_text::syntax::html::rows::Rows;
use chunkwright_text::unicode::space::is_space;

/// A part of a table.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its HTML, if it has any.
    pub html: Option<&'a str>,
    /// How many of its rows, the first ones, are a header that is repeated from the first part.
    pub n_carried: usize,
}

/// Table that parts were made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whole {
    /// The texts without repeated headers, a blank between two.
    pub text: String,
    /// The rows without repeated headers; none unless each part has HTML that is one element.
    pub html: Option<String>,
}

/// Writes HTML that only a parser with recovery can read as XML, or says that it is not one element.
pub type Recover<'a> = &'a mut dyn FnMut(&str) -> Result<Option<String>>;

/// Puts a table together of its `parts`, in order. O(n).
///
/// ```
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_read::reconstruct::{Part, merge};
///
/// let part = |text, html, n_carried| Part { text, html: Some(html), n_carried };
/// let parts = [
///     part("kg 7", "<table><tr><td>kg</td></tr><tr><td>7</td></tr></table>", 0),
///     part("kg 3", "<table><tr><td>kg</td></tr><tr><td>3</td></tr></table>", 1),
/// ];
/// let whole = merge(&parts, &mut |_| Ok(None), no_pulse())?;
/// assert_eq!(whole.text, "kg 7 3"); // the header once
/// assert_eq!(whole.html.unwrap().matches("<tr>").count(), 3);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// What `recover` says, and those of `pulse`.
pub fn merge(parts: &[Part<'_>], recover: Recover<'_>, pulse: Pulse<'_>) -> Result<Whole> {
    let mut read = Vec::with_capacity(parts.len());
    let n_carried = parts.iter().map(|part| part.n_carried).max().unwrap_or(0);
    let beat = Beat::of_bytes(pulse);
    for (i, part) in parts.iter().enumerate() {
        beat.after(part.html.map_or(0, str::len))?;
        let n_with_cells = if i == 0 { n_carried } else { part.n_carried };
        read.push(match part.html {
            Some(html) if !html.is_empty() => rows(html, n_with_cells, recover)?,
            _ => None,
        });
    }
    let mut text = String::new();
    for (part, rows) in parts.iter().zip(&read) {
        let own = own_text(part, rows.as_ref());
        if !own.is_empty() && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(own);
    }
    let all: Option<Vec<Rows>> = read.into_iter().collect();
    Ok(Whole { text, html: all.map(|all| merged(parts, &all)) })
}

fn rows(html: &str, n_with_cells: usize, recover: Recover<'_>) -> Result<Option<Rows>> {
    if let Ok(rows) = Rows::read(html, Dialect::Html, n_with_cells) {
        return Ok(rows);
    }
    let Some(written) = recover(html)? else { return Ok(None) };
    Ok(Rows::read(&written, Dialect::Written, n_with_cells).unwrap_or(None))
}

/// The text of a part without that of the header it repeats.
fn own_text<'a>(part: &Part<'a>, rows: Option<&Rows>) -> &'a str {
    let Some(rows) = rows.filter(|rows| (1..=rows.len()).contains(&part.n_carried)) else {
        return part.text;
    };
    let cells = (0..part.n_carried).flat_map(|i| rows.cells(i));
    let texts: Vec<&str> =
        cells.map(|cell| cell.text.as_str()).filter(|text| !text.is_empty()).collect();
    let header = texts.join(" ");
    if header.is_empty() {
        return part.text;
    }
    match part.text.trim_start_matches(is_space).strip_prefix(&header) {
        None => part.text,
        Some(rest) => rest.strip_prefix(' ').unwrap_or_else(|| rest.trim_start_matches(is_space)),
    }
}

fn merged(parts: &[Part<'_>], all: &[Rows]) -> String {
    let header = header(parts, all);
    let mut html = String::from("<table>");
    if let Some((n_rows, rows)) = header {
        html.push_str("<thead>");
        for i in 0..n_rows {
            let spans = all[0].cells(i).iter().map(|cell| &cell.spans);
            let (row, behind) = rows.html(i);
            html.push_str(&respanned(row, spans));
            html.push_str(behind);
        }
        html.push_str("</thead>");
    }
    for (i, (part, rows)) in parts.iter().zip(all).enumerate() {
        let n_first = header.filter(|_| i == 0).map(|(n_rows, _)| n_rows);
        html.push_str(rows.html_from(n_first.unwrap_or(part.n_carried)));
    }
    if html == "<table>" {
        return "<table/>".to_owned();
    }
    html.push_str("</table>");
    html
}

/// The first repeated header that says what the first part begins with: how many rows, and in which part.
fn header<'a>(parts: &[Part<'_>], all: &'a [Rows]) -> Option<(usize, &'a Rows)> {
    let first = all.first()?;
    let texts = |rows: &'a Rows, i| rows.cells(i).iter().map(|cell| &cell.text);
    let says_the_same = |n_rows: usize, rows: &'a Rows| {
        n_rows <= rows.len().min(first.len())
            && (0..n_rows).all(|i| texts(first, i).eq(texts(rows, i)))
    };
    let mut repeated = parts.iter().map(|part| part.n_carried).zip(all);
    repeated.find(|(n_rows, rows)| *n_rows > 0 && says_the_same(*n_rows, rows))
}

//! Oracles: slow and obviously right versions, for tests to hold the fast ones against.

use unicode_segmentation::UnicodeSegmentation;

use crate::markup::Markup;
use crate::measure::bpe::vocabulary::{NO_RANK, Vocabulary};
use crate::segment::clause;
use crate::segment::fence::Fences;
use crate::segment::heading;
use crate::segment::lead_in;
use crate::segment::sentence::{Sentences, begins_item, begins_line};
use crate::unicode::space::is_space;

/// Starts of the tokens of `piece`, by joining the best pair until there is none.
pub fn token_starts(vocabulary: &Vocabulary, piece: &[u8]) -> Vec<usize> {
    if vocabulary.rank(piece) != NO_RANK {
        return vec![0];
    }
    let mut bounds: Vec<usize> = (0..=piece.len()).collect();
    loop {
        let pairs = bounds.windows(3).enumerate();
        let ranked = pairs.map(|(i, pair)| (vocabulary.rank(&piece[pair[0]..pair[2]]), i));
        match ranked.min() {
            Some((rank, i)) if rank != NO_RANK => bounds.remove(i + 1),
            _ => break,
        };
    }
    bounds.pop();
    bounds
}

/// Texts of the recursive strategy without overlap: each place is tried, the last one first.
pub fn recursive<'t>(
    text: &'t str,
    marks: &[&str],
    max: usize,
    size: impl Fn(&str) -> usize,
) -> Vec<&'t str> {
    let levels = |from: usize| {
        let places = |mark: &&str| {
            let starts = text[from..].char_indices().map(|(at, _)| from + at);
            starts.filter(|&at| text[at..].starts_with(mark)).collect()
        };
        marks.iter().map(places).collect()
    };
    packed(text, levels, end_of_paragraph, max, size)
}

/// Texts of the line-based strategy without overlap and header: each place is tried, the last one first.
pub fn line_based(text: &str, max: usize, size: impl Fn(&str) -> usize) -> Vec<&str> {
    let (mut chunks, mut at) = (Vec::new(), 0);
    while !text[at..].trim_matches(is_space).is_empty() {
        let first = text.len() - text[at..].trim_start_matches(is_space).len();
        let ends_line = |cut: usize| {
            text[..cut].ends_with(['\n', '\r']) && !text[cut - 1..].starts_with("\r\n")
        };
        let begins_line = at == 0 || ends_line(at);
        let body = match text[at..first].rfind(['\n', '\r']) {
            Some(line_break) => at + line_break + 1,
            None if begins_line => at,
            None => first,
        };
        let ends = |from: usize| text[from..].char_indices().map(move |(i, _)| from + i).skip(1);
        let best = |body: usize, is_end: &dyn Fn(usize) -> bool| {
            let fits = |&cut: &usize| {
                let own = text[body..cut].trim_end_matches(is_space);
                cut > first && is_end(cut) && size(own) <= max
            };
            ends(first).chain([text.len()]).filter(fits).last()
        };
        let starts_word =
            |cut: usize| text[..cut].ends_with(is_space) && !text[cut..].starts_with(is_space);
        let graphemes: Vec<usize> =
            text[first..].grapheme_indices(true).map(|(i, _)| first + i).collect();
        let is_line = |cut: usize| ends_line(cut) || cut == text.len();
        let is_grapheme = |cut: usize| graphemes.contains(&cut) || cut == text.len();
        let found = best(body, &is_line).map(|cut| (body, cut));
        let found = found.or_else(|| best(first, &is_line).map(|cut| (first, cut)));
        let found = found.or_else(|| best(first, &starts_word).map(|cut| (first, cut)));
        let found = found.or_else(|| best(first, &is_grapheme).map(|cut| (first, cut)));
        let next = graphemes.get(1).copied().unwrap_or(text.len());
        let (body, cut) = found.unwrap_or((first, next));
        chunks.push(text[body..cut].trim_end_matches(is_space));
        at = cut;
    }
    chunks
}

/// Texts of the strategy of sentences without overlap.
pub fn sentences(text: &str, max: usize, size: impl Fn(&str) -> usize) -> Vec<&str> {
    let levels = |from: usize| {
        let sentences = Sentences::new(text).map(|sentence| sentence.start).collect();
        let next = |&at: &usize| clause::first_start(text, at, text.len());
        let clauses = std::iter::successors(Some(from), next).collect();
        let starts_word =
            |&at: &usize| text[..at].ends_with(is_space) && !text[at..].starts_with(is_space);
        let words = text.char_indices().map(|(at, _)| at).filter(starts_word).collect();
        let lines = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        vec![sentences, lines, clauses, words]
    };
    let end = |text: &str, at: usize| {
        let all = Sentences::new(&text[at..]).next();
        all.map_or(text.len(), |sentence| at + sentence.end)
    };
    packed(text, levels, end, max, size)
}

/// Where the paragraph that begins at `at` ends.
fn end_of_paragraph(text: &str, at: usize) -> usize {
    let lines = text[at..].split_inclusive('\n').enumerate();
    let own = lines.take_while(|(i, line)| *i == 0 || !line.trim_matches(is_space).is_empty());
    at + own.map(|(_, line)| line.len()).sum::<usize>()
}

/// Texts that end at the last fitting place of the first of `levels`, the places behind a start, or
/// else at the last fitting grapheme.
///
/// A place that parts headings from what they are bound to counts as the place where they begin, unless that is
/// where the text begins, and of one that parts a lead-in from what has room beside it the place before it is taken;
/// only if none is left, all places count as they are.
fn packed(
    text: &str,
    levels: impl Fn(usize) -> Vec<Vec<usize>>,
    end_of_next: impl Fn(&str, usize) -> usize,
    max: usize,
    size: impl Fn(&str) -> usize,
) -> Vec<&str> {
    let (mut chunks, end) = (Vec::new(), text.trim_end_matches(is_space).len());
    let mut from = text.len() - text.trim_start_matches(is_space).len();
    while from < end {
        let chunk = |cut: usize| text[from..cut].trim_end_matches(is_space);
        let fits = |cut: usize| cut > from && size(chunk(cut)) <= max;
        let rest = text[from..end].grapheme_indices(true).map(|(at, _)| from + at).skip(1);
        let graphemes: Vec<usize> = rest.chain([end]).collect();
        let above = |cut: usize| bound(text, cut, max, &size, &end_of_next).unwrap_or(cut);
        let last = |places: &[usize], moved: &dyn Fn(usize) -> usize| {
            let kept = |&at: &usize| (fits(at) && fits(moved(at))).then(|| moved(at));
            places.iter().rev().find_map(kept)
        };
        let led = |places: &[usize]| {
            let found = last(places, &above)?;
            let Some(first) = lead_in_above(text, found) else { return Some(found) };
            let (mut before, mut upto) = (None, first.0);
            for _ in 0..lead_in::MAX_RUN {
                let n_places = places.partition_point(|&place| place < upto);
                before = last(&places[..n_places], &above);
                match before.and_then(|cut| lead_in_above(text, cut)) {
                    Some(next) => upto = next.0,
                    None => break,
                }
            }
            let is_run = before.is_some_and(|cut| lead_in_above(text, cut).is_some());
            let open = before.unwrap_or(from);
            if !is_run && leads_to(text, open, first, max, &size) { before } else { Some(found) }
        };
        let kept = || {
            let best = levels(from).iter().find_map(|places| led(places));
            best.or_else(|| {
                let kept = |at: &&usize| fits(**at) && fits(above(**at));
                let end = *graphemes.iter().rev().find(kept)?;
                let cut = above(end);
                let led = lead_in_above(text, cut).filter(|_| cut < end);
                led.is_none_or(|led| !leads_to(text, from, led, max, &size)).then_some(cut)
            })
        };
        let any = || {
            let best = levels(from).iter().find_map(|places| last(places, &|cut| cut));
            best.or_else(|| last(&graphemes, &|cut| cut))
        };
        let cut = Some(end).filter(|&end| fits(end)).or_else(kept);
        let cut = cut.or_else(any).unwrap_or(graphemes[0]);
        chunks.push(chunk(cut));
        from = text.len() - text[cut..].trim_start_matches(is_space).len();
    }
    chunks
}

/// Where the lead-in ends that a cut at `at` parts from what it leads to, and where that begins; none if there is none.
fn lead_in_above(text: &str, at: usize) -> Option<(usize, usize)> {
    let end = text[..at].trim_end_matches(is_space).len();
    let start = text.len() - text[at..].trim_start_matches(is_space).len();
    let is_parted = text[..end].ends_with(':') && text[end..start].contains('\n');
    let leads = begins_line(text, start) && !text[start..].starts_with('#');
    (start < text.len() && is_parted && leads).then_some((end, start))
}

/// Whether what a lead-in leads to has room beside it in a chunk from `open` on: all of an item that fits a chunk, else
/// a line.
fn leads_to(
    text: &str,
    open: usize,
    (lead_end, start): (usize, usize),
    max: usize,
    size: &impl Fn(&str) -> usize,
) -> bool {
    let skipped = text.len() - text[open..].trim_start_matches(is_space).len();
    let open = skipped.min(lead_end);
    let fits = |start: usize, end: usize| size(text[start..end].trim_end_matches(is_space)) <= max;
    let mut lines = text[start..].split_inclusive('\n');
    let first = start + lines.next().map_or(0, str::len);
    let own = lines.take_while(|line| {
        let said = line.trim_matches(is_space);
        !said.is_empty() && !begins_line(said, 0)
    });
    let item = first + own.map(str::len).sum::<usize>();
    if !begins_item(text, start) || !fits(start, item) {
        fits(open, first)
    } else {
        fits(open, item)
    }
}

/// The start of the headings that a cut at `at` parts from a paragraph with which they have room in a chunk, or
/// which has none by itself.
fn bound(
    text: &str,
    at: usize,
    max: usize,
    size: &impl Fn(&str) -> usize,
    end_of_next: &impl Fn(&str, usize) -> usize,
) -> Option<usize> {
    let run = headings_before(text, at, heading::MAX_RUN);
    let &last = run.first()?;
    let lines: Vec<&str> = text.split('\n').collect();
    let number = |at: usize| text[..at].matches('\n').count();
    let next = text.len() - text[at..].trim_start_matches(is_space).len();
    let fits = |start: usize, end: usize| size(text[start..end].trim_matches(is_space)) <= max;
    let kinds = kinds_of_lines(&lines);
    let n_lines = (0..lines.len()).rposition(|i| kinds[i] == Some(number(last)))? + 1;
    if !fits(last, lines[..n_lines].iter().map(|line| line.len() + 1).sum::<usize>() - 1) {
        return None;
    }
    if kinds[number(next)] == Some(number(last)) {
        return Some(bound(text, last, max, size, end_of_next).unwrap_or(last));
    }
    let end = end_of_next(text, next);
    let farthest = |end: usize| run.iter().rev().copied().find(|&start| fits(start, end));
    if fits(next, end) { farthest(end) } else { Some(farthest(at).unwrap_or(last)) }
}

/// The starts of the run of up to `max_run` headings that a cut at `at` parts from what follows them, the last first.
///
/// Each line is read as what it is among all lines; headings are the lines from the first to the last of
/// each.
pub fn headings_before(text: &str, at: usize, max_run: usize) -> Vec<usize> {
    let last = text[..at].trim_end_matches(is_space).len();
    if last == 0 || text[at..].trim_matches(is_space).is_empty() {
        return Vec::new();
    }
    let lines: Vec<&str> = text.split('\n').collect();
    let kinds = kinds_of_lines(&lines);
    let n_above = text[..last].matches('\n').count();
    // A heading's lines bear the number of its first.
    let above = |&start: &usize| {
        let above = (0..start).rev().find(|&i| !lines[i].trim_matches(is_space).is_empty());
        kinds[above?]
    };
    let place = |start: usize| lines[..start].iter().map(|line| line.len() + 1).sum();
    let run: Vec<usize> = std::iter::successors(kinds[n_above], above).map(place).collect();
    if run.len() > max_run { Vec::new() } else { run }
}

/// For each line the number of the line at which the heading begins of which it is a part.
fn kinds_of_lines(lines: &[&str]) -> Vec<Option<usize>> {
    let trimmed: Vec<&str> = lines.iter().map(|line| line.trim_matches(is_space)).collect();
    let blank = |i: usize| trimmed.get(i).is_none_or(|line| line.is_empty());
    let above = |i: usize| i.wrapping_sub(1);
    let sign = |i: usize| {
        let line = trimmed.get(i)?;
        let sign = line.chars().next().filter(|&sign| "=-~^*+".contains(sign))?;
        (line.len() > 2 && line.chars().all(|c| c == sign)).then_some(sign)
    };
    let shallow = |i: usize| !lines[i].starts_with("    ");
    let words = |i: usize| {
        let line = trimmed[i];
        let marked = begins_line(line, 0) || line == "-" || is_marked(line);
        !marked && shallow(i) && line.contains(char::is_alphanumeric)
    };
    let title = |i: usize| {
        let long = |sign| "=-".contains(sign) || trimmed[i + 1].len() >= trimmed[i].chars().count();
        let free = blank(above(i)) || sign(above(i)).is_some();
        words(i) && free && sign(i + 1).is_some_and(long) && shallow(i + 1)
    };
    let titled = |line: &str| {
        let n_chars = line.chars().count();
        let closed = line.trim_end_matches(['~', '`']);
        let ends = closed.ends_with(['.', ':', ',', '!', '、'])
            || line.ends_with('|')
            || !line.starts_with(char::is_alphanumeric)
            || Sentences::new(line).nth(1).is_some();
        !ends && (3..=70).contains(&n_chars)
    };
    let alone = |i: usize| shallow(i) && blank(above(i)) && blank(i + 1);
    let short = |i: usize| words(i) && alone(i) && titled(trimmed[i]);
    let numbered = |i: usize| {
        let mark = |line: &str| begins_line(line, 0) && line.starts_with(char::is_alphanumeric);
        let own = trimmed[i].split_once(' ').filter(|_| mark(trimmed[i]));
        let begins =
            |beside: Option<&&str>| beside.is_some_and(|line| begins_item(line.trim_start(), 0));
        let is_said = |line: &&&str| !line.trim_matches(is_space).is_empty();
        own.is_some_and(|(_, own)| titled(own.trim_start()))
            && alone(i)
            && !begins(lines[..i].iter().rev().find(is_said))
            && !begins(lines[i + 1..].iter().find(is_said))
    };
    let listed = |i: usize| {
        let up = (0..i).rev().filter(|&i| !blank(i)).take_while(|&i| short(i)).count();
        let down = (i + 1..lines.len()).filter(|&i| !blank(i)).take_while(|&i| short(i)).count();
        up + 1 + down > heading::MAX_BARE
    };
    let mut kinds = vec![None; lines.len()];
    for i in 0..lines.len() {
        if is_marked(lines[i].trim_start_matches(' ')) {
            kinds[i] = Some(i);
        } else if title(i) {
            let over = sign(above(i)).is_some_and(|over| sign(i + 1) == Some(over));
            let start = if over && blank(above(above(i))) { above(i) } else { i };
            kinds[start..=i + 1].fill(Some(start));
        }
    }
    // Those above are marked.
    let marked = kinds.clone();
    let may_be = |i: usize| marked[i].is_none() && (short(i) || numbered(i));
    for i in (0..lines.len()).filter(|&i| may_be(i)) {
        let behind = (i + 1..lines.len()).find(|&i| !trimmed[i].is_empty());
        let is_own = numbered(i) || !listed(i);
        let is_bare = behind.is_some_and(|behind| marked[behind].is_none()) && is_own;
        kinds[i] = is_bare.then_some(i);
    }
    outside_fences(lines, kinds)
}

/// Those of `kinds` whose headings do not stand in blocks of code.
fn outside_fences(lines: &[&str], kinds: Vec<Option<usize>>) -> Vec<Option<usize>> {
    let starts = lines.iter().scan(0, |at, line| Some(std::mem::replace(at, *at + line.len() + 1)));
    let starts: Vec<usize> = starts.collect();
    let fences = Fences::new(&lines.join("\n"), Markup::Unknown);
    let is_outside = |&i: &usize| fences.holding(starts[i]).is_none();
    kinds.into_iter().map(|kind| kind.filter(is_outside)).collect()
}

/// Whether a line begins with up to six `#` or `=` and a blank.
fn is_marked(line: &str) -> bool {
    (1..=6).any(|n| ["#", "="].iter().any(|mark| line.starts_with(&(mark.repeat(n) + " "))))
}

/// The least sum of costs on the ways from mark `from` to the `last`, by trying all of them.
pub fn cheapest(from: usize, last: usize, cost: &dyn Fn(usize, usize) -> Option<i64>) -> i64 {
    if from == last {
        return 0;
    }
    let ways = (from + 1..=last).filter_map(|to| Some(cost(from, to)? + cheapest(to, last, cost)));
    ways.min().unwrap_or(i64::MAX / 2)
}

/// The greatest sum of what groups are worth, and the fewest groups that have it but for `tolerance`, over
/// all ways to group `from..last`, by trying all of them.
pub fn best_groups(
    from: usize,
    last: usize,
    tolerance: f64,
    worth: &dyn Fn(usize, usize) -> Option<f64>,
) -> (f64, usize) {
    if from == last {
        return (0.0, 0);
    }
    let ways = (from + 1..=last).filter_map(|to| {
        let (rest, n_groups) = best_groups(to, last, tolerance, worth);
        Some((worth(from, to)? + rest, n_groups + 1))
    });
    let ways: Vec<(f64, usize)> = ways.collect();
    let best = ways.iter().map(|way| way.0).fold(f64::NEG_INFINITY, f64::max);
    let fewest = ways.iter().filter(|way| way.0 >= best - tolerance).map(|way| way.1).min();
    (best, fewest.unwrap_or(0))
}

/// The ends of the parts of the group `from..end`, which are cut where `score` is highest among the cuts
/// that leave between the limits, the first one of several; else where the last fits.
pub fn limited(
    group: std::ops::Range<usize>,
    [soft, hard]: [usize; 2],
    size: &dyn Fn(usize, usize) -> usize,
    score: &dyn Fn(usize) -> f64,
) -> Vec<usize> {
    let (mut from, mut ends) = (group.start, Vec::new());
    while from + 1 < group.end && size(from, group.end) > hard {
        let fits = |&cut: &usize| size(from, cut) <= hard;
        let cuts: Vec<usize> = (from + 1..group.end).filter(fits).collect();
        let wanted: Vec<usize> =
            cuts.iter().copied().filter(|&cut| size(from, cut) >= soft).collect();
        let highest = wanted.iter().map(|&cut| score(cut)).fold(f64::NEG_INFINITY, f64::max);
        let first = wanted.into_iter().find(|&cut| score(cut) >= highest - 1e-6);
        from = first.or(cuts.last().copied()).unwrap_or(from + 1);
        ends.push(from);
    }
    ends
}

/// The greatest end with at most `max` units, by trying all.
pub fn longest(text: &str, start: usize, max: usize, size: impl Fn(&str) -> usize) -> usize {
    let ends = text[start..].char_indices().map(|(at, _)| start + at).chain([text.len()]);
    ends.filter(|&end| size(&text[start..end]) <= max).last().unwrap_or(start)
}

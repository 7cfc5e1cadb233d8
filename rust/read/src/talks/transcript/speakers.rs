//! Names that speak though they are not written as names: they recur, and alternate with others.

use std::collections::HashMap;

use super::line::{Form, Head};
use super::names::{Grade, may_speak};

/// One of so many heads is that of a name in small letters, at least: of one that stands there twice, and of one that
/// stands there more often.
const SHARE: usize = 8;
const SHARE_OF_MORE: usize = 40;

/// How often names stand in heads behind those of others.
#[derive(Debug, Default)]
pub struct Speakers<'a> {
    /// The runs of each name that is not written as one.
    runs: HashMap<&'a str, usize>,
    n_heads: usize,
    /// Whether a name and a time on a line of their own are the rule.
    has_headers: bool,
    /// Whether times stand behind names as a rule.
    has_times_behind: bool,
}

impl<'a> Speakers<'a> {
    /// Those of the heads of a text, in their order.
    pub fn of<'h>(heads: impl Iterator<Item = &'h Head<'a>>) -> Self
    where
        'a: 'h,
    {
        let (mut speakers, mut last) = (Self::default(), "");
        let (mut n_headers, mut n_others, mut n_timed, mut n_beside) = (0, 0, 0, 0);
        for head in heads.filter(|head| !head.name.is_empty()) {
            *(if head.form == Form::Header { &mut n_headers } else { &mut n_others }) += 1;
            n_timed += usize::from(head.stamp.is_some());
            n_beside += usize::from(head.is_beside);
            if head.grade != Grade::Name && head.name != last {
                *speakers.runs.entry(head.name).or_default() += 1;
            }
            // What is no name at all parts no others.
            if head.grade != Grade::Weak || may_speak(head.name) {
                (speakers.n_heads, last) = (speakers.n_heads + 1, head.name);
            }
        }
        speakers.has_headers = n_headers > n_others;
        speakers.has_times_behind = n_beside * 2 > n_timed;
        speakers
    }

    /// Whether the name of a head recurs behind others.
    pub fn recurs(&self, head: &Head<'_>) -> bool {
        self.runs.get(head.name).is_some_and(|&n| n > 1)
    }

    /// Whether a name that is not written as one speaks: it recurs, and if it is in small letters, often; or a time
    /// stands behind it, as behind the other names.
    pub fn has(&self, head: &Head<'_>) -> bool {
        let n_runs = self.runs.get(head.name).copied().unwrap_or_default();
        let share = if n_runs > 2 { SHARE_OF_MORE } else { SHARE };
        let is_often = || n_runs > 1 && n_runs * share >= self.n_heads && may_speak(head.name);
        // What a chat says of somebody looks like a name above words: `Ada left`.
        let is_place = head.form != Form::Header || self.has_headers;
        match head.grade {
            Grade::Name => true,
            Grade::Marked => n_runs > 1,
            Grade::Someone => is_place,
            Grade::Weak => is_place && (is_often() || self.is_timed_as_others(head)),
        }
    }

    /// Whether a time stands behind a name, as behind the others; of more words that is sure only before a colon.
    fn is_timed_as_others(&self, head: &Head<'_>) -> bool {
        let is_told = head.is_beside && self.has_times_behind;
        is_told && (head.form == Form::Timed || may_speak(head.name))
    }
}

//! Times of the heads of a transcript as seconds: of a recording, of a day, or since 1970.

use super::dates::{Date, Order};
use super::line::{Form, Head};
use super::telling::Heads;
use crate::talks::clock::Stamp;

/// Half a day: who is earlier by more than that than the one before him speaks on the next day.
const HALF_DAY: f64 = 43_200.0;

/// What the times of a transcript count from.
#[derive(Debug)]
pub struct Clock {
    /// Whether times count from the beginning of a recording, and not from midnight.
    pub is_recording: bool,
    order: Order,
    /// The days that have passed since the first time, in seconds, and the time of day told last.
    days: f64,
    last: f64,
    /// A time that stood on a line of its own, for the turn behind it.
    pending: Option<Stamp>,
}

impl Clock {
    /// That of the heads of a transcript.
    pub fn of(heads: &Heads<'_>) -> Self {
        let timed: Vec<&Head<'_>> = heads.timed().collect();
        let has_halves = timed.iter().any(|head| head.stamp.is_some_and(|of| of.is_pm.is_some()));
        let order = Order::of(timed.iter().filter_map(|head| head.date), has_halves);
        let is_recording = is_recording(&timed, has_halves);
        Self { is_recording, order, days: 0.0, last: 0.0, pending: None }
    }

    /// Keeps the time of a line that has nothing else.
    pub const fn remember(&mut self, head: &Head<'_>) {
        self.pending = head.stamp;
    }

    /// When a turn begins, in seconds.
    pub fn seconds(&mut self, head: &Head<'_>) -> Option<f64> {
        let pending = self.pending.take();
        let stamp = head.stamp.or(pending)?;
        if self.is_recording {
            return Some(stamp.elapsed());
        }
        let of_day = stamp.of_day();
        if let Some(day) = head.date.filter(|day| *day != Date::Word) {
            return Some(self.order.seconds(day)? + of_day);
        }
        if of_day + HALF_DAY < self.last {
            self.days += 2.0 * HALF_DAY;
        }
        self.last = of_day;
        Some(self.days + of_day)
    }
}

/// Whether times are those of a recording. A time of two numbers is minutes and seconds there, and in a chat hours and
/// minutes.
///
/// A day, a half of a day and the name of a chatter in brackets tell a chat; a first number that no hour is, both forms
/// in one text, and a beginning in the first hour a recording. Else times in brackets before a name and a colon, and
/// those without seconds there, are of a day; and those beside a name on a line of its own are of a recording.
fn is_recording(timed: &[&Head<'_>], has_halves: bool) -> bool {
    let stamps = || timed.iter().filter_map(|head| head.stamp);
    let is_chat = |head: &&&Head<'_>| head.date.is_some() || head.form == Form::Angle;
    if has_halves || timed.iter().any(|head| is_chat(&head)) {
        return false;
    }
    let n_short = stamps().filter(|stamp| stamp.n_fields == 2).count();
    if stamps().any(|stamp| !stamp.is_of_day()) {
        return true;
    }
    let Some(first) = stamps().next() else { return true };
    if n_short == 0 {
        // Hours, minutes and seconds: of a day, unless it begins early, as recordings do.
        return first.fields[0] < 5;
    }
    if n_short < timed.len() || first.fields[0] == 0 {
        return true;
    }
    timed.iter().any(|head| head.form == Form::Header)
}

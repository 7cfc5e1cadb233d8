//! Tests of threads.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::thread::ThreadId;

use chunkwright_text::pulse::no_pulse;

use super::*;
use crate::stop::is_stopped;

#[test]
fn each_task_is_done_once() {
    for (workers, n_tasks) in [(0, 3), (1, 3), (2, 1), (4, 1000), (8, 0)] {
        let done: Vec<AtomicUsize> = (0..n_tasks).map(|_| AtomicUsize::new(0)).collect();
        share(
            workers,
            n_tasks,
            no_pulse(),
            || Ok(()),
            |task, _| {
                done[task].fetch_add(1, Ordering::Relaxed);
                Ok(())
            },
        )
        .unwrap();
        assert!(done.iter().all(|n| n.load(Ordering::Relaxed) == 1), "{workers} {n_tasks}");
    }
}

#[test]
fn tasks_are_shared_by_as_many_threads_as_were_asked_for() {
    let threads: Mutex<HashSet<ThreadId>> = Mutex::default();
    // Each waits for the others, so none can do two tasks.
    let all_there = std::sync::Barrier::new(3);
    share(
        3,
        3,
        no_pulse(),
        || Ok(()),
        |_, _| {
            threads.lock().unwrap().insert(thread::current().id());
            all_there.wait();
            Ok(())
        },
    )
    .unwrap();
    let threads = threads.into_inner().unwrap();
    assert_eq!(threads.len(), 3);
    assert!(threads.contains(&thread::current().id()));
}

#[test]
fn the_calling_thread_does_the_first_thing_first() {
    let is_first_done = AtomicBool::new(false);
    let first = || {
        is_first_done.store(true, Ordering::Relaxed);
        Ok(())
    };
    share(1, 1, no_pulse(), first, |_, _| {
        assert!(is_first_done.load(Ordering::Relaxed));
        Ok(())
    })
    .unwrap();
}

#[test]
fn a_failing_task_stops_the_run() {
    let n_done = AtomicUsize::new(0);
    let error = share(
        1,
        100,
        no_pulse(),
        || Ok(()),
        |task, _| {
            n_done.fetch_add(1, Ordering::Relaxed);
            if task == 3 { Err(Error::Config("the fourth".into())) } else { Ok(()) }
        },
    );
    assert_eq!(error.unwrap_err().to_string(), "the fourth");
    assert_eq!(n_done.into_inner(), 4);
}

#[test]
fn what_fails_first_is_told() {
    let error = share(
        2,
        2,
        no_pulse(),
        || Err(Error::Config("first".into())),
        |_, pulse| loop {
            pulse()?;
        },
    );
    assert_eq!(error.unwrap_err().to_string(), "first");
}

#[test]
fn the_callers_pulse_stops_all_threads() {
    let listen = || Err(Error::Config("a signal".into()));
    let error = share(
        3,
        3,
        &listen,
        || Ok(()),
        |_, pulse| {
            loop {
                pulse()?;
            }
        },
    );
    assert_eq!(error.unwrap_err().to_string(), "a signal");
}

#[test]
fn a_thread_without_a_pulse_at_hand_learns_that_it_is_stopped() {
    let caller = thread::current().id();
    let both_there = std::sync::Barrier::new(2);
    let error = share(
        2,
        2,
        no_pulse(),
        || Ok(()),
        |_, _| {
            both_there.wait();
            if thread::current().id() == caller {
                return Err(Error::Config("the caller's".into()));
            }
            while !is_stopped() {
                thread::yield_now();
            }
            Err(Error::Interrupted)
        },
    );
    assert_eq!(error.unwrap_err().to_string(), "the caller's");
    assert!(!is_stopped(), "the calling thread obeys no flag of the run's");
}

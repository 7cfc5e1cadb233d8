//! Runner of a fuzz target: cases until the time is up, and the input of the first that fails.

use std::cell::Cell;
use std::fmt::Debug;
use std::time::{Duration, Instant};

use chunkwright_text::error::Result;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};

/// Seconds of a target, unless the environment says otherwise.
const SECONDS: u64 = 2;
/// Cases between two looks at the clock.
const BATCH: u32 = 64;
/// No input of a few kilobytes takes so long, but one whose work has no end.
const ENDLESS: Duration = Duration::from_mins(1);

thread_local! {
    static STARTED: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Runs `check` on generated inputs for as many seconds as `CHUNKWRIGHT_FUZZ_SECONDS` says, and returns the number
/// of cases. They are the same in each run, unless `CHUNKWRIGHT_FUZZ_SEED` names another seed than 0.
///
/// # Panics
/// If a check does, with the smallest input that was found to fail and the seed.
pub fn run<S>(inputs: &S, check: impl Fn(S::Value)) -> u64
where
    S: Strategy,
    S::Value: Debug,
{
    let (seconds, seed) =
        (number("CHUNKWRIGHT_FUZZ_SECONDS", SECONDS), number("CHUNKWRIGHT_FUZZ_SEED", 0));
    let (started, mut n_cases) = (Instant::now(), 0);
    // Each batch has a seed of its own: a runner whose time is up cannot be asked to stop.
    while n_cases == 0 || started.elapsed() < Duration::from_secs(seconds) {
        let config = Config {
            cases: BATCH,
            failure_persistence: None,
            rng_algorithm: RngAlgorithm::ChaCha,
            rng_seed: RngSeed::Fixed(seed.wrapping_mul(1 << 32).wrapping_add(n_cases)),
            ..Config::default()
        };
        let found = TestRunner::new(config).run(inputs, |input| {
            STARTED.set(Some(Instant::now()));
            check(input);
            Ok(())
        });
        assert!(found.is_ok(), "seed {seed}, after {n_cases} cases: {found:#?}");
        n_cases += u64::from(BATCH);
    }
    println!("{n_cases} cases in {:.0?}", started.elapsed());
    n_cases
}

/// The pulse of a case, by which work ends that has no end.
///
/// # Errors
/// None.
///
/// # Panics
/// If the case takes more than a minute.
#[allow(clippy::unnecessary_wraps, reason = "a pulse may say that the work is to stop")]
pub fn pulse() -> Result<()> {
    let elapsed = STARTED.get().map_or(Duration::ZERO, |started| started.elapsed());
    assert!(elapsed < ENDLESS, "the work has no end");
    Ok(())
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

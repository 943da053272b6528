//! The promise that rules are Rhai: the product and Rhai's own evaluator run the same, and it comes to the same.
//!
//! What is compared is everything that a run leaves behind: what happened, event by event, with the points in the rules,
//! every option and every draw; the table, the scores, the value; and where it goes wrong, the error and its place. What
//! differs on purpose stands in one list, [`purpose`].
//!
//! `HOUSERULE_DIFFERENTIAL=100 cargo test --release --test all differential -- --nocapture` compares a hundred times as much
//! as the test command does, from other seeds, and tells how much it was.

mod fixture;
mod forks;
mod games;
mod grammar;
mod hostile;
mod node;
mod pairs;
mod programs;
mod purpose;
mod scenarios;
mod sides;
mod signature;
use crate::shared::threads::in_threads;
use node::Program;
use programs::{Batch, Compared, PROGRAMS, batches};
use purpose::{ORDERS, Order};
use sides::{Ending, Side};
use signature::Signature;
use std::sync::Arc;
use std::time::Instant;

/// So many sorts of difference are told at once.
const SHOWN: usize = 12;

/// How many times as much as usual is compared.
fn times() -> usize {
    match std::env::var("HOUSERULE_DIFFERENTIAL") {
        Ok(number) => number.parse().expect("HOUSERULE_DIFFERENTIAL is a number"),
        Err(_) => 1,
    }
}

#[test]
fn small_programs_come_to_the_same() {
    let words: Arc<[Signature]> = Signature::all().into();
    let mut all = Compared::default();
    for seed in 0..times() as u64 {
        let began = Instant::now();
        let mut compared = Compared::default();
        in_threads(&batches(seed, PROGRAMS, &words), Batch::compare).into_iter().for_each(|part| compared.add(part));
        let Compared { made, refused, fine, calm, calm_and_fine, on_purpose, different, .. } = &compared;
        println!(
            "seed {seed}: {made} programs, {fine} of them to their end, {calm_and_fine} of {calm} calm ones, {} refused, {:.1?}",
            refused.len(),
            began.elapsed()
        );
        on_purpose.iter().for_each(|(reason, count)| println!("  {count} differ on purpose: {reason}"));
        if !different.is_empty() {
            let programs: Vec<Program> = different.values().take(SHOWN).cloned().collect();
            let small = in_threads(&programs, |program| programs::small(program.clone()).to_string());
            panic!("{} sorts of difference, of which the first are\n\n{}", different.len(), small.join("\n\n"));
        }
        assert!(calm_and_fine * 10 > calm * 9, "only {calm_and_fine} of {calm} calm programs come to their end");
        // Wrong values that come from a function of the scripts are seen by the check, where it gives one sort alone.
        assert!(refused.len() * 30 < *made, "{} of {made} refused: {}", refused.len(), refused[0].1);
        all.add(compared);
    }
    let missing = all.missing(&words);
    assert!(missing.is_empty(), "no program that comes to its end shows\n{}", missing.join("\n"));
}

/// What is listed as another order is one: else the generator need not keep clear of it.
#[test]
fn what_differs_in_order_is_as_listed() {
    let ruleset = fixture::ruleset(std::iter::empty()).unwrap();
    let [product, reference] = [Side::Product, Side::Reference].map(|side| {
        let started = side.start(&ruleset, fixture::SEATS).unwrap();
        let value = |order: &Order| {
            let expression = format!("{{ {} }}", order.shown_by);
            match programs::call(&started, move |rules| rules.evaluate(&expression)).end {
                Ending::Gave(shown, _) => shown,
                other => panic!("{other:?}"),
            }
        };
        ORDERS.iter().map(value).collect::<Vec<_>>()
    });
    for ((order, product), reference) in ORDERS.iter().zip(product).zip(reference) {
        assert_eq!([product.as_str(), reference.as_str()], order.gives, "{}", order.why);
    }
}

/// Scripts that are made up, as many as said.
pub fn made_up_scripts(count: u32) -> impl Iterator<Item = String> {
    let words: Arc<[Signature]> = Signature::all().into();
    (0..count).map(move |number| grammar::Generator::new(&words, 1, number).program("main").print(0))
}

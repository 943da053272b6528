//! Small programs, run by both.

use crate::differential::fixture::{self, SEATS, told};
use crate::differential::grammar::{self, Generator};
use crate::differential::node::{Program, Way};
use crate::differential::purpose;
use crate::differential::sides::{Disagreement, Played, Run, Running, Side};
use crate::differential::signature::Signature;
use houserule::diagnostic::{Diagnostic, Diagnostics};
use houserule::ruleset::Ruleset;
use houserule::script::Start;
use houserule::script::reference::worker::Worker;
use houserule::table::State;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// How many programs are made of each seed, unless the environment says otherwise.
pub const PROGRAMS: usize = 1_000;

/// How often each form of each word is drilled.
const DRILLS: usize = 3;

/// So many programs are compiled together.
const BATCH: usize = 50;

/// So many smaller programs are tried at most, to find the smallest that still differs.
const ATTEMPTS: usize = 2_000;

/// Two runs of a program that differ.
#[derive(Debug)]
pub struct Difference {
    pub program: Program,
    pub what: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { program, what } = self;
        for (layer, script) in fixture::SCRIPTS.iter().enumerate() {
            let text = program.print(layer);
            if !text.is_empty() {
                writeln!(f, "// {script}\n{text}")?;
            }
        }
        writeln!(f, "// {:?}: {}({:?})\n{what}", program.way, program.main(), program.arguments)
    }
}

/// Programs that were run by both without a difference.
#[derive(Default)]
pub struct Compared {
    /// How many were made.
    pub made: usize,
    /// Those that no check let through.
    pub refused: Vec<(Program, Diagnostic)>,
    /// Those of which a run came to its end, and how many of them were calm.
    pub fine: usize,
    pub calm: usize,
    pub calm_and_fine: usize,
    /// How many of those that came to their end show a construct or word.
    pub shown: BTreeMap<Arc<str>, usize>,
    /// How often the two differed on purpose, by the reason.
    pub on_purpose: BTreeMap<&'static str, usize>,
    /// Programs whose runs differ, one for each sort of difference.
    pub different: BTreeMap<String, Program>,
}

impl Compared {
    pub fn add(&mut self, other: Self) {
        self.made += other.made;
        self.refused.extend(other.refused);
        self.fine += other.fine;
        self.calm += other.calm;
        self.calm_and_fine += other.calm_and_fine;
        other.shown.into_iter().for_each(|(construct, count)| *self.shown.entry(construct).or_default() += count);
        self.different.extend(other.different);
        other.on_purpose.into_iter().for_each(|(reason, count)| *self.on_purpose.entry(reason).or_default() += count);
    }

    fn count(&mut self, program: &Program, runs: &[Run]) {
        let is_fine = runs.iter().any(|run| run.end.is_fine());
        self.calm += usize::from(program.is_calm);
        if is_fine {
            self.fine += 1;
            self.calm_and_fine += usize::from(program.is_calm);
            for construct in program.constructs() {
                *self.shown.entry(construct).or_default() += 1;
            }
        }
    }

    /// The constructs and words that no program shows.
    pub fn missing(&self, words: &[Signature]) -> Vec<String> {
        let words = words.iter().map(|word| word.usage.clone());
        let all = grammar::constructs().map(str::to_owned).chain(words);
        all.filter(|name| !self.shown.contains_key(name.as_str())).collect()
    }
}

/// Batches of programs to be made: those of random constructs first, then those that drill one word after the other.
pub fn batches(seed: u64, programs: usize, words: &Arc<[Signature]>) -> Vec<Batch> {
    let all = programs + words.len() * DRILLS;
    let numbers = (0..all).step_by(BATCH).map(|start| start..(start + BATCH).min(all));
    numbers.map(|numbers| Batch { seed, numbers, programs, words: words.clone() }).collect()
}

/// Programs that are compiled together.
pub struct Batch {
    seed: u64,
    numbers: Range<usize>,
    /// From this number on, words are drilled.
    programs: usize,
    words: Arc<[Signature]>,
}

impl Batch {
    pub fn make(&self) -> Vec<Program> {
        let make = |number: usize| {
            let generator = Generator::new(&self.words, self.seed, number as u32);
            match number.checked_sub(self.programs) {
                None => generator.program(&format!("p{number}")),
                Some(drill) => generator.drill(&format!("p{number}"), &self.words[drill / DRILLS]),
            }
        };
        self.numbers.clone().map(make).collect()
    }

    /// Runs the programs by both.
    pub fn compare(&self) -> Compared {
        Compared::of(self.make())
    }
}

impl Compared {
    /// Programs, run by both.
    pub fn of(mut programs: Vec<Program>) -> Self {
        let mut compared = Compared { made: programs.len(), ..Compared::default() };
        let both = |ruleset: &_| Ok([Side::Product.start(ruleset, SEATS)?, Side::Reference.start(ruleset, SEATS)?]);
        let Some((ruleset, sides)) = compiled(&mut programs, &mut compared.refused, both) else { return compared };
        let [product, reference] = sides.map(|side| runs(&side, &programs));
        for ((program, product), reference) in programs.into_iter().zip(product).zip(reference) {
            match differs(&ruleset, &product, &reference, &mut compared.on_purpose) {
                None => compared.count(&program, &product),
                Some(what) => drop(compared.different.insert(what.in_short(), program)),
            }
        }
        compared
    }
}

/// Where the runs of a program differ, and not on purpose.
fn differs(
    ruleset: &Ruleset,
    product: &[Run],
    reference: &[Run],
    on_purpose: &mut BTreeMap<&'static str, usize>,
) -> Option<Disagreement> {
    let mut pairs = product.iter().zip(reference);
    pairs.find_map(|(product, reference)| purpose::difference(ruleset, product, reference, on_purpose))
}

/// Where a program's runs differ by themselves; nothing where they do not, or it is no program any more.
fn still_differs(program: &Program) -> Option<Disagreement> {
    let ruleset = fixture::ruleset(std::iter::once(program)).ok()?;
    let one = std::slice::from_ref(program);
    let product = runs(&Side::Product.start(&ruleset, SEATS).ok()?, one);
    let reference = runs(&Side::Reference.start(&ruleset, SEATS).ok()?, one);
    differs(&ruleset, product.first()?, reference.first()?, &mut BTreeMap::new())
}

/// A program whose runs differ, made as small as can be.
pub fn small(program: Program) -> Difference {
    let Some(first) = still_differs(&program) else {
        return Difference { program, what: "// among others it differs, alone it does not".to_owned() };
    };
    let sort = first.in_short();
    let still_differs = |program: &Program| {
        let what = still_differs(program).filter(|what| what.in_short() == sort)?;
        Some(what.to_string())
    };
    shrunk(Difference { program, what: first.to_string() }, &still_differs)
}

/// The smallest program that still differs, as far as some attempts lead.
fn shrunk(mut difference: Difference, still_differs: &dyn Fn(&Program) -> Option<String>) -> Difference {
    let mut attempts = 0;
    'again: loop {
        let size = difference.program.size();
        for program in difference.program.smaller() {
            if program.size() >= size {
                continue;
            }
            attempts += 1;
            if attempts > ATTEMPTS {
                return difference;
            }
            if let Some(what) = still_differs(&program) {
                difference = Difference { program, what };
                continue 'again;
            }
        }
        return difference;
    }
}

/// The rules with the programs in them, compiled; those that the check refuses are taken out.
pub fn compiled<T>(
    programs: &mut Vec<Program>,
    refused: &mut Vec<(Program, Diagnostic)>,
    compile: impl Fn(&Arc<Ruleset>) -> Result<T, Diagnostics>,
) -> Option<(Arc<Ruleset>, T)> {
    while !programs.is_empty() {
        let compiled =
            fixture::ruleset(programs.iter()).and_then(|ruleset| compile(&ruleset).map(|compiled| (ruleset, compiled)));
        let errors = match compiled {
            Ok(compiled) => return Some(compiled),
            Err(errors) => errors,
        };
        let before = programs.len();
        for error in &errors {
            let name = error.place.as_ref().map(function_at).unwrap_or_default();
            if let Some(number) = programs.iter().position(|program| program.main() == name) {
                refused.push((programs.remove(number), error.clone()));
            }
        }
        assert!(programs.len() < before, "{}", told(&errors));
    }
    None
}

/// The name of the program whose function stands at a place.
fn function_at(place: &houserule::diagnostic::Place) -> String {
    let (line, _) = place.position();
    let heads = place.source.text.lines().take(line).filter_map(|line| {
        let line = line.strip_prefix("private ").unwrap_or(line);
        line.strip_prefix("fn ")
    });
    heads.last().and_then(|head| head.split(['(', '_']).next()).unwrap_or_default().to_owned()
}

/// Runs programs one after the other, each from the table as it was laid.
fn runs(side: &Running, programs: &[Program]) -> Vec<Vec<Run>> {
    let programs = programs.to_vec();
    call(side, move |rules| {
        let laid = rules.play(&Start::Game, 1, 0);
        assert!(laid.end.is_fine(), "the table cannot be laid: {:?}", laid.end);
        // What only looks goes first: it finds the table as it was laid, and leaves it so.
        let mut order: Vec<usize> = (0..programs.len()).collect();
        order.sort_by_key(|&number| programs[number].way == Way::Played);
        let mut done: Vec<(usize, Vec<Run>)> =
            order.into_iter().map(|number| (number, run(rules, &programs[number], &laid.table))).collect();
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, runs)| runs).collect()
    })
}

fn run(rules: &mut Played, program: &Program, laid: &State) -> Vec<Run> {
    let expression = |argument: i64| format!("{}({argument})", program.main());
    let run = |&argument: &i64| match program.way {
        Way::Played => {
            let entry = Start::Call { expression: expression(argument), table: Box::new(laid.clone()) };
            rules.play(&entry, argument.unsigned_abs(), usize::MAX)
        }
        Way::Evaluated => rules.evaluate(&expression(argument)),
        Way::Evaluation => rules.try_out(program.main(), argument),
    };
    program.arguments.iter().map(run).collect()
}

/// Does something with rules on their thread.
pub fn call<State: 'static, T: Send + 'static>(
    worker: &Worker<State>,
    work: impl FnOnce(&mut State) -> T + Send + 'static,
) -> T {
    worker.call(work).unwrap_or_else(|crash| panic!("{crash}"))
}

#[test]
fn a_difference_is_made_small() {
    let words: Arc<[Signature]> = Signature::all().into();
    // Stands for any difference: what is looked for is kept, and everything around it falls away.
    let has_sum = |program: &Program| program.print(0).contains(" * ").then(|| "a product".to_owned());
    let whole =
        (0..).map(|number| Generator::new(&words, 7, number).program("p")).find(|program| has_sum(program).is_some());
    let program = whole.unwrap();
    let before = program.size();
    let small = shrunk(Difference { program, what: "a product".to_owned() }, &has_sum);
    assert!(before > 300 && small.program.size() < 80, "from {before} to\n{small}");
}

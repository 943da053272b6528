//! Inputs that anybody could have written, by the thousand: none makes the program panic, hang, or play the same game in two
//! ways.
//!
//! What is done with the bytes of an input stands in `tests/fuzz/targets`, one file for each target. Here every input of
//! `tests/fuzz/corpus` is given to its target, and then a fixed number of others that are made of those by chance, the same
//! ones every time. `tests/fuzz` is a package too, which looks for inputs for as long as it is let, led by which code they
//! reach; its README says how. `HOUSERULE_FUZZ=100 cargo test --release --test all fuzz:: -- --nocapture` makes up a hundred
//! times as many without it. Whatever is found becomes a file of the corpus whose name says what it was.

mod targets;

use houserule::table::chance::Stream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use targets::{TARGETS, Target};

/// What a target is given, with its name.
type Input = (String, Vec<u8>);

/// So many inputs are made up for a target.
fn made_up(target: &Target) -> usize {
    match target.name {
        "definition" => 150,
        "script" => 400,
        "replay" => 400,
        "pack" => 400,
        _ => 60,
    }
}

/// How many times as many as usual are made up.
fn times() -> usize {
    match std::env::var("HOUSERULE_FUZZ") {
        Ok(number) => number.parse().expect("HOUSERULE_FUZZ is a number"),
        Err(_) => 1,
    }
}

/// So long an input is at most, in bytes.
const LENGTH: usize = 8 << 10;

/// Whatever takes longer with one input hangs, or might as well.
const LONGEST: Duration = Duration::from_secs(20);

/// So many times an input is changed at most.
const CHANGES: usize = 6;

#[test]
fn definitions() {
    attack("definition");
}

#[test]
fn scripts() {
    attack("script");
}

#[test]
fn replays() {
    attack("replay");
}

#[test]
fn packs() {
    attack("pack");
}

#[test]
fn lines() {
    attack("line");
}

#[test]
fn every_target_has_a_folder_of_inputs() {
    let mut found: Vec<String> = files(&corpus()).iter().map(|path| name_of(path)).collect();
    let mut names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    names.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, names);
    for target in TARGETS {
        let count = inputs(&target).len();
        assert!(count >= 10, "where have the inputs of {} gone? there are {count}", target.name);
    }
}

/// Gives a target its inputs, and others that are made of them.
fn attack(name: &str) {
    let target = TARGETS.into_iter().find(|target| target.name == name).unwrap();
    let (given, words) = (inputs(&target), words(&target));
    let count = given.len() + made_up(&target) * times();
    let began = Instant::now();
    let steps = steps(target, given, words);
    let (mut tried, mut current, mut failures) = (0, Input::default(), Vec::new());
    loop {
        match steps.recv_timeout(LONGEST) {
            Ok(Step::Begins(input)) => (tried, current) = (tried + 1, input),
            Ok(Step::Panicked) => failures.push(kept(&target, &current)),
            Err(RecvTimeoutError::Timeout) => {
                panic!("more than {LONGEST:?} of {}: {}", target.name, kept(&target, &current))
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    println!("{}: {tried} inputs in {:.1?}", target.name, began.elapsed());
    assert!(failures.is_empty(), "{} inputs of {}:\n{}", failures.len(), target.name, failures.join("\n"));
    assert_eq!(tried, count);
}

/// What is told of a target's way through its inputs.
enum Step {
    Begins(Input),
    /// The target does not bear the last one.
    Panicked,
}

/// Gives a target its inputs, and others that are made of them, on a thread that nobody has to wait for.
fn steps(target: Target, inputs: Vec<Input>, words: Vec<Vec<u8>>) -> Receiver<Step> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let made_up = (0..made_up(&target) * times()).map(|number| {
            let bytes = made(&target, &inputs, &words, u32::try_from(number).unwrap());
            (format!("input {number}"), bytes)
        });
        for (name, bytes) in inputs.iter().cloned().chain(made_up) {
            // Where nobody listens any more, the test is over.
            let Ok(()) = sender.send(Step::Begins((name, bytes.clone()))) else { return };
            if catch_unwind(AssertUnwindSafe(|| (target.run)(&bytes))).is_err() {
                let _ = sender.send(Step::Panicked);
            }
        }
    });
    receiver
}

/// What is told of an input that a target does not bear; it is kept where it can be looked at.
fn kept(target: &Target, (name, bytes): &Input) -> String {
    let path = std::env::temp_dir().join(format!("houserule-{}-{}", target.name, name.replace(' ', "-")));
    let kept = std::fs::write(&path, bytes).map_or_else(|error| error.to_string(), |()| path.display().to_string());
    format!("{name} ({kept}): {:?}", String::from_utf8_lossy(&bytes[..bytes.len().min(200)]))
}

/// The inputs of a target by their names, in order.
fn inputs(target: &Target) -> Vec<Input> {
    let files = files(&corpus().join(target.name));
    files.into_iter().map(|path| (name_of(&path), std::fs::read(path).unwrap())).collect()
}

/// What stands in the inputs of a target: each line of its dictionary is a word in quotes, with `\"`, `\\` and `\x1B` in it.
fn words(target: &Target) -> Vec<Vec<u8>> {
    let text = std::fs::read_to_string(folder().join(format!("dictionaries/{}.txt", target.name))).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    let words: Vec<Vec<u8>> = lines.map(unescaped).collect();
    assert!(words.len() >= 20, "where have the words of {} gone?", target.name);
    words
}

fn unescaped(word: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = word.bytes();
    while let Some(byte) = rest.next() {
        let escaped = if byte == b'\\' { rest.next() } else { None };
        bytes.push(match escaped {
            Some(b'x') => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            Some(escaped) => escaped,
            None => byte,
        });
    }
    bytes
}

fn corpus() -> PathBuf {
    folder().join("corpus")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// An input that some others were made into.
fn made(target: &Target, inputs: &[Input], words: &[Vec<u8>], number: u32) -> Vec<u8> {
    let mut chance = Stream::named(1, target.name, number);
    let mut bytes = inputs[chance.below(inputs.len())].1.clone();
    for _ in 0..=chance.below(CHANGES) {
        let at = chance.below(bytes.len() + 1);
        let end = at + chance.below((bytes.len() - at).min(64) + 1);
        match chance.below(8) {
            0 => drop(bytes.drain(at..end)),
            1 | 2 => drop(bytes.splice(at..at, words[chance.below(words.len())].iter().copied())),
            3 => drop(bytes.splice(at..end, words[chance.below(words.len())].iter().copied())),
            4 => {
                let twice = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, twice));
            }
            5 => {
                let other = &inputs[chance.below(inputs.len())].1;
                let from = chance.below(other.len() + 1);
                let to = from + chance.below(other.len() - from + 1).min(400);
                drop(bytes.splice(at..end, other[from..to].iter().copied()));
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = u8::try_from(chance.below(256)).unwrap();
                }
            }
        }
    }
    bytes.truncate(LENGTH);
    bytes
}

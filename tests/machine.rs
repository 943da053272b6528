//! The machine that runs the rules: it stops anywhere, goes on from copies, counts exactly, and says where it was.

use crate::shared::small_game;
use houserule::agent::Random;
use houserule::diagnostic::Diagnostics;
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::machine::counts::StatementHook;
use houserule::script::machine::hooks::StatementContext;
use houserule::script::reference::meter;
use houserule::script::rules::{Rules, Run};
use houserule::script::{End, Start};
use houserule::table::decision::{Answerer, Halt, Question};
use houserule::table::value::Value;
use houserule::table::{Recording, Table};
use houserule::work::Work;
use std::path::PathBuf;
use std::sync::Arc;

const GAME: &str = r#"
id = "small"
name = { en = "Small" }
players = { min = 2, max = 4 }

[data]
bonus = 3
colors = ["red", "blue"]

[components.card]
kind = "card"
id = "{number}"
face = "{number}"
attributes = { number = { from = 1, to = 40 }, color = { cycle = "data.colors" } }

[zones.deck]
name = { en = "deck" }
order = "pile"
visible = "none"

[zones.hand]
name = { en = "hand" }
per = "seat"
order = "hand"
visible = "owner"
"#;

/// The rules of a small game.
fn rules(script: &str) -> Result<Rules, Diagnostics> {
    Rules::new(small_game::game("small", GAME, script).unwrap(), 2, Arc::default())
}

/// What a game ends with when every player chooses at random.
fn played(rules: &Rules) -> (Run, End) {
    let mut run = rules.begin(&Start::Game, 1);
    let end = rules.resume(&mut run, &mut Random::new(1));
    (run, end)
}

/// What the rules of a small game fail with.
fn failure(script: &str) -> String {
    match played(&rules(script).unwrap()).1 {
        End::Failed(error) | End::Endless(error) => error.render(false),
        end => panic!("{end:?}"),
    }
}

/// What an expression comes to on an empty table.
fn value(expression: &str) -> String {
    let rules = rules("fn game() { }\nfn double(n) { n * 2 }").unwrap();
    match rules.evaluate(&rules.begin(&Start::Game, 1).table, expression, None) {
        Ok(tried) => tried.result,
        Err(error) => error.first().message.to_string(),
    }
}

/// Answers so many decisions at random, then leaves the next one open. Each answer depends on the decision alone.
struct Answering(usize);

impl Answerer for Answering {
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        self.0 = self.0.checked_sub(1).ok_or(Halt::Open)?;
        Random::from_decision(7, table.decisions()).answer(table, question, chosen)
    }
}

#[test]
fn arguments_are_worked_out_from_left_to_right() {
    assert_eq!(value("let x = 1; [x, { x = 2; x }, x]"), "[1, 2, 2]");
    assert_eq!(value("let x = 1; x + { x = 5; x }"), "6");
    assert_eq!(value("let l = [1]; let f = 0; [l.len, { l.push(2); l.len }, l.len]"), "[1, 2, 2]");
    assert_eq!(value("let x = [3]; x[{ x = [4, 5]; 0 }]"), "3");
    assert_eq!(value("let x = 1; double(x) + double({ x = 4; x })"), "10");
}

#[test]
fn a_name_is_set_from_itself() {
    assert_eq!(value("let x = 3; x = if x > 2 { x * 2 } else { 0 }; x"), "6");
    assert_eq!(value("let x = 3; x = [x, x]; x"), "[3, 3]");
    assert_eq!(value("let l = [1, 2]; let m = l; m.push(3); [l.len, m.len]"), "[2, 3]");
    assert_eq!(value("let x = 0; for n in 0..4 { if n == 1 { continue; } if n == 3 { break; } x += n; } x"), "2");
    assert_eq!(
        value("let l = [1, 2, 3]; let seen = 0; l = l.where(|n| { seen += n; n > 1 }); [l.len, seen]"),
        "[2, 6]"
    );
}

#[test]
fn a_run_that_stops_at_a_decision_goes_on_from_copies() {
    let library = houserule::Disk::library(vec![PathBuf::from(env!("CARGO_MANIFEST_DIR"))]);
    for game in library.games() {
        let ruleset = Ruleset::load(&library, &Selection { game: game.id.clone(), ..Selection::default() }).unwrap();
        let seats = ruleset.definition.players.0.max(3).min(ruleset.definition.players.1);
        let rules = Arc::new(Rules::new(Arc::new(ruleset), seats, Arc::default()).unwrap());
        let whole = |run: &mut Run, answers: &mut dyn Answerer| {
            let end = rules.resume(run, answers);
            let units = run.units();
            (end, units, run.table.finish().unwrap().events)
        };
        let begin = || {
            let mut run = rules.begin(&Start::Game, 7);
            run.table.record(Recording::default());
            run
        };
        let uninterrupted = whole(&mut begin(), &mut Answering(usize::MAX));
        for decisions in [0, 1, 2, 5, 17] {
            let mut run = begin();
            // Short games are over before.
            let end = rules.resume(&mut run, &mut Answering(decisions));
            if end == End::Finished && decisions > 2 {
                continue;
            }
            assert_eq!(end, End::Halted(Halt::Open));
            let mut copy = run.clone();
            let one = whole(&mut run, &mut Answering(usize::MAX));
            assert!(one == uninterrupted, "{} after {decisions}", game.id);
            let other = std::thread::spawn({
                let rules = rules.clone();
                move || {
                    let end = rules.resume(&mut copy, &mut Answering(usize::MAX));
                    (end, copy.units(), copy.table.finish().unwrap().events)
                }
            });
            assert!(other.join().unwrap() == one, "{} after {decisions}, from a copy", game.id);
        }
    }
}

#[test]
fn a_loop_without_end_is_told_where_it_is_and_who_called_it() {
    let told = failure("fn game() { turn(players.first); }\nfn turn(p) { stuck(); }\nfn stuck() {\n    loop { }\n}\n");
    for part in ["without a decision", "rules.rhai:4:5", "in `stuck`", "in `turn`, called here", "rules.rhai:1:13"] {
        assert!(told.contains(part), "{part}\n{told}");
    }
}

#[test]
fn memory_is_counted_by_what_is_held() {
    // Each entry shares what the others hold, so a million of them hold little.
    let shared = "fn game() { let long = []; for n in 0..2000 { long.push(n); }\n\
                  for round in 0..20000 { let copy = [long]; } }";
    assert_eq!(played(&rules(shared).unwrap()).1, End::Finished);
    let doubled = "fn game() { let all = [];\n\
                   for n in 0..2000 { all.push(text(n)); } deep(0, all); }\n\
                   fn text(n) { let long = `${1000000 + n}`; while long.len < 2000 { long += long; } long }\n\
                   fn deep(n, all) { let own = []; for i in 0..2000 { own.push(text(i + n * 2000)); }\n\
                   players.first.may(\"go\"); if n < 25 { deep(n + 1, own); } own }";
    let told = failure(doubled);
    assert!(told.contains("more than 128 MiB of memory") && told.contains("called here"), "{told}");
}

/// To know what a run holds takes time, which counts: else a game that always holds much would take minutes for what it
/// may do between two decisions.
#[test]
fn looking_at_what_is_held_counts() {
    let used = |made: usize| {
        let script = format!(
            "fn game() {{ let base = \"\"; while base.len < 3000 {{ base += \"abcdefghijklmnopqrstuvwxyz\"; }} deep(0, base); }}
            fn deep(n, base) {{
                let own = [];
                for i in 0..2000 {{ own.push(`${{base}}${{i + n * 2000}}`); }}
                players.first.may(\"go\");
                if n < 19 {{ deep(n + 1, base); }} else {{ for i in 0..{made} {{ let made = `${{base}}, ${{i}}`; }} }}
                own.len
            }}"
        );
        let (run, end) = played(&rules(&script).unwrap());
        assert_eq!(end, End::Finished);
        run.units()
    };
    let (few, more) = (used(0), used(6_000));
    // Two more looks at forty thousand texts.
    assert!(more - few > 20_000, "{} units", more - few);
}

#[test]
fn what_a_run_held_is_given_back() {
    let rules =
        rules("fn game() { let all = []; for n in 0..2000 { all.push(`text ${n}`); } players.first.may(\"go\"); }");
    let rules = rules.unwrap();
    let mut run = rules.begin(&Start::Game, 1);
    rules.resume(&mut run, &mut Answering(0));
    let before = meter::live_bytes();
    let copies: Vec<Run> = (0..50).map(|_| run.clone()).collect();
    assert!(meter::live_bytes() - before < 50 * 16_384, "a copy shares what the run holds");
    drop(copies);
    assert!((meter::live_bytes() - before).abs() < 1_024);
}

/// Cases of ten values each, in each other.
fn nested_cases(depth: usize) -> String {
    let cases = (0..depth).fold("x += 1;".to_owned(), |inner, _| {
        format!("switch x {{ 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 => {{ {inner} }} _ => {{ x += 1; }} }}")
    });
    format!("fn game() {{ let x = 4; {cases} note(`${{x}}`); }}")
}

/// What stands in a case is there once, whatever the number of its values.
#[test]
fn a_case_of_several_values_is_not_copied_for_each() {
    let steps = |depth: usize| rules(&nested_cases(depth)).unwrap().code().functions[0].steps.len();
    assert!(steps(5) - steps(4) < 20 && steps(4) - steps(3) < 20, "{} steps", steps(5));
    assert_eq!(value("let x = 4; switch x { 1 | 2 => \"low\", \"a\" | 4 | 5 => \"high\", _ => \"none\" }"), "\"high\"");
    assert_eq!(value("let x = \"a\"; switch x { 4 | \"a\" if false => 1, 5 | \"a\" => 2, _ => 3 }"), "2");
    let errors = rules(&nested_cases(12)).err().unwrap();
    assert!(errors[0].message.starts_with("the cases of a `switch` have too many values"), "{errors:?}");
}

#[test]
fn reading_rules_can_be_stopped_and_that_is_told_as_such() {
    let work = Arc::new(Work::default());
    work.stop();
    let errors = Rules::new(small_game::game("small", GAME, "fn game() { }").unwrap(), 2, work).err().unwrap();
    assert_eq!(errors.iter().map(|error| error.message.as_str()).collect::<Vec<_>>(), ["interrupted"]);
}

/// A sum is right, or it is refused.
#[test]
fn sums_do_not_stop_silently_at_the_largest_number() {
    let game = format!(
        "{GAME}\n[components.heap]\nkind = \"card\"\nid = \"heap-{{number}}\"\n\
         list = [{{ number = {} }}, {{ number = 7 }}, {{ number = {} }}]\n",
        i64::MAX,
        -i64::MAX
    );
    let told = |expression: &str| {
        let rules = Rules::new(small_game::game("small", &game, "fn game() { }").unwrap(), 2, Arc::default()).unwrap();
        let table = rules.begin(&Start::Game, 1).table;
        match rules.evaluate(&table, expression, None) {
            Ok(tried) => tried.result,
            Err(error) => error.first().message.to_string(),
        }
    };
    let most = i64::MAX;
    assert_eq!(told(&format!("[{most}, -{most}, 5].sum_of(|n| n)")), "5");
    assert_eq!(told(&format!("[{most}, 5, -{most}].sum_of(|n| n)")), format!("the number is too large: {most} + 5"));
    assert_eq!(told("components(\"heap\").sum(\"number\")"), "7");
    assert_eq!(told("components(\"heap\").above(\"number\", 0).sum(\"number\")"), "the number is too large");
    assert_eq!(told(&format!("components(\"heap\").first_missing(\"number\", {})", most - 1)), (most - 1).to_string());
    assert_eq!(told(&format!("components(\"heap\").first_missing(\"number\", {most})")), "the number is too large");
}

/// Somebody who reads why something is not allowed.
struct Reading;

impl Answerer for Reading {
    fn answer(&mut self, _table: &Table, _question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        chosen.push(0);
        Ok(())
    }

    fn wants_reasons(&self, _table: &Table) -> bool {
        true
    }
}

/// What a person types is not checked before it runs, and goes the same way whether somebody reads the reasons or not.
#[test]
fn reasons_never_decide_how_a_run_goes() {
    let rules = rules("fn game() { }\nfn asking(p) { p.choose(\"y\", [3], [4], |n| \"no\"); [2] }").unwrap();
    let ends = |expression: &str| {
        let table = Box::new(rules.begin(&Start::Game, 1).table.snapshot());
        let entry = Start::Call { expression: expression.to_owned(), table };
        let read = rules.play(&entry, 1, &mut Reading, None);
        let unread = rules.play(&entry, 1, &mut Answering(9), None);
        (read.1, unread.1, read.0.units() == unread.0.units())
    };
    for reasons in [
        "{ if p1.score == 0 { return; } [2] }, |n| \"no\"",
        "{ for i in 0..2 { return; } [2] }, |n| \"no\"",
        "{ throw \"no\" }, |n| \"no\"",
        "{ if true { break; } [2] }, |n| \"no\"",
        "{ if true { continue; } [2] }, |n| \"no\"",
        "[2], |n| { k += 1; \"no\" }",
        "{ p1.score += 1; [2] }, |n| \"no\"",
    ] {
        let (read, unread, _) =
            ends(&format!("let k = 0; while k < 1 {{ p1.choose(\"x\", [1], {reasons}); k += 1; }} k"));
        let told = format!("{read:?}");
        assert!(told.contains("the code that says why `choose` does not allow something"), "{reasons}: {told}");
        assert_eq!(read, unread, "{reasons}");
    }
    let fine = "p1.choose(\"x\", [1], { for i in 0..9 { if i > 2 { break; } } [2] }, |n| { if n > 1 { return \"no\"; } \"\" })";
    assert_eq!(ends(fine), (End::Finished, End::Finished, true));
    let (read, _, _) = ends("p1.choose(\"x\", [1], asking(p1), |n| \"no\")");
    assert!(format!("{read:?}").contains("asks a player"), "{read:?}");
    // Where nothing is left, everybody is told why.
    let stuck = "p1.choose(\"x\", [].where(|n| n > 1), [2, 3], |n| if n == 2 { \"small\" } else { \"big\" })";
    let (read, unread, same_units) = ends(stuck);
    assert!(format!("{unread:?}").contains("2 was refused: small; 3 was refused: big"), "{unread:?}");
    assert!(read == unread && same_units, "{read:?}");
}

/// Somebody who does not want to wait any longer after so many answers.
struct Impatient(usize, Arc<Work>);

impl Answerer for Impatient {
    fn answer(&mut self, table: &Table, _question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        if table.decisions() == self.0 {
            self.1.stop();
        }
        chosen.push(0);
        Ok(())
    }
}

#[test]
fn somebody_who_wants_the_rules_to_stop_is_heard() {
    for rules_text in [
        "fn game() { loop { for n in 0..2000 { } players.first.may(\"again\"); } }",
        "fn game() { players.first.may(\"again\"); loop { for n in 0..1900000 { } players.first.may(\"again\"); } }",
    ] {
        let rules = rules(rules_text).unwrap();
        let mut impatient = Impatient(1, rules.work().clone());
        assert_eq!(rules.play(&Start::Game, 1, &mut impatient, None).1, End::Halted(Halt::Stopped));
    }
}

#[test]
fn whoever_watches_is_told_of_each_statement_once() {
    let script = "fn game() {\n    let x = 1;\n    for n in 0..2 {\n        x += n;\n    }\n    turn(x);\n}\nfn turn(n) {\n    n.min(3);\n}\n";
    let script = script.replace("n.min(3)", "min(n, 3)");
    let rules = rules(&script).unwrap();
    let mut run = rules.begin(&Start::Game, 1);
    // Stops before the statement on line 4, each time.
    let mut told: Vec<(u16, Vec<String>)> = Vec::new();
    let mut stop = |moment: &StatementContext<'_>| {
        let depth = moment.frames.len() - 1;
        let function = moment.frames.function(depth).unwrap().1;
        let names = moment.statement.known.iter().map(|&slot| {
            let value = moment.frames.register(depth, slot).unwrap();
            format!("{} {}", function.names[usize::from(slot)], moment.code.texts.shown(moment.table, value))
        });
        let line = moment.statement.at.line;
        told.push((line, names.collect()));
        line != 4
    };
    let mut ends = 0;
    while rules.resume_with_hook(&mut run, &mut Random::new(1), &mut StatementHook(&mut stop))
        == End::Halted(Halt::Watched)
    {
        ends += 1;
    }
    assert_eq!(ends, 2);
    let lines: Vec<u16> = told.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [2, 3, 4, 4, 6, 9]);
    assert_eq!(told[3].1, ["x 1", "n 1"]);
    assert_eq!(told[5].1, ["n 2"]);
}

#[test]
fn what_is_tried_out_leaves_the_table_as_it_was() {
    let rules = rules("fn game() { }\nfn score_of(p) { p.score + 1 }\nfn ask(p) { p.may(\"go\") }").unwrap();
    let table = rules.begin(&Start::Game, 1).table;
    let seat = Value::Seat(houserule::table::value::Seat::from_number(2).unwrap());
    assert_eq!(rules.call_on_copy(&table, "score_of", &seat).unwrap().value, Some(Value::Number(1)));
    assert_eq!(rules.call_on_copy(&table, "ask", &seat).unwrap_err(), houserule::script::EvaluationError::Asks);
    let tried = rules.evaluate(&table, "p1.award(5, \"trying\"); p1.score", None).unwrap();
    assert_eq!((tried.result.as_str(), tried.recording.events.len()), ("5", 1));
    let kept = tried.value_to_keep(None);
    assert_eq!(rules.evaluate(&table, "_ + p1.score", kept.as_ref()).unwrap().result, "5");
    assert!(rules.parse("p1.hand.").is_err() && rules.parse("p1.hand").is_ok());
}

#[test]
fn rules_and_runs_go_to_other_threads() {
    fn free<T: Send + Sync>() {}
    fn sendable<T: Send + Clone>() {}
    free::<Rules>();
    sendable::<Run>();
}

/// What a person typed is shown as it was typed, and what cannot be called is told as what it is.
#[test]
fn what_is_shown_of_typed_expressions_is_what_was_meant() {
    for range in ["1..4", "1..=3", "0..-9223372036854775808", "5..=1", "9223372036854775807..=9223372036854775807"] {
        assert_eq!(value(range), range.to_owned());
    }
    assert_eq!(value("let n = 0; for i in 9223372036854775806..=9223372036854775807 { n += 1; } n"), "2");
    assert_eq!(value("let r = 1..=3; let all = []; for i in r { all.push(i); } all"), "[1, 2, 3]");
    assert_eq!(value("let r = 2..-9223372036854775808; let all = []; for i in r { all.push(i); } all"), "[]");
    let rules = rules("fn game() { }").unwrap();
    let table = rules.begin(&Start::Game, 1).table;
    for (expression, help) in [
        ("[1].len()", "write it without parentheses: `.len`"),
        ("\"x\".len()", "write it without parentheses: `.len`"),
        ("players.len()", "write it without parentheses: `.len`"),
        ("p1.number()", "write it without parentheses: `.number`"),
        ("p1.hand()", "write it without parentheses: `.hand`"),
        ("components(\"card\").first.color()", "write it without parentheses: `.color`"),
        ("p1.hand.lenn()", "did you mean `len`?"),
    ] {
        let error = rules.evaluate(&table, expression, None).unwrap_err();
        assert!(error.first().help.iter().any(|line| line == help), "{expression}: {error:?}");
    }
    let error = rules.evaluate(&table, "5.len()", None).unwrap_err();
    assert!(error.first().help[0].starts_with("`len` works on options, zone, components"), "{error:?}");
}

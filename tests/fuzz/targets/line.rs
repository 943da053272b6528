//! Bytes as lines that a person types into the REPL.

use super::{Target, harmless, market, save, tell, told_in};
use houserule::screen::style::{Line, render};
use houserule::session::commands::{Command, Flow};
use houserule::session::{Session, commands_beginning, split_word};
use houserule::{Language, Playable, Playthrough, Ruleset, Selection, Work};
use std::sync::Arc;

pub const TARGET: Target = Target { name: "line", run };

/// More lines are not typed.
const LINES: usize = 12;

/// No line is longer, in characters.
const LENGTH: usize = 400;

fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<String> = text.split('\n').take(LINES).filter_map(bounded).collect();
    let [once, again] = [1, 2].map(|_| typed(&lines, Language::English));
    assert!(once == again, "what is typed twice does two things:\n{once}\n\n{again}");
    told_in(Language::Japanese, || typed(&lines, Language::Japanese));
}

/// A line as it is typed; none where it would reach outside, or where what it gives depends on a clock or takes hours.
fn bounded(line: &str) -> Option<String> {
    let mut bounded = String::new();
    let mut rest = &*line.chars().take(LENGTH).collect::<String>();
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let digits = rest[start..].chars().take_while(char::is_ascii_digit).count();
        // What is longer is refused wherever something has to be done so often.
        let kept = if (3..=10).contains(&digits) { 2 } else { digits };
        bounded.push_str(&rest[..start + kept]);
        rest = &rest[start + digits..];
    }
    bounded.push_str(rest);

    let (word, rest) = split_word(bounded.trim().trim_start_matches(':').trim_start());
    let shows = |command: &Command| command.name == "load" || command.name == "bug" && rest.trim().is_empty();
    let writes = |command: &Command| command.group == "Files" && !shows(command);
    let watches = |command: &Command| command.name == "watch" && rest.trim().is_empty();
    let is_long = |command: &Command| ["sim", "compare"].contains(&command.name) && rest.contains("search");
    let is_timed = bounded.contains("ms") && bounded.contains("search") || bounded.trim_end().ends_with('&');
    let is_refused = commands_beginning(word).any(|command| writes(command) || watches(command) || is_long(command));
    (!is_refused && !is_timed).then_some(bounded)
}

/// What is shown where these lines are typed in a new game, to somebody who reads a language.
fn typed(lines: &[String], language: Language) -> String {
    let library = market([]);
    let work = Arc::new(Work::default());
    let ruleset = Ruleset::load(&library, &Selection::of("market")).unwrap();
    let loaded = Playable::compile(Arc::new(ruleset), 2, work.clone()).unwrap();
    let (game, _) = Playthrough::start(loaded, 2, 7, Vec::new()).unwrap();
    let mut session =
        Session::new(game, library, language, work, Arc::new(houserule::session::surroundings::NoSurroundings));
    (session.width, session.height) = (80, Some(24));
    let mut seen = shown(&session.opening());
    for line in lines {
        seen.push_str(&format!("{}{line:?}\n", harmless(&session.prompt())));
        match session.line(line) {
            Ok(Flow::Show(lines) | Flow::Page(lines)) => seen.push_str(&shown(&lines)),
            Ok(Flow::Ask(question)) => seen.push_str(&tell(&question.refusal)),
            Ok(Flow::Quit) => break,
            Err(errors) => seen.push_str(&tell(&errors)),
        }
        let notices = session.take_notices();
        if !notices.is_empty() {
            seen.push_str(&tell(&notices));
        }
    }
    seen.push_str(&save(&session.playthrough));
    seen
}

fn shown(lines: &[Line]) -> String {
    render(lines, true);
    harmless(&render(lines, false)).to_owned()
}

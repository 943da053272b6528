//! Completion: options, commands with their arguments, and names of the rules.

use super::analysis::{Candidate, is_in_name};
use super::commands::{self, Next};
use super::{Session, commands_beginning, split_word};
use crate::catalogue::{said, say};
use crate::diagnostic::in_half_width;
use crate::screen::{self, Listing};

impl Session {
    /// The completions at the end of `line`, and the byte at which their text begins. Full-width forms are read as
    /// ASCII where nothing fits them as they are.
    pub fn candidates(&self, line: &str) -> (usize, Vec<Candidate>) {
        let found = self.candidates_as_typed(line);
        let Some(narrow) = in_half_width(line).filter(|_| found.1.is_empty()) else { return found };
        let (start, found) = self.candidates_as_typed(&narrow);
        let letters = narrow.get(..start).map_or(0, |before| before.chars().count());
        (line.char_indices().nth(letters).map_or(line.len(), |(at, _)| at), found)
    }

    fn candidates_as_typed(&self, line: &str) -> (usize, Vec<Candidate>) {
        let (word, _) = split_word(line);
        let mut found = Vec::new();
        if let Some(open) = self.answerable() {
            let scene = self.scene();
            let listing = Listing::of(scene.layout, &scene.position.table, open);
            let listed = listing.order.iter().filter_map(|&position| open.options.get(position));
            let listed = listed.filter(|_| self.shows_options());
            let columns = screen::option_columns(&scene, listed.clone(), open.seat);
            for ((option, (name, _)), place) in listed.zip(columns).zip(1..) {
                let spelled = [option.label.clone(), name].into_iter().find(|text| text.starts_with(line));
                found.extend(spelled.map(|text| Candidate::new(text, say!("option {}", listing.written(place)))));
            }
        }
        if let Some(members) = self.members(line).filter(|_| found.is_empty()) {
            return members;
        }
        if word.len() == line.len() {
            let fits =
                |command: &&commands::Command| command.name.starts_with(word) && command.works(self.debugger.is_some());
            let commands = commands_beginning(word).filter(fits);
            found.extend(commands.map(|command| Candidate::new(command.name, said(command.about))));
            // Names for an expression are offered once one is begun.
            if !word.is_empty() {
                let names = self.analysis().roots().into_iter();
                found.extend(
                    names
                        .filter(|name| name.text.starts_with(word) && found.iter().all(|known| known.text != name.text))
                        .collect::<Vec<_>>(),
                );
            }
            return (0, found);
        }
        if !found.is_empty() {
            return (0, found);
        }
        let Ok(command) = commands::find(word) else {
            let start = line.trim_end_matches(is_in_name).len();
            let names = self.analysis().roots().into_iter().filter(|name| name.text.starts_with(&line[start..]));
            return (start, names.collect());
        };
        // Arguments are separated by blanks; words in an expression, by any other characters.
        let start = line.trim_end_matches(|letter: char| !letter.is_whitespace()).len();
        let Next { candidates: mut fitting, names } = command.next(self, &line[word.len()..start]);
        let start = if names.is_empty() { start } else { line.trim_end_matches(is_in_name).len() };
        let begun = &line[start..];
        // Names for an expression are offered once one is begun, or where nothing else is possible.
        if fitting.is_empty() || !begun.is_empty() {
            fitting.extend(names);
        }
        // The drawn form of a card is completed to its id.
        fitting.retain(|candidate| {
            candidate.text.starts_with(begun) || !begun.is_empty() && candidate.about.starts_with(begun)
        });
        (start, fitting)
    }

    /// The members behind the last dot of a line, where the line may be an expression.
    fn members(&self, line: &str) -> Option<(usize, Vec<Candidate>)> {
        let is_expression = match commands::find(split_word(line).0) {
            Ok(command) => command.takes_an_expression(),
            Err(_) => true,
        };
        self.analysis().members(line).filter(|_| is_expression)
    }

    /// The usage of the missing arguments at the end of a line. The outer `None` means that the line begins no command.
    pub fn usage_hint(&self, line: &str) -> Option<Option<String>> {
        let narrow = in_half_width(line);
        let (word, rest) = split_word(narrow.as_deref().unwrap_or(line));
        let command = commands::find(word).ok()?;
        // A word that is an option is not taken for an abbreviated command.
        (command.name == word || !self.is_option(word)).then(|| command.rest_of_usage(self, rest))
    }
}

//! Checks of the functions that the host calls, and of those that nothing calls.

use super::FunctionFindings;
use super::known::RulesContext;
use crate::diagnostic::{Diagnostic, Message, Place, did_you_mean, message};
use crate::ruleset::Role;
use crate::script::codes;
use crate::script::functions::FunctionInfo;
use crate::script::host_functions::{HOST_FUNCTIONS, host_function};

impl RulesContext<'_> {
    /// The functions that the host calls because the definition names them: the path of the key, the name of the
    /// function, and the kind of its argument.
    fn called_by_definition(&self) -> impl Iterator<Item = (Vec<&str>, &str, &'static str)> {
        let definition = &self.layout.definition;
        let standing = definition.standing.iter().map(|name| (vec!["standing"], name.as_str(), "player"));
        let captions = definition.zones.iter().flat_map(|zone| {
            let captions =
                zone.mark.iter().map(|name| ("mark", name)).chain(zone.note.iter().map(|name| ("note", name)));
            captions.map(|(key, name)| (vec!["zones", zone.id.as_str(), key], name.as_str(), "zone"))
        });
        standing.chain(captions)
    }

    /// Errors for functions that the host calls and the ruleset does not define.
    pub(super) fn missing_functions(&self) -> Vec<Diagnostic> {
        let mut missing = Vec::new();
        if self.function_defined_as("game", 0).is_none() {
            missing.push(self.missing_game());
        }
        for (path, name, argument) in self.called_by_definition() {
            if self.function_defined_as(name, 1).is_some() {
                continue;
            }
            let message = message!("`{}` names `{name}`, and there is no `fn {name}({argument})`", path.join("."));
            let error = Diagnostic::new(message).at_maybe(self.declared_at(&path, "no such function"));
            let functions = &self.scripts.functions;
            let private = functions.iter().find(|other| other.is_private && other.name == *name);
            missing.push(match self.forms(name).next().or(private) {
                Some(other) if other.is_private => error
                    .help("leave `private` out: the host sees what every layer sees")
                    .related_maybe(self.place(other.at, "this one is private")),
                Some(other) => error
                    .help(message!("the host calls it with one {} and nothing else", Message::from(argument)))
                    .related_maybe(self.place(other.at, "this one does not take one argument")),
                None => {
                    let known = functions.iter().map(|function| function.name.as_str());
                    error.near_or(name, known, "define it in the script, or leave the key out")
                }
            });
        }
        missing.into_iter().map(|error| error.with_code(codes::MISSING_FUNCTION)).collect()
    }

    fn missing_game(&self) -> Diagnostic {
        let error = Diagnostic::new("the rules have no `fn game()`: a game begins there")
            .help("write `fn game() { … }` with the whole game in it, from top to bottom");
        if let Some(other) = self.scripts.functions.iter().find(|function| function.name == "game") {
            return error.at_maybe(self.place(other.at, "this one takes arguments, and the host gives none"));
        }
        let script = self.ruleset.scripts.iter().find(|script| script.role == Role::Game);
        match script {
            Some(script) => error.at(script.script.place(1, 1, "nowhere in this script")),
            None => error.at(Place::new(&self.ruleset.game.source, 0..0, "this game has no script")),
        }
    }

    /// Whether nothing calls a function of a game or variant that a call by name could reach.
    pub(super) fn is_uncalled(&self, number: usize, readings: &[FunctionFindings]) -> bool {
        let function = &self.scripts.functions[number];
        let mut by_host = self.called_by_definition().map(|(_, name, _)| name).chain(["game"]);
        let is_asked =
            host_function(&function.name).is_some_and(|asked| asked.parameters.len() == function.parameters.len());
        (function.is_highest || function.is_private)
            && self.ruleset.scripts[function.script].role != Role::Library
            && (function.is_private || !is_asked && !by_host.any(|name| name == function.name))
            && !readings.iter().any(|reading| reading.calls.iter().any(|&callee| usize::from(callee) == number))
    }

    /// Warnings about uncalled functions whose name or number of parameters is most likely wrong, so that they override
    /// nothing.
    pub(super) fn uncalled(&self, readings: &[FunctionFindings]) -> Vec<Diagnostic> {
        let functions = self.scripts.functions.iter().enumerate();
        let uncalled = functions.filter(|(number, _)| self.is_uncalled(*number, readings));
        uncalled.filter_map(|(_, function)| self.misnamed(function)).collect()
    }

    fn misnamed(&self, function: &FunctionInfo) -> Option<Diagnostic> {
        let functions = &self.scripts.functions;
        let below = || functions.iter().filter(|other| other.script < function.script && !other.is_private);
        let other_form = below().find(|other| other.name == function.name);
        let by_host = HOST_FUNCTIONS.iter().filter(|asked| asked.parameters.len() == function.parameters.len());
        let names = below().map(|other| other.name.as_str()).chain(by_host.map(|asked| asked.name));
        let near = did_you_mean(&function.name, names);
        // A game may define what only its variants call.
        let is_variant = matches!(self.ruleset.scripts[function.script].role, Role::Variant(_));
        let asked = host_function(&function.name);
        if other_form.is_none() && near.is_none() && asked.is_none() && !is_variant && !function.is_private {
            return None;
        }
        let warning = uncalled(function).at_maybe(self.place(function.at, "never used"));
        Some(match (other_form, near) {
            _ if function.is_private => warning.help("it is private: only its own script can call it"),
            _ if let Some(asked) = asked => warning.help(message!("`{}` is what is called", asked.usage())),
            (Some(other), _) => warning
                .help(message!("`{}({})` is what is called", other.name, other.parameters.join(", ")))
                .related_maybe(self.place(other.at, "this one")),
            (None, Some(near)) => warning.help(near),
            (None, None) => warning.help("call it, or remove it"),
        })
    }

    /// Warnings about the other functions of a game that nothing in the ruleset calls; a variant may call them.
    pub(super) fn uncalled_in_game(&self, readings: &[FunctionFindings]) -> impl Iterator<Item = Diagnostic> {
        let functions = self.scripts.functions.iter().enumerate();
        let uncalled = functions.filter(|(number, _)| self.is_uncalled(*number, readings));
        let uncalled = uncalled.filter(|(_, function)| self.misnamed(function).is_none());
        uncalled.map(|(_, function)| {
            let place = self.place(function.at, "never used");
            self::uncalled(function).at_maybe(place).help("call it, or remove it")
        })
    }
}

fn uncalled(function: &FunctionInfo) -> Diagnostic {
    Diagnostic::new(message!("nothing calls `{}`", function.name)).with_code(codes::UNCALLED)
}

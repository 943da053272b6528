//! Places where the rules can be stopped: lines, functions, events and values; their notation, and their statements.

use crate::catalogue::message;
use crate::diagnostic::{Diagnostic, Diagnostics, known_names_sentence, unknown_or};
use crate::inspect::pattern::{Pattern, kinds};
use crate::playthrough::Playable;
use crate::ruleset::{Role, Ruleset};
use crate::script::functions::FunctionInfo;
use crate::script::paused::{self, PauseSite};
use crate::script::rules::Rules;
use crate::table::event::ScriptPoint;
use crate::table::layout::Layout;
use std::sync::Arc;

const PLACES_HELP: &str = "write `31`, `double:12`, `score`, `award p1`; `help break` explains more";

/// The rules in play, with all statements at which they can be stopped.
#[derive(Clone)]
pub struct Places {
    loaded: Playable,
    sites: Arc<[PauseSite]>,
}

/// A place or event at which the rules are to be stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Before a line of a script: the id of the layer, and the line in its file.
    Line(String, usize),
    /// At the beginning of a function: its name, and the id of its layer if given.
    Function(String, Option<String>),
    /// At the statement that causes an event matching the pattern.
    Event(Pattern),
    /// At the statement that changes the value of an expression.
    Change(String),
}

impl std::fmt::Display for Target {
    /// The form in which it is typed.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(layer, line) => write!(f, "{layer}:{line}"),
            Self::Function(name, Some(layer)) => write!(f, "{name}@{layer}"),
            Self::Function(name, None) => write!(f, "{name}"),
            Self::Event(pattern) => write!(f, "{pattern}"),
            Self::Change(expression) => write!(f, "watch {expression}"),
        }
    }
}

/// A breakpoint with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakpoint {
    /// The number, from 1; 0 for a temporary one.
    pub number: usize,
    pub target: Target,
    /// An expression that has to be `true` there.
    pub condition: Option<String>,
}

impl Places {
    /// The statements of the rules in play.
    pub fn of(loaded: &Playable) -> Self {
        Self { loaded: loaded.clone(), sites: paused::sites(loaded.rules.program()).into() }
    }

    /// The rules.
    pub fn ruleset(&self) -> &Ruleset {
        &self.loaded.ruleset
    }

    /// The executable rules.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.loaded.rules
    }

    /// The fixed part of the table.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.loaded.layout
    }

    /// All functions of the scripts.
    pub fn functions(&self) -> &[FunctionInfo] {
        &self.loaded.functions
    }

    /// All statements of the scripts.
    pub fn sites(&self) -> &[PauseSite] {
        &self.sites
    }

    /// Whether these are the statements of the same compiled rules.
    pub fn fits(&self, loaded: &Playable) -> bool {
        Arc::ptr_eq(&self.loaded.rules, &loaded.rules)
    }

    /// The id of the layer of a point.
    pub fn layer_of(&self, at: ScriptPoint) -> Option<&str> {
        self.loaded.ruleset.script_at(at).map(|script| script.id.as_str())
    }

    /// The first line of a layer's script, from `line` on, at which the rules can be stopped.
    pub fn line_from(&self, layer: &str, line: usize) -> Option<usize> {
        let own = self.sites.iter().filter(|site| self.layer_of(site.at) == Some(layer));
        own.filter_map(|site| self.line_in_file(site.at)).filter(|known| *known >= line).min()
    }

    /// Parses a target as typed: a line (`31`, `double:12`, `rules.rhai:31`), a function (`score`, `score@double`), or
    /// an event (`award p1`, `event turn`). A bare line number belongs to the script of `here`.
    ///
    /// # Errors
    /// The line, function or event does not exist; with the nearest one.
    pub fn target(&self, typed: &str, here: Option<ScriptPoint>) -> Result<Target, Diagnostics> {
        let words: Vec<&str> = typed.split_whitespace().collect();
        let event =
            |words: &[&str]| Pattern::parse(words, &self.loaded.layout).map(|pattern| pattern.map(Target::Event));
        match words.as_slice() {
            [] => Err(Diagnostic::new("say where: a line, a function or an event").help(PLACES_HELP).into()),
            ["event", words @ ..] => event(words).unwrap_or_else(|| Err(self.unknown(&words.join(" ")).into())),
            ["fn" | "function", name] => self.function(name),
            // A single word is taken as a function first, because rules often have one named `turn`.
            [word] => match self.line(word, here).or_else(|| self.function(word).ok().map(Ok)) {
                Some(found) => found,
                None => event(&[word]).unwrap_or_else(|| self.function(word)),
            },
            words => event(words).unwrap_or_else(|| Err(self.unknown(typed).into())),
        }
    }

    fn unknown(&self, typed: &str) -> Diagnostic {
        let kinds = kinds().map(|kind| kind.name);
        let first = typed.split_whitespace().next().unwrap_or(typed);
        let error = Diagnostic::new(message!("`{typed}` is not a line, a function or an event"));
        error.near_or(first, kinds, PLACES_HELP)
    }

    fn function(&self, typed: &str) -> Result<Target, Diagnostics> {
        let (name, layer) = typed.split_once('@').map_or((typed, None), |(name, layer)| (name, Some(layer)));
        let target = Target::Function(name.to_owned(), layer.map(str::to_owned));
        if !self.sites_of(&target).is_empty() {
            return Ok(target);
        }
        let script = |layer: &str| self.loaded.ruleset.scripts.iter().position(|script| script.id == layer);
        if let Some(layer) = layer
            && script(layer).is_none()
        {
            let error = Diagnostic::new(message!("no layer with a script is called `{layer}`"));
            let ids: Vec<&str> = self.loaded.ruleset.scripts.iter().map(|script| script.id.as_str()).collect();
            return Err(error
                .near_or(layer, ids.iter().copied(), known_names_sentence("layer with a script", ids.iter().copied()))
                .into());
        }
        let defined: Vec<&str> = self
            .loaded
            .functions
            .iter()
            .filter(|function| function.name == name)
            .filter_map(|function| Some(self.loaded.ruleset.scripts.get(function.script)?.id.as_str()))
            .collect();
        match layer {
            Some(layer) if !defined.is_empty() && !defined.contains(&layer) => {
                let error = Diagnostic::new(message!("{layer} does not define `{name}`"));
                return Err(error.help(message!("write `{name}@{}`", defined.join(&format!("` or `{name}@")))).into());
            }
            _ if !defined.is_empty() => {
                let error = Diagnostic::new(message!("`{name}` has no statement to stop at"));
                return Err(error.help("break where it is called").into());
            }
            _ => {}
        }
        let known = self.loaded.functions.iter().map(|function| function.name.as_str());
        let kinds = kinds().map(|kind| kind.name);
        Err(unknown_or("function, line or event", name, known.chain(kinds), PLACES_HELP).into())
    }

    /// Parses a line; `None` where the text is no line.
    fn line(&self, typed: &str, here: Option<ScriptPoint>) -> Option<Result<Target, Diagnostics>> {
        let (file, number) = typed.rsplit_once(':').map_or((None, typed), |(file, number)| (Some(file), number));
        let number: usize = number.parse().ok()?;
        let script = match file {
            Some(file) => self.loaded.ruleset.scripts.iter().rfind(|script| {
                let name = &script.script.source.name;
                script.id == file || name == file || name.ends_with(&format!("/{file}"))
            }),
            None => here
                .and_then(|here| self.loaded.ruleset.script_at(here))
                .or_else(|| self.loaded.ruleset.scripts.iter().find(|script| script.role == Role::Game)),
        };
        let Some(script) = script else {
            let error = Diagnostic::new(message!("no script is called `{}`", file.unwrap_or("this")));
            let ids = self.loaded.ruleset.scripts.iter().map(|script| script.id.as_str());
            return Some(Err(error.help(known_names_sentence("script", ids)).into()));
        };
        let target = Target::Line(script.id.clone(), number);
        if !self.sites_of(&target).is_empty() {
            return Some(Ok(target));
        }
        let lines = self.sites.iter().filter(|site| self.layer_of(site.at) == Some(&script.id));
        let next = lines.filter_map(|site| self.line_in_file(site.at)).find(|line| *line > number);
        let error = Diagnostic::new(message!("no statement begins in line {number} of {}", script.script.source.name));
        Some(Err(match next {
            Some(next) => error.help(message!("the next one begins in line {next}")).into(),
            None => error.help("that is after the last one").into(),
        }))
    }

    /// The line of a point in its own file.
    pub fn line_in_file(&self, at: ScriptPoint) -> Option<usize> {
        let script = self.loaded.ruleset.script_at(at)?;
        Some(usize::from(at.line) - script.lines_before + script.script.first_line)
    }

    /// The statements at which a target stops the rules; empty for events and values, which are watched everywhere, and
    /// for targets that no longer exist.
    pub fn sites_of(&self, target: &Target) -> Vec<usize> {
        let sites = self.sites.iter().enumerate();
        match target {
            Target::Line(layer, line) => {
                let here = |site: &PauseSite| {
                    self.layer_of(site.at) == Some(layer) && self.line_in_file(site.at) == Some(*line)
                };
                let mut found: Vec<usize> = Vec::new();
                for (number, site) in sites.filter(|(_, site)| here(site)) {
                    // Of several statements in a line, the first one of each function counts.
                    if !found.iter().any(|&other| self.sites[other].function == site.function) {
                        found.push(number);
                    }
                }
                found
            }
            Target::Function(name, layer) => {
                let meant = |site: &PauseSite| {
                    site.is_first
                        && self.loaded.functions[site.function].name == *name
                        && layer.as_ref().is_none_or(|layer| self.layer_of(site.at) == Some(layer))
                };
                sites.filter(|(_, site)| meant(site)).map(|(number, _)| number).collect()
            }
            Target::Event(_) | Target::Change(_) => Vec::new(),
        }
    }

    /// Whether a breakpoint can stop these rules; its target may have been edited away.
    pub fn has(&self, target: &Target) -> bool {
        matches!(target, Target::Event(_) | Target::Change(_)) || !self.sites_of(target).is_empty()
    }
}

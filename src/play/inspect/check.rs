//! Checks that rules load, compile and combine, for a game and all combinations of its layers.

use super::{order, trial};
use crate::catalogue::{Message, message};
use crate::definition::picture;
use crate::definition::schema::MAX_ERRORS_PER_FILE;
use crate::definition::sign::Sign;
use crate::definition::{ANY_GAME, Icon, Language, Layer, LayerEntry, LayerKind, Library};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, did_you_mean, first_of, listed, unknown_or};
use crate::playthrough::{Playable, Playthrough};
use crate::prose;
use crate::ruleset::{Ruleset, Selection};
use crate::script::check::Lint;
use crate::script::codes;
use crate::script::host_functions::HOST_FUNCTIONS;
use crate::sorted::sort_by_key;
use crate::table::looks::{icons, looks_without_components};
use crate::table::names::Names;
use crate::work::{Work, Workers};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The seed of the games played to see whether the rules fail.
const SEED: u64 = 1;

/// How far each game is played, in units of work. Most games of a few hundred decisions end within it.
const UNITS_OF_A_GAME: u64 = 400_000;

/// How far a game is played with a pair of variants, each of which was already played by itself.
const UNITS_OF_A_PAIR: u64 = 40_000;

/// The result of checking one selection of rules.
#[derive(Default)]
struct CheckResult {
    verdict: Verdict,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// The layers of the rules, and their findings about unused things; `None` where the rules do not compile.
    lints: Option<(Vec<String>, Vec<Lint>)>,
    /// The rules for the fewest and for the most players, if they compile.
    compiled: Vec<Playable>,
}

/// How far a selection of rules came in the check.
#[derive(Clone, Copy, Default, PartialEq)]
enum Verdict {
    /// The rules do not load or compile.
    Refused,
    /// The rules compile, but fail in play.
    Fails,
    /// Nothing failed.
    #[default]
    Fine,
}

/// All findings of a check.
#[derive(Debug, Default)]
pub struct Findings {
    /// The number of selections checked.
    pub rulesets: usize,
    /// The number of pairs of variants that exclude each other.
    pub forbidden: usize,
    /// For each ruleset, its layers and its findings about unused things.
    lints: Vec<(Vec<String>, Vec<Lint>)>,
    /// All errors.
    pub errors: Vec<Diagnostic>,
    /// Things that are allowed but probably not intended.
    pub warnings: Vec<Diagnostic>,
}

/// A finding that names the selected variants that brought it about, where it has no place in their files, and that shows
/// where they, or those that they require, remove what it is about.
fn blamed_on(found: Diagnostic, selected: &[&Layer], all: &[&Layer]) -> Diagnostic {
    // These tell how to come there, and which variants they are about.
    let is_told = found.code.is_some_and(|code| [codes::FAILS_IN_PLAY.name, codes::ORDER.name].contains(&code.name));
    let stack: Vec<&Layer> = selected.iter().flat_map(|variant| stack_of(variant, all)).collect();
    let has_place = |layer: &&Layer| {
        let script = layer.script.as_ref().map(|script| &script.source);
        let mut sources = std::iter::once(&layer.source).chain(script);
        let mut places = found.place.iter().chain(&found.related);
        sources.any(|source| places.any(|place| place.source.name == source.name))
    };
    // What is wrong in a file of a variant, or of one that it requires, is so whoever else requires that.
    let is_own = selected.len() == 1 && stack.iter().any(has_place);
    let others: Vec<&str> =
        selected.iter().filter(|one| !is_told && !is_own && !has_place(one)).map(|one| one.id.as_str()).collect();
    let help = match *others {
        [] => return found,
        [other] => message!("it is so with the variant `{other}`"),
        _ => message!("it is so with the variants {} together", listed(others.iter().copied())),
    };
    let blamed = found.place.as_ref().and_then(|place| place.source.text.get(place.span.clone()));
    let blamed = blamed.map(|text| text.trim_matches(['"', '\'', '`']));
    let removals = stack.iter().flat_map(|layer| &layer.removals);
    let removal = removals.filter(|(path, _)| blamed.is_some() && path.last().map(String::as_str) == blamed);
    let removal = removal.map(|(_, place)| place.clone()).next();
    found.related_maybe(removal).help(help)
}

/// A variant with all variants that it requires, directly or indirectly.
fn stack_of<'a>(variant: &'a Layer, all: &[&'a Layer]) -> Vec<&'a Layer> {
    let mut stack = vec![variant];
    let mut next = 0;
    while let Some(layer) = stack.get(next).copied() {
        for (id, _) in &layer.requires {
            let required = all.iter().find(|layer| layer.id == *id);
            stack.extend(required.filter(|required| !stack.iter().any(|known| known.id == required.id)));
        }
        next += 1;
    }
    stack
}

/// Warnings about conflicts with variants that there are not, but others of nearly that name: whoever gets the file may
/// lack a variant that it conflicts with.
fn misspelt_conflicts(variant: &Layer, entries: &[LayerEntry], library: &Library) -> Vec<Diagnostic> {
    let is_for_several = !matches!(&variant.kind, LayerKind::Variant { game } if game != ANY_GAME);
    let is_elsewhere = |id: &str| {
        let games = is_for_several.then(|| library.games()).into_iter().flatten();
        games.into_iter().any(|game| library.variants(&game.id).iter().any(|entry| entry.id == *id))
    };
    let is_named = |id: &&str| *id == variant.id || variant.conflicts.contains_key(*id);
    let known = || entries.iter().map(|entry| entry.id.as_str()).filter(|id| !is_named(id));
    let unknown =
        variant.conflicts.keys().filter(|id| !entries.iter().any(|entry| entry.id == **id) && !is_elsewhere(id));
    let misspelt = unknown.filter_map(|id| {
        let place = variant.place_of_key("conflicts", id, "not there");
        let warning = unknown_or("variant", id, [], did_you_mean(id, known())?);
        Some(warning.at_maybe(place).with_code(codes::UNKNOWN_CONFLICT))
    });
    misspelt.collect()
}

/// Warnings about a game that ends before anybody is asked, and about drawing functions that fail at its start.
fn asks_nobody(loaded: Playable, players: usize) -> Vec<Diagnostic> {
    let place = game_function(&loaded);
    let Ok((game, _)) = Playthrough::start(loaded, players, 1, Vec::new()) else { return Vec::new() };
    let position = game.position();
    let mut warnings: Vec<Diagnostic> =
        position.undrawn.iter().map(|warning| warning.clone().with_code(codes::NOT_DRAWN)).collect();
    if position.open.is_none() && position.failed.is_none() {
        let message = message!("the game of {players} players is over before anybody is asked anything");
        let warning = Diagnostic::new(message).help("a loop that should ask may never begin: look at its condition");
        warnings.push(warning.at_maybe(place).with_code(codes::ASKS_NOBODY));
    }
    warnings
}

/// Whether two diagnostics have the same message and place.
fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    one.place == other.place && one.message == other.message
}

/// The error at which a game of random choices ends within `units` of work; `None` where there is none. `undrawn` gets
/// the errors of functions that draw the table.
fn failure_in_random_game(loaded: &Playable, units: u64, undrawn: &mut Vec<Diagnostic>) -> Option<Diagnostics> {
    let players = loaded.layout.seats;
    let (later, failure) = trial::failure(&loaded.rules, SEED, units, undrawn)?;
    let command = loaded.ruleset.selection.command("play");
    let again = (0..later).flat_map(|_| ["`campaign next`", "`until end`"]);
    let lines = Message::list(std::iter::once("`until end`").chain(again).map(Message::verbatim), ", ");
    let way = message!("`{command} -p {players} -s {SEED}`, then {lines}, leads there");
    Some(failure.help(way).with_code(codes::FAILS_IN_PLAY))
}

/// Errors in the pictures that looks refer to, the first ones.
pub fn unfit_pictures(loaded: &Playable, library: &Library) -> Vec<Diagnostic> {
    let names = Names { layout: &loaded.layout, language: Language::English };
    let pictures = icons(names).into_iter().filter(|(name, _)| Sign::named(name).is_none());
    let read = |(name, icon): (String, &Icon)| picture::read(&name, icon, loaded.ruleset.all_layers(), library.files());
    let unfit = pictures.filter_map(|icon| read(icon).err());
    first_of(unfit.flatten().collect(), MAX_ERRORS_PER_FILE)
}

/// Looks of the topmost layer for values that no component has.
fn unused_looks(loaded: &Playable) -> impl Iterator<Item = Diagnostic> {
    let own = loaded.ruleset.layers().next_back().map(|layer| layer.source.clone());
    looks_without_components(&loaded.layout).into_iter().filter_map(move |(design, attribute, value)| {
        let place =
            design.place.clone().filter(|place| own.as_ref().is_some_and(|own| place.source.name == own.name))?;
        let message = message!("no component of the group has the {attribute} `{value}`");
        Some(Diagnostic::warning(message).at(place).with_code(codes::UNUSED_LOOKS))
    })
}

/// The place where the game begins.
fn game_function(loaded: &Playable) -> Option<Place> {
    let game = loaded.functions.iter().find(|function| function.flat_name == "game")?;
    loaded.ruleset.place(game.at, "it begins here")
}

/// What the checks of all selections share.
struct Task<'a> {
    library: &'a Library,
    work: &'a Arc<Work>,
    /// The number of checks begun.
    begun: &'a AtomicUsize,
    /// Whether games are run; otherwise the rules are only read.
    runs: bool,
}

impl Task<'_> {
    /// Loads and compiles a selection for the fewest and the most players, and plays a game with each within `plays`
    /// units of work. `None` where the work was stopped.
    fn check(&self, selection: &Selection, plays: Option<u64>) -> Option<CheckResult> {
        if self.work.is_stopped() {
            return None;
        }
        self.work.count_parts(self.begun.fetch_add(1, Ordering::Relaxed) + 1, 0);
        let mut checked = CheckResult::default();
        if let Err(errors) = self.compile(selection, &mut checked) {
            let (verdict, errors) = (Verdict::Refused, errors.into_iter().collect());
            return Some(CheckResult { verdict, errors, warnings: Vec::new(), ..checked });
        }
        let mut undrawn = Vec::new();
        let failure = checked.compiled.iter().find_map(|loaded| failure_in_random_game(loaded, plays?, &mut undrawn));
        undrawn.retain(|fault| !checked.warnings.iter().any(|known| is_same(known, fault)));
        checked.warnings.extend(undrawn.into_iter().map(|fault| fault.with_code(codes::NOT_DRAWN)));
        if let Some(failure) = failure {
            checked.verdict = Verdict::Fails;
            checked.errors.extend(failure);
        }
        Some(checked)
    }

    fn compile(&self, selection: &Selection, checked: &mut CheckResult) -> Result<(), Diagnostics> {
        let ruleset = Arc::new(Ruleset::load(self.library, selection)?);
        let (fewest, most) = ruleset.definition.players;
        let layers = ruleset.layers().map(|layer| layer.id.clone()).collect();
        for players in [fewest, most].into_iter().skip(usize::from(!self.runs)) {
            checked.compiled.push(Playable::compile(ruleset.clone(), players, self.work.clone())?);
        }
        if let Some(loaded) = checked.compiled.last() {
            checked.warnings = loaded.warnings.iter().chain(&*loaded.untold).cloned().collect();
            checked.lints = Some((layers, loaded.lints.to_vec()));
            checked.errors.extend(loaded.layout.definition.wrong_looks.iter().cloned());
            // With two variants, each was checked by itself.
            if selection.variants.len() < 2 {
                match prose::findings(loaded, self.library) {
                    Ok(found) => checked.warnings.extend(found),
                    Err(errors) => checked.errors.extend(errors),
                }
                if self.runs {
                    checked.errors.extend(unfit_pictures(loaded, self.library));
                }
                checked.warnings.extend(unused_looks(loaded));
            }
            if self.runs {
                checked.warnings.extend(asks_nobody(loaded.clone(), most));
                let mut fails = self.agent_function_errors(selection, &ruleset, &checked.compiled)?;
                fails.retain(|fault| !checked.warnings.iter().any(|known| is_same(known, fault)));
                checked.warnings.extend(fails);
            }
        }
        Ok(())
    }

    /// Errors of the functions called by agents and hunts, for every number of players, without duplicates.
    fn agent_function_errors(
        &self,
        selection: &Selection,
        ruleset: &Arc<Ruleset>,
        compiled: &[Playable],
    ) -> Result<Vec<Diagnostic>, Diagnostics> {
        let Some(first) = compiled
            .first()
            .filter(|loaded| HOST_FUNCTIONS.iter().any(|asked| loaded.rules.place_of_host_function(asked).is_some()))
        else {
            return Ok(Vec::new());
        };
        let (fewest, most) = first.ruleset.definition.players;
        let mut found: Vec<Diagnostic> = Vec::new();
        for players in fewest..=most {
            let known = compiled.iter().find(|loaded| loaded.layout.seats == players).cloned();
            let loaded = match known {
                Some(loaded) => loaded,
                // With two variants, each was tried by itself.
                None if selection.variants.len() > 1 => continue,
                None => Playable::compile(ruleset.clone(), players, self.work.clone())?,
            };
            for fault in trial::faults_of_asked(&loaded.rules, SEED) {
                if !found.iter().any(|known| is_same(known, &fault)) {
                    found.push(fault);
                }
            }
        }
        Ok(found)
    }

    /// Warns if the order of two variants matters; `turned` selects the same rules in the other order.
    fn check_order(&self, checked: &mut CheckResult, [one, other]: [&str; 2], turned: &Selection) {
        let [fewest, most] = &*checked.compiled else { return };
        let ruleset = match Ruleset::load(self.library, turned).map(Arc::new) {
            Ok(ruleset) => ruleset,
            Err(errors) => return checked.warnings.push(order::misfit([one, other], errors.first())),
        };
        let Some(functions) = order::overridden_by_both(fewest, one, other) else { return };
        for left in [fewest, most] {
            let players = left.layout.seats;
            let right = match Playable::compile(ruleset.clone(), players, self.work.clone()) {
                Ok(right) => right,
                Err(_) if self.work.is_stopped() => return,
                Err(errors) => return checked.warnings.push(order::misfit([one, other], errors.first())),
            };
            let found = order::difference(left, &right, players);
            // A stopped game proves nothing about the rules.
            if self.work.is_stopped() {
                return;
            }
            match found {
                Ok(None) => {}
                Ok(Some(found)) => {
                    let warning = order::warning(&left.ruleset, functions, &found).with_code(codes::ORDER);
                    return checked.warnings.push(warning);
                }
                Err(crash) => return checked.errors.extend(crash),
            }
        }
    }
}

impl CheckResult {
    /// Drops the compiled rules, of which there may be many.
    fn without_compiled_rules(mut self) -> Self {
        self.compiled.clear();
        self
    }
}

impl Findings {
    /// The numbers of checks and findings, in words.
    pub fn summary(&self) -> Message {
        message!(
            "{} checked, {} refused; {}, {}",
            Message::counted(self.rulesets, "ruleset"),
            Message::counted(self.forbidden, "forbidden pair"),
            Message::counted(self.errors.len(), "error"),
            Message::counted(self.warnings.len(), "warning")
        )
    }

    /// Checks one selection. Something unused may serve a layer outside the selection: something of a game serves any
    /// variant, and of a variant those that require it.
    pub fn check_alone(&mut self, library: &Library, work: &Arc<Work>, selection: Selection) {
        self.alone(library, work, selection, true);
    }

    /// As [`check_alone`](Self::check_alone), but only reads the rules, for the most players.
    pub fn read_alone(&mut self, library: &Library, work: &Arc<Work>, selection: Selection) {
        self.alone(library, work, selection, false);
    }

    fn alone(&mut self, library: &Library, work: &Arc<Work>, selection: Selection, runs: bool) {
        let game = selection.game.clone();
        let task = Task { library, work, begun: &AtomicUsize::new(self.rulesets), runs };
        if let Some(checked) = task.check(&selection, runs.then_some(UNITS_OF_A_GAME)) {
            self.add(checked);
        }
        for variant in selection.variants.iter().filter_map(|id| library.variant(&game, id).ok()) {
            self.add_warnings(misspelt_conflicts(&variant, &library.variants(&game), library));
        }
        let mut found = std::mem::take(&mut self.lints);
        found.retain(|(_, lints)| !lints.is_empty());
        // Variants are listed only if needed: there can be many, and most rules have nothing unused.
        let entries = if found.is_empty() { Vec::new() } else { library.variants(&game) };
        for (layers, lints) in found {
            let all = entries.iter().filter_map(|entry| entry.layer.as_ref().ok());
            let outside: Vec<&Layer> = all.filter(|layer| !layers.contains(&layer.id)).collect();
            let may_need = |other: &Layer, layer: &str| {
                layer == game || other.requires.iter().any(|(required, _)| required == layer)
            };
            let is_for_nothing =
                |lint: &Lint| lint.layer.iter().all(|layer| !outside.iter().any(|other| may_need(other, layer)));
            let for_nothing = lints.into_iter().filter(is_for_nothing);
            self.add_warnings(for_nothing.map(|lint| lint.warning).collect());
        }
    }

    /// Checks a game by itself, with each variant (and those it requires), and with every pair of variants. The
    /// findings do not depend on how `workers` share the work.
    pub fn check_game(&mut self, workers: &dyn Workers, library: &Library, work: &Arc<Work>, game: &str) {
        self.check_stacks(workers, library, work, game);
        let rulesets = std::mem::take(&mut self.lints);
        // A thing counts as unused only if no ruleset with its layer needs it.
        let is_for_nothing = |lint: &Lint| {
            lint.layer.as_ref().is_none_or(|layer| {
                rulesets.iter().all(|(layers, lints)| !layers.contains(layer) || lints.contains(lint))
            })
        };
        let for_nothing = rulesets.iter().flat_map(|(_, lints)| lints).filter(|lint| is_for_nothing(lint));
        self.add_warnings(for_nothing.map(|lint| lint.warning.clone()).collect());
    }

    fn check_stacks(&mut self, workers: &dyn Workers, library: &Library, work: &Arc<Work>, game: &str) {
        let select = |variants: &[&str]| Selection {
            game: game.to_owned(),
            variants: variants.iter().map(|&id| id.to_owned()).collect(),
            set: Vec::new(),
        };
        let task = Task { library, work, begun: &AtomicUsize::new(self.rulesets), runs: true };
        let entries = library.variants(game);
        let whole = task.check(&select(&[]), Some(UNITS_OF_A_GAME)).map(|checked| self.add(checked));
        for entry in &entries {
            match &entry.layer {
                Ok(variant) => {
                    self.add_strays(library.missing_game_warnings(variant));
                    self.add_warnings(misspelt_conflicts(variant, &entries, library));
                }
                Err(errors) => self.add_errors(errors),
            }
        }
        let Some(whole) = whole.filter(|whole| *whole != Verdict::Refused) else { return };
        // A game that fails by itself also fails with its variants.
        let plays = |units: u64| Some(units).filter(|_| whole == Verdict::Fine);
        let variants: Vec<&Layer> = entries.iter().filter_map(|entry| entry.layer.as_ref().ok()).collect();
        let alone = |variant: &&Layer| {
            task.check(&select(&[&variant.id]), plays(UNITS_OF_A_GAME)).map(CheckResult::without_compiled_rules)
        };
        let alone = workers.map(&variants, alone);
        let mut alone: Vec<(usize, CheckResult)> = alone.into_iter().enumerate().collect();
        // What others require comes first, so that they are not blamed for it.
        sort_by_key(&mut alone, |&(number, _)| stack_of(variants[number], &variants).len());
        let mut is_fine = vec![false; variants.len()];
        for (number, checked) in alone {
            is_fine[number] = self.add_with(checked, &[variants[number]], &variants) == Verdict::Fine;
        }
        // A variant that is broken by itself would repeat its errors in every pair.
        let fine: Vec<&Layer> =
            variants.iter().zip(is_fine).filter_map(|(variant, is_fine)| is_fine.then_some(*variant)).collect();
        let pairs = self.pairs(&fine, &variants);
        let found = workers.map(&pairs, |[one, other]| {
            let mut checked = task.check(&select(&[&one.id, &other.id]), plays(UNITS_OF_A_PAIR))?;
            let turned = select(&[&other.id, &one.id]);
            match checked.verdict {
                Verdict::Fine => task.check_order(&mut checked, [&one.id, &other.id], &turned),
                Verdict::Refused => {
                    let mut other_order = task.check(&turned, plays(UNITS_OF_A_PAIR))?;
                    if other_order.verdict != Verdict::Refused {
                        let misfit = checked.errors.first().map(|error| order::misfit([&other.id, &one.id], error));
                        other_order.warnings.extend(misfit);
                        checked = other_order;
                    }
                }
                Verdict::Fails => {}
            }
            Some(checked.without_compiled_rules())
        });
        for (checked, pair) in found.into_iter().zip(&pairs) {
            self.add_with(checked, pair, &variants);
        }
    }

    /// All pairs of variants that can be combined and were not checked together yet.
    fn pairs<'l>(&mut self, fine: &[&'l Layer], variants: &[&'l Layer]) -> Vec<[&'l Layer; 2]> {
        let with_required: Vec<Vec<&Layer>> = fine.iter().map(|variant| stack_of(variant, variants)).collect();
        let excludes = |one: &Layer, other: &Layer| one.conflicts.contains_key(&other.id);
        let mut together = Vec::new();
        for (number, (one, stack)) in fine.iter().zip(&with_required).enumerate() {
            for (other, other_stack) in fine.iter().zip(&with_required).skip(number + 1) {
                // A variant was checked alone together with those it requires.
                let is_one_stack = stack.iter().any(|layer| layer.id == other.id)
                    || other_stack.iter().any(|layer| layer.id == one.id);
                if is_one_stack {
                    continue;
                }
                let mut pairs = stack.iter().flat_map(|one| other_stack.iter().map(move |other| (one, other)));
                if pairs.any(|(one, other)| excludes(one, other) || excludes(other, one)) {
                    self.forbidden += 1;
                } else {
                    together.push([*one, *other]);
                }
            }
        }
        together
    }

    fn add(&mut self, checked: CheckResult) -> Verdict {
        self.rulesets += 1;
        self.add_warnings(checked.warnings);
        self.add_errors(&checked.errors);
        self.lints.extend(checked.lints);
        checked.verdict
    }

    /// Reports variants for which no game exists, and libraries with errors.
    pub fn check_strays(&mut self, library: &Library) {
        self.add_strays(library.stray_warnings());
        let errors = library.rule_libraries().into_iter().filter_map(|entry| entry.layer.err());
        errors.for_each(|errors| self.add_errors(&errors));
    }

    fn add_strays(&mut self, strays: Vec<Diagnostic>) {
        self.add_warnings(strays.into_iter().map(|stray| stray.with_code(codes::NO_GAME)).collect());
    }

    /// Adds what was found with variants, and was not found without them: it names those that are to blame.
    fn add_with(&mut self, checked: CheckResult, selected: &[&Layer], all: &[&Layer]) -> Verdict {
        let news = |known: &[Diagnostic], found: Vec<Diagnostic>| {
            let found = found.into_iter().filter(|found| !known.iter().any(|known| is_same(known, found)));
            found.map(|found| blamed_on(found, selected, all)).collect::<Vec<_>>()
        };
        let (errors, warnings) = (news(&self.errors, checked.errors), news(&self.warnings, checked.warnings));
        self.add(CheckResult { errors, warnings, ..checked })
    }

    fn add_warnings(&mut self, warnings: Vec<Diagnostic>) {
        for warning in warnings {
            // Warnings about lost values are the only ones without a code of their own.
            let warning = warning.with_code(codes::LOST_VALUE);
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }

    fn add_errors(&mut self, errors: &[Diagnostic]) {
        for error in errors {
            // Errors of scripts have codes already; the others are in TOML files.
            let error = error.clone().with_code(codes::DEFINITION);
            if !self.errors.contains(&error) {
                self.errors.push(error);
            }
        }
    }
}

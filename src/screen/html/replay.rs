//! A page of a game, to step through its moves in a browser.
//!
//! The page holds only what one viewer may know at each move: it is drawn from the same [`Sight`] as the table in a
//! terminal. A page for a seat omits the seed, from which the game could be dealt again.

use super::live::place_at_table;
use super::parts::Pictures;
use super::table::{DRAWING, Drawer, Slot, is_empty, line, skeleton, slots};
use super::{Frame, escape, words};
use crate::catalogue::message;
use crate::definition::Language;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::FileFormat;
use crate::inspect::why::{Ending, Observer, Step, Subject, Why};
use crate::playthrough::{Playable, Playthrough};
use crate::ruleset::Ruleset;
use crate::screen::record::log_lines;
use crate::screen::{Scene, Sight, fill};
use crate::sorted::{SortedMap, SortedSet};
use crate::table::knowledge::Viewer;
use crate::table::value::Seats;

/// The file format of a game's page.
pub const REPLAY: FileFormat =
    FileFormat { name: "a page of a game", beginning: "<!doctype html>\n<!-- houserule: game -->" };

/// The maximum size of a page in bytes: larger ones slow down browsers and do not fit into mails.
pub const MAX_BYTES: usize = 16 << 20;

/// The width of lines laid out as in a terminal, in columns; it fits on a phone.
const COLUMNS: usize = 44;

const STYLE: &str = include_str!("replay.css");

const SCRIPT: &str = include_str!("replay.js");

/// The page of a game along its whole log, as the viewer sees it. The game is at its end afterwards.
///
/// # Errors
/// The page would be too large, or the work was stopped.
pub fn page(game: &mut Playthrough, viewer: Viewer, language: Language) -> Result<String, Diagnostics> {
    let mut steps = Steps::default();
    let count = game.timeline().current().log.len();
    for number in 0..=count {
        if game.go_to(number)?.is_some() {
            break;
        }
        steps.add(game.loaded(), &Scene::of(game, viewer, language, COLUMNS), number);
        if steps.bytes() > MAX_BYTES {
            let message = message!("the page would be larger than {} MiB at move {number} of {count}", MAX_BYTES >> 20);
            return Err(Diagnostic::new(message).help("save a shorter game: `goto` a move, then `save`").into());
        }
    }
    Ok(steps.page(game.loaded(), &Scene::of(game, viewer, language, COLUMNS)))
}

/// The content of a page, gathered move by move.
#[derive(Default)]
struct Steps {
    pictures: Pictures,
    /// The number of each distinct slot content.
    templates: SortedMap<String, usize>,
    /// For each step, the template number of every slot.
    shown: Vec<Vec<usize>>,
    /// For each step, the events in words.
    told: Vec<Vec<String>>,
    bytes: usize,
}

impl Steps {
    fn bytes(&self) -> usize {
        self.bytes
    }

    fn add(&mut self, loaded: &Playable, scene: &Scene<'_>, number: usize) {
        let sight = Sight::of(scene);
        let mut shown = Vec::new();
        for slot in slots(sight.layout) {
            let content = match slot {
                Slot::Ending(seat) => ending(&sight, observer(loaded, scene).ending(sight.layout.score_of(seat))),
                slot => Drawer { sight: &sight, pictures: &mut self.pictures, has_places: false }.content(slot),
            };
            let next = self.templates.len();
            let length = content.len();
            let template = *self.templates.entry(content).or_insert_with(|| {
                self.bytes += length + 40;
                next
            });
            shown.push(template);
        }
        self.shown.push(shown);
        let told = log_lines(scene, scene.position.events.of_move(number));
        let told: Vec<String> = told.iter().map(|telling| line(&telling.line)).collect();
        self.bytes += told.iter().map(|line| line.len() + 10).sum::<usize>() + 100;
        self.told.push(told);
    }

    /// The page; `scene` is that of the last step.
    fn page(&self, loaded: &Playable, scene: &Scene<'_>) -> String {
        let language = scene.language;
        let words = words(language);
        let sight = Sight::of(scene);
        let plan = slots(sight.layout);
        let contents: SortedMap<usize, &str> =
            self.templates.iter().map(|(content, number)| (*number, content.as_str())).collect();
        let content = |template: usize| contents.get(&template).copied().unwrap_or_default();
        // A slot that is always empty is left out.
        let is_kept = |place: usize, slot: Slot| {
            let is_cell = matches!(slot, Slot::Zone(zone) if sight.layout.cell(zone).is_some());
            is_cell
                || self.shown.iter().any(|shown| shown.get(place).is_some_and(|&template| !is_empty(content(template))))
        };
        let kept: Vec<(usize, Slot)> =
            plan.iter().copied().enumerate().filter(|&(place, slot)| is_kept(place, slot)).collect();
        let of_slot = |wanted: Slot| {
            let number = kept.iter().position(|(_, slot)| *slot == wanted)?;
            let (place, _) = kept.get(number)?;
            let first = self.shown.first()?.get(*place)?;
            Some((number, content(*first).to_owned()))
        };

        let mut out = facts(scene);
        out.push_str(&self.pictures.symbols(sight.names()));
        out.push_str(&format!("<noscript><p class=\"warning\">{}</p></noscript>\n", escape(words.no_script)));
        out.push_str(&format!("<h2 class=\"told\">{}</h2>\n", escape(words.table)));
        out.push_str(&skeleton(&sight, &of_slot, false, true));
        let count = self.shown.len().saturating_sub(1);
        out.push_str(&steps_bar(language, count));
        out.push_str(&format!(
            "<h2 id=\"happened\">{}</h2>\n<ol id=\"log\" aria-labelledby=\"happened\">\n",
            words.log
        ));
        let mut before: &[usize] = &[];
        for (number, (shown, told)) in self.shown.iter().zip(&self.told).enumerate() {
            let changed = kept.iter().enumerate().filter_map(|(slot, (place, _))| {
                let template = shown.get(*place)?;
                (before.get(*place) != Some(template)).then(|| format!("{slot}:{template}"))
            });
            let changed: Vec<String> = changed.collect();
            let name = match number {
                0 => words.start.to_owned(),
                number => fill(words.position, &[&number, &count]),
            };
            let lines: String = told.iter().map(|line| format!("<p>{line}</p>")).collect();
            out.push_str(&format!(
                "<li data-n=\"{number}\" data-set=\"{}\"><button type=\"button\">{}</button>{lines}</li>\n",
                changed.join(" "),
                escape(&name)
            ));
            before = shown;
        }
        out.push_str("</ol>\n");
        out.push_str(&scores(loaded, &sight, &of_slot));
        out.push_str(&rules(scene));
        out.push_str(&format!("<footer><p>{}</p></footer>\n", escape(words.made_with)));
        let used: SortedSet<usize> = self
            .shown
            .iter()
            .flat_map(|shown| kept.iter().filter_map(|(place, _)| shown.get(*place).copied()))
            .collect();
        for template in used {
            out.push_str(&format!("<template id=\"t{template}\">{}</template>\n", content(template)));
        }
        let title = title(scene.ruleset, language);
        let style = format!("{DRAWING}{STYLE}");
        Frame { format: REPLAY, language, title: &title, style: &style, script: Some(SCRIPT), is_live: false }
            .around(&out)
    }
}

fn observer<'a>(loaded: &'a Playable, scene: &Scene<'a>) -> Observer<'a> {
    Observer { loaded, position: scene.position, viewer: scene.viewer }
}

/// The score of a seat if the game ended here, with its parts.
fn ending(sight: &Sight<'_>, ending: Option<Ending<'_>>) -> String {
    let words = words(sight.scene.language);
    match ending {
        Some(Ending::Hidden) => format!("<p class=\"note\">{}</p>", escape(words.hidden_score)),
        Some(Ending::Score(score, steps)) if !steps.is_empty() => {
            let rows: Vec<String> = steps.iter().filter_map(|step| row(sight, step, false)).collect();
            format!("<p>{} <strong>{score}</strong></p><table><tbody>{}</tbody></table>", words.if_over, rows.concat())
        }
        _ => String::new(),
    }
}

/// A change of a score as a table row: points, reason, move, and place in the rules.
fn row(sight: &Sight<'_>, step: &Step<'_>, with_move: bool) -> Option<String> {
    let row = sight.change(step, false)?;
    let moves = step.events.first().map_or(0, |event| event.moves);
    let (attribute, at) = match with_move {
        true => (format!(" data-move=\"{moves}\""), format!("<td class=\"number\">{moves}</td>")),
        false => Default::default(),
    };
    Some(format!(
        "<tr{attribute}><td class=\"number\">{}</td><td>{}</td>{at}<td class=\"from\">{}</td></tr>\n",
        escape(&row.amount),
        escape(&row.what),
        escape(&below_home(&row.place))
    ))
}

/// A file with its folder only, to keep private what is above.
fn below_home(place: &str) -> String {
    let parts: Vec<&str> = place.rsplitn(3, ['/', '\\']).take(2).collect();
    parts.into_iter().rev().collect::<Vec<_>>().join("/")
}

/// The names of a game and of its variants.
pub fn title(ruleset: &Ruleset, language: Language) -> String {
    let names = ruleset.variants.iter().map(|layer| layer.name.get(language));
    std::iter::once(ruleset.game.name.get(language)).chain(names).collect::<Vec<_>>().join(" · ")
}

fn facts(scene: &Scene<'_>) -> String {
    let words = words(scene.language);
    let seen = place_at_table(scene.viewer, scene.language);
    let mut facts = vec![(words.players, scene.layout.seats.to_string()), (words.seen, seen)];
    if scene.viewer == Viewer::Everything {
        facts.push((words.seed, scene.seed.to_string()));
    }
    let facts: String =
        facts.iter().map(|(name, value)| format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escape(value))).collect();
    let about = escape(scene.ruleset.game.about.get(scene.language));
    format!("<p class=\"lead\">{about}</p>\n<dl>\n{facts}</dl>\n")
}

fn steps_bar(language: Language, count: usize) -> String {
    let words = words(language);
    let button = |id: &str, name: &str| format!("<button type=\"button\" id=\"{id}\">{name}</button>\n");
    format!(
        "<div class=\"steps-bar\" role=\"group\" aria-label=\"{}\" aria-describedby=\"keys\">\n\
         <output id=\"here\">{}</output>\n\
         <input type=\"range\" id=\"range\" min=\"0\" max=\"{count}\" value=\"0\" aria-label=\"{}\">\n{}{}\
         <button type=\"button\" id=\"play\" data-play=\"{}\" data-pause=\"{}\">{}</button>\n{}{}</div>\n\
         <p id=\"keys\" class=\"note\">{}</p>\n<p id=\"told\" class=\"told\" aria-live=\"polite\"></p>\n",
        words.steps,
        words.start,
        words.steps,
        button("first", words.first),
        button("back", words.back),
        words.play,
        words.pause,
        words.play,
        button("next", words.next),
        button("last", words.last),
        escape(words.keys)
    )
}

/// The explanation of each score: all its changes, of which the page shows those up to the current step.
fn scores(loaded: &Playable, sight: &Sight<'_>, of_slot: &dyn Fn(Slot) -> Option<(usize, String)>) -> String {
    if !sight.scene.position.has_scores {
        return String::new();
    }
    let words = words(sight.scene.language);
    let mut out = format!("<h2>{}</h2>\n", escape(words.scores));
    for seat in Seats::all(sight.layout.seats) {
        let variable = Subject::Variable(sight.layout.score_of(seat));
        let Ok(Why::Variable { steps, .. }) = observer(loaded, sight.scene).why(variable, false) else { continue };
        let rows: Vec<String> = steps.iter().filter_map(|step| row(sight, step, true)).collect();
        out.push_str(&format!("<section class=\"award\">\n<h3>{seat}</h3>\n"));
        if rows.is_empty() {
            out.push_str(&format!("<p class=\"note\">{}</p>\n", words.no_points));
        } else {
            let heads = [(words.points, true), (words.what_for, false), (words.at_move, true), (words.rule, false)];
            let heads = heads.map(|(name, is_number)| {
                let class = if is_number { " class=\"number\"" } else { "" };
                format!("<th scope=\"col\"{class}>{name}</th>")
            });
            out.push_str(&format!(
                    "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table></div>\n",
                    heads.concat(),
                    rows.concat()
                ));
        }
        if let Some((number, content)) = of_slot(Slot::Ending(seat)) {
            out.push_str(&format!("<div data-slot=\"{number}\">{content}</div>\n"));
        }
        out.push_str("</section>\n");
    }
    out
}

/// The descriptions of the game and its variants, with the settings.
fn rules(scene: &Scene<'_>) -> String {
    let (ruleset, language) = (scene.ruleset, scene.language);
    let words = words(language);
    let mut out = format!("<h2>{}</h2>\n", escape(words.rules));
    for layer in std::iter::once(&ruleset.game).chain(&ruleset.variants) {
        out.push_str(&format!(
            "<h3>{}</h3>\n<p>{}</p>\n",
            escape(layer.name.get(language)),
            escape(layer.about.get(language))
        ));
        let made = [layer.version.as_ref().map(ToString::to_string), layer.author.clone(), layer.licence.clone()];
        let made: Vec<String> = made.into_iter().flatten().collect();
        if !made.is_empty() {
            out.push_str(&format!("<p class=\"note\">{}</p>\n", escape(&made.join(" · "))));
        }
        let values = ruleset.settings.iter().find(|(id, _)| *id == layer.id).map(|(_, values)| values);
        let set = layer.settings.iter().filter_map(|(name, setting)| {
            let value = values?.get(name)?.to_string();
            let name = setting.help.get(language);
            Some(format!("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escape(name), escape(&value)))
        });
        let set: Vec<String> = set.collect();
        if !set.is_empty() {
            out.push_str(&format!(
                    "<table>\n<thead><tr><th scope=\"col\">{}</th><th scope=\"col\">{}</th></tr></thead>\n<tbody>\n{}</tbody>\n</table>\n",
                    words.setting,
                    words.value,
                    set.concat()
                ));
        }
    }
    if ruleset.variants.is_empty() {
        out.push_str(&format!("<p class=\"note\">{}</p>\n", escape(words.no_variants)));
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::super::markup::{HOSTILE, tags, values};
    use super::*;
    use crate::agent::Random;
    use crate::games::{shipped, small};
    use crate::playthrough::run::Until;
    use crate::ruleset::Selection;
    use crate::table::chance::Stream;
    use crate::table::value::Seat;
    use std::sync::Arc;

    fn compiled(ruleset: Ruleset, seats: usize) -> Playable {
        Playable::compile(Arc::new(ruleset), seats, Arc::default()).unwrap()
    }

    /// A game of random choices, at its end or after this many choices.
    fn game(loaded: Playable, seed: u64, choices: usize) -> Playthrough {
        let seats = loaded.layout.seats;
        let (mut game, _) = Playthrough::start(loaded, seats, seed, Vec::new()).unwrap();
        game.advance(Box::new(Random::new(seed)), Until::Decisions(choices)).unwrap();
        game
    }

    /// A built-in game.
    fn known(id: &str, seats: usize, choices: usize) -> Playthrough {
        game(compiled(Ruleset::load(&shipped(), &Selection::of(id)).unwrap(), seats), 5, choices)
    }

    /// Every game, with its fewest players.
    fn every_game(choices: usize) -> Vec<Playthrough> {
        let library = shipped();
        let games = library.games().into_iter().map(|entry| {
            let ruleset = Ruleset::load(&library, &Selection::of(&entry.id)).unwrap();
            let seats = ruleset.definition.players.0;
            game(compiled(ruleset, seats), 5, choices)
        });
        games.collect()
    }

    #[test]
    fn every_game_has_a_page_that_stands_by_itself() {
        for mut game in every_game(12) {
            for language in Language::ALL {
                let html = page(&mut game, Viewer::Everything, language).unwrap();
                assert_eq!(html, page(&mut game, Viewer::Everything, language).unwrap(), "equal input, equal bytes");
                let name = &game.loaded().ruleset.game.id;
                for outside in
                    ["http:", "https:", "//", " src=", "url(", "@import", " onload=", " onclick=", "innerHTML"]
                {
                    // URLs in comments of the script are not loaded.
                    let html = html.replace(SCRIPT, "");
                    assert!(!html.contains(outside), "{name}: {outside}");
                }
                assert!(html.contains("script-src 'sha256-") && !html.contains("script-src 'unsafe"), "{name}");
                tags(&html);
                let ids = values(&html, "id");
                let all: SortedSet<&&str> = ids.iter().collect();
                assert_eq!(all.len(), ids.len(), "{name}: an id stands twice");
                for reference in ["aria-labelledby", "aria-describedby"] {
                    for id in values(&html, reference) {
                        assert!(ids.contains(&id), "{name}: {reference} {id}");
                    }
                }
                for id in values(&html, "href") {
                    assert!(id.strip_prefix('#').is_some_and(|id| ids.contains(&id)), "{name}: {id}");
                }
                let pictures = html.matches("role=\"img\"").count();
                assert_eq!(pictures, html.matches("role=\"img\" aria-label=\"").count(), "{name}");
                assert!(!html.contains("aria-label=\"\""), "{name}: a label that says nothing");
                // Each slot is filled by the first step, and with existing templates.
                let sets = values(&html, "data-set");
                assert_eq!(sets.len(), game.timeline().current().log.len() + 1, "{name}");
                let pairs: Vec<(&str, &str)> =
                    sets.iter().flat_map(|set| set.split(' ')).filter_map(|pair| pair.split_once(':')).collect();
                for slot in values(&html, "data-slot") {
                    assert!(
                        sets[0].split(' ').any(|pair| pair.starts_with(&format!("{slot}:"))),
                        "{name}: slot {slot}"
                    );
                }
                for (_, template) in pairs {
                    assert!(ids.contains(&format!("t{template}").as_str()), "{name}: template {template}");
                }
            }
        }
    }

    #[test]
    fn a_long_game_is_far_below_a_megabyte() {
        for (id, seats) in [("hearts", 4), ("up-or-down", 4)] {
            let mut game = known(id, seats, 100);
            let html = page(&mut game, Viewer::Everything, Language::English).unwrap();
            assert!(html.len() < 400_000, "{id}: {} bytes", html.len());
        }
    }

    /// A game of two players: the first looks at one of nine cards and keeps it, and the second never sees it.
    fn secret(seed: u64) -> Playthrough {
        let definition = "id = 'small'\nname = 'Small'\nplayers = { min = 2, max = 2 }\n\
            [components.card]\nkind = 'card'\nid = 'face-{number}'\nface = '{number}'\nattributes.number = { from = 101, to = 109 }\n\
            [zones.deck]\nname = 'deck'\norder = 'pile'\nvisible = 'none'\n\
            [zones.hand]\nname = 'hand'\nper = 'seat'\norder = 'hand'\nvisible = 'owner'\n";
        let rules = "fn game() { components(\"card\").move_to(deck); deck.shuffle(); for p in players { deck.deal(1, p.hand); } \
            for p in players { p.choose(\"go on\", [\"yes\"]); } players[1].hand.move_to(deck); \
            players[1].choose(\"end\", [\"yes\"]); }";
        let loaded = Playable::compile(small(definition, rules, &[], &[]), 2, Arc::default()).unwrap();
        game(loaded, seed, 3)
    }

    #[test]
    fn a_page_for_a_seat_has_no_secret_of_another_anywhere() {
        let held = |game: &mut Playthrough| {
            game.go_to(0).unwrap();
            let hands = Seats::all(2).into_iter().map(|seat| {
                let hand = game.loaded().layout.zone_named(&format!("{seat}.hand")).unwrap();
                game.position().table.zones.held(hand).iter().map(|card| card.index()).collect::<Vec<_>>()
            });
            hands.collect::<Vec<_>>()
        };
        let all: Vec<(Vec<Vec<usize>>, Playthrough)> = (0..60)
            .map(|seed| {
                let mut game = secret(seed);
                (held(&mut game), game)
            })
            .collect();
        // Two games in which the second player holds the same card and the first does not.
        let mut games = all.into_iter();
        let (first, mut one) = games.next().unwrap();
        let (_, mut other) = games.find(|(hands, _)| hands[1] == first[1] && hands[0] != first[0]).unwrap();
        let mut of = |viewer| {
            (page(&mut one, viewer, Language::English).unwrap(), page(&mut other, viewer, Language::English).unwrap())
        };
        let (here, there) = of(Viewer::Seat(Seat(1)));
        assert_eq!(here, there);
        let (here, there) = of(Viewer::Everything);
        assert_ne!(here, there, "they are two games");
    }

    #[test]
    fn faces_that_a_seat_does_not_know_change_no_byte_of_its_page() {
        let mut differences = 0;
        for mut game in every_game(20) {
            let count = game.timeline().current().log.len();
            let seat = Seat(1);
            let pages = [false, true].map(|is_other| {
                let mut steps = Steps::default();
                let mut last = None;
                for number in 0..=count {
                    game.go_to(number).unwrap();
                    let mut position = game.position().clone();
                    if is_other {
                        let mut stream = Stream::named(number as u64, "another world", 0);
                        // Cards that the seat has seen on the way still count as seen, even if shuffled away since.
                        let known = position.table.known.clone();
                        for event in position.events.of_move(number) {
                            if let Some(seen) =
                                event.what.component().filter(|_| event.witnesses.which & seat.bit() != 0)
                            {
                                position.table.known.components[seen.index()].face |= seat.bit();
                                position.table.known.components[seen.index()].side |= seat.bit();
                            }
                        }
                        position.table.determinize(&game.loaded().layout, seat, &mut stream);
                        position.table.known = known;
                        differences += usize::from(position.table.faces != game.position().table.faces);
                    }
                    let here = Scene::of(&game, Viewer::Seat(seat), Language::English, COLUMNS);
                    steps.add(game.loaded(), &Scene { position: &position, ..here }, number);
                    last = Some(position);
                }
                let here = Scene::of(&game, Viewer::Seat(seat), Language::English, COLUMNS);
                steps.page(game.loaded(), &Scene { position: &last.unwrap(), ..here })
            });
            let other = pages[0].lines().zip(pages[1].lines()).find(|(one, other)| one != other);
            assert_eq!(other, None, "{}", game.loaded().ruleset.game.id);
            assert_eq!(pages[0].len(), pages[1].len());
        }
        assert!(differences > 100, "{differences}");
    }

    #[test]
    fn no_text_of_a_game_can_say_anything_but_itself() {
        let with = |text: &str| {
            let (written, text) = (format!("{text:?}"), toml::Value::String(text.to_owned()));
            let definition = format!(
                "id = 'small'\nname = {text}\nabout = {text}\nplayers = {{ min = 2, max = 2 }}\nstanding = 'standing'\n\
                 settings.of = {{ default = {text}, help = {text} }}\n\
                 [components.card]\nkind = 'card'\nid = 'c{{n}}'\nface = {text}\nattributes.n = [1, 2, 3]\n\
                 [components.die]\nkind = 'die'\nid = 'd'\nsides = 6\n\
                 [zones.deck]\nname = {text}\nmark = 'said'\nnote = 'said'\nvisible = 'all'\norder = 'row'\n\
                 [zones.cell]\nname = {text}\ngrid = [2, 2]\norder = 'row'\nvisible = 'all'\n\
                 [variables]\nwhat = {{ default = '', name = {text} }}\n[text]\nask = {text}\nwhy = {text}\n"
            );
            let rules = format!(
                "fn game() {{ components(\"card\").move_to(deck); components(\"die\").move_to(cell[1]); table.what = {written}; \
                 players[1].award(1, \"why\"); note({written}); players[1].choose(\"ask\", [{written}, \"b\"]); \
                 players[2].choose(\"ask\", deck); }}\nfn said(z) {{ {written} }}\nfn standing(p) {{ p.award(2, \"why\"); }}"
            );
            let loaded = Playable::compile(small(&definition, &rules, &[], &[]), 2, Arc::default());
            let loaded = loaded.unwrap_or_else(|errors| panic!("{errors}"));
            page(&mut game(loaded, 1, 2), Viewer::Everything, Language::English).unwrap()
        };
        let (plain, hostile) = (with("plain"), with(HOSTILE));
        let names = |page: &str| -> Vec<String> {
            tags(page).iter().map(|tag| tag.split([' ', '\n']).next().unwrap().to_owned()).collect()
        };
        assert_eq!(names(&plain), names(&hostile));
        assert_eq!(hostile.matches("<script").count(), 1);
        assert!(hostile.contains("&lt;img src=x&gt;"));
    }

    #[test]
    fn places_in_rules_tell_nothing_of_a_computer() {
        assert_eq!(below_home("/home/somebody/games/small/rules.rhai:12"), "small/rules.rhai:12");
        assert_eq!(below_home("rules.rhai:12"), "rules.rhai:12");
    }
}

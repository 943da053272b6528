//! The command `houserule show`: the content of a game with its variants.

use super::packs::PackArguments;
use super::{Context, EXIT_SUCCESS, LayerArgs, Outcome, Printout, Rules, hanging, show_file};
use crate::catalogue::{Message, message, said, say};
use crate::definition::{Definition, Language, Layer, Text, Visibility, ZoneOrder};
use crate::diagnostic::visible;
use crate::playthrough::Playable;
use crate::ruleset::Role;
use crate::screen::{style, teams_in_words};
use clap::Args;
use serde_json::{Value as Json, json};

/// Show the contents of a game with variants, or what a variant or a file of rules changes
#[derive(Debug, Args)]
pub(super) struct Show {
    /// Id of a game or a variant (see `houserule list`), the file of a variant, or a pack
    #[arg(value_name = "GAME|VARIANT|FILE")]
    what: String,

    #[command(flatten)]
    over: LayerArgs,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl Show {
    /// The arguments that may name packs, except a pack in place of a game, which is shown as such.
    pub(super) fn pack_arguments(&mut self) -> PackArguments<'_> {
        PackArguments { over: Some(&self.what), variants: Some(&mut self.over.variants), ..PackArguments::default() }
    }

    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        if let Some(shown) = show_file::show(&self.what, &self.over, self.json, context, out) {
            return shown;
        }
        let rules = Rules { game: self.what.clone(), over: self.over.clone() };
        let (loaded, _) = rules.load(context, None, out)?;
        let variants = context.library.variants(&loaded.ruleset.game.id);
        let variants: Vec<Layer> = variants.into_iter().filter_map(|entry| entry.layer.ok()).collect();
        if self.json {
            out.json(&as_json(&loaded, &variants));
        } else {
            out.line(as_text(&loaded, &variants, context.language).trim_end());
        }
        Ok(EXIT_SUCCESS)
    }
}

fn as_text(loaded: &Playable, variants: &[Layer], language: Language) -> String {
    let ruleset = &loaded.ruleset;
    let definition = &*ruleset.definition;
    let name = |text: &Text| visible(text.get(language)).into_owned();
    let (fewest, most) = definition.players;
    let mut text = format!("{} ({})\n", name(&ruleset.game.name), ruleset.game.id);
    text.push_str(&format!("{}\n\n", name(&ruleset.game.about)));
    let mut rows: Vec<(&str, String)> = Vec::new();
    let mut row = |head, what: &str| rows.push((head, what.to_owned()));
    row(said("players"), &if fewest == most { most.to_string() } else { say!("{} to {}", fewest, most) });
    for (count, teams) in &definition.teams {
        row(said("teams"), &say!("with {count} players: {}", teams_in_words(teams)));
    }
    if let Some((base, _)) = &ruleset.game.base {
        row(said("based on"), base);
    }
    row(said("components"), &components_in_words(definition));
    for (head, told) in said_of_itself(&ruleset.game) {
        if let Some(told) = told {
            row(said(head), &visible(&told));
        }
    }
    row(said("rules"), &ruleset.hash);
    for (files, origin) in ruleset.texts() {
        let instead = if ruleset.is_changed(&files) { said(", not as it is built in") } else { "" };
        row("", &format!("{}{instead}", visible(&origin.to_string())));
    }
    let column = rows.iter().map(|(head, _)| style::width(head)).fold(10, usize::max);
    for (head, what) in rows {
        text.push_str(&format!("{} {what}\n", style::pad(head, column)));
    }
    let mut zones = String::new();
    let names = definition.zones.iter().map(|zone| zone.id.len()).max().unwrap_or(0).max(14);
    for zone in &definition.zones {
        let owner = if zone.per_seat { "each player" } else { "table" };
        let count = zone.count.map_or(String::new(), |count| format!(" × {count}"));
        let seen = visibility_in_words(zone.visible);
        let (owner, seen, order) = (said(owner), said(seen), order_in_words(zone.order));
        let between = said(", ");
        let order = said(order);
        zones.push_str(&format!("  {:<names$} {owner}{count}{between}{order}{between}{seen}\n", zone.id));
    }
    text.push_str(&section(said("zones"), &zones));
    let mut list = String::new();
    for variant in variants {
        let active = if ruleset.variant_ids().any(|id| id == variant.id) { '*' } else { ' ' };
        list.push_str(&hanging(&format!("{active} {:<18} ", variant.id), &name(&variant.about)));
        list.push('\n');
        for (other, _) in &variant.requires {
            list.push_str(&format!("  {:<18} {}\n", "", say!("needs {other}")));
        }
        for (other, reason) in &variant.conflicts {
            list.push_str(&hanging(&format!("  {:<18} ", ""), &say!("not with {other}: {}", name(reason))));
            list.push('\n');
        }
    }
    text.push_str(&section(said("variants"), &list));
    let mut settings = String::new();
    for layer in ruleset.layers() {
        for (key, setting) in &layer.settings {
            let value = value_of(loaded, &layer.id, key);
            settings.push_str(&hanging(&format!("  {}.{key}={value}  ", layer.id), &name(&setting.help)));
            settings.push('\n');
        }
        if let Some(data) = layer.tables.to_toml().get("data").and_then(toml::Value::as_table) {
            for key in data.keys() {
                let value = definition.data.get(key).map_or(String::new(), ToString::to_string);
                settings.push_str(&format!("  {}.data.{key}={}\n", layer.id, visible(&value)));
            }
        }
    }
    text.push_str(&section(said("settings (--set)"), &settings));
    let mut list = String::new();
    let functions = functions(loaded);
    let width = functions.iter().map(|(usage, _)| usage.len()).max().unwrap_or(0);
    for (usage, layers) in functions {
        list.push_str(&format!(
            "  {usage:<width$}  {}\n",
            layers.iter().map(Message::told).collect::<Vec<_>>().join(" < ")
        ));
    }
    text.push_str(&section(said("functions that a variant may override"), &list));
    text
}

/// A list below its heading, if there is anything in it.
fn section(heading: &str, list: &str) -> String {
    if list.is_empty() { String::new() } else { format!("\n{heading}\n{list}") }
}

fn as_json(loaded: &Playable, variants: &[Layer]) -> Json {
    let ruleset = &loaded.ruleset;
    let definition = &*ruleset.definition;
    let zones = definition.zones.iter().map(|zone| {
        json!({
            "id": zone.id,
            "name": zone.name.en,
            "per_seat": zone.per_seat,
            "count": zone.count,
            "order": order_in_words(zone.order),
            "visible": visibility_in_words(zone.visible),
        })
    });
    let variants = variants.iter().map(|variant| {
        let conflicts: serde_json::Map<String, Json> =
            variant.conflicts.iter().map(|(other, reason)| (other.clone(), json!(reason.en))).collect();
        json!({
            "id": variant.id,
            "name": variant.name.en,
            "about": variant.about.en,
            "active": ruleset.variant_ids().any(|id| id == variant.id),
            "requires": variant.requires.iter().map(|(other, _)| other).collect::<Vec<_>>(),
            "conflicts": conflicts,
        })
    });
    let functions = functions(loaded).into_iter().map(
        |(usage, layers)| json!({"usage": usage, "layers": layers.iter().map(Message::as_str).collect::<Vec<_>>()}),
    );
    let teams = definition.teams.iter().map(|(count, teams)| (count.to_string(), json!(teams)));
    json!({
        "id": ruleset.game.id,
        "name": ruleset.game.name.en,
        "about": ruleset.game.about.en,
        "version": ruleset.game.version.as_ref().map(ToString::to_string),
        "author": ruleset.game.author,
        "licence": ruleset.game.licence,
        "players": {"min": definition.players.0, "max": definition.players.1},
        "teams": teams.collect::<serde_json::Map<_, _>>(),
        "ruleset": ruleset.hash,
        "files": ruleset.origins().iter().map(|(_, origin)| visible(&origin.to_string()).into_owned()).collect::<Vec<_>>(),
        "zones": zones.collect::<Vec<_>>(),
        "variants": variants.collect::<Vec<_>>(),
        "settings": ruleset.settings.iter().flat_map(|(layer, values)| {
            values.iter().map(move |(key, value)| (format!("{layer}.{key}"), json!(value)))
        }).collect::<serde_json::Map<_, _>>(),
        "functions": functions.collect::<Vec<_>>(),
    })
}

/// The version, author and licence that a layer states.
fn said_of_itself(layer: &Layer) -> [(&'static str, Option<String>); 3] {
    [
        ("version", layer.version.as_ref().map(ToString::to_string)),
        ("author", layer.author.clone()),
        ("licence", layer.licence.clone()),
    ]
}

/// Each function once, with the layers that define it, from the lowest up.
fn functions(loaded: &Playable) -> Vec<(String, Vec<Message>)> {
    type Key<'a> = (&'a str, usize);
    let mut functions: Vec<(Key<'_>, (String, Vec<Message>))> = Vec::new();
    for function in loaded.functions.iter() {
        let script = &loaded.ruleset.scripts[function.script];
        let layer = match script.role {
            Role::Library => message!("library {}", script.id),
            Role::Base(_) | Role::Game | Role::Variant(_) => Message::verbatim(script.id.clone()),
        };
        let key = (function.name.as_str(), function.parameters.len());
        match functions.iter_mut().find(|(known, _)| *known == key) {
            Some((_, (_, layers))) => layers.push(layer),
            None => {
                let usage = format!("{}({})", function.name, function.parameters.join(", "));
                functions.push((key, (usage, vec![layer])));
            }
        }
    }
    functions.into_iter().map(|(_, shown)| shown).collect()
}

fn value_of(loaded: &Playable, layer: &str, key: &str) -> String {
    let settings = loaded.ruleset.settings.iter().find(|(id, _)| id == layer);
    settings
        .and_then(|(_, values)| values.get(key))
        .map_or(String::new(), |value| visible(&value.to_string()).into_owned())
}

fn components_in_words(definition: &Definition) -> String {
    let groups = definition.components.iter();
    groups.map(|group| format!("{} × {}", group.members.len(), group.name)).collect::<Vec<_>>().join(", ")
}

fn order_in_words(order: ZoneOrder) -> &'static str {
    match order {
        ZoneOrder::Pile => "pile",
        ZoneOrder::Row => "row",
        ZoneOrder::Ring => "ring",
        ZoneOrder::Hand => "hand",
        ZoneOrder::Trick => "trick",
    }
}

fn visibility_in_words(visible: Visibility) -> &'static str {
    match visible {
        Visibility::All => "seen by all",
        Visibility::Owner => "seen by its owner",
        Visibility::Others => "seen by all but its owner",
        Visibility::Top => "top seen by all",
        Visibility::None => "seen by nobody",
        Visibility::Once => "seen once, as it arrives",
    }
}

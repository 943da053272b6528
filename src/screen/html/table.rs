//! The table as a viewer sees it, in slots: each holds a part that can change, so that a move updates only the slots
//! that it changes.

use super::parts::{Pictures, told};
use super::{escape, words};
use crate::catalogue::PageWords;
use crate::definition::{COLORS, Shape, ZoneOrder};
use crate::screen::decision::{Listing, decision};
use crate::screen::style::{Label, Line, color_named};
use crate::screen::{Sight, fill};
use crate::table::knowledge::{Appearance, Front, is_uncounted};
use crate::table::layout::Layout;
use crate::table::value::{Component, Seat, Seats, Value, Zone};

/// The style of drawn tables.
pub(super) const DRAWING: &str = include_str!("table.css");

/// Most options listed; the rest is only counted.
const MAX_LISTED_OPTIONS: usize = 60;

/// The content of an empty slot.
const EMPTY: &str = "<span class=\"note\">–</span>";

/// A slot: a place of the page whose content depends on the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// The current phase, round and turn.
    Progress,
    /// The open decision, or the result of the game.
    Question,
    /// A seat: whether it is asked, its score and its variables.
    Seat(Seat),
    /// The shared variables.
    Variables,
    /// The content of a zone, or of a cell of a board.
    Zone(Zone),
    /// The score of a seat if the game ended here.
    Ending(Seat),
}

/// All slots of a table, in order.
pub(super) fn slots(layout: &Layout) -> Vec<Slot> {
    let seats = || Seats::all(layout.seats).into_iter();
    let zones = (0..layout.zones.len()).map(|number| Slot::Zone(Zone(number as u16)));
    let first = [Slot::Progress, Slot::Question, Slot::Variables];
    first.into_iter().chain(seats().map(Slot::Seat)).chain(seats().map(Slot::Ending)).chain(zones).collect()
}

/// Whether a content is too little for a slot of its own. Cells of boards have slots anyway.
pub(super) fn is_empty(content: &str) -> bool {
    content.is_empty() || content == EMPTY
}

/// A styled line as markup.
pub(super) fn line(line: &Line) -> String {
    let mut out = String::new();
    for span in line.spans() {
        let style = span.style();
        let label = match style.label {
            Label::Plain => "",
            Label::Strong => "l-strong",
            Label::Faint => "l-faint",
            Label::Prompt => "l-prompt",
            Label::Error => "l-error",
            Label::Turn => "l-turn",
            Label::Number => "l-number",
            Label::Gain => "l-gain",
        };
        let color = style.color.and_then(|color| COLORS.iter().find(|name| color_named(name) == Some(color)));
        let color = color.map_or_else(String::new, |color| format!(" k-{color}"));
        let class = format!("{label}{color}");
        match class.trim() {
            "" => out.push_str(&escape(span.text())),
            class => out.push_str(&format!("<span class=\"{class}\">{}</span>", escape(span.text()))),
        }
    }
    out
}

/// Draws the content of slots at a position.
pub(super) struct Drawer<'a> {
    pub(super) sight: &'a Sight<'a>,
    pub(super) pictures: &'a mut Pictures,
    /// Whether each component carries its place in the zone, so that it can be pointed at.
    pub(super) has_places: bool,
}

impl Drawer<'_> {
    /// The content of a slot; empty for the scores, which are drawn elsewhere.
    pub(super) fn content(&mut self, slot: Slot) -> String {
        match slot {
            Slot::Progress => escape(&self.sight.progress().join(" · ")),
            Slot::Question => self.question(),
            Slot::Seat(seat) => self.seat(seat),
            Slot::Variables => named(&self.sight.variables()),
            Slot::Zone(zone) if self.sight.layout.cell(zone).is_some() => self.cell(zone),
            Slot::Zone(zone) => self.zone(zone),
            Slot::Ending(_) => String::new(),
        }
    }

    fn words(&self) -> &'static PageWords {
        words(self.sight.scene.language)
    }

    fn question(&self) -> String {
        let sight = self.sight;
        let Some(open) = &sight.scene.position.open else {
            let lines: Vec<String> = decision(sight.scene).iter().map(line).collect();
            return format!("<p class=\"lines\" tabindex=\"0\">{}</p>", lines.join("\n"));
        };
        let asked: Vec<String> = sight.question(open).iter().map(line).collect();
        let mut out = format!("<p>{}</p>", asked.join(" "));
        if !sight.eyes.may_see_options() {
            return out;
        }
        let listing = Listing::of(sight.layout, &sight.scene.position.table, open);
        out.push_str("<ul class=\"options\" tabindex=\"0\">");
        for position in listing.order.iter().take(MAX_LISTED_OPTIONS) {
            let Some(option) = open.options.get(*position) else { continue };
            let (name, detail) = sight.option_lines(&option.value, open.seat);
            // The content of a zone is drawn already.
            let is_drawn = detail.is_empty() || matches!(option.value, Value::Zone(_));
            let detail = if is_drawn { String::new() } else { format!(" {}", line(&detail)) };
            out.push_str(&format!("<li>{}{detail}</li>", line(&name)));
        }
        let left = listing.order.len().saturating_sub(MAX_LISTED_OPTIONS);
        if left > 0 {
            out.push_str(&format!("<li>{}</li>", escape(&fill(self.words().more, &[&left]))));
        }
        out + "</ul>"
    }

    fn seat(&self, seat: Seat) -> String {
        let sight = self.sight;
        let mut out = String::new();
        if sight.scene.position.open.as_ref().is_some_and(|open| open.seat == Some(seat)) {
            out.push_str(&format!("<span class=\"l-turn\">► {}</span>", self.words().turn));
        }
        let score = sight.score(seat);
        if !score.is_empty() {
            let name = self.words().score;
            out.push_str(&format!("<span><span class=\"l-faint\">{name}</span> {}</span>", line(&score)));
        }
        out + named(&sight.named_seat_variables(seat)).as_str()
    }

    fn zone(&mut self, zone: Zone) -> String {
        let sight = self.sight;
        let order = sight.layout.zone_definition(zone).order;
        let seen = sight.seen(zone);
        let (mark, note) = sight.caption(zone);
        let mut out = String::new();
        if !mark.is_empty() {
            out.push_str(&format!("<span class=\"mark\">{}</span> ", escape(&mark)));
        }
        let are_backs = seen.iter().all(|seen| *seen == Appearance::Back);
        match order {
            _ if seen.is_empty() && !is_uncounted(sight.layout, sight.scene.viewer, zone) => out.push_str(EMPTY),
            _ if sight.are_hidden_dice(zone) => {
                out.push_str("<ul class=\"cards\">");
                for _ in seen {
                    out.push_str(&format!("<li>{}</li>", self.pictures.hidden_die(self.words().hidden)));
                }
                out.push_str("</ul>");
            }
            ZoneOrder::Pile => self.pile(&mut out, zone),
            ZoneOrder::Hand if are_backs => self.pile(&mut out, zone),
            _ => self.spread(&mut out, zone),
        }
        if !note.is_empty() {
            out.push_str(&format!(" <span class=\"note\">{}</span>", escape(&note)));
        }
        out
    }

    fn pile(&mut self, out: &mut String, zone: Zone) {
        let sight = self.sight;
        let label = self.words().hidden;
        let top = match sight.open_top(zone) {
            Some(front) => {
                let owner = sight.other_owner(front, zone).map(by).unwrap_or_default();
                self.pictures.face(sight.names(), front) + owner.as_str()
            }
            None => self.pictures.back(label),
        };
        let count = if is_uncounted(sight.layout, sight.scene.viewer, zone) {
            "?".to_owned()
        } else {
            sight.seen(zone).len().to_string()
        };
        let place = self.place(sight.seen(zone).len().saturating_sub(1));
        out.push_str(&format!("<span class=\"pile\"{place}>{top}<span class=\"count\">×{count}</span></span>"));
    }

    /// All components of a zone side by side; hands in the order of the definition.
    fn spread(&mut self, out: &mut String, zone: Zone) {
        let sight = self.sight;
        let order = sight.layout.zone_definition(zone).order;
        let mut seen: Vec<(usize, Appearance)> = sight.seen(zone).iter().copied().enumerate().collect();
        if sight.layout.sights[zone.index()].is_hand {
            seen.sort_by_key(|(_, seen)| match seen {
                Appearance::Face(front) => front.face,
                Appearance::Back => usize::MAX,
            });
        }
        out.push_str("<ul class=\"cards\">");
        for (place, appearance) in &seen {
            let has_corner =
                matches!(appearance, Appearance::Face(front) if Pictures::has_corner(sight.names(), *front));
            let class = if has_corner { " class=\"fan\"" } else { "" };
            let (picture, owner) = match appearance {
                Appearance::Face(front) => {
                    let owner = if order == ZoneOrder::Trick { front.owner } else { sight.other_owner(*front, zone) };
                    (self.pictures.face(sight.names(), *front), owner)
                }
                Appearance::Back => (self.pictures.back(self.words().hidden), None),
            };
            let place = self.place(*place);
            out.push_str(&format!("<li{class}{place}>{}{picture}</li>", owner.map(by).unwrap_or_default()));
        }
        out.push_str("</ul>");
    }

    /// The HTML attribute with the place of a component in its zone, from 0.
    fn place(&self, place: usize) -> String {
        if self.has_places { format!(" data-at=\"{place}\"") } else { String::new() }
    }

    /// The topmost component of a cell, and the number of components where there are several.
    fn cell(&mut self, zone: Zone) -> String {
        let sight = self.sight;
        let (mark, _) = sight.caption(zone);
        let mut out = String::new();
        if !mark.is_empty() {
            out.push_str(&format!("<span class=\"mark\">{}</span>", escape(&mark)));
        }
        let Some(top) = sight.top(zone) else { return out };
        match top {
            Some(front) => {
                out.push_str(&self.pictures.face(sight.names(), front));
                out.push_str(&front.owner.filter(|_| sight.needs_owner(front)).map(by).unwrap_or_default());
            }
            None => out.push_str(&self.pictures.back(self.words().hidden)),
        }
        let count = sight.seen(zone).len();
        if count > 1 && !is_uncounted(sight.layout, sight.scene.viewer, zone) {
            out.push_str(&format!("<span class=\"count\">×{count}</span>"));
        }
        out
    }
}

fn by(owner: Seat) -> String {
    format!("<span class=\"by\">{owner}</span>")
}

fn named(things: &[(Line, Line)]) -> String {
    things.iter().map(|(name, value)| format!("<span>{} {}</span> ", line(name), line(value))).collect()
}

/// The markup around the slots. `number` gives the number and initial content of a slot, `None` for one that the page
/// omits. With `has_places`, zones and seats carry their ids. Only the main table is a landmark, with ids for its
/// parts.
pub(super) fn skeleton(
    sight: &Sight<'_>,
    number: &dyn Fn(Slot) -> Option<(usize, String)>,
    has_places: bool,
    is_main: bool,
) -> String {
    let words = words(sight.scene.language);
    let point = |slot: Slot| match slot {
        Slot::Zone(zone) if has_places => {
            format!(" data-point=\"{}\"", escape(&sight.layout.zones[zone.index()].id))
        }
        Slot::Seat(seat) if has_places => format!(" data-point=\"{seat}\""),
        _ => String::new(),
    };
    let slot = |slot: Slot, tag: &str, class: &str| match number(slot) {
        Some((number, content)) => {
            format!("<{tag} class=\"{class}\" data-slot=\"{number}\"{}>{content}</{tag}>\n", point(slot))
        }
        None => String::new(),
    };
    let landmark =
        if is_main { format!(" id=\"table\" aria-label=\"{}\"", escape(words.table)) } else { String::new() };
    let mut out = format!(
        "<section{landmark} class=\"felt\">\n{}{}",
        slot(Slot::Progress, "p", "progress"),
        slot(Slot::Question, "div", "ask")
    );
    let zones_of = |seat: Option<Seat>| -> String {
        // The headings of a seat's zones are below that of the seat.
        let heading = if seat.is_some() { "h4" } else { "h3" };
        let mut zones = String::new();
        let mut boards = String::new();
        for (definition, zone) in sight.layout.definition.zones.iter().enumerate() {
            if zone.per_seat != seat.is_some() {
                continue;
            }
            let name = escape(zone.name.get(sight.scene.language));
            if zone.board.as_ref().is_some_and(|board| !board.is_plain_list()) {
                boards.push_str(&format!(
                    "<div class=\"zone\"><{heading}>{name}</{heading}>\n{}</div>\n",
                    board(sight, definition, seat, &slot)
                ));
                continue;
            }
            for zone in sight.layout.zones_of(definition, seat) {
                let content = slot(Slot::Zone(zone), "div", "in");
                if !content.is_empty() {
                    let name = escape(&sight.zone_name(zone));
                    let order = class_of(sight.layout.zone_definition(zone).order);
                    zones.push_str(&format!(
                        "<div class=\"zone {order}\"><{heading}>{name}</{heading}>\n{content}</div>\n"
                    ));
                }
            }
        }
        format!("{boards}<div class=\"zones\">\n{zones}</div>\n")
    };
    let shared = zones_of(None);
    let variables = slot(Slot::Variables, "p", "line");
    let has_shared = !variables.is_empty() || shared.contains("class=\"zone");
    if has_shared {
        out.push_str(&format!("<div class=\"shared\">\n{variables}{shared}</div>\n"));
    }
    out.push_str("<div class=\"seats\">\n");
    for seat in Seats::all(sight.layout.seats) {
        let [labelled, named] = match is_main {
            true => [format!(" aria-labelledby=\"seat-{seat}\""), format!(" id=\"seat-{seat}\"")],
            false => Default::default(),
        };
        out.push_str(&format!(
            "<section class=\"seat\"{labelled}>\n<h3{named}>{seat}</h3>\n{}{}</section>\n",
            slot(Slot::Seat(seat), "div", "line"),
            zones_of(Some(seat))
        ));
    }
    out + "</div>\n</section>\n"
}

fn class_of(order: ZoneOrder) -> &'static str {
    match order {
        ZoneOrder::Pile => "stack",
        ZoneOrder::Row => "row",
        ZoneOrder::Ring => "ring",
        ZoneOrder::Hand => "hand",
        ZoneOrder::Trick => "trick",
    }
}

fn board(
    sight: &Sight<'_>,
    definition: usize,
    seat: Option<Seat>,
    slot: &dyn Fn(Slot, &str, &str) -> String,
) -> String {
    let zones = sight.layout.zones_of(definition, seat).0;
    let Some(board) = zones.first().and_then(|zone| sight.layout.cell(*zone)).map(|cell| cell.board) else {
        return String::new();
    };
    let at = |column: i64, row: i64| board.at(column, row).and_then(|place| zones.get(usize::from(place)));
    let name = |zone: Zone| escape(&sight.zone_name(zone));
    let mut out = String::new();
    match board.shape {
        Shape::Square => {
            out.push_str(&format!(
                    "<div class=\"scroll\" tabindex=\"0\"><table class=\"board\" style=\"--columns: {}; --rows: {}\">\n<tbody>\n",
                    board.columns, board.rows
                ));
            for row in (1..=board.rows).rev() {
                out.push_str(&format!("<tr><th scope=\"row\">{row}</th>"));
                for column in 1..=board.columns {
                    match at(column, row) {
                        Some(zone) => out.push_str(slot(Slot::Zone(*zone), "td", "cell").trim_end()),
                        None => out.push_str("<td class=\"none\"></td>"),
                    }
                }
                out.push_str("</tr>\n");
            }
            out.push_str("</tbody>\n<tfoot><tr><td class=\"none\"></td>");
            for column in 0..board.columns {
                let letter = char::from(b'a' + column.clamp(0, 25) as u8);
                out.push_str(&format!("<th scope=\"col\">{letter}</th>"));
            }
            out.push_str("</tr></tfoot>\n</table></div>\n");
        }
        Shape::Hex => {
            out.push_str("<div class=\"scroll\" tabindex=\"0\"><div class=\"hexes\" role=\"list\">\n");
            for row in (1..=board.rows).rev() {
                out.push_str(&format!("<div class=\"hex-row\"><span class=\"name\" aria-hidden=\"true\">{row}</span>"));
                (1..row).for_each(|_| out.push_str("<span class=\"half\"></span>"));
                for column in 1..=board.columns {
                    match at(column, row) {
                        Some(zone) => out.push_str(&format!(
                            "<div class=\"cell\" role=\"listitem\" aria-label=\"{}\">{}</div>",
                            name(*zone),
                            slot(Slot::Zone(*zone), "div", "in").trim_end()
                        )),
                        None => out.push_str("<span class=\"half\"></span><span class=\"half\"></span>"),
                    }
                }
                out.push_str("</div>\n");
            }
            out.push_str("</div></div>\n");
        }
        Shape::Map => {
            let next_to = words(sight.scene.language).next_to;
            out.push_str("<ul class=\"places\">\n");
            for (place, zone) in zones.iter().enumerate() {
                let ways = board.neighbours(place).iter().filter_map(|near| zones.get(usize::from(*near)));
                let ways: Vec<String> = ways.map(|zone| name(*zone)).collect();
                out.push_str(&format!("<li><strong>{}</strong>{}", name(*zone), slot(Slot::Zone(*zone), "div", "in")));
                if !ways.is_empty() {
                    out.push_str(&format!("<p class=\"ways\">{next_to} {}</p>", ways.join(", ")));
                }
                out.push_str("</li>\n");
            }
            out.push_str("</ul>\n");
        }
    }
    out
}

impl Sight<'_> {
    /// The topmost component of a pile, if it is to be shown.
    fn open_top(&self, zone: Zone) -> Option<Front> {
        match self.seen(zone).last() {
            Some(Appearance::Face(front)) if self.shows_top(zone) => Some(*front),
            _ => None,
        }
    }

    /// The owner of a component, if it is not the holder of the zone.
    fn other_owner(&self, front: Front, zone: Zone) -> Option<Seat> {
        let holder = self.layout.zones.get(zone.index()).and_then(|info| info.seat);
        front.owner.filter(|owner| holder != Some(*owner))
    }

    /// Whether a component's owner has to be named, because another one looks the same and belongs to another player.
    fn needs_owner(&self, front: Front) -> bool {
        let table = &self.scene.position.table;
        let name = told(self.names(), front);
        (0..table.faces.len()).any(|number| {
            let other = Front::of(table, Component(number as u16));
            other.owner.is_some() && other.owner != front.owner && told(self.names(), other) == name
        })
    }
}

//! The words that stand beside a game on the screen, on its pages and in its rulebook, and differ by language. A text is
//! found here by its field, so that one word of English can be two of another language.

use std::fmt::Display;

/// All such words in one language. In texts with holes, `{}` is the next thing, and `{0}` the first one.
#[derive(Debug)]
pub struct Words {
    pub yes: &'static str,
    pub no: &'static str,
    /// The word for no player or no component; `None` where the rules' own word is as good.
    pub none: Option<&'static str>,
    pub prose: ProseWords,
    pub screen: ScreenWords,
    pub pages: PageWords,
    pub rulebook: RulebookWords,
}

/// Words for what the rules have in place of a name in braces.
#[derive(Debug)]
pub struct ProseWords {
    /// The heading above numbers of players, in a table by them.
    pub players: &'static str,
    /// The heading above the keys of any other table.
    pub others: &'static str,
    /// A number of players, and what holds for it.
    pub with_players: &'static str,
    /// Any other key, and its value.
    pub entry: &'static str,
    /// A range of numbers.
    pub span: &'static str,
    pub cards: CountedWords,
    pub dice: CountedWords,
    pub tokens: CountedWords,
}

/// A kind of component with its number.
#[derive(Debug)]
pub struct CountedWords {
    pub one: &'static str,
    /// Any other number.
    pub many: &'static str,
    /// The number, and the name that the rulebook gives them.
    pub named: &'static str,
}

/// The fixed texts around a game; `{}` is replaced by a number or a name.
#[derive(Debug)]
pub struct ScreenWords {
    /// The number of players.
    pub players: &'static str,
    /// The seed of the game.
    pub seed: &'static str,
    /// The origin of a built-in game.
    pub built_in: &'static str,
    /// The player as whom the table is seen.
    pub seen_by: &'static str,
    /// The time of an action, in seconds.
    pub at_moment: &'static str,
    /// The view of what all players may see.
    pub seen_by_each: &'static str,
    /// The player as whom the table is seen, with a perfect memory.
    pub remembered_by: &'static str,
    /// The number of a round.
    pub round: &'static str,
    /// The number of a turn.
    pub turn: &'static str,
    /// The number of a move.
    pub moves: &'static str,
    /// The separator between the asked player and the question.
    pub asks: &'static str,
    /// The number of options to choose, if it is fixed.
    pub choose: &'static str,
    /// The minimum and maximum number of options to choose.
    pub choose_between: &'static str,
    /// The range of numbers that can be typed, if all options are consecutive numbers.
    pub number_between: &'static str,
    /// A winner, and the reason.
    pub wins: &'static str,
    /// A loser, and the reason.
    pub loses: &'static str,
    /// The result without a winner.
    pub nobody_wins: &'static str,
    /// The end of the game.
    pub over: &'static str,
    /// The failure of the rules.
    pub failed: &'static str,
    /// The subject of a decision without a seat.
    pub anybody: &'static str,
    /// A remark on a log entry that does not fit.
    pub misfit: &'static str,
    /// A remark on a log entry that was left out.
    pub left_out: &'static str,
    /// The number of moves that follow once a setting is answered.
    pub waiting: &'static str,
    /// The branch that keeps the game as it was before its rules changed.
    pub kept_on: &'static str,
    /// A remark that nothing changed.
    pub unchanged: &'static str,
    /// The label of the options of the open decision.
    pub options: &'static str,
    /// A remark that the same components are in another order.
    pub reordered: &'static str,
    /// A remark that some players' rows are only counted.
    pub folded: &'static str,
    /// The number of lines that are not shown.
    pub more: &'static str,
    /// The point before the first move.
    pub beginning: &'static str,
    /// The label of the branches.
    pub branches: &'static str,
    /// The label of the current position.
    pub here: &'static str,
    /// The length of a branch of one move.
    pub one_move: &'static str,
    /// The length of a branch of any other number of moves.
    pub many_moves: &'static str,
    /// A branch without moves.
    pub no_moves: &'static str,
    /// The alternative to a choice.
    pub instead: &'static str,
    /// The parent of a branch that is drawn elsewhere.
    pub of_branch: &'static str,
    /// The move up to which two runs are equal.
    pub same_up_to: &'static str,
    /// The number of equal lines within a move.
    pub alike: &'static str,
    /// The number of differing moves that are not shown.
    pub more_moves: &'static str,
    /// The label of scores.
    pub scores: &'static str,
    /// The label of scores of games that are not over.
    pub scores_so_far: &'static str,
    /// The separator between several remarks on a zone.
    pub and: &'static str,
    /// The place in the rules that asks a question.
    pub asked_at: &'static str,
    /// The side of a comparison that has further moves, and the last of them.
    pub goes_on: &'static str,
    /// The move after which both sides were played on separately.
    pub played_on: &'static str,
    /// A remark that the same options are in another order.
    pub other_order: &'static str,
    /// The place of components that are out of play.
    pub nowhere: &'static str,
    pub shuffle: &'static str,
    /// A shuffle of only the bottom components: the zone, and their number.
    pub shuffle_bottom: &'static str,
    /// A shuffle of only the top components: the zone, and their number.
    pub shuffle_top: &'static str,
    /// A roll of a die.
    pub roll: &'static str,
    /// A face that is shown.
    pub reveal: &'static str,
    /// The time on the virtual clock, in seconds.
    pub clock: &'static str,
    /// The mark of the player whom the clock proposes.
    pub proposed: &'static str,
    /// The time for which a player is still busy, in seconds.
    pub busy: &'static str,
    /// The time for which a decision stays open, in seconds.
    pub left: &'static str,
    /// The mark of the option that applies when the time is up.
    pub time_up: &'static str,
    /// A drawn lot.
    pub lot: &'static str,
    /// A measured metric.
    pub metric: &'static str,
    /// The beginning of a phase.
    pub phase: &'static str,
    /// The mark of a change by hand.
    pub by_hand: &'static str,
    /// The heading of a game that continues a campaign.
    pub campaign: &'static str,
    /// The hint on how to begin the next game of a campaign.
    pub next_game: &'static str,
    /// A remark that the game ended without a decision.
    pub nobody_asked: &'static str,
    /// What stands behind a log entry that a remark is made on.
    pub behind_entry: &'static str,
    /// The label of what a player would have if the game ended now.
    pub standing: &'static str,
}

/// The fixed texts of pages; `{}` is replaced by a number or a name.
#[derive(Debug)]
pub struct PageWords {
    pub table: &'static str,
    pub log: &'static str,
    pub scores: &'static str,
    pub rules: &'static str,
    pub steps: &'static str,
    pub first: &'static str,
    pub back: &'static str,
    pub next: &'static str,
    pub last: &'static str,
    pub play: &'static str,
    pub pause: &'static str,
    pub position: &'static str,
    pub start: &'static str,
    pub keys: &'static str,
    pub no_script: &'static str,
    pub seen_by_all: &'static str,
    pub seen_by: &'static str,
    /// The note on a view of what all players may see.
    pub seen_by_each: &'static str,
    pub players: &'static str,
    pub seed: &'static str,
    pub seen: &'static str,
    pub no_variants: &'static str,
    pub setting: &'static str,
    pub value: &'static str,
    pub points: &'static str,
    pub what_for: &'static str,
    pub at_move: &'static str,
    pub rule: &'static str,
    pub no_points: &'static str,
    pub if_over: &'static str,
    pub hidden_score: &'static str,
    pub score: &'static str,
    pub turn: &'static str,
    pub hidden: &'static str,
    pub more: &'static str,
    pub next_to: &'static str,
    pub made_with: &'static str,
    /// The note that this player has chosen, and others have not yet.
    pub waiting: &'static str,
    /// The label of options that the rules refuse at present.
    pub not_now: &'static str,
    /// The texts of the live table.
    pub live: LiveWords,
}

/// The texts of the live table alone.
#[derive(Debug)]
pub struct LiveWords {
    pub undo: &'static str,
    pub redo: &'static str,
    pub commands: &'static str,
    pub type_here: &'static str,
    pub send: &'static str,
    pub branches: &'static str,
    pub people: &'static str,
    pub test: &'static str,
    pub simulate: &'static str,
    pub marks: &'static str,
    pub unclear: &'static str,
    pub fun: &'static str,
    pub slow: &'static str,
    pub word: &'static str,
    pub ask: &'static str,
    pub book: &'static str,
    pub asking: &'static str,
    pub connecting: &'static str,
    pub connected: &'static str,
    pub lost: &'static str,
    pub closed: &'static str,
    pub failed: &'static str,
    pub confirm: &'static str,
    pub close: &'static str,
    pub chosen: &'static str,
    pub thanks: &'static str,
    pub find: &'static str,
    pub which: &'static str,
    pub move_number: &'static str,
    pub on: &'static str,
    pub bookmarks: &'static str,
    pub here: &'static str,
    pub by_link: &'static str,
    pub watching: &'static str,
    /// The heading for a first difference between rules, with the number of the move.
    pub divergence: &'static str,
    pub before: &'static str,
    pub after: &'static str,
    pub figures: &'static str,
}

/// The fixed texts of rulebooks; `{}` is replaced by a number or a name.
#[derive(Debug)]
pub struct RulebookWords {
    pub contents: &'static str,
    pub variants: &'static str,
    pub variants_how: &'static str,
    pub components: &'static str,
    pub table: &'static str,
    pub start: &'static str,
    pub rules: &'static str,
    pub other_language: &'static str,
    pub decisions: &'static str,
    pub points: &'static str,
    pub numbers: &'static str,
    pub kept: &'static str,
    pub settings: &'static str,
    pub glossary: &'static str,
    pub players: &'static str,
    pub teams: &'static str,
    pub version: &'static str,
    pub author: &'static str,
    pub licence: &'static str,
    pub place: &'static str,
    pub whose: &'static str,
    pub lies: &'static str,
    pub seen: &'static str,
    pub question: &'static str,
    pub options: &'static str,
    pub rule: &'static str,
    pub what: &'static str,
    pub what_for: &'static str,
    pub name: &'static str,
    pub value: &'static str,
    pub allowed: &'static str,
    pub at_start: &'static str,
    pub about: &'static str,
    pub printed: &'static str,
    pub means: &'static str,
    pub term: &'static str,
    pub was: &'static str,
    pub any: &'static str,
    pub from_to: &'static str,
    pub at_least: &'static str,
    pub at_most: &'static str,
    pub most_points: &'static str,
    pub tie_breaks: &'static str,
    pub wins: &'static str,
    pub loses: &'static str,
    pub instead: &'static str,
    pub decide: &'static str,
    pub secretly: &'static str,
    pub points_for: &'static str,
    pub costs_for: &'static str,
    pub replaces: &'static str,
    pub example: &'static str,
    pub before: &'static str,
    pub after: &'static str,
    pub so_it_lies: &'static str,
    pub changes: &'static str,
    pub more_rules: &'static str,
    pub reason: &'static str,
    pub phase: &'static str,
    pub told: &'static str,
    pub not_allowed: &'static str,
    pub the_player: &'static str,
    pub for_table: &'static str,
    pub each_player: &'static str,
    pub each_team: &'static str,
    pub each_number: &'static str,
    pub sides: &'static str,
    pub grid: &'static str,
    pub hexes: &'static str,
    pub map: &'static str,
    pub more: &'static str,
    pub next_to_it: &'static str,
    pub printed_as: &'static str,
    pub see: &'static str,
    pub of_list: &'static str,
    pub made_with: &'static str,
    /// The number of players in the rulebook's head.
    pub number_of_players: &'static str,
    /// The separator between the items of a list.
    pub and: &'static str,
    pub in_pile: &'static str,
    pub in_row: &'static str,
    pub in_ring: &'static str,
    pub in_hand: &'static str,
    pub in_trick: &'static str,
    pub everybody: &'static str,
    pub nobody: &'static str,
    pub its_player: &'static str,
    pub all_but_its_player: &'static str,
    pub top: &'static str,
    pub once_its_player: &'static str,
    pub once_everybody: &'static str,
}

impl RulebookWords {
    /// A list of things in a sentence.
    pub fn list(&self, things: &[String]) -> String {
        things.join(self.and)
    }
}

/// A text with its holes filled: each `{}` by the next of `things`, and `{0}` by the first.
pub fn fill(text: &str, things: &[&dyn Display]) -> String {
    let mut next = things.iter();
    let mut pieces = text.split('{');
    let mut filled = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let Some((hole, behind)) = piece.split_once('}') else { continue };
        let thing = hole.parse().map_or_else(|_| next.next(), |number: usize| things.get(number));
        filled.extend(thing.map(ToString::to_string));
        filled.push_str(behind);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn holes_are_filled_in_order_or_by_number() {
        assert_eq!(fill("{} of {}", &[&3, &"five"]), "3 of five");
        assert_eq!(fill("{1}: {0}{1}", &[&3, &"five"]), "five: 3five");
        assert_eq!(fill("{} and {}", &[&"{}"]), "{} and ");
        assert_eq!(fill("nothing {", &[]), "nothing ");
    }
}

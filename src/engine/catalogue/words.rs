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
    /// The name of the variable that every game has.
    pub score: &'static str,
    /// The name of what is left of a variable in the bank.
    pub in_bank: &'static str,
    pub prose: ProseWords,
    pub screen: ScreenWords,
    pub pages: PageWords,
    pub live: LiveWords,
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

/// Structs of texts, each of which every language has to fill.
macro_rules! texts {
    ($($(#[$about:meta])* $name:ident { $($(#[$note:meta])* $text:ident,)* })*) => {
        $($(#[$about])* #[derive(Debug)] pub struct $name { $($(#[$note])* pub $text: &'static str,)* })*
    };
}

texts! {
    /// A kind of component with its number.
    CountedWords {
        one,
        /// Any other number.
        many,
        /// The number, and the name that the rulebook gives them.
        named,
    }

    /// The fixed texts around a game; `{}` is replaced by a number or a name.
    ScreenWords {
        /// The number of players.
        players,
        /// A single player.
        one_player,
        /// The seed of the game.
        seed,
        /// The origin of a built-in game.
        built_in,
        /// The player as whom the table is seen.
        seen_by,
        /// The time of an action, in seconds.
        at_moment,
        /// The view of what all players may see.
        seen_by_each,
        /// The player as whom the table is seen, with a perfect memory.
        remembered_by,
        /// The number of a round.
        round,
        /// The number of a turn.
        turn,
        /// The number of a move.
        moves,
        /// The separator between the asked player and the question.
        asks,
        /// The number of options to choose, if it is fixed.
        choose,
        /// The minimum and maximum number of options to choose.
        choose_between,
        /// The range of numbers that can be typed, if all options are consecutive numbers.
        number_between,
        /// A winner, and the reason.
        wins,
        /// A loser, and the reason.
        loses,
        /// The result without a winner.
        nobody_wins,
        /// The end of the game.
        over,
        /// The failure of the rules.
        failed,
        /// The subject of a decision without a seat.
        anybody,
        /// A remark on a log entry that does not fit.
        misfit,
        /// A remark on a log entry that was left out.
        left_out,
        /// The number of moves that follow once a setting is answered.
        waiting,
        /// The branch that keeps the game as it was before its rules changed.
        kept_on,
        /// A remark that nothing changed.
        unchanged,
        /// The label of the options of the open decision.
        options,
        /// A remark that the same components are in another order.
        reordered,
        /// A remark that some players' rows are only counted.
        folded,
        /// The number of lines that are not shown.
        more,
        /// The point before the first move.
        beginning,
        /// The label of the branches.
        branches,
        /// The label of the current position.
        here,
        /// The length of a branch of one move.
        one_move,
        /// The length of a branch of any other number of moves.
        many_moves,
        /// A branch without moves.
        no_moves,
        /// The alternative to a choice.
        instead,
        /// The parent of a branch that is drawn elsewhere.
        of_branch,
        /// The move up to which two runs are equal.
        same_up_to,
        /// The number of equal lines within a move.
        alike,
        /// The number of differing moves that are not shown.
        more_moves,
        /// The label of scores.
        scores,
        /// The label of scores of games that are not over.
        scores_so_far,
        /// The separator between several remarks on a zone.
        and,
        /// The place in the rules that asks a question.
        asked_at,
        /// The side of a comparison that has further moves, and the last of them.
        goes_on,
        /// The move after which both sides were played on separately.
        played_on,
        /// A remark that the same options are in another order.
        other_order,
        /// The place of components that are out of play.
        nowhere,
        shuffle,
        /// A shuffle of only the bottom components: the zone, and their number.
        shuffle_bottom,
        /// A shuffle of only the top components: the zone, and their number.
        shuffle_top,
        /// A roll of a die.
        roll,
        /// A face that is shown.
        reveal,
        /// The time on the virtual clock, in seconds.
        clock,
        /// The mark of the player whom the clock proposes.
        proposed,
        /// The time for which a player is still busy, in seconds.
        busy,
        /// The time for which a decision stays open, in seconds.
        left,
        /// The mark of the option that applies when the time is up.
        time_up,
        /// A drawn lot.
        lot,
        /// A measured metric.
        metric,
        /// The beginning of a phase.
        phase,
        /// The mark of a change by hand.
        by_hand,
        /// The heading of a game that continues a campaign.
        campaign,
        /// The hint on how to begin the next game of a campaign.
        next_game,
        /// A remark that the game ended without a decision.
        nobody_asked,
        /// What stands behind a log entry that a remark is made on.
        behind_entry,
        /// The label of what a player would have if the game ended now.
        standing,
    }

    /// The fixed texts of pages; `{}` is replaced by a number or a name.
    PageWords {
        table, log, scores, rules, steps, first, back, next, last, play, pause, position, start, keys, no_script,
        seen_by_all, seen_by,
        /// The note on a view of what all players may see.
        seen_by_each,
        players, seed, seen, no_variants, setting, value, points, what_for, at_move, rule, no_points, if_over,
        hidden_score, score, turn, hidden, more, next_to, made_with,
        /// The note that this player has chosen, and others have not yet.
        waiting,
        /// The label of options that the rules refuse at present.
        not_now,
    }

    /// The texts of the live table alone.
    LiveWords {
        undo, redo, commands, type_here, send, branches, people, test, simulate, marks, unclear, fun, slow, word, ask,
        book, asking, connecting, connected, lost, closed, failed, confirm, close, chosen, thanks, find, which,
        move_number, on, bookmarks, here, by_link, watching,
        /// The heading for a first difference between rules, with the number of the move.
        divergence,
        before, after, figures,
    }

    /// The fixed texts of rulebooks; `{}` is replaced by a number or a name.
    RulebookWords {
        contents, variants, variants_how, components, table, start, rules, other_language, decisions, points, numbers,
        kept, settings, glossary, players, teams, version, author, licence, place, whose, lies, seen, question, options,
        rule, what, what_for, name, value, allowed, at_start, about, printed, means, term, was, any, from_to, at_least,
        at_most, most_points, tie_breaks, wins, loses, instead, decide, secretly, points_for, costs_for, replaces,
        example, before, after, so_it_lies, changes, more_rules, reason, phase, told, not_allowed, the_player,
        for_table, each_player, each_team, each_number, sides, grid, hexes, map, more, next_to_it, printed_as, see,
        of_list, made_with, start_alone,
        /// The number of players in the rulebook's head.
        number_of_players,
        /// The separator between the items of a list.
        and,
        in_pile, in_row, in_ring, in_hand, in_trick, everybody, nobody, its_player, all_but_its_player, top,
        once_its_player, once_everybody,
    }
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
    use super::{Words, fill};
    use crate::catalogue::Language;

    /// Each text of a language by its field, with the number of its holes.
    fn holes(words: &Words) -> Vec<(String, usize)> {
        let fields = format!("{words:#?}");
        let texts = fields.lines().filter_map(|line| line.trim().split_once(": \""));
        texts.map(|(field, text)| (field.to_owned(), text.matches('{').count())).collect()
    }

    #[test]
    fn a_text_has_the_same_holes_in_every_language() {
        let english = holes(Language::English.words());
        assert!(english.iter().any(|(_, holes)| *holes == 2) && english.len() > 100, "{english:?}");
        for language in Language::ALL {
            assert_eq!(holes(language.words()), english, "{language:?}");
        }
    }

    #[test]
    fn holes_are_filled_in_order_or_by_number() {
        assert_eq!(fill("{} of {}", &[&3, &"five"]), "3 of five");
        assert_eq!(fill("{1}: {0}{1}", &[&3, &"five"]), "five: 3five");
        assert_eq!(fill("{} and {}", &[&"{}"]), "{} and ");
        assert_eq!(fill("nothing {", &[]), "nothing ");
    }
}

//! The words of the host itself that stand around a game, in each language.

use crate::definition::Language;

/// The words of one language; `{}` is where a number or a name goes.
pub(super) struct Words {
    /// How many sit at the table.
    pub players: &'static str,
    /// Before the seed of chance.
    pub seed: &'static str,
    /// The number of a round.
    pub round: &'static str,
    /// The number of a turn.
    pub turn: &'static str,
    /// The number of a move.
    pub moves: &'static str,
    /// Between who is asked and what is asked.
    pub asks: &'static str,
    /// How many to choose: exactly so many.
    pub choose: &'static str,
    /// How many to choose: from so many to so many.
    pub choose_between: &'static str,
    /// Yes, as an answer.
    pub yes: &'static str,
    /// No, as an answer.
    pub no: &'static str,
    /// No more decisions.
    pub over: &'static str,
    /// The rules could not go on.
    pub failed: &'static str,
    /// Somebody has to decide, who is no seat.
    pub anybody: &'static str,
    /// An entry of the log that does not fit.
    pub misfit: &'static str,
    /// The same log gives the same game.
    pub unchanged: &'static str,
    /// Before the options of the open decision.
    pub options: &'static str,
    /// The same components in another order.
    pub reordered: &'static str,
    /// So many lines that are not shown.
    pub more: &'static str,
    /// The point before the first move.
    pub beginning: &'static str,
    /// Before the names of branches.
    pub branches: &'static str,
    /// Out of play.
    pub nowhere: &'static str,
    /// A shuffle.
    pub shuffle: &'static str,
    /// A roll of a die.
    pub roll: &'static str,
    /// A face that is shown to everybody.
    pub reveal: &'static str,
    /// The virtual clock, in seconds.
    pub clock: &'static str,
    /// Behind the one whom the clock proposes.
    pub proposed: &'static str,
    /// How long somebody is still busy, in seconds.
    pub busy: &'static str,
    /// Lots that were drawn.
    pub lot: &'static str,
    /// A phase that begins.
    pub phase: &'static str,
    /// An intervention.
    pub by_hand: &'static str,
}

const ENGLISH: Words = Words {
    players: "{} players",
    seed: "seed {}",
    round: "round {}",
    turn: "turn {}",
    moves: "move {}",
    asks: ", ",
    choose: "choose {}",
    choose_between: "choose {} to {}",
    yes: "yes",
    no: "no",
    over: "the game is over",
    failed: "the rules cannot go on from here",
    anybody: "the clock",
    misfit: "no longer fits",
    unchanged: "nothing is different",
    options: "options",
    reordered: "in another order",
    more: "and {} more",
    beginning: "the beginning",
    branches: "branches",
    nowhere: "out of play",
    shuffle: "shuffle {}",
    roll: "roll {}",
    reveal: "show {}",
    clock: "{} s",
    proposed: "◄ the clock",
    busy: "busy for {} s",
    lot: "lot {}",
    phase: "phase {}",
    by_hand: "by hand",
};

const JAPANESE: Words = Words {
    players: "{}人",
    seed: "シード {}",
    round: "ラウンド {}",
    turn: "手番 {}",
    moves: "{}手目",
    asks: "：",
    choose: "{}つ選ぶ",
    choose_between: "{}〜{}つ選ぶ",
    yes: "はい",
    no: "いいえ",
    over: "ゲーム終了",
    failed: "ルールがここから先へ進めない",
    anybody: "時計",
    misfit: "が合わなくなった",
    unchanged: "変化なし",
    options: "選択肢",
    reordered: "順番が違う",
    more: "他{}件",
    beginning: "開始時",
    branches: "分岐",
    nowhere: "場の外",
    shuffle: "シャッフル {}",
    roll: "ロール {}",
    reveal: "公開 {}",
    clock: "{}秒",
    proposed: "◄ 時計",
    busy: "あと{}秒",
    lot: "くじ {}",
    phase: "フェイズ {}",
    by_hand: "手動",
};

/// The words of a language.
pub(super) fn words(language: Language) -> &'static Words {
    match language {
        Language::English => &ENGLISH,
        Language::Japanese => &JAPANESE,
    }
}

/// A text with things put where `{}` stands, in their order.
pub(super) fn fill(text: &str, things: &[&dyn std::fmt::Display]) -> String {
    let mut pieces = text.split("{}");
    let mut filled = pieces.next().unwrap_or_default().to_owned();
    for (piece, thing) in pieces.zip(things) {
        filled.push_str(&format!("{thing}{piece}"));
    }
    filled
}

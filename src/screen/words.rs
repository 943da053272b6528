//! The fixed texts of the program around a game, in each language.

use crate::definition::Language;

/// The texts in one language; `{}` is replaced by a number or a name.
pub(super) struct Words {
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
}

const ENGLISH: Words = Words {
    players: "{} players",
    seed: "seed {}",
    built_in: "built in",
    seen_by: "as {}",
    at_moment: "at {} s",
    seen_by_each: "as all players",
    remembered_by: "as {} memory",
    round: "round {}",
    turn: "turn {}",
    moves: "move {}",
    asks: ", ",
    choose: "choose {}",
    choose_between: "choose {} to {}",
    nobody_asked: "nobody was asked anything: the rules came to their end before the first decision",
    number_between: "a number from {} to {}",
    wins: "{} wins: {}",
    loses: "{} loses: {}",
    nobody_wins: "nobody wins",
    over: "the game is over",
    failed: "the rules cannot go on from here",
    anybody: "the clock",
    misfit: "no longer fits",
    left_out: "is left out: it is not asked for any more",
    waiting: "once this is answered, `goto end` plays what follows: {}",
    kept_on: "branch {} has the moves as they were",
    unchanged: "nothing is different",
    options: "options",
    reordered: "in another order",
    folded: " not all is shown: `table` shows everything",
    more: "and {} more",
    beginning: "the beginning",
    branches: "branches",
    here: "the game stands here",
    one_move: "{} move",
    many_moves: "{} moves",
    no_moves: "nothing yet",
    instead: ", not {}",
    of_branch: "from {}: ",
    same_up_to: "the same up to move {}",
    alike: "{} lines alike",
    more_moves: "… and {} more moves differ; `all` shows them",
    scores: "scores",
    scores_so_far: "scores so far",
    and: ", ",
    asked_at: "asked at {}",
    goes_on: "{} goes on to move {}",
    played_on: "after move {}, each goes its own way to the end, with the same chance",
    other_order: "in another order",
    nowhere: "out of play",
    shuffle: "shuffle {}",
    shuffle_bottom: "shuffle {}, bottom {}",
    shuffle_top: "shuffle {}, top {}",
    roll: "roll {}",
    reveal: "show {}",
    clock: "{} s",
    proposed: "◄ the clock",
    busy: "busy for {} s",
    left: "{} s left",
    time_up: "when the time is up",
    lot: "lot {}",
    metric: "metric {}",
    phase: "phase {}",
    by_hand: "by hand",
    campaign: "the campaign goes on",
    next_game: "`campaign next` begins the next game",
};

const JAPANESE: Words = Words {
    players: "{}人",
    seed: "シード {}",
    built_in: "内蔵",
    seen_by: "{}の視点",
    at_moment: "{}秒",
    seen_by_each: "全員に見える範囲",
    remembered_by: "{}の視点と記憶",
    round: "ラウンド {}",
    turn: "手番 {}",
    moves: "{}手目",
    asks: "：",
    choose: "{}つ選ぶ",
    choose_between: "{}〜{}つ選ぶ",
    nobody_asked: "誰にも選択肢が示されないまま、ルールが終わりました",
    number_between: "{}から{}までの数",
    wins: "{}の勝ち：{}",
    loses: "{}の負け：{}",
    nobody_wins: "勝者なし",
    over: "ゲーム終了",
    failed: "ルールがここから先へ進めない",
    anybody: "時計",
    misfit: "が合わなくなった",
    left_out: "は質問されなくなったので省いた",
    waiting: "これに答えたら、`goto end` で続きを進められる：{}",
    kept_on: "元の手は分岐 {} にある",
    unchanged: "変化なし",
    options: "選択肢",
    reordered: "順番が違う",
    folded: " 一部を省略：`table` で全部を表示",
    more: "他{}件",
    beginning: "開始時",
    branches: "分岐",
    here: "現在の局面",
    one_move: "{}手",
    many_moves: "{}手",
    no_moves: "まだ何もない",
    instead: "（{}ではなく）",
    of_branch: "{}から：",
    same_up_to: "{}手目まで同じ",
    alike: "同じ行 {}行",
    more_moves: "… 他に{}手が異なる。`all` で全て表示",
    scores: "得点",
    scores_so_far: "ここまでの得点",
    and: "、",
    asked_at: "質問した場所：{}",
    goes_on: "{}は{}手目まで続く",
    played_on: "{}手目の後は、同じ運でそれぞれ終わりまで進めた",
    other_order: "順番が違う",
    nowhere: "場の外",
    shuffle: "シャッフル {}",
    shuffle_bottom: "シャッフル {} 下から{}",
    shuffle_top: "シャッフル {} 上から{}",
    roll: "ロール {}",
    reveal: "公開 {}",
    clock: "{}秒",
    proposed: "◄ 時計",
    busy: "あと{}秒",
    left: "残り{}秒",
    time_up: "時間切れのとき",
    lot: "くじ {}",
    metric: "計測 {}",
    phase: "フェイズ {}",
    by_hand: "手動",
    campaign: "キャンペーンの続き",
    next_game: "`campaign next` で次のゲームが始まります",
};

pub(super) fn words(language: Language) -> &'static Words {
    match language {
        Language::English => &ENGLISH,
        Language::Japanese => &JAPANESE,
    }
}

/// A text with each `{}` replaced by the next of `things`.
pub(super) fn fill(text: &str, things: &[&dyn std::fmt::Display]) -> String {
    let mut pieces = text.split("{}");
    let mut filled = pieces.next().unwrap_or_default().to_owned();
    for (piece, thing) in pieces.zip(things) {
        filled.push_str(&format!("{thing}{piece}"));
    }
    filled
}

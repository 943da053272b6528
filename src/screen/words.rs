//! The words of the host itself that stand around a game, in each language.

use crate::definition::Language;

/// The words of one language; `{}` is where a number or a name goes.
pub(super) struct Words {
    /// How many sit at the table.
    pub players: &'static str,
    /// Before the seed of chance.
    pub seed: &'static str,
    /// Where a game was found that came with the program.
    pub built_in: &'static str,
    /// As whom the person looks.
    pub seen_by: &'static str,
    /// When somebody acted, in seconds.
    pub at_moment: &'static str,
    /// What all players may see.
    pub seen_by_each: &'static str,
    /// As whom the person looks, with a perfect memory.
    pub remembered_by: &'static str,
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
    /// What can be typed where the options are all numbers from one to another.
    pub number_between: &'static str,
    /// Somebody has won: who, and why.
    pub wins: &'static str,
    /// Somebody has lost: who, and why.
    pub loses: &'static str,
    /// Nobody has won.
    pub nobody_wins: &'static str,
    /// No more decisions.
    pub over: &'static str,
    /// The rules could not go on.
    pub failed: &'static str,
    /// Somebody has to decide, who is no seat.
    pub anybody: &'static str,
    /// An entry of the log that does not fit.
    pub misfit: &'static str,
    /// An answer that is left out of the log.
    pub left_out: &'static str,
    /// How many moves follow when a setting is answered.
    pub waiting: &'static str,
    /// Which branch has the game as it was before other rules changed it.
    pub kept_on: &'static str,
    /// The same log gives the same game.
    pub unchanged: &'static str,
    /// Before the options of the open decision.
    pub options: &'static str,
    /// The same components in another order.
    pub reordered: &'static str,
    /// Rows of players are counted and not drawn.
    pub folded: &'static str,
    /// A number of lines that are not shown.
    pub more: &'static str,
    /// The point before the first move.
    pub beginning: &'static str,
    /// Before the names of branches.
    pub branches: &'static str,
    /// The point where the game stands.
    pub here: &'static str,
    /// The length of a branch of one move.
    pub one_move: &'static str,
    /// The length of a branch of no moves or several.
    pub many_moves: &'static str,
    /// A branch on which nothing has happened.
    pub no_moves: &'static str,
    /// Behind a choice, what was chosen otherwise.
    pub instead: &'static str,
    /// Before where a branch leaves another that stands elsewhere.
    pub of_branch: &'static str,
    /// Two runs, from the first difference on.
    pub same_up_to: &'static str,
    /// A number of equal lines of one move.
    pub alike: &'static str,
    /// A number of moves that differ and are not shown.
    pub more_moves: &'static str,
    /// Before scores.
    pub scores: &'static str,
    /// Before scores of games that are not over.
    pub scores_so_far: &'static str,
    /// Between things that are said of a zone.
    pub and: &'static str,
    /// Before where in the rules something is asked.
    pub asked_at: &'static str,
    /// Only one of two runs has further moves, up to this one.
    pub goes_on: &'static str,
    /// Two runs that each were played on by themselves behind this move.
    pub played_on: &'static str,
    /// The same options in another order.
    pub other_order: &'static str,
    /// Out of play.
    pub nowhere: &'static str,
    pub shuffle: &'static str,
    /// A shuffle of the lowest components alone: the zone, and how many.
    pub shuffle_bottom: &'static str,
    /// As there, of the topmost.
    pub shuffle_top: &'static str,
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
    /// How long a decision stays open, in seconds.
    pub left: &'static str,
    /// Behind the option that nobody has to choose.
    pub time_up: &'static str,
    /// Lots that were drawn.
    pub lot: &'static str,
    /// Before what the rules measured.
    pub metric: &'static str,
    /// A phase that begins.
    pub phase: &'static str,
    /// An intervention.
    pub by_hand: &'static str,
    /// Said at the beginning of a game that goes on from an earlier one.
    pub campaign: &'static str,
    /// How the next game of a campaign begins.
    pub next_game: &'static str,
    /// The game ended without a decision.
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

/// A text with things put where `{}` stands, in their order.
pub(super) fn fill(text: &str, things: &[&dyn std::fmt::Display]) -> String {
    let mut pieces = text.split("{}");
    let mut filled = pieces.next().unwrap_or_default().to_owned();
    for (piece, thing) in pieces.zip(things) {
        filled.push_str(&format!("{thing}{piece}"));
    }
    filled
}

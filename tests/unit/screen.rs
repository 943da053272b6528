//! Drawings as a person sees them, and what holds for every drawing.

#![allow(clippy::unwrap_used)]

use super::decision::decision;
use super::*;
use crate::agent::Random;
use crate::definition::Library;
use crate::files::MemoryFiles;
use crate::games::shipped;
use crate::playthrough::run::Until;
use crate::playthrough::{Playable, Playthrough};
use crate::ruleset::Selection;
use crate::screen::style::{self, render};
use crate::table::chance::Stream;
use crate::table::value::Seat;
use std::path::PathBuf;
use std::sync::Arc;

const EVERYTHING: Viewer = Viewer::Everything;

fn load(library: &Library, game: &str, variants: &[&str], seats: usize) -> Playable {
    let variants = variants.iter().map(|id| (*id).to_owned()).collect();
    let selection = Selection { game: game.to_owned(), variants, set: Vec::new() };
    let ruleset = Ruleset::load(library, &selection).unwrap();
    Playable::compile(Arc::new(ruleset), seats, Arc::default()).unwrap()
}

/// Up or Down? after so many random moves.
fn up_or_down(variants: &[&str], seats: usize, moves: usize) -> Playthrough {
    let loaded = load(&shipped(), "up-or-down", variants, seats);
    let (mut game, _) = Playthrough::start(loaded, seats, 42, Vec::new()).unwrap();
    game.advance(Box::new(Random::new(42)), Until::Decisions(moves)).unwrap();
    game
}

fn scene(game: &Playthrough, viewer: Viewer, language: Language, width: usize) -> Scene<'_> {
    let loaded = game.loaded();
    Scene {
        has_commands: true,
        ruleset: &loaded.ruleset,
        layout: &loaded.layout,
        position: game.position(),
        viewer,
        language,
        width,
        height: None,
        move_number: game.timeline().cursor(),
        seed: game.seed,
    }
}

fn lines(scene: &Scene<'_>) -> Vec<Line> {
    let mut lines = table(scene);
    lines.push(Line::default());
    lines.extend(decision(scene));
    lines
}

#[track_caller]
fn check(lines: &[Line], expected: &str) {
    let drawn = render(lines, false);
    assert_eq!(drawn, expected.trim_start_matches('\n'), "\n{drawn}");
}

#[test]
fn the_table_in_english() {
    let game = up_or_down(&["greenhorn"], 3, 150);
    check(
        &lines(&scene(&game, EVERYTHING, Language::English, 80)),
        r"
Up or Down? · greenhorn · 3 players · seed 42          play · turn 38 · move 150

 p1   hand 2·r 21·b 77·p    discard 9                                standing 21
      1 · 74·r             1 × 1 = 1
      2 · 69·b             1 × 1 = 1
      3 ↓ 22·k 10·k        2 × 2 = 4
 p2 ► hand 15·b 32·r        discard 8                                standing 22
      1 · 40·k             1 × 1 = 1
      2 ↓ 67·y 11·p        2 × 1 = 2
      3 · 4·k              1 × 1 = 1
 p3   hand 52·k 68·r 76·k   discard 5                                standing 18
      1 ↓ 64·k 47·p 8·r    3 × 1 = 3
      2 ↓ 37·y 28·k 19·y   3 × 2 = 6
      3 · 30·g             1 × 1 = 1

 ring            1·y  9·b  25·y  44·r  56·r  61·y  65·p
 face-down pile  12    face-up pile  14 ▲ 58·k

p2, place the card you took
  1  extend column 1   · 40·k
  2  extend column 2   ↓ 67·y 11·p
  3  extend column 3   · 4·k
  4  abandon column 1  · 40·k
  5  abandon column 2  ↓ 67·y 11·p
  6  abandon column 3  · 4·k
",
    );
}

#[test]
fn the_table_in_japanese() {
    let game = up_or_down(&["greenhorn"], 3, 150);
    check(
        &lines(&scene(&game, EVERYTHING, Language::Japanese, 80)),
        r"
アップオアダウン? · greenhorn · 3人 · シード 42       プレイ · 手番 38 · 150手目

 p1   手札 2·赤 21·青 77·紫    捨て札 9                                  暫定 21
      1 · 74·赤               1 × 1 = 1
      2 · 69·青               1 × 1 = 1
      3 ↓ 22·桃 10·桃         2 × 2 = 4
 p2 ► 手札 15·青 32·赤         捨て札 8                                  暫定 22
      1 · 40·桃               1 × 1 = 1
      2 ↓ 67·黄 11·紫         2 × 1 = 2
      3 · 4·桃                1 × 1 = 1
 p3   手札 52·桃 68·赤 76·桃   捨て札 5                                  暫定 18
      1 ↓ 64·桃 47·紫 8·赤    3 × 1 = 3
      2 ↓ 37·黄 28·桃 19·黄   3 × 2 = 6
      3 · 30·緑               1 × 1 = 1

 共通ディスプレイ  1·黄  9·青  25·黄  44·赤  56·赤  61·黄  65·紫
 裏向きの山札      12    表向きの山札  14 ▲ 58·桃

p2：取ったカードの置き場所
  1  列を伸ばす 1    · 40·桃
  2  列を伸ばす 2    ↓ 67·黄 11·紫
  3  列を伸ばす 3    · 4·桃
  4  列を放棄する 1  · 40·桃
  5  列を放棄する 2  ↓ 67·黄 11·紫
  6  列を放棄する 3  · 4·桃
",
    );
}

#[test]
fn a_wide_table_has_rows_beside_hands() {
    let game = up_or_down(&["greenhorn"], 3, 150);
    check(
        &lines(&scene(&game, EVERYTHING, Language::English, 120)),
        r"
Up or Down? · greenhorn · 3 players · seed 42                                                  play · turn 38 · move 150

 p1   1 · 74·r             1 × 1 = 1                                       hand 2·r 21·b 77·p    discard 9   standing 21
      2 · 69·b             1 × 1 = 1
      3 ↓ 22·k 10·k        2 × 2 = 4
 p2 ► 1 · 40·k             1 × 1 = 1                                       hand 15·b 32·r        discard 8   standing 22
      2 ↓ 67·y 11·p        2 × 1 = 2
      3 · 4·k              1 × 1 = 1
 p3   1 ↓ 64·k 47·p 8·r    3 × 1 = 3                                       hand 52·k 68·r 76·k   discard 5   standing 18
      2 ↓ 37·y 28·k 19·y   3 × 2 = 6
      3 · 30·g             1 × 1 = 1

 ring            1·y  9·b  25·y  44·r  56·r  61·y  65·p
 face-down pile  12    face-up pile  14 ▲ 58·k

p2, place the card you took
  1  extend column 1   · 40·k
  2  extend column 2   ↓ 67·y 11·p
  3  extend column 3   · 4·k
  4  abandon column 1  · 40·k
  5  abandon column 2  ↓ 67·y 11·p
  6  abandon column 3  · 4·k
",
    );
}

#[test]
fn a_narrow_table_wraps() {
    let game = up_or_down(&["greenhorn"], 3, 17);
    check(
        &lines(&scene(&game, EVERYTHING, Language::English, 40)),
        r"
Up or Down? · greenhorn · 3 players ·
seed 42          play · turn 5 · move 17

 p1   hand 12·g 29·p 73·y     standing 3
      1 ↑ 16·k 54·g   2 × 1 = 2
 p2 ► hand 18·g 37·y          standing 2
      1 · 72·g        1 × 1 = 1
 p3   hand 3·b 19·y 42·g      standing 1
      1 · 64·k        1 × 1 = 1

 ring            8·r  10·k  17·p  22·k
                 24·g  36·g  47·p
 face-down pile  31
 face-up pile    28 ▲ 39·b

p2, take a neighbour
  1  17·p  purple
  2  24·g  green
",
    );
}

#[test]
fn a_narrow_table_wraps_in_japanese() {
    let game = up_or_down(&["greenhorn"], 3, 150);
    check(
        &lines(&scene(&game, EVERYTHING, Language::Japanese, 40)),
        r"
アップオアダウン? · greenhorn · 3人 ·
シード 42     プレイ · 手番 38 · 150手目

 p1   手札 2·赤 21·青 77·紫   捨て札 9
                                 暫定 21
      1 · 74·赤               1 × 1 = 1
      2 · 69·青               1 × 1 = 1
      3 ↓ 22·桃 10·桃         2 × 2 = 4
 p2 ► 手札 15·青 32·赤   捨て札 8
                                 暫定 22
      1 · 40·桃               1 × 1 = 1
      2 ↓ 67·黄 11·紫         2 × 1 = 2
      3 · 4·桃                1 × 1 = 1
 p3   手札 52·桃 68·赤 76·桃   捨て札 5
                                 暫定 18
      1 ↓ 64·桃 47·紫 8·赤    3 × 1 = 3
      2 ↓ 37·黄 28·桃 19·黄   3 × 2 = 6
      3 · 30·緑               1 × 1 = 1

 共通ディスプレイ  1·黄  9·青  25·黄
                   44·赤  56·赤  61·黄
                   65·紫
 裏向きの山札      12
 表向きの山札      14 ▲ 58·桃

p2：取ったカードの置き場所
  1  列を伸ばす 1    · 40·桃
  2  列を伸ばす 2    ↓ 67·黄 11·紫
  3  列を伸ばす 3    · 4·桃
  4  列を放棄する 1  · 40·桃
  5  列を放棄する 2  ↓ 67·黄 11·紫
  6  列を放棄する 3  · 4·桃
",
    );
}

#[test]
fn a_seat_sees_its_own_hand() {
    let game = up_or_down(&["greenhorn"], 3, 17);
    check(
        &lines(&scene(&game, Viewer::Seat(Seat(1)), Language::English, 80)),
        r"
Up or Down? · greenhorn · 3 players · seed 42 · as p2    play · turn 5 · move 17

 p1   hand 3                                                          standing ?
      1 ↑ 16·k 54·g   2 × 1 = 2
 p2 ► hand 18·g 37·y                                                  standing 2
      1 · 72·g        1 × 1 = 1
 p3   hand 3                                                          standing ?
      1 · 64·k        1 × 1 = 1

 ring            8·r  10·k  17·p  22·k  24·g  36·g  47·p
 face-down pile  31    face-up pile  28 ▲ 39·b

p2, take a neighbour
  1  17·p  purple
  2  24·g  green
",
    );
}

#[test]
fn a_memory_knows_what_was_drawn_openly() {
    let game = up_or_down(&["greenhorn"], 3, 17);
    check(
        &lines(&scene(&game, Viewer::Memory(Seat(0)), Language::English, 80)),
        r"
Up or Down? · greenhorn · 3 players · seed 42 · as p1 memory
 play · turn 5 · move 17

 p1   hand 12·g 29·p 73·y                                             standing 3
      1 ↑ 16·k 54·g   2 × 1 = 2
 p2 ► hand 2                                                          standing ?
      1 · 72·g        1 × 1 = 1
 p3   hand 3                                                          standing ?
      1 · 64·k        1 × 1 = 1

 ring            8·r  10·k  17·p  22·k  24·g  36·g  47·p
 face-down pile  31    face-up pile  28 ▲ 39·b

p2, take a neighbour
",
    );
}

#[test]
fn variables_stand_below_the_piles() {
    let game = up_or_down(&["special-color", "remove-one"], 2, 1);
    check(
        &lines(&scene(&game, EVERYTHING, Language::Japanese, 80)),
        r"
アップオアダウン? · special-color · remove-one · 2人 · シード 42           1手目

 p1 ► 手札 6·緑 20·赤 49·黄                                               暫定 0
 p2   手札 7·黄 12·緑 25·黄                                               暫定 0

 共通ディスプレイ  2·赤  11·紫  16·桃  31·黄  36·緑  53·紫
 裏向きの山札      21    表向きの山札  21 ▲ 44·赤
 スペシャルカラー  緑

p1：色を指定する (1枚のカードを取り外す)
  1  黄
  2  赤
  3  青
  4  桃
  5  紫
  6  緑
",
    );
}

#[test]
fn the_game_is_over() {
    let game = up_or_down(&["rainbow"], 3, 999);
    check(
        &lines(&scene(&game, EVERYTHING, Language::English, 80)),
        r"
Up or Down? · rainbow · 3 players · seed 42         scoring · turn 72 · move 279

 p1   hand –   discard 19                                               score 24
      1 · 45·b        1 × 1 = 1
      2 ↑ 69·b 76·k   2 × 1 = 2
      3 ↓ 68·r 59·p   2 × 1 = 2
 p2   hand –   discard 20                                               score 24
      1 ↑ 34·k 53·p   2 × 1 = 2
      2 · 61·y        1 × 1 = 1
      3 · 52·k        1 × 1 = 1
 p3   hand –   discard 21                                               score 24
      1 · 43·y        1 × 1 = 1
      2 · 7·y         1 × 1 = 1
      3 · 63·b        1 × 1 = 1

 ring            6·g  32·r  41·p  55·y  62·r  75·b
 face-down pile  0    face-up pile  0

the game is over
  1  p1   24   column 5   discard pile 19
  1  p2   24   column 4   discard pile 20
  1  p3   24   column 3   discard pile 21
",
    );
}

#[test]
fn the_game_is_over_in_japanese() {
    let game = up_or_down(&["rainbow"], 3, 999);
    check(
        &lines(&scene(&game, EVERYTHING, Language::Japanese, 40)),
        r"
アップオアダウン? · rainbow · 3人 ·
シード 42   得点計算 · 手番 72 · 279手目

 p1   手札 –   捨て札 19         得点 24
      1 · 45·青         1 × 1 = 1
      2 ↑ 69·青 76·桃   2 × 1 = 2
      3 ↓ 68·赤 59·紫   2 × 1 = 2
 p2   手札 –   捨て札 20         得点 24
      1 ↑ 34·桃 53·紫   2 × 1 = 2
      2 · 61·黄         1 × 1 = 1
      3 · 52·桃         1 × 1 = 1
 p3   手札 –   捨て札 21         得点 24
      1 · 43·黄         1 × 1 = 1
      2 · 7·黄          1 × 1 = 1
      3 · 63·青         1 × 1 = 1

 共通ディスプレイ  6·緑  32·赤  41·紫
                   55·黄  62·赤  75·青
 裏向きの山札      0    表向きの山札  0

ゲーム終了
  1  p1   24   列 5   捨て札の山 19
  1  p2   24   列 4   捨て札の山 20
  1  p3   24   列 3   捨て札の山 21
",
    );
}

#[test]
fn the_record_reads_like_a_diary() {
    let game = up_or_down(&["greenhorn"], 3, 8);
    let seen = scene(&game, Viewer::Seat(Seat(0)), Language::English, 80);
    check(
        &log(&seen, &game.position().events.clone().into_vec()),
        r"
    0  shuffle face-down pile
    0  8·r 72·g 29·p  face-down pile → p1 hand
    0  ?×3  face-down pile → p2 hand
    0  ?×3  face-down pile → p3 hand
    0  47·p 24·g 17·p 64·k 16·k 36·g  face-down pile → ring
    0  12·g ?×30  face-down pile → face-up pile
    0  phase play
    0  turn p1
    1  p1  play a card to the ring  72·g
    1  72·g  p1 hand → ring
    2  p1  take a neighbour  16·k
    3  p1  place the card you took  new column
    3  16·k  ring → p1 column 1
    4  p1  draw from  face-up pile
    4  12·g  face-up pile → p1 hand
    4  turn p2
    5  p2  play a card to the ring  10·k
    5  10·k  p2 hand → ring
    6  p2  take a neighbour  72·g
    7  p2  place the card you took  new column
    7  72·g  ring → p2 column 1
    8  p2  draw from  face-up pile
    8  22·k  face-up pile → p2 hand
    8  turn p3
",
    );
}

#[test]
fn the_history_shows_what_was_taken_back() {
    let mut game = up_or_down(&["greenhorn"], 3, 5);
    game.branch("idea").unwrap();
    game.undo().unwrap();
    game.undo().unwrap();
    check(
        &history(&scene(&game, EVERYTHING, Language::English, 80), game.timeline()),
        r"
    0  the beginning
    1  p1  play a card to the ring  72·g
    2  p1  take a neighbour  16·k
 ►  3  p1  place the card you took  new column
    4  p1  draw from  face-up pile
    5  p2  play a card to the ring  10·k
branches    main 5  ► idea 5
",
    );
}

/// A game that went several ways, with names for some of them.
fn several_ways() -> Playthrough {
    let mut game = up_or_down(&["greenhorn"], 3, 12);
    game.bookmark("列を伸ばす前").unwrap();
    let other = |game: &mut Playthrough, entries, seed| {
        game.go_to(entries).unwrap();
        game.advance(Box::new(Random::new(seed)), Until::Decisions(9)).unwrap();
    };
    other(&mut game, 4, 1);
    game.rename_branch("2", "a-name-that-is-too-long-for-anybody").unwrap();
    other(&mut game, 7, 2);
    game.go_to_named("a-name-that-is-too-long-for-anybody").unwrap();
    game.go_to(8).unwrap();
    game.branch("大胆").unwrap();
    other(&mut game, 8, 3);
    game.go_to(10).unwrap();
    game.bookmark("here").unwrap();
    game
}

#[test]
fn the_ways_of_a_game_are_a_tree() {
    let game = several_ways();
    check(
        &tree(&scene(&game, EVERYTHING, Language::English, 80), game.timeline()),
        r"
main                             16 moves
├─  5  a-name-that-is-too-long…  12 moves  p2  play a card to the ring  10·k, n…
│  ├─ 12  大胆                   17 moves  p3  draw from  face-up pile, not fac…
│  │  ├─ 11  ► the game stands here
│  │  └─ 11  ◆ here
│  └─ 13  ◆ 列を伸ばす前
└─  9  2                         13 moves  p3  play a card to the ring  19·y, n…
",
    );
    check(
        &tree(&scene(&game, Viewer::Seat(Seat(1)), Language::Japanese, 80), game.timeline()),
        r"
main                             16手
├─  5  a-name-that-is-too-long…  12手  p2  共通ディスプレイに出すカード  10·桃…
│  ├─ 12  大胆                   17手  p3  どちらの山札から引く  ?
│  │  ├─ 11  ► 現在の局面
│  │  └─ 11  ◆ here
│  └─ 13  ◆ 列を伸ばす前
└─  9  2                         13手  p3  共通ディスプレイに出すカード  ?
",
    );
    check(
        &bookmarks(&scene(&game, EVERYTHING, Language::English, 80), game.timeline()),
        r"
  列を伸ばす前  move 13, a-name-that-is-too-long…  p3  draw from  face-down pile
► here          move 11, 大胆  p3  take a neighbour  64·k
",
    );
}

#[test]
fn many_ways_stay_readable() {
    let mut game = up_or_down(&[], 3, 60);
    for number in 0..50 {
        // Each leaves the one before it, so that the tree would be wider than any terminal.
        game.go_to(number + 1).unwrap();
        game.branch(&format!("way-{number}-of-very-many-of-them-all")).unwrap();
        game.advance(Box::new(Random::new(number as u64)), Until::Decisions(3)).unwrap();
    }
    for width in [40, 80, 120] {
        let lines = tree(&scene(&game, EVERYTHING, Language::English, width), game.timeline());
        assert_eq!(lines.len(), 52);
        for number in 0..50 {
            let name = format!("way-{number}-");
            let line = lines.iter().map(Line::text).find(|line| line.contains(&name)).unwrap();
            assert!(style::width(&line) <= width && (width < 80 || line.contains(" moves  ")), "{line}");
        }
    }
}

/// A whole game, and the same choices with other variants.
fn compared(game: &Playthrough, variants: &[&str], names: [&str; 2], language: Language, width: usize) -> Vec<Line> {
    let rules = load(&shipped(), "up-or-down", variants, game.seats);
    let other = rules.follow(game.seed, game.timeline().log()).unwrap();
    let scene = scene(game, EVERYTHING, language, width);
    let one = side(&scene, game.loaded(), game.timeline().log(), game.position(), (None, &[]));
    let two = side(&scene, &rules, &other.log, &other.position, (other.misfit.as_ref(), &[]));
    comparison(&scene, &crate::inspect::compare::Comparison::of(one, two, None), names, false)
}

#[test]
fn two_runs_stand_side_by_side() {
    let game = up_or_down(&["greenhorn"], 3, 999);
    check(
        &compared(&game, &[], ["greenhorn", "without"], Language::English, 80),
        r"
the same up to move 278
greenhorn                              │ without
move 279
  … 6 lines alike
p1 +2 column                           │ p1 +2 column
p1 +19 discard pile                    │ p1 +19 discard pile
p1 +15 green cards                     │
p2 +2 column                           │ p2 +2 column
p2 +1 column                           │ p2 +1 column
p2 +1 column                           │ p2 +1 column
p2 +20 discard pile                    │ p2 +20 discard pile
p2 +15 green cards                     │
p3 +1 column                           │ p3 +1 column
p3 +1 column                           │ p3 +1 column
p3 +1 column                           │ p3 +1 column
p3 +21 discard pile                    │ p3 +21 discard pile
p3 +3 green cards                      │
variants/up-or-down/greenhorn.toml:23  │
variant greenhorn                      │
scores  p1 39 → 24 (-15)   p2 39 → 24 (-15)   p3 27 → 24 (-3)
",
    );
    check(&compared(&game, &["greenhorn"], ["one", "other"], Language::English, 80), "nothing is different\n");
}

#[test]
fn two_runs_stand_below_each_other_where_it_is_narrow() {
    let game = up_or_down(&[], 3, 999);
    check(
        &compared(&game, &["rainbow", "greenhorn"], ["元", "rainbow, greenhorn"], Language::Japanese, 40),
        r"
278手目まで同じ
− 元
+ rainbow, greenhorn
279手目
  … 同じ行 6行
  p1 +2 列
  p1 +19 捨て札の山
+ p1 +15 緑のカード
  p2 +2 列
  p2 +1 列
  p2 +1 列
  p2 +20 捨て札の山
+ p2 +15 緑のカード
  p3 +1 列
  p3 +1 列
  p3 +1 列
  p3 +21 捨て札の山
+ p3 +3 緑のカード
+ variants/up-or-down/greenhorn.toml:23
  variant greenhorn
得点  p1 24 → 39 (+15)
      p2 24 → 39 (+15)   p3 24 → 27 (+3)
",
    );
}

#[test]
fn a_run_that_stops_says_where() {
    let game = up_or_down(&[], 3, 999);
    check(
        &compared(&game, &["short-game"], ["長いゲーム", "short-game"], Language::Japanese, 120),
        r"
長いゲーム                                                 │ short-game
開始時
シャッフル 裏向きの山札                                    │ シャッフル 裏向きの山札
8·赤 72·緑 29·紫 裏向きの山札 → p1 手札                    │ 7·黄 55·黄 23·紫 裏向きの山札 → p1 手札
10·桃 37·黄 18·緑 裏向きの山札 → p2 手札                   │ 8·赤 28·桃 13·黄 裏向きの山札 → p2 手札
54·緑 3·青 19·黄 裏向きの山札 → p3 手札                    │ 41·紫 2·赤 14·赤 裏向きの山札 → p3 手札
47·紫 24·緑 17·紫 64·桃 16·桃 36·緑 裏向きの山札 → 共通    │ 35·紫 18·緑 59·紫 47·紫 12·緑 26·赤 裏向きの山札 → 共通
ディスプレイ                                               │ ディスプレイ
6·緑 51·青 62·赤 55·黄 43·黄 75·青 7·黄 50·赤 14·赤 60·緑  │ 4·桃 36·緑 44·赤 38·赤 30·緑 60·緑 5·紫 34·桃 10·桃 9·青
57·青 38·赤 27·青 58·桃 77·紫 15·青 25·黄 32·赤 21·青 44·  │ 39·青 25·黄 17·紫 6·緑 43·黄 37·黄 16·桃 20·赤 49·黄 46·桃
赤 49·黄 52·桃 33·青 67·黄 40·桃 31·黄 4·桃 39·青 73·黄    │ 31·黄 22·桃 裏向きの山札 → 表向きの山札
22·桃 12·緑 裏向きの山札 → 表向きの山札                    │
フェイズ プレイ                                            │ フェイズ プレイ
手番 p1                                                    │ 手番 p1
長いゲームは279手目まで続く
short-game: 1手目, p1  共通ディスプレイに出すカード  72·緑 が合わなくなりました:
            72 is not among the options of play_card
            質問した場所：games/up-or-down/rules.rhai:30 game
ゲーム終了                                                 │ p1：共通ディスプレイに出すカード
ここまでの得点  p1 24 → 0 (-24)   p2 24 → 0 (-24)   p3 24 → 0 (-24)
",
    );
}

#[test]
fn a_change_of_rules_is_told() {
    let mut game = up_or_down(&[], 3, 30);
    let rules = load(&shipped(), "up-or-down", &["greenhorn"], 3);
    let told = game.change_rules(rules).unwrap();
    check(
        &change(&scene(&game, EVERYTHING, Language::English, 80), &told),
        r"
 p1.score  3 → 6 (+3)
 p2.score  2 → 3 (+1)
",
    );
}

#[test]
fn a_log_that_does_not_fit_is_told() {
    let mut game = up_or_down(&[], 3, 30);
    let rules = load(&shipped(), "up-or-down", &["special-color"], 3);
    let told = game.change_rules(rules).unwrap();
    check(
        &change(&scene(&game, EVERYTHING, Language::English, 80), &told),
        r"
move 1, p1  play a card to the ring  72·g, no longer fits:
p1 name_color is asked instead
once this is answered, `goto end` plays what follows: 30 moves
 p1.score       3 → 0 (-3)
 p2.score       2 → 0 (-2)
 p3.score       2 → 0 (-2)
 special_color  none → –
 ring           −3 −8 −10 −22 −37 −73 +16 +17 +36 +47 +64
 face_down      +35 +48 +42
 face_up        +39 +73 +22 +12
 p1.hand        −12 −39 +8 +72
 p2.hand        −48 +10 +37
 p3.hand        −42 −35 +54 +3
 p1.columns.1   −16 −54
 p1.columns.2   −36
 and 3 more
 options        −extend 1 −extend 2 −new +yellow +red +blue +pink +purple +green
",
    );
}

/// A game whose author is up to no good, or very fond of words.
const STRESS: &str = r#"
id = "stress"
name = { en = "A game with a name that goes on\u001b[2J and on \u202e until nobody can stand it any more, and then on" , ja = "とてもとても長い名前のゲームで端末の幅に絶対に入りきらないもの👨‍👩‍👧👨‍👩‍👧" }
players = { min = 2, max = 5 }
standing = "score"

[components.card]
kind = "card"
id = "{number}"
face = "{number}⟦{suit}⟧"

[components.card.attributes]
suit = { cycle = ["sun", "moon", "\u001b[31mred"] }
number = { from = 1, to = 60 }

[attributes.suit]
sun = { en = "the sun that shines on everything there is under the sky", ja = "太陽", short = { en = "sunny \u202e side", ja = "太陽太陽太陽太陽太陽太陽" }, color = "yellow" }
moon = { en = "moon", ja = "月", short = "月", color = "bright-blue" }

[zones.deck]
name = { en = "the deck of all cards\tthat were never touched", ja = "まだ誰も触っていないカードの山" }
order = "pile"
visible = "top"

[zones.rest]
name = "rest 👩‍🚀"
order = "pile"
visible = "all"

[zones.market]
name = { en = "market\u0007", ja = "市場" }
order = "trick"
visible = "all"

[zones.hand]
name = { en = "hand of cards\nheld by somebody", ja = "手札" }
per = "seat"
order = "hand"
visible = "owner"

[zones.lanes]
name = { en = "lane", ja = "ものすごく長い名前の道" }
per = "seat"
count = 4
order = "row"
visible = "all"
mark = "lane_mark"
note = "lane_note"

[zones.won]
name = "won"
per = "seat"
order = "pile"
visible = "none"

[variables.mood]
name = "what everybody is thinking about all the time, really"
default = ""

[variables.luck]
per = "seat"
default = 0

[text]
play = "play one of the cards that you hold, \u001b]0;owned\u0007 and do think about it for as long as you need"

[script]
rhai = '''
fn game() {
    components("card").move_to(deck);
    deck.shuffle();
    for p in players { deck.deal(7, p.hand); }
    deck.deal(5, market);
    table.mood = "\u001b[5m 目が回る " + repeated("long ");
    while !players.last.hand.is_empty {
        for p in players {
            begin_turn(p);
            let card = p.choose("play", p.hand);
            p.choose_for("a purpose that nobody has heard of before now", "luck", [10, 20, 30]);
            card.move_to(p.choose("lane", p.lanes));
            p.luck += 1000000;
            p.award(card.number * 1000003, "\u001b[1mpoints " + card.suit);
        }
    }
}
fn repeated(text) { let all = ""; for number in 0..12 { all += text; } all }
fn score(p) { p.award(p.hand.len, "hand"); }
fn lane_mark(lane) { "⇈⇊\u001b" }
fn lane_note(lane) { `a note of some length on ${lane.len} cards ` + "\u202e 注釈" }
'''
"#;

/// Some games at several points, with seats enough to be crowded.
fn many_games() -> Vec<Playthrough> {
    let files = MemoryFiles::new([("games/stress/game.toml", STRESS)]);
    let (stress, shipped) = (Library::of(Arc::new(files), vec![PathBuf::new()]), shipped());
    let rules = [
        (load(&stress, "stress", &[], 2), 2),
        (load(&stress, "stress", &[], 5), 5),
        (load(&shipped, "up-or-down", &["greenhorn", "special-color", "take-any", "remove-one", "rainbow"], 3), 3),
        (load(&shipped, "up-or-down", &[], 6), 6),
    ];
    let mut games = Vec::new();
    for (loaded, seats) in rules {
        for (seed, moves) in [(1, 0), (2, 1), (3, 5), (4, 13), (5, 40), (6, 111), (7, 200), (8, 2000)] {
            let (mut game, _) = Playthrough::start(loaded.clone(), seats, seed, Vec::new()).unwrap();
            game.advance(Box::new(Random::new(seed)), Until::Decisions(moves)).unwrap();
            assert_eq!(game.position().failed, None);
            games.push(game);
        }
    }
    games
}

const VIEWERS: [Viewer; 3] = [EVERYTHING, Viewer::Seat(Seat(0)), Viewer::Memory(Seat(1))];

/// Looks at everything that is drawn of a game, at every width, with every viewer's eyes and in both languages.
fn assert_no_line_is_too_wide(game: &Playthrough) {
    for width in (MIN_WIDTH..=140).step_by(4).chain([41, 79, 81, 99, 101, 119]) {
        for (viewer, language) in
            VIEWERS.into_iter().flat_map(|one| [(one, Language::English), (one, Language::Japanese)])
        {
            let scene = scene(game, viewer, language, width);
            let mut lines = lines(&scene);
            lines.extend(log(&scene, &game.position().events.clone().into_vec()));
            lines.extend(history(&scene, game.timeline()));
            lines.extend(tree(&scene, game.timeline()));
            for line in lines {
                let text = line.text();
                let columns = unicode_width::UnicodeWidthStr::width(text.as_str());
                assert!(columns <= width && line.width() <= width, "{columns} columns, not {width}: {text}");
                assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{7}', '\n', '\t']), "{text:?}");
                assert!(!text.ends_with(' '), "blanks at the end of {text:?}");
            }
        }
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the longest of these tests would keep one core waiting for the other")]
fn no_line_is_ever_wider_than_the_terminal() {
    std::thread::scope(|scope| {
        for game in many_games() {
            scope.spawn(move || assert_no_line_is_too_wide(&game));
        }
    });
}

#[test]
fn colour_changes_nothing_but_colour() {
    for game in many_games() {
        for language in [Language::English, Language::Japanese] {
            let lines = lines(&scene(&game, EVERYTHING, language, 80));
            let plain = render(&lines, false);
            let colored = render(&lines, true);
            assert_ne!(plain, colored);
            assert_eq!(anstream::adapter::strip_str(&colored).to_string(), plain);
        }
    }
}

#[test]
fn what_a_seat_does_not_know_changes_nothing_it_sees() {
    for game in many_games() {
        for seat in [Seat(0), Seat(1)] {
            let mut other = game.position().clone();
            let mut stream = Stream::named(9, "another world", 0);
            other.table.determinize(&game.loaded().layout, seat, &mut stream);
            // Marks, notes and running scores would come out differently where they rest on hidden faces.
            for caption in &mut other.captions {
                if game.loaded().layout.zones[caption.zone.index()].visible != Visibility::All {
                    caption.note = Some(Value::Text("another".into()));
                }
            }
            for viewer in [Viewer::Seat(seat), Viewer::Memory(seat)] {
                let here = scene(&game, viewer, Language::English, 80);
                let there = Scene { position: &other, ..here };
                assert_eq!(render(&table(&here), false), render(&table(&there), false));
                let asked = game.position().open.as_ref().and_then(|open| open.seat);
                if asked.is_some_and(|asked| asked != seat) {
                    assert_eq!(render(&decision(&here), false), render(&decision(&there), false));
                }
            }
        }
    }
}

#[test]
fn many_options_stand_in_columns() {
    let option = |number: i64| crate::table::decision::OptionShown {
        label: number.to_string(),
        value: Value::Text(number.to_string().into()),
    };
    let mut game = up_or_down(&[], 2, 0).position().clone();
    let mut open = (**game.open.as_ref().unwrap()).clone();
    open.options = (1..=23).map(|number| option(number * 25)).collect();
    (open.min, open.max) = (0, 3);
    game.open = Some(Arc::new(open));
    let holder = up_or_down(&[], 2, 0);
    let scene = Scene { position: &game, ..scene(&holder, EVERYTHING, Language::English, 40) };
    check(
        &decision(&scene),
        r"
p1, play a card to the ring
· choose 0 to 3
   1  25       9  225     17  425
   2  50      10  250     18  450
   3  75      11  275     19  475
   4  100     12  300     20  500
   5  125     13  325     21  525
   6  150     14  350     22  550
   7  175     15  375     23  575
   8  200     16  400
",
    );
}

/// Both screens that people have, in both languages: the whole table with what is asked, the prompt below, and nothing
/// scrolls away.
#[test]
fn every_shipped_game_fits_the_screen() {
    let shipped = shipped();
    for entry in shipped.games() {
        let layer = Ruleset::load(&shipped, &Selection::of(&entry.id)).unwrap().definition.players;
        for seats in [2, 4, 6].into_iter().filter(|seats| (layer.0..=layer.1).contains(seats)) {
            let loaded = load(&shipped, &entry.id, &[], seats);
            let (mut game, _) = Playthrough::start(loaded, seats, 7, Vec::new()).unwrap();
            while game.position().open.is_some() {
                game.advance(Box::new(Random::new(7)), Until::Decisions(90)).unwrap();
                if game.timeline().cursor() > 200 {
                    break;
                }
                for (width, height) in [(80, 24), (120, 40)] {
                    for language in [Language::English, Language::Japanese] {
                        let all = scene(&game, EVERYTHING, language, width);
                        let drawn = look(&Scene { height: Some(height), ..all });
                        let text = render(&drawn, false);
                        let options = render(&decision::short_decision(&all), false);
                        assert!(drawn.len() < height, "{} lines of {height}:\n{text}", drawn.len());
                        assert!(drawn.iter().all(|line| line.width() <= width), "{text}");
                        assert!(text.ends_with(&options) || text.ends_with(&render(&decision(&all), false)), "{text}");
                        let name = all.ruleset.game.name.get(language);
                        assert!(text.starts_with(name), "no header:\n{text}");
                    }
                }
            }
        }
    }
}

#[test]
fn six_players_stand_side_by_side_where_they_would_scroll_away() {
    let game = up_or_down(&[], 6, 150);
    let all = scene(&game, EVERYTHING, Language::English, 80);
    check(
        &look(&Scene { height: Some(24), ..all }),
        r"
Up or Down? · 6 players · seed 42                      play · turn 38 · move 150
 p1   hand 14·r 54·g 94·k   discard 2     p2 ► hand 79·y 85·y   discard 2
                           standing 10                              standing  6
      1 ↑ 12·g 120·g 124·k   3 × 2 = 6         1 · 10·k               1 × 1 = 1
      2 · 86·r               1 × 1 = 1         2 ↑ 40·k 60·g          2 × 1 = 2
      3 · 33·b               1 × 1 = 1         3 · 115·y              1 × 1 = 1
 p3   hand 22·k 118·k 125·p               p4   hand 80·r 83·p 114·g   discard 0
      discard 3            standing  6                              standing  8
      1 · 92·r               1 × 1 = 1         1 ↑ 26·r 90·g          2 × 1 = 2
      2 · 88·k               1 × 1 = 1         2 ↓ 89·p 31·y          2 × 1 = 2
      3 · 5·p                1 × 1 = 1         3 ↓ 91·y 61·y          2 × 2 = 4
 p5   hand 4·k 6·g 112·k   discard 2      p6   hand 21·b 35·p 67·y   discard 2
                           standing  6                              standing  6
      1 · 17·p               1 × 1 = 1         1 ↓ 110·r 18·g         2 × 1 = 2
      2 · 102·g              1 × 1 = 1         2 · 9·b                1 × 1 = 1
      3 ↓ 121·y 99·b         2 × 1 = 2         3 · 28·k               1 × 1 = 1
 ring            3·b  8·r  11·p  45·b  76·k  119·p  122·r
 face-down pile  33    face-up pile  32 ▲ 56·r
p2, place the card you took
  1  extend column 1   · 10·k          4  abandon column 2  ↑ 40·k 60·g
  2  extend column 3   · 115·y         5  abandon column 3  · 115·y
  3  abandon column 1  · 10·k
",
    );
}

#[test]
fn what_others_have_is_counted_where_nothing_else_helps() {
    let game = up_or_down(&[], 6, 330);
    let all = scene(&game, EVERYTHING, Language::English, 80);
    check(
        &look(&Scene { height: Some(18), ..all }),
        r"
Up or Down? · 6 players · seed 42                      play · turn 83 · move 330
 p1   hand 23·p 42·g 62·r    column  ·1 ·1 ·1   discard 11           standing 14
 p2   hand 44·r 50·r 96·g    column  ·1 ·1 ↓2   discard 10           standing 16
 p3   hand 25·y 30·g 104·r   column  ·1 ·1 ·1   discard 11           standing 14
 p4   hand 59·p 73·y 113·p   column  ·1 ·1 ↓2   discard 10           standing 14
 p5 ► hand 43·y 100·k        discard 9                               standing 13
      1 · 82·k        1 × 1 = 1
      2 ↑ 52·k 68·r   2 × 1 = 2
      3 · 45·b        1 × 1 = 1
 p6   hand 46·k 66·g 117·b   column  ·1 ↓2 ↑2   discard  8           standing 13
 ring            14·r  21·b  37·y  38·r  39·b  74·r  111·b
 face-down pile  15    face-up pile  5 ▲ 19·y
 not all is shown: `table` shows everything
p5, place the card you took
  1  extend column 1   · 82·k          4  abandon column 2  ↑ 52·k 68·r
  2  extend column 3   · 45·b          5  abandon column 3  · 45·b
  3  abandon column 1  · 82·k
",
    );
}

#[test]
fn a_screen_that_is_far_too_low_keeps_the_header_and_what_is_asked() {
    let game = up_or_down(&[], 6, 150);
    let all = scene(&game, EVERYTHING, Language::English, 80);
    for height in 10..40 {
        let drawn = look(&Scene { height: Some(height), ..all });
        assert!(drawn.len() < height, "{height}");
        let text = render(&drawn, false);
        assert!(text.starts_with("Up or Down?") && text.contains("place the card"), "{height}:\n{text}");
        assert!(text.contains("`table` shows everything") || text.contains(" p6 "), "{height}:\n{text}");
    }
}

#[test]
fn of_others_the_scores_are_left_at_last() {
    let game = up_or_down(&[], 6, 330);
    let all = scene(&game, EVERYTHING, Language::English, 60);
    check(
        &look(&Scene { height: Some(20), ..all }),
        r"
Up or Down? · 6 players · seed 42
 play · turn 83 · move 330
 p1 14    p2 16    p3 14    p4 14    p6 13
 p5 ► hand 43·y 100·k   discard 9                standing 13
      1 · 82·k        1 × 1 = 1
      2 ↑ 52·k 68·r   2 × 1 = 2
      3 · 45·b        1 × 1 = 1
 ring            14·r  21·b  37·y  38·r  39·b  74·r  111·b
 face-down pile  15    face-up pile  5 ▲ 19·y
 not all is shown: `table` shows everything
p5, place the card you took
  1  extend column 1   · 82·k
  2  extend column 3   · 45·b
  3  abandon column 1  · 82·k
  4  abandon column 2  ↑ 52·k 68·r
  5  abandon column 3  · 45·b
",
    );
}

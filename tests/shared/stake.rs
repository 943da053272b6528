// The game of the examples in the documentation of the crate, which include this file.

/// The library of a small game, in memory.
fn stake() -> houserule::Library {
    let files = houserule::MemoryFiles::new([
        (
            "games/stake/game.toml",
            "id = 'stake'\nname = 'Stake'\nplayers = { min = 2, max = 4 }\n\
             [text]\nstake = 'stake'\njust_staked = 'this was staked just now'\n",
        ),
        (
            "games/stake/rules.rhai",
            r#"
fn game() {
    for round in 1..=3 {
        begin_round();
        let last = 0;
        for p in players {
            last = p.choose("stake", [1, 2, 3], |stake| if stake == last { "just_staked" } else { true });
            score(p, last);
        }
    }
}
fn score(p, stake) { p.award(stake, "stake"); }
"#,
        ),
        (
            "variants/stake/double.toml",
            "id = 'double'\ngame = 'stake'\nname = 'Double'\n\
             [script]\nrhai = 'fn score(p, stake) { p.award(2 * stake, \"stake\"); }'\n",
        ),
        (
            "tests/scenarios/stake/s1.toml",
            "id = 'S1'\ntitle = 'A stake is scored'\ngame = 'stake'\nplayers = 2\n\
             [when]\ncall = 'score(p1, 3)'\n[[then]]\nawards = ['p1 3 stake']\n",
        ),
    ]);
    houserule::Library::of(std::sync::Arc::new(files), vec!["".into()])
}

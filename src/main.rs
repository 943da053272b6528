//! The command line.
use houserule::{
    agent::Random,
    definition::Library,
    ruleset::*,
    script::{worker::Worker, *},
};
use std::sync::Arc;
fn main() {
    let library = Library::discover(None);
    let args: Vec<String> = std::env::args().skip(1).collect();
    let sel = Selection { game: "up-or-down".into(), variants: args, set: vec![] };
    let rs = match Ruleset::load(&library, &sel) {
        Ok(r) => Arc::new(r),
        Err(e) => {
            for e in e {
                println!("{}", e.render(true));
            }
            return;
        }
    };
    let t = std::time::Instant::now();
    let w = match Worker::start(move || Interpreter::new(rs, 3, Default::default())) {
        Ok(r) => r,
        Err(e) => {
            for e in e {
                println!("{}", e.render(true));
            }
            return;
        }
    };
    println!("compile {:?}", t.elapsed());
    for _ in 0..5 {
        w.call(|i| {
            let t = std::time::Instant::now();
            let mut d = 0;
            let n = 300;
            for g in 0..n {
                let e = i.run(&Entry::Game, g, Box::new(Random::new(g)), None);
                if let End::Failed(e) = &e {
                    println!("{}", e.render(true));
                    return;
                }
                d += i.table().decisions();
            }
            let s = t.elapsed().as_secs_f64();
            println!("{n} games {d} decisions {:.0}/s  {:?}", d as f64 / s, i.table().ranking());
        })
        .unwrap();
    }
}

//! Rulebooks of every game and variant, and of games that mean no good.

#![allow(clippy::unwrap_used, clippy::panic)]

use super::markdown::markdown;
use super::*;
use crate::games::{shipped, small};
use crate::ruleset::{Ruleset, Selection};
use crate::screen::html::markup::{HOSTILE, tags, values};
use crate::screen::html::rulebook::page;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The rulebook of rules, in a language.
fn book_of(loaded: &Playable, language: Language) -> Rulebook {
    book_with(&Examples::of(loaded, &shipped()), loaded, language)
}

/// The same, with examples whose rules are compiled once for several books.
fn book_with(examples: &Examples<'_>, loaded: &Playable, language: Language) -> Rulebook {
    Rulebook::of(loaded, RulebookScope { language, players: None, changes: false, examples })
        .unwrap_or_else(|errors| panic!("{errors}"))
}

fn compiled(ruleset: Arc<Ruleset>) -> Playable {
    let seats = ruleset.definition.players.0;
    Playable::compile(ruleset, seats, Arc::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Every game alone, and with each of its variants.
fn all_selections() -> Vec<Selection> {
    let library = shipped();
    let mut all = Vec::new();
    for game in library.games() {
        let plain = Selection::of(&game.id);
        let variants = library.variants(&game.id).into_iter().map(|variant| plain.clone().with(&variant.id));
        all.extend(std::iter::once(plain.clone()).chain(variants));
    }
    all
}

/// What a reader sees of a page: no tags, no styles.
fn words_of(page: &str) -> String {
    let (_, body) = page.split_once("<body>").unwrap();
    body.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text).collect::<Vec<_>>().join(" ")
}

/// A word with an underscore: a name of a file, not of a person.
fn ids_in(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let is_id = |word: &&str| word.trim_matches('_').contains('_');
    words.filter(is_id).map(str::to_owned).collect()
}

/// Looks through the rulebook of rules in one language; tells how many variants it lists.
fn listed_without_holes(loaded: &Playable, examples: &Examples<'_>, language: Language) -> usize {
    let mut variants = 0;
    let name = loaded.ruleset.selection.command("doc");
    let book = book_with(examples, loaded, language);
    assert!(book.start.position().failed.is_none(), "{name}");
    let has_prose = loaded.ruleset.game.has_prose();
    let own: &[&str] = if has_prose { &[] } else { &["rules", "decisions"] };
    for id in ["components", "places", "glossary"].iter().chain(own) {
        assert!(book.sections.iter().any(|section| section.id == *id), "{name}: no {id}");
    }
    assert!(!has_prose || book.sections.iter().any(|section| section.id.starts_with("rule-")), "{name}");
    for section in &book.sections {
        assert!(!section.blocks.is_empty(), "{name}: {}", section.id);
        for block in &section.blocks {
            match block {
                Block::Text(text) | Block::Start(text) => assert!(!text.trim().is_empty(), "{name}"),
                Block::Table(table) => {
                    assert!(!table.rows.is_empty(), "{name}: {}", section.id);
                    for row in &table.rows {
                        assert_eq!(row.cells.len(), table.heads.len(), "{name}: {}", section.id);
                        let is_filled = |said: &LocalText| !said.text.trim().is_empty();
                        assert!(row.cells.iter().all(is_filled), "{name}: {}", section.id);
                    }
                }
                Block::Faces(faces) => assert!(!faces.fronts.is_empty(), "{name}: {}", faces.title),
                Block::Rules(rules) => {
                    assert!(has_prose || rules.len() > 2, "{name}");
                    for rule in rules {
                        let says = !rule.texts.is_empty() || !rule.facts.is_empty();
                        assert!(says || rule.depth == 0, "{name}: {rule:?}");
                    }
                }
                Block::Variants => variants += book.variants.len(),
                Block::Prose(passage, ..) => {
                    assert!(!matches!(passage, Passage::Paragraph(pieces) if pieces.is_empty()), "{name}")
                }
                Block::Example(example) => {
                    assert!(!example.story.is_empty() || example.before.is_none(), "{name}")
                }
            }
        }
    }
    let html = page(&book).unwrap();
    let text = markdown(&book);
    for variant in &book.variants {
        // In the list at the top, among the variants, and at least once where it matters.
        let mark = format!("<span class=\"by-variant\">{}</span>", crate::screen::html::escape(&variant.name));
        assert!(html.matches(&mark).count() > 2, "{name}: {} changes nothing", variant.name);
    }
    assert_eq!(ids_in(&words_of(&html)), Vec::<String>::new(), "{name}");
    assert_eq!(ids_in(&text.replace("\\_", "_")), Vec::<String>::new(), "{name}");
    let again = book_with(examples, loaded, language);
    assert_eq!((page(&again).unwrap(), markdown(&again)), (html.clone(), text), "{name}: equal rules");

    tags(&html);
    let ids = values(&html, "id");
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{name}: an id stands twice");
    for reference in values(&html, "href").into_iter().map(|link| link.strip_prefix('#').unwrap()) {
        assert!(ids.contains(&reference), "{name}: {reference}");
    }
    for reference in values(&html, "aria-labelledby") {
        assert!(ids.contains(&reference), "{name}: {reference}");
    }
    assert!(!html.contains("aria-label=\"\""), "{name}: a label that says nothing");
    for outside in ["http:", "https:", " src=", "url(", "@import", "<script", " onclick=", "javascript:"] {
        assert!(!html.contains(outside), "{name}: {outside}");
    }
    variants
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a test as long as this would keep one core waiting for the other")]
fn every_game_with_every_variant_has_a_rulebook_without_holes() {
    let (library, all) = (shipped(), all_selections());
    let listed = |selection: &Selection| {
        let loaded = compiled(Arc::new(Ruleset::load(&library, selection).unwrap()));
        let examples = Examples::of(&loaded, &library);
        Language::ALL.map(|language| listed_without_holes(&loaded, &examples, language)).into_iter().sum::<usize>()
    };
    // One thread takes every other of them.
    let half = |first: usize| all.iter().skip(first).step_by(2).map(listed).sum::<usize>();
    let variants = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        half(0) + other.join().unwrap()
    });
    assert!(variants > 100, "{variants}");
}

#[test]
fn what_a_variant_changes_is_marked_in_its_place() {
    let definition = "id = 'small'\nname = 'Small'\nplayers = { min = 2, max = 2 }\n[data]\nbonus = 2\n\
        [components.card]\nkind = 'card'\nid = '{number}'\nattributes.number = { from = 1, to = 4 }\n\
        [zones.deck]\nname = 'deck'\norder = 'pile'\nvisible = 'none'\n\
        [text]\nask = 'go on or stop'\ngo_on = 'go on'\nstop = 'stop'\nend = 'the end'\nlucky = 'luck'\n";
    let rules = "/// Two turns.\nfn game() { components(\"card\").move_to(deck); for p in players { turn(p); } }\n\
        /// Whether `p` goes on.\nfn turn(p) { let all = [\"go_on\"]; all += \"stop\"; p.choose(\"ask\", all); pay(p); }\n\
        /// Pays.\n/// ja: 支払う。\nfn pay(p) { p.award(data.bonus, \"end\"); }\n\
        /// Never said.\nfn luck(p) { p.award(1, \"lucky\"); }";
    let variant = "id = 'rich'\ngame = 'small'\nname = 'Rich'\nabout = 'It pays more.'\n[data]\n# So much more.\nbonus = 5\n\
        [script]\nrhai = \"fn pay(p) { luck(p); }\"\n";
    let files = [("variants/small/rich.toml", variant)];
    let book = |variants: &[&str], language| {
        markdown(&book_of(&compiled(small(definition, rules, &files, variants)), language))
    };
    let plain = book(&[], Language::English);
    for line in [
        "### 1 Turn\n\nWhether the player goes on.\n",
        "* You decide: *go on or stop* (go on / stop)\n",
        "**1.1 Pay** Pays.\n",
        "* Points for: *the end*\n",
        "| Bonus | 2 |",
    ] {
        assert!(plain.contains(line), "{line}\n{plain}");
    }
    assert!(!plain.contains("Never said") && !plain.contains("Rich"), "{plain}");
    let rich = book(&["rich"], Language::English);
    for line in [
        "* **Rich**: It pays more.\n",
        "**1.1 Pay** (instead of ~~Pays.~~)\n\n**\\[Rich\\]** It pays more.\n",
        "**\\[Rich\\]** Never said.\n",
        "* Points for: *luck* **\\[Rich\\]**\n",
        "| Bonus **\\[Rich\\]** | 5; was 2 | So much more. |",
    ] {
        assert!(rich.contains(line), "{line}\n{rich}");
    }
    let japanese = book(&[], Language::Japanese);
    assert!(japanese.contains("**1.1** 支払う。\n") && japanese.contains("説明文は英語"), "{japanese}");
}

#[test]
fn no_text_of_a_game_can_say_anything_but_itself() {
    let with = |text: &str| {
        let written = text.replace('\n', " ");
        let text = toml::Value::String(text.to_owned());
        let definition = format!(
            "id = 'small'\nname = {text}\nabout = {text}\nauthor = {text}\nplayers = {{ min = 2, max = 2 }}\n\
             settings.of = {{ default = {text}, help = {text} }}\n\
             [data]\n# {written}\nlist = [{text}]\n\
             [components.card]\nkind = 'card'\nid = 'c{{n}}'\nface = {text}\nattributes.n = [1, 2, 3]\n\
             [zones.deck]\nname = {text}\nnote = 'said'\nvisible = 'all'\norder = 'row'\n\
             [attributes.n]\n1 = {{ en = {text}, short = 'o' }}\n\
             [variables]\nwhat = {{ default = '', name = {text} }}\n[text]\nask = {text}\nwhy = {text}\n"
        );
        let rules = format!(
            "/// {written}\nfn game() {{ components(\"card\").move_to(deck); players[1].award(1, \"why\"); \
             begin_phase(\"why\"); note({written:?}); players[1].choose(\"ask\", [\"why\", \"b\"]); turn(); }}\n\
             /// {written}\nfn turn() {{ note(\"why\"); }}\n/// {written}\nfn said(z) {{ {written:?} }}"
        );
        let variant = format!(
            "id = 'more'\ngame = 'small'\nname = {text}\nabout = {text}\n[script]\nrhai = \"fn turn() {{ }}\"\n"
        );
        let loaded = compiled(small(&definition, &rules, &[("variants/small/more.toml", &variant)], &["more"]));
        book_of(&loaded, Language::English)
    };
    let (plain, hostile) = (with("plain"), with(HOSTILE));
    let (plain_page, hostile_page) = (page(&plain).unwrap(), page(&hostile).unwrap());
    let names = |page: &str| -> Vec<String> {
        tags(page).iter().map(|tag| tag.split([' ', '\n']).next().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&plain_page), names(&hostile_page));
    assert!(hostile_page.contains("&lt;img src=x&gt;"));
    let text = markdown(&hostile);
    // Of HTML there is the first line, and the marks that the contents lead to.
    let tags: Vec<&str> = text.split('<').skip(1).collect();
    let is_own = |tag: &&str| tag.starts_with("!-- houserule") || tag.starts_with("a id=\"") || tag.starts_with("/a>");
    let shown = tags.iter().filter(|tag| !is_own(tag)).collect::<Vec<_>>();
    let fence = text.split("```").nth(1).unwrap();
    assert_eq!(shown.len(), fence.matches('<').count(), "{shown:?}");
    let link = markdown(&with("[x](javascript:y) ![z](w) `q` https://a.b | #"));
    // What is escaped is no mark.
    let marks = |part: &str| part.replace("\\]", "").replace("\\`", "");
    assert!(!link.split("```").step_by(2).map(marks).any(|part| part.contains("](java") || part.contains("https://")));
    assert!(!link.split("```").step_by(2).map(marks).any(|part| part.contains('`')), "{link}");
}

#[test]
fn rules_that_fail_at_once_still_have_a_rulebook() {
    let definition = "id = 'small'\nname = 'Small'\nplayers = { min = 2, max = 2 }\n";
    let loaded = compiled(small(definition, "/// Fails.\nfn game() { throw \"no\"; }", &[], &[]));
    let book = book_of(&loaded, Language::English);
    assert!(book.sections.iter().all(|section| !section.blocks.is_empty()));
    assert!(markdown(&book).contains("Fails."));
    assert!(!page(&book).unwrap().contains("id=\"table\""));
}

/// Rules in which everything leads to everything else are told as quickly as others.
#[test]
fn options_that_are_made_of_each_other_are_followed_once() {
    let definition = "id = 'small'\nname = 'Small'\nplayers = { min = 2, max = 2 }\n\
        [text]\nask = 'go on or stop'\ngo_on = 'go on'\nstop = 'stop'\nwait = 'wait'\nend = 'the end'\nbonus = 'bonus'\n";
    let many = |line: &str| line.repeat(60);
    let rules = format!(
        "/// Asks.\nfn game() {{ let p = players[1]; let all = [\"go_on\"]; let more = [];\n\
         if p.score > 9 {{ {}{} }}\np.choose(\"ask\", all + words(1)); p.award(1, why(1)); }}\n\
         fn words(n) {{ {} [\"wait\"] }}\nfn why(n) {{ {} \"end\" }}\nfn why_not(n) {{ {} \"bonus\" }}\n",
        many("all = all + more + [\"stop\"];\n"),
        many("more = more + all;\n"),
        many("if n > 1 { return words(n - 1); }\n"),
        many("if n > 1 { return why_not(n); }\n"),
        many("if n > 2 { return why(n - 1); }\n"),
    );
    let loaded = compiled(small(definition, &rules, &[], &[]));
    let text = markdown(&book_of(&loaded, Language::English));
    for line in ["*go on or stop* (go on / stop / wait)\n", "* Points for: *the end*", "*bonus*"] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

/// What a page of comments once told wrongly: each is a kind of its own.
#[test]
fn a_page_of_comments_tells_nothing_that_is_not_so() {
    let definition = "id = 'small'\nname = 'Small'\nplayers = { min = 2, max = 2 }\ndata.limit = 3\n\
        [components.tile]\nkind = 'token'\nid = 'tile-{copy}'\nface = '{side}'\nsides = ['day', 'night']\ncopies = 9\n\
        [zones.deck]\nname = 'deck'\norder = 'pile'\nvisible = 'none'\n\
        [text]\nlimit = 'too much for you'\nlost = 'points lost'\nfirst = 'the first'\nask = 'go on'\nno_way = 'no way'\n";
    let rules = "/// All of it.\nfn game() { components(\"tile\").move_to(deck); for p in players { turn(p); } players[1].win(\"first\"); }\n\
        /// It costs.\nfn turn(p) { let loss = -data.limit; p.award(loss, \"lost\"); helper(p); odds(p);\n\
        p.choose(\"ask\", [1], [2], |x| \"no_way\"); }\n\
        /// Plumbing.\nprivate fn helper(p) { deck.shuffle(); }\n\
        /// How long it takes.\nfn odds(p) { draw_number(`odds ${p}`, 0, 3) }\n";
    let loaded = compiled(small(definition, rules, &[], &[]));
    let text = markdown(&book_of(&loaded, Language::English));
    for line in
        ["* Costs points: *points lost*\n", "* Not allowed, because: *no way*\n", "| Limit | 3 |", "\nday / night\n"]
    {
        assert!(text.contains(line), "{line}\n{text}");
    }
    // Somebody wins by something else than points, and neither the numbers nor what helps has words of its own.
    for line in ["most points wins", "Points for: *points lost*", "Plumbing", "How long", "| too much"] {
        assert!(!text.contains(line), "{line}\n{text}");
    }
    let japanese = markdown(&book_of(&loaded, Language::Japanese));
    assert!(japanese.contains("できない理由") && japanese.contains("プレイヤー数: 2人"), "{japanese}");
}

//! The notation of rigged chance: `lot start p2`, `lot start "go first"`.

/// A stream and its fixed result, on one line.
pub(super) fn rig_text(stream: &str, result: &[String]) -> String {
    let (act, name) = stream.split_once(' ').unwrap_or((stream, ""));
    let words = result.iter().map(String::as_str);
    std::iter::once(name).chain(words).fold(act.to_owned(), |text, word| format!("{text} {}", written(word)))
}

/// The words of a rig; quoted text is one word.
pub(super) fn rig_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (word, behind) = in_quotes(rest).unwrap_or_else(|| {
            let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            (word.to_owned(), behind)
        });
        words.push(word);
        rest = behind.trim_start();
    }
    words
}

/// A word, quoted where necessary.
fn written(word: &str) -> String {
    let is_one = !word.is_empty() && !word.contains(char::is_whitespace) && !word.starts_with('"');
    if is_one { word.to_owned() } else { format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\"")) }
}

/// The quoted word at the beginning of a text, and the rest.
fn in_quotes(text: &str) -> Option<(String, &str)> {
    let mut letters = text.strip_prefix('"')?.char_indices();
    let mut word = String::new();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => {
                // `at` does not count the opening quote.
                let behind = &text[at + 2..];
                return (behind.is_empty() || behind.starts_with(char::is_whitespace)).then_some((word, behind));
            }
            '\\' => word.extend(letters.next().map(|(_, letter)| letter)),
            letter => word.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_as_it_was() {
        for result in [&["p2"][..], &["go first", "", "a \"b\"", "\"", "c\\d", "\"x", " "], &["it's", "x\"y", "\\"]] {
            let text = rig_text("lot start", result.iter().map(|&word| word.to_owned()).collect::<Vec<_>>().as_slice());
            assert_eq!(rig_words(&text), [&["lot", "start"], result].concat(), "{text}");
        }
        assert_eq!(rig_text("lot who now", &["p2".to_owned()]), "lot \"who now\" p2");
        assert_eq!(rig_words("  shuffle  deck 14\t3 "), ["shuffle", "deck", "14", "3"]);
        assert_eq!(rig_words("lot a \"b c"), ["lot", "a", "\"b", "c"]);
        assert_eq!(rig_words("lot a \"b\"c"), ["lot", "a", "\"b\"c"]);
    }
}

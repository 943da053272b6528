//! The signs that come with the program, as outlines in a square of a hundred. A sign says by its shape what elsewhere a
//! colour says, so that paper without colours can be read.

use std::sync::LazyLock;

/// A sign that can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sign {
    /// What designers call it.
    pub name: &'static str,
    /// What it is written as in a text, if anything is.
    glyphs: &'static str,
    /// The colour that it stands for, if it stands for one.
    color: &'static str,
    /// Its outline. What is outlined twice is left out.
    pub path: &'static str,
}

/// Every sign: a line of the file has its name, its glyphs, its colour and its path.
pub static SIGNS: LazyLock<Vec<Sign>> = LazyLock::new(|| {
    let sign = |line: &'static str| {
        let mut cells = line.split('\t');
        Some(Sign { name: cells.next()?, glyphs: cells.next()?, color: cells.next()?, path: cells.next()? })
    };
    include_str!("signs.tsv").lines().filter_map(sign).collect()
});

impl Sign {
    /// The sign of a name.
    pub fn named(name: &str) -> Option<&'static Sign> {
        SIGNS.iter().find(|sign| sign.name == name)
    }

    /// The sign that a text of one letter stands for: `♠`.
    pub fn written(text: &str) -> Option<&'static Sign> {
        // A sign may be followed by whether it is drawn as a picture.
        let mut letters = text.trim().chars().filter(|letter| *letter != '\u{fe0e}' && *letter != '\u{fe0f}');
        let letter = letters.next().filter(|_| letters.next().is_none())?;
        SIGNS.iter().find(|sign| sign.glyphs.contains(letter))
    }

    /// The sign that stands for a colour.
    pub fn of_color(color: &str) -> Option<&'static Sign> {
        SIGNS.iter().find(|sign| sign.color == color && !color.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::COLORS;

    #[test]
    fn every_colour_has_a_sign_of_its_own() {
        let mut signs: Vec<&str> =
            COLORS.iter().map(|color| Sign::of_color(color).map_or("", |sign| sign.name)).collect();
        assert!(!signs.contains(&""), "{signs:?}");
        signs.sort_unstable();
        signs.dedup();
        assert_eq!(signs.len(), COLORS.len());
        assert_eq!(Sign::of_color(""), None);
    }

    #[test]
    fn a_sign_is_known_by_its_letter_alone() {
        assert_eq!(Sign::written("♠\u{fe0e}").map(|sign| sign.name), Some("spade"));
        assert_eq!([Sign::written("♠♠"), Sign::written("7"), Sign::written(""), Sign::written("∞")], [None; 4]);
        let mut names: Vec<&str> = SIGNS.iter().map(|sign| sign.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!((names.len(), SIGNS.len()), (36, 36));
    }
}

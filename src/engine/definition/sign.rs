//! The signs that ship with the program, as outlines in a square of 100 by 100. A sign tells by its shape what a colour
//! tells elsewhere, so that paper without colours can be read.

use std::sync::LazyLock;

/// A sign that can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sign {
    /// Name of the sign for designers.
    pub name: &'static str,
    /// The characters that stand for the sign in a text; empty where there are none.
    glyphs: &'static str,
    /// The colour that the sign stands for; empty where it stands for none.
    color: &'static str,
    /// The outline as the data of an SVG path, to be filled by the even-odd rule.
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
    /// The sign of this name.
    pub fn named(name: &str) -> Option<&'static Sign> {
        SIGNS.iter().find(|sign| sign.name == name)
    }

    /// The sign for a text of one character: `♠`; `None` where the text is longer, or no sign has the character.
    pub fn written(text: &str) -> Option<&'static Sign> {
        // The character may be followed by a variation selector.
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

//! The signs that come with the program, as outlines in a square of a hundred. A sign says by its shape what elsewhere a
//! colour says, so that paper without colours can be read.

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

/// A line of the table.
const fn sign(name: &'static str, glyphs: &'static str, color: &'static str, path: &'static str) -> Sign {
    Sign { name, glyphs, color, path }
}

/// Every sign.
pub const SIGNS: &[Sign] = &[
    sign(
        "spade",
        "♠♤",
        "",
        "M50 6C62 24 92 40 92 62a20 20 0 0 1-36 12c1 9 4 14 10 18H34c6-4 9-9 10-18A20 20 0 0 1 8 62C8 40 38 24 50 6z",
    ),
    sign(
        "heart",
        "♥♡❤",
        "bright-magenta",
        "M50 92C18 66 6 50 6 32A22 22 0 0 1 50 24 22 22 0 0 1 94 32C94 50 82 66 50 92z",
    ),
    sign("diamond", "♦♢◆", "magenta", "M50 4L88 50 50 96 12 50z"),
    sign("open-diamond", "◇", "", "M50 4L88 50 50 96 12 50zM50 22L28 50 50 78 72 50z"),
    sign(
        "club",
        "♣♧",
        "",
        "M50 8a20 20 0 0 1 15 33 20 20 0 1 1-9 30c1 9 4 15 10 21H34c6-6 9-12 10-21a20 20 0 1 1-9-30A20 20 0 0 1 50 8z",
    ),
    sign("disc", "●•", "black", "M50 8a42 42 0 1 1 0 84 42 42 0 1 1 0-84z"),
    sign("ring", "○◯", "blue", "M50 8a42 42 0 1 1 0 84 42 42 0 1 1 0-84zM50 27a23 23 0 1 0 0 46 23 23 0 1 0 0-46z"),
    sign("square", "■", "green", "M12 12H88V88H12z"),
    sign("open-square", "□", "bright-black", "M12 12H88V88H12zM28 28V72H72V28z"),
    sign("triangle", "▲△", "red", "M50 8L94 88H6z"),
    sign("triangle-down", "▼▽", "bright-red", "M50 92L6 12H94z"),
    sign("hexagon", "⬡⬢", "cyan", "M50 3L91 27V73L50 97 9 73V27z"),
    sign("star", "★☆", "yellow", "M50 2L61 35 96 35 68 56 78 89 50 69 22 89 32 56 4 35 39 35z"),
    sign(
        "sun",
        "☀☼",
        "bright-yellow",
        "M50 2L61 24 84 16 76 39 98 50 76 61 84 84 61 76 50 98 39 76 16 84 24 61 2 50 24 39 16 16 39 24z",
    ),
    sign("moon", "☾☽", "bright-cyan", "M66 8A44 44 0 1 0 66 92 46 46 0 0 1 66 8z"),
    sign("cross", "✕✖", "white", "M22 8L50 36 78 8 92 22 64 50 92 78 78 92 50 64 22 92 8 78 36 50 8 22z"),
    sign("plus", "✚", "bright-white", "M38 8H62V38H92V62H62V92H38V62H8V38H38z"),
    sign("minus", "", "", "M8 38H92V62H8z"),
    sign("drop", "", "bright-blue", "M50 4C66 30 84 46 84 64a34 34 0 0 1-68 0C16 46 34 30 50 4z"),
    sign("leaf", "", "bright-green", "M90 10C90 60 66 90 26 82L14 94 6 86 20 72C12 34 40 10 90 10z"),
    sign("up", "↑", "", "M50 6L92 50H66V94H34V50H8z"),
    sign("down", "↓", "", "M50 94L8 50H34V6H66V50H92z"),
    sign("left", "←", "", "M6 50L50 8V34H94V66H50V92z"),
    sign("right", "→", "", "M94 50L50 92V66H6V34H50V8z"),
    sign("turn", "↻", "", "M50 12a40 40 0 1 0 40 40H74a24 24 0 1 1-24-24V42L84 20 50 0z"),
    sign("crown", "♛♕", "", "M8 78V26L30 50 50 12 70 50 92 26V78zM8 84H92V94H8z"),
    sign("shield", "", "", "M50 4L90 18V48C90 72 72 88 50 96 28 88 10 72 10 48V18z"),
    sign("sword", "", "", "M94 6L90 28 48 68 56 76 47 85 36 74 17 93 7 83 26 64 15 53 24 44 32 52 72 10z"),
    sign("coin", "", "", "M50 6a44 44 0 1 1 0 88 44 44 0 1 1 0-88zM36 36V64H64V36z"),
    sign(
        "eye",
        "",
        "",
        "M4 50C20 24 36 16 50 16S80 24 96 50C80 76 64 84 50 84S20 76 4 50zM50 32a18 18 0 1 0 0 36 18 18 0 1 0 0-36z",
    ),
    sign(
        "key",
        "",
        "",
        "M28 28a22 22 0 0 1 21 16H94V60H86V74H74V60H64V70H54V60H49A22 22 0 1 1 28 28zM28 41a9 9 0 1 0 0 18 9 9 0 1 0 0-18z",
    ),
    sign("lock", "", "", "M26 44V32a24 24 0 0 1 48 0V44H86V94H14V44zM40 44H60V32a10 10 0 0 0-20 0z"),
    sign("hourglass", "", "", "M14 6H86V20L58 50 86 80V94H14V80L42 50 14 20z"),
    sign("bolt", "", "", "M60 4L16 56H46L38 96 84 40H54z"),
    sign("flag", "⚑", "", "M16 4H27V12H92L74 32 92 52H27V96H16z"),
    sign("fish", "", "", "M4 30L26 44C42 20 74 22 96 50 74 78 42 80 26 56L4 70zM76 40a5 5 0 1 0 0 10 5 5 0 1 0 0-10z"),
];

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
        assert_eq!(names.len(), SIGNS.len());
    }
}

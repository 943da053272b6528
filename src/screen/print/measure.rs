//! Paper sizes, and lengths in CSS and SVG.

pub use crate::definition::measure::{Length, MM, Size, card_size, length};

/// A paper size, always upright.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paper {
    /// 210 × 297 mm.
    #[default]
    A4,
    /// 8.5 × 11 inches.
    Letter,
}

impl Paper {
    /// The size of a sheet.
    pub fn size(self) -> Size {
        match self {
            Self::A4 => Size::of(210 * MM, 297 * MM),
            Self::Letter => Size::of(215_900, 279_400),
        }
    }
}

/// The size of a poker card.
#[cfg(test)]
pub const POKER: Size = Size::of(63_500, 88_900);

/// A length in millimetres, with its unit, for CSS and SVG.
pub fn in_mm(length: Length) -> String {
    let (sign, length) = if length < 0 { ("-", -length) } else { ("", length) };
    let text = format!("{sign}{}.{:03}", length / MM, length % MM);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_written() {
        assert_eq!([63_500, 0, -250, 88_900, 1].map(in_mm), ["63.5", "0", "-0.25", "88.9", "0.001"]);
    }
}

//! Lengths on printed sheets: whole micrometres, so that the front and the back of a sheet fit each other exactly.

use crate::catalogue::message;
use crate::diagnostic::{Diagnostic, Diagnostics, unknown};

/// A length in micrometres.
pub type Length = i64;

/// One millimetre.
pub const MM: Length = 1000;

/// The smallest side of a printed component.
const MIN_SIDE_LENGTH: Length = 10 * MM;
/// The largest side of a printed component.
const MAX_SIDE_LENGTH: Length = 400 * MM;

/// Width and height of something printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    /// Extent from left to right.
    pub width: Length,
    /// Extent from top to bottom.
    pub height: Length,
}

impl Size {
    /// A size of this width and height.
    pub const fn of(width: Length, height: Length) -> Self {
        Self { width, height }
    }

    /// The size turned by a right angle.
    pub fn rotated(self) -> Self {
        Self { width: self.height, height: self.width }
    }
}

/// Named sizes of cards.
const NAMED_CARD_SIZES: [(&str, Size); 5] = [
    ("poker", Size::of(63_500, 88_900)),
    ("bridge", Size::of(57_150, 88_900)),
    ("mini", Size::of(44 * MM, 68 * MM)),
    ("tarot", Size::of(70 * MM, 120 * MM)),
    ("square", Size::of(70 * MM, 70 * MM)),
];

/// Parses the size of a card: a name, or `63.5x88.9` in millimetres.
///
/// # Errors
/// There is no such name, or a card of this size could not be cut or handled.
pub fn card_size(text: &str) -> Result<Size, Diagnostics> {
    if let Some((_, size)) = NAMED_CARD_SIZES.iter().find(|(name, _)| *name == text) {
        return Ok(*size);
    }
    let Some((width, height)) = text.split_once(['x', 'X', '×']).map(|(width, height)| (length(width), length(height)))
    else {
        let names = NAMED_CARD_SIZES.iter().map(|(name, _)| *name);
        let error = unknown("size of a card", text, names);
        return Err(error.help("a size of your own is such as `60x90`, in millimetres").into());
    };
    let (Some(width), Some(height)) = (width, height) else {
        let error = Diagnostic::new(message!("`{text}` is not a size of a card"));
        return Err(error
            .help("write two numbers of millimetres with an `x` between them, such as `63.5x88.9`")
            .into());
    };
    let size = Size::of(width, height);
    if [width, height].iter().any(|side| !(MIN_SIDE_LENGTH..=MAX_SIDE_LENGTH).contains(side)) {
        let error = Diagnostic::new(message!("a card of {text} mm cannot be printed"));
        let (least, most) = (MIN_SIDE_LENGTH / MM, MAX_SIDE_LENGTH / MM);
        return Err(error.help(message!("each side is between {least} and {most} mm")).into());
    }
    Ok(size)
}

/// Parses a number of millimetres with up to three decimals; `None` where the text is none.
pub fn length(text: &str) -> Option<Length> {
    let (whole, part) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let is_number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    if whole.is_empty() || whole.len() > 6 || part.len() > 3 || !is_number(whole) || !is_number(part) {
        return None;
    }
    let whole: Length = whole.parse().ok()?;
    let part: Length = format!("{part:0<3}").parse().ok()?;
    Some(whole * MM + part)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read() {
        assert_eq!(["63.5", "0", "7.125", " 12 "].map(length), [Some(63_500), Some(0), Some(7_125), Some(12_000)]);
        assert_eq!(["", "-1", "1.2345", "1e3", "٣", "99999999", "1.", "."].map(length)[..6], [None; 6]);
    }

    #[test]
    fn cards_have_names_and_sizes() {
        assert_eq!(card_size("poker").ok(), Some(NAMED_CARD_SIZES[0].1));
        assert_eq!(card_size("60x90").ok(), Some(Size::of(60_000, 90_000)));
        let told = |text: &str| card_size(text).map(drop).map_err(|errors| errors.first().message.clone()).unwrap_err();
        assert_eq!(told("0x0"), "a card of 0x0 mm cannot be printed");
        assert_eq!(told("9.9x50"), "a card of 9.9x50 mm cannot be printed");
        assert_eq!(told("60x"), "`60x` is not a size of a card");
        assert!(told("pokre").contains("`pokre`"));
    }
}

//! The types of an attribute's values in a game, and errors for rules that ask for a type that it never has.

use crate::diagnostic::message;
use crate::sorted::SortedSet;
use crate::table::layout::{FaceValue, Layout};
use crate::table::value::Component;
use crate::table::{Fault, Table};

/// The types of the values that an attribute has on the faces of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AttributeSort {
    /// Whether some face has a number.
    pub numbers: bool,
    /// Whether some face has a text.
    pub texts: bool,
}

impl AttributeSort {
    /// The types of these values, over all faces.
    pub fn of(values: &[FaceValue]) -> Self {
        values.iter().fold(Self::default(), |sort, value| match value {
            FaceValue::Absent => sort,
            FaceValue::Number(_) => Self { numbers: true, ..sort },
            FaceValue::Word(_) => Self { texts: true, ..sort },
        })
    }
}

impl Layout {
    /// Refuses to look for numbers in an attribute that has only texts.
    ///
    /// # Errors
    /// Every component that has the attribute has a text there.
    pub fn expect_numbers(&self, attribute: usize) -> Result<(), Fault> {
        match self.attribute_sorts[attribute] {
            AttributeSort { numbers: false, texts: true } => Err(self.never_number(attribute)),
            _ => Ok(()),
        }
    }

    /// Refuses to look for a text in an attribute that has only numbers.
    ///
    /// # Errors
    /// Every component that has the attribute has a number there.
    pub fn expect_texts(&self, attribute: usize, text: &str) -> Result<(), Fault> {
        match self.attribute_sorts[attribute] {
            AttributeSort { numbers: true, texts: false } => Err(self.never_text(attribute, text)),
            _ => Ok(()),
        }
    }

    #[cold]
    fn never_number(&self, attribute: usize) -> Fault {
        let name = &self.attributes[attribute];
        let some = self.texts_of(attribute).into_iter().take(4).map(|text| format!("\"{text}\"")).collect::<Vec<_>>();
        Fault::rule(message!("`{name}` is a text on every component, never a number"))
            .help(message!("it is one of {} …", some.join(", ")))
    }

    #[cold]
    fn never_text(&self, attribute: usize, text: &str) -> Fault {
        let name = &self.attributes[attribute];
        let help = if attribute == self.side {
            message!("`side_name` is what a side is called: `cards.where(|card| card.side_name == \"{text}\")`")
        } else if text.parse::<i64>().is_ok() {
            message!("write it without quotes: `{text}`")
        } else {
            "compare it with a number".into()
        };
        Fault::rule(message!("`{name}` is a number on every component, never the text \"{text}\"")).help(help)
    }

    /// The numbers that an attribute has on some face, or can show there.
    pub fn numbers_of(&self, attribute: usize) -> SortedSet<i64> {
        let printed = self.values[attribute].iter().filter_map(|value| match value {
            FaceValue::Number(number) => Some(*number),
            _ => None,
        });
        let mut numbers: SortedSet<i64> = printed.collect();
        if attribute == self.side || attribute == self.value {
            let most = self.faces.iter().map(|face| face.sides.len()).max().unwrap_or(0);
            numbers.extend(0..=most as i64);
        }
        numbers
    }

    /// The texts that an attribute has on some face, in the order of their first use.
    pub fn texts_of(&self, attribute: usize) -> Vec<&str> {
        let mut words: Vec<u16> = Vec::new();
        for value in &self.values[attribute] {
            if let FaceValue::Word(word) = value
                && !words.contains(word)
            {
                words.push(*word);
            }
        }
        words.into_iter().map(|word| &*self.words[usize::from(word)]).collect()
    }
}

impl Table {
    /// Index of an attribute, by its name.
    ///
    /// # Errors
    /// There is no such attribute; the error has the nearest name.
    pub fn attribute(&self, name: &str) -> Result<usize, Fault> {
        self.layout
            .attributes
            .iter()
            .position(|known| known == name)
            .ok_or_else(|| Fault::unknown("attribute", name, self.layout.attributes.iter().map(String::as_str)))
    }

    /// The value of an attribute on a component's face; for `side` and `value`, the one that the component shows now.
    pub fn face_value(&self, component: Component, attribute: usize) -> FaceValue {
        match self.layout.values[attribute][self.face(component)] {
            FaceValue::Absent => self.shown_value(component, attribute),
            printed => printed,
        }
    }
}

//! Queries of the rules about components: counting, finding, ordering.
//!
//! These are the typed bodies of the vocabulary that scripts use; each works on components in the order in which they
//! lie, wherever that is.

mod boards;
mod lists;
mod values;

pub use boards::Cells;
pub(crate) use values::MAX_SUM;

use crate::diagnostic::{Message, message};
use crate::table::layout::FaceValue;
use crate::table::value::{Component, Zone};
use crate::table::{Fault, Table};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::ops::Deref;

/// A list of components, such as the result of a search.
#[derive(Debug, PartialEq, Default)]
pub struct Components(pub SmallVec<[Component; INLINE_COMPONENTS]>);

impl Clone for Components {
    fn clone(&self) -> Self {
        // Copied in one piece; the list's own `clone` works entry by entry.
        Self::from(&self.0[..])
    }
}

/// Most components of a list that is stored without an allocation: a hand of cards.
const INLINE_COMPONENTS: usize = 16;

impl FromIterator<Component> for Components {
    fn from_iter<I: IntoIterator<Item = Component>>(list: I) -> Self {
        Self(list.into_iter().collect())
    }
}

impl From<&[Component]> for Components {
    fn from(list: &[Component]) -> Self {
        Self(SmallVec::from_slice(list))
    }
}

impl Components {
    /// The components of a list for which `fits` is true, in their order.
    #[inline]
    pub fn filtered(list: &[Component], mut fits: impl FnMut(Component) -> bool) -> Self {
        let mut kept = Self::from(list);
        let mut count = 0;
        // Each is written where the next one that fits belongs, so that the processor need not predict a branch.
        for &component in list {
            kept.0[count] = component;
            count += usize::from(fits(component));
        }
        kept.0.truncate(count);
        kept
    }
}

impl Deref for Components {
    type Target = [Component];

    fn deref(&self) -> &[Component] {
        &self.0
    }
}

impl IntoIterator for Components {
    type Item = Component;
    type IntoIter = smallvec::IntoIter<[Component; INLINE_COMPONENTS]>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Something that components can be looked for in: a zone, several zones, a list.
pub trait Holder {
    /// The components, in the order in which they lie.
    fn held<'t>(&'t self, table: &'t Table) -> Cow<'t, [Component]>;
}

impl Holder for Zone {
    fn held<'t>(&'t self, table: &'t Table) -> Cow<'t, [Component]> {
        Cow::Borrowed(table.zone(*self))
    }
}

impl Holder for [Zone] {
    fn held<'t>(&'t self, table: &'t Table) -> Cow<'t, [Component]> {
        Cow::Owned(self.iter().flat_map(|&zone| table.zone(zone)).copied().collect())
    }
}

impl Holder for [Component] {
    fn held<'t>(&'t self, _table: &'t Table) -> Cow<'t, [Component]> {
        Cow::Borrowed(self)
    }
}

/// A value that an attribute is compared with.
pub trait FaceKey {
    /// The value as the table stores it; `None` if no face has it.
    ///
    /// # Errors
    /// The attribute never has a value of this type.
    fn face_value(&self, table: &Table, attribute: usize) -> Result<Option<FaceValue>, Fault>;
}

impl FaceKey for &str {
    fn face_value(&self, table: &Table, attribute: usize) -> Result<Option<FaceValue>, Fault> {
        table.layout().expect_texts(attribute, self)?;
        Ok(table.layout().word(self))
    }
}

impl FaceKey for i64 {
    fn face_value(&self, table: &Table, attribute: usize) -> Result<Option<FaceValue>, Fault> {
        table.layout().expect_numbers(attribute)?;
        Ok(Some(FaceValue::Number(*self)))
    }
}

impl Table {
    /// Index of an attribute whose numbers are to be used.
    ///
    /// # Errors
    /// There is no such attribute, or it has only texts.
    pub(crate) fn number_attribute(&self, name: &str) -> Result<usize, Fault> {
        let attribute = self.attribute(name)?;
        self.layout().expect_numbers(attribute)?;
        Ok(attribute)
    }

    /// The value of an attribute of a component, which has to have it.
    ///
    /// # Errors
    /// The component lacks the attribute.
    fn value_on(&self, component: Component, attribute: usize) -> Result<FaceValue, Fault> {
        match self.face_value(component, attribute) {
            FaceValue::Absent => {
                let name = &self.layout().attributes[attribute];
                Err(Fault::rule(message!("{} has no {name}", self.label(component))))
            }
            value => Ok(value),
        }
    }
}

fn empty(message: impl Into<Message>) -> Fault {
    Fault::rule(message).help("ask `is_empty` first")
}

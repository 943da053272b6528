//! What differs on purpose between the product and the reference, each with its reason.

use crate::sides::Run;

/// A difference that is meant to be.
pub struct Purpose {
    /// What differs and why.
    pub why: &'static str,
    /// Whether two runs differ by it.
    pub explains: fn(product: &Run, reference: &Run) -> bool,
}

/// Every one of them.
pub const PURPOSES: &[Purpose] = &[];

/// Why two runs differ that are meant to.
pub fn reason(product: &Run, reference: &Run) -> Option<&'static str> {
    PURPOSES.iter().find(|purpose| (purpose.explains)(product, reference)).map(|purpose| purpose.why)
}

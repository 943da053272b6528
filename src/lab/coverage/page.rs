//! Coverage as one HTML page over the scripts.

use super::Coverage;

/// The page.
pub fn page(_coverage: &Coverage) -> String {
    String::new()
}

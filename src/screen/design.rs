//! Texts that `[looks]` gives to components.

use crate::screen::style::{self, Line};
use crate::table::looks::{ComponentDesign, fronts};
use crate::table::names::Names;

/// The designed texts of each side of a component, by its id; `None` where there are none.
pub fn printed_on(names: Names<'_>, id: &str, width: usize) -> Option<Vec<Line>> {
    let face = names.layout.faces.iter().position(|info| *info.id == *id)?;
    let mut lines = Vec::new();
    for front in fronts(names.layout, face) {
        let looks = ComponentDesign::of(names, front);
        let face = names.face(front).map(|face| face.text.into_owned()).unwrap_or_default();
        let said = [looks.title, looks.text].into_iter().flatten().collect::<Vec<_>>().join(": ");
        if !said.is_empty() {
            lines.push(Line::strong(face));
            lines.extend(style::wrapped(&said, width));
        }
    }
    (!lines.is_empty()).then_some(lines)
}

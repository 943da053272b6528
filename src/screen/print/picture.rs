//! The designer's pictures, embedded in the page unchanged.

use crate::definition::{Icon, picture};
use crate::diagnostic::Diagnostics;
use crate::files::Files;
use crate::playthrough::Playable;
use crate::sorted::SortedMap;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use sha2::{Digest as _, Sha256};
use std::sync::Arc;

/// The pictures of a page, each once.
#[derive(Default)]
pub(super) struct Pictures {
    /// The id of each picture, by its name and the address of the source that names it.
    known: SortedMap<(String, usize), String>,
    /// The `data:` URL of each picture, by id.
    data: SortedMap<String, String>,
}

impl Pictures {
    /// The id of a picture named in looks. It depends only on the picture's content, so that cards can be compared
    /// between editions.
    pub(super) fn id(
        &mut self,
        name: &str,
        icon: &Icon,
        loaded: &Playable,
        files: &dyn Files,
    ) -> Result<String, Diagnostics> {
        let key = (name.to_owned(), Arc::as_ptr(&icon.place.source).addr());
        if let Some(id) = self.known.get(&key) {
            return Ok(id.clone());
        }
        let picture = picture::read(name, icon, loaded.ruleset.all_layers(), files)?;
        let hash = Sha256::digest(&picture.bytes);
        let id = hash.iter().take(8).fold("p".to_owned(), |id, byte| format!("{id}{byte:02x}"));
        let data = format!("data:{};base64,{}", picture.kind, BASE64_STANDARD.encode(&picture.bytes));
        self.data.insert(id.clone(), data);
        self.known.insert(key, id.clone());
        Ok(id)
    }

    /// The definitions of the used pictures, to be referred to by id.
    pub(super) fn written(&self, is_used: impl Fn(&str) -> bool) -> String {
        let image = |(id, address): (&String, &String)| {
            format!("<image id=\"{id}\" width=\"100\" height=\"100\" href=\"{address}\"/>\n")
        };
        self.data.iter().filter(|(id, _)| is_used(id)).map(image).collect()
    }
}

//! Pictures of the designer's, put into the page as they are.

use crate::definition::{Icon, picture};
use crate::diagnostic::Diagnostics;
use crate::files::Files;
use crate::playthrough::Playable;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The pictures of a page, each once.
#[derive(Default)]
pub(super) struct Pictures {
    /// What each is known by, by its name and the address of the text that names it.
    known: BTreeMap<(String, usize), String>,
    /// The data of each as an address.
    data: BTreeMap<String, String>,
}

impl Pictures {
    /// What pages know a picture by that looks name: the same for the same picture, so that a card is the same card in
    /// another edition.
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

    /// Those that are used, to be used by what they are known by.
    pub(super) fn written(&self, is_used: impl Fn(&str) -> bool) -> String {
        let image = |(id, address): (&String, &String)| {
            format!("<image id=\"{id}\" width=\"100\" height=\"100\" href=\"{address}\"/>\n")
        };
        self.data.iter().filter(|(id, _)| is_used(id)).map(image).collect()
    }
}

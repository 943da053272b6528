//! A cache of layers: what was read from the same texts is not read again.

use super::Layer;
use crate::definition::origin::Origin;
use crate::definition::script_text::AdjacentFiles;
use crate::diagnostic::{Diagnostics, Source};
use crate::sorted::SortedMap;
use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The layer that each file contained last. Threads share the cache.
#[derive(Debug, Default)]
pub(in crate::definition) struct LayerCache(Mutex<SortedMap<PathBuf, Arc<CachedLayer>>>);

#[derive(Debug)]
struct CachedLayer {
    layer: Layer,
    /// The adjacent files that were looked for, by name, with what was found.
    beside: Vec<(String, Option<Arc<Source>>)>,
}

impl LayerCache {
    /// [`Layer::parse`], or the layer that it gave for the same texts before.
    ///
    /// # Errors
    /// As [`Layer::parse`]. Errors are not kept.
    pub fn parse(
        &self,
        source: Arc<Source>,
        origin: &Origin,
        beside: &AdjacentFiles<'_>,
    ) -> Result<Layer, Diagnostics> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(origin.path()).cloned();
        if let Some(known) = known.filter(|known| known.is_of(&source, origin, beside)) {
            return Ok(known.layer.clone());
        }
        let looked_for = RefCell::new(Some(Vec::new()));
        let layer = Layer::parse(source, origin.clone(), &|file| {
            let found = beside(file);
            let mut looked_for = looked_for.borrow_mut();
            match found.clone().transpose() {
                Ok(text) => looked_for.iter_mut().for_each(|all| all.push((file.to_owned(), text.clone()))),
                Err(_) => *looked_for = None,
            }
            found
        })?;
        if let Some(beside) = looked_for.into_inner() {
            lock().insert(origin.path().to_owned(), Arc::new(CachedLayer { layer: layer.clone(), beside }));
        }
        Ok(layer)
    }
}

impl CachedLayer {
    fn is_of(&self, source: &Arc<Source>, origin: &Origin, beside: &AdjacentFiles<'_>) -> bool {
        let is_same = |(file, known): &(String, Option<Arc<Source>>)| match (beside(file), known) {
            (None, None) => true,
            (Some(Ok(text)), Some(known)) => text == *known,
            _ => false,
        };
        self.layer.origin == *origin && self.layer.source == *source && self.beside.iter().all(is_same)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::definition::OriginKind;
    use crate::files::MemoryFiles;

    #[test]
    fn a_layer_is_read_again_where_one_of_its_texts_is_another() {
        let origin = Origin::new(&MemoryFiles::default(), OriginKind::Path, "game.toml".into());
        let cache = LayerCache::default();
        let read = |name: &str, files: &[(&str, &str)]| {
            let text = format!("id = \"g\"\nname = \"{name}\"\nplayers = {{ min = 1, max = 2 }}\n");
            cache.parse(Source::new("game.toml", text), &origin, &|file| {
                let (name, text) = files.iter().find(|(name, _)| *name == file)?;
                Some(Ok(Source::new(*name, *text)))
            })
        };
        let script = ("rules.rhai", "fn game() {}");
        let first = read("One", &[script]).unwrap();
        assert!(Arc::ptr_eq(&first.source, &read("One", &[script]).unwrap().source));

        let other = read("One", &[("rules.rhai", "fn game() { }")]).unwrap();
        assert_eq!(other.script.unwrap().text, "fn game() { }");
        assert_eq!(read("Two", &[script]).unwrap().name, "Two".to_owned().into());
        assert!(read("Two", &[]).is_err(), "its script is gone");
        assert!(read("Two", &[script]).unwrap().rulebook.is_none());
        let with_book = read("Two", &[script, ("rulebook.toml", "")]).unwrap();
        assert!(with_book.rulebook.is_some(), "a rulebook has come");
    }
}

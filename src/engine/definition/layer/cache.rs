//! A cache of layers: what was read from the same texts is not read again.

use super::Layer;
use crate::definition::origin::Origin;
use crate::definition::script_text::AdjacentFiles;
use crate::diagnostic::{Diagnostics, Source};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The layer that each file contained last. Threads share the cache.
#[derive(Debug, Default)]
pub(in crate::definition) struct LayerCache(Mutex<BTreeMap<PathBuf, Arc<CachedLayer>>>);

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

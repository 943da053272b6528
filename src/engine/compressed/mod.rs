//! Reading of texts that lie compressed in the program. The build scripts compress them with `writer.rs`.

/// The texts of a stream of the writer, each with its path; sorted by path. Empty for an empty stream.
pub fn texts(stream: &[u8]) -> Vec<(String, String)> {
    let bytes = miniz_oxide::inflate::decompress_to_vec(stream).unwrap_or_default();
    let joined = String::from_utf8(bytes).unwrap_or_default();
    let mut parts = joined.split_terminator('\0').map(str::to_owned);
    std::iter::from_fn(|| parts.next().zip(parts.next())).collect()
}

#[cfg(test)]
mod writer;

#[cfg(test)]
mod tests {
    use super::{texts, writer};
    use std::collections::BTreeMap;
    use std::path::Path;

    #[test]
    fn texts_come_back_as_they_were() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut written = BTreeMap::from([("empty.md".to_owned(), String::new())]);
        writer::add_texts(root, &root.join("catalogue"), &["toml"], &mut written).unwrap();
        assert!(written.contains_key("catalogue/ja/script.toml"));
        assert_eq!(texts(&writer::compressed(&written)), Vec::from_iter(written));
        assert!(texts(&[]).is_empty());
    }
}

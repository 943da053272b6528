//! Reading of texts that lie compressed in the program. The build scripts compress them with `writer.rs`.

/// The texts of a stream of the writer, each with its path; sorted by path. Empty for an empty stream.
pub fn texts(stream: &[u8]) -> Vec<(String, String)> {
    let bytes = miniz_oxide::inflate::decompress_to_vec(stream).unwrap_or_default();
    let joined = String::from_utf8(bytes).unwrap_or_default();
    let mut parts = joined.split_terminator('\0').map(str::to_owned);
    std::iter::from_fn(|| parts.next().zip(parts.next())).collect()
}

#[cfg(test)]
mod tests {
    use super::texts;

    #[test]
    fn texts_come_back_as_they_were() {
        let texts_of = |stream: &[u8]| texts(stream).into_iter().collect::<std::collections::BTreeMap<_, _>>();
        let found = texts_of(include_bytes!(concat!(env!("OUT_DIR"), "/ja.deflate")));
        let written = include_str!("../catalogue/ja/script.toml").replace("\r\n", "\n");
        assert_eq!(found.get("script.toml"), Some(&written));
        assert!(found.len() > 20 && found.values().all(|text| text.ends_with('\n')));
        assert!(texts(&[]).is_empty());
    }
}

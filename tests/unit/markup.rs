//! Pages of HTML as a browser takes them apart.

#![allow(clippy::unwrap_used)]

/// What a stranger may have written into a name.
pub const HOSTILE: &str = "</title></template><script>alert(1)</script> \" onload='x' & <img src=x> ]]>";

/// The tags of a page with their attributes; each that is opened is closed.
pub fn tags(page: &str) -> Vec<&str> {
    let (page, rest) = page
        .split_once("<script>")
        .map_or((page, ""), |(head, script)| (head, script.split_once("</script>").unwrap().1));
    let (head, style) = page.split_once("<style>").unwrap();
    let (_, body) = style.split_once("</style>").unwrap();
    let mut open = Vec::new();
    let mut found = Vec::new();
    for tag in [head, body, rest].into_iter().flat_map(|part| part.split('<').skip(1)) {
        let tag = tag.split('>').next().unwrap();
        let name = tag.trim_start_matches('/').split([' ', '\n', '/']).next().unwrap();
        let is_void = ["meta", "input", "!doctype", "!--"].contains(&name);
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else if !tag.ends_with('/') && !is_void {
            open.push(name);
        }
        found.push(tag);
    }
    assert_eq!(open, Vec::<&str>::new());
    found
}

/// The values of an attribute, in order.
pub fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    page.split(start.as_str()).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

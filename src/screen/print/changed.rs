//! Changes since an earlier edition: pieces that are new or look different, and those to throw away.

use super::Part;
use super::gather::{NamedPiece, PrintContent};
use crate::catalogue::said;
use crate::diagnostic::Diagnostic;
use crate::sorted::SortedMap;

/// Keeps only the pieces that did not exist before, and gives the names of those no longer used. Parts that could not
/// be made are not judged. `parts` are the parts to print.
pub(super) fn keep_changed(now: &mut PrintContent, before: &PrintContent, parts: &[Part]) -> Vec<String> {
    let mut left: SortedMap<String, Vec<&NamedPiece>> = SortedMap::new();
    for named in &before.pieces {
        left.entry(before.print_of(named)).or_default().push(named);
    }
    // A piece that looks the same exists already; preferably the one with the same name.
    let prints: Vec<String> = now.pieces.iter().map(|named| now.print_of(named)).collect();
    let mut is_there = vec![false; prints.len()];
    for by_name in [true, false] {
        for ((named, print), is_there) in
            now.pieces.iter().zip(&prints).zip(&mut is_there).filter(|(_, there)| !**there)
        {
            let Some(left) = left.get_mut(print) else { continue };
            let found = left.iter().position(|known| !by_name || known.name == named.name);
            *is_there = found.map(|place| left.remove(place)).is_some();
        }
    }
    let mut is_there = is_there.into_iter();
    now.pieces.retain(|_| !is_there.next().unwrap_or(false));
    // A board or the rulebook is printed as a whole or not at all.
    let boards_before = before.boards.iter().filter(|board| !now.boards.contains(board));
    let boards_before: Vec<String> = boards_before.map(|board| board.name.clone()).collect();
    now.boards.retain(|board| !before.boards.contains(board));
    let is_left_out = [&*now, before].iter().any(|edition| edition.left_out.contains(&Part::Rulebook));
    let is_other_booklet = now.booklet != before.booklet && !is_left_out;
    let wants_booklet = parts.contains(&Part::Rulebook);
    if !is_other_booklet || !wants_booklet {
        now.booklet.clear();
    }
    let is_left = |named: &&NamedPiece| {
        left.get(&before.print_of(named)).is_some_and(|left| left.iter().any(|other| std::ptr::eq(*other, *named)))
    };
    let is_left = |named: &&NamedPiece| !now.left_out.contains(&named.part) && is_left(named);
    // Each name once, however many sides the piece had.
    let mut thrown: Vec<String> = Vec::new();
    for named in before.pieces.iter().filter(is_left) {
        if thrown.last() != Some(&named.name) {
            thrown.push(named.name.clone());
        }
    }
    thrown.extend(boards_before);
    if is_other_booklet && wants_booklet && !before.booklet.is_empty() {
        thrown.push(said("the rulebook").to_owned());
    }
    if is_other_booklet && !wants_booklet {
        let note = Diagnostic::note("the rulebook is different, too");
        now.warnings.push(note.help("`--only rulebook` prints it as a booklet"));
    }
    thrown
}

impl PrintContent {
    /// The looks of a piece, front and back, to compare.
    fn print_of(&self, named: &NamedPiece) -> String {
        let drawn = |face: usize| self.faces.get(face).map_or("", String::as_str);
        let piece = named.piece;
        let back = piece.back.map_or("", drawn);
        format!("{:?} {:?}\n{}\n{back}", named.part, piece.size, drawn(piece.front))
    }
}

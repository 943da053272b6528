//! The command `houserule unpack`: rules from a pack or from the program, as files to edit.

use super::install::{installed_as, read};
use super::pack::command_again;
use super::packs::is_pack;
use super::{Context, EXIT_SUCCESS, Failure, Outcome, Printout};
use crate::catalogue::{message, said, say};
use crate::diagnostic::{Diagnostic, Diagnostics, unknown_or, visible};
use crate::files::{Files as _, path_name};
use crate::host::disk::Disk;
use crate::host::file::write_new_together;
use crate::host::packs::mounted;
use crate::share::bytes_of;
use crate::share::contents::PackContents;
use crate::shipped;
use clap::Args;
use std::path::{Path, PathBuf};

/// Unpack a pack, or rules that are built in, into files that you can edit
#[derive(Debug, Args)]
pub(super) struct Unpack {
    /// The pack, the id of one that is installed, or the id of a game, a variant or a library that is built in
    #[arg(value_name = "FILE|ID")]
    what: String,
}

impl Unpack {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let (path, file) = if is_pack(&self.what, context.library.files()) {
            (PathBuf::from(&self.what), read(Path::new(&self.what), context)?)
        } else {
            match installed_as(&self.what)? {
                Some(installed) => (installed.path, installed.read.map_err(Failure::wrong)?),
                None => return self.unpack_built_in(context, out),
            }
        };
        // An unsafe picture could run scripts in the program that opens its file.
        Diagnostics::refuse(file.unfit_pictures().collect())
            .map_err(|errors| Failure::no(errors.help("nothing was written")))?;
        write(file.pack.files.iter().map(|inside| (&*inside.path, &*inside.text)), context, out)?;
        let library = mounted(&context.library, &[(path.clone(), file.clone())]);
        let lacking = PackContents::of(&file.pack, &path, &library, &context.work).unfit_pictures(&library);
        out.tell(&lacking.into_iter().map(Diagnostic::as_warning).collect::<Vec<_>>());
        let play = file.pack.play.selection.command("play");
        out.line(&say!("now: `{play} --watch{}`", context.to_same_folder));
        out.line(&match command_again(&file.pack, context) {
            Some(pack) => {
                say!("later: `{pack}{}` makes the same pack if you changed nothing", context.to_same_folder)
            }
            None => said("keep the pack, too: these files alone do not give the same one").to_string(),
        });
        Ok(EXIT_SUCCESS)
    }

    fn unpack_built_in(&self, context: &Context, out: &mut Printout) -> Outcome {
        let texts = shipped::texts_of(&self.what);
        if texts.is_empty() {
            let help = "`houserule list` shows games, variants and libraries, `houserule list --installed` packs";
            let what = "installed pack, and nothing built in, that is called";
            return Err(Failure::wrong(unknown_or(what, &self.what, shipped::ids(), help)));
        }
        write(texts.iter().copied(), context, out)?;
        // A file with the same id takes precedence over the built-in one.
        let path = texts.first().map_or("", |(path, _)| path);
        match path.split('/').collect::<Vec<_>>().as_slice() {
            ["games", game, ..] => out.line(&say!("now: `houserule play {game} --watch{}`", context.to_same_folder)),
            ["variants", game, ..] => {
                let id = &self.what;
                out.line(&say!("now: `houserule play {game} -v {id} --watch{}`", context.to_same_folder));
            }
            _ if texts.len() == 1 => out.line(said("the games that use it take this file from now on")),
            _ => out.line(said("the games that use it take these files from now on")),
        }
        Ok(EXIT_SUCCESS)
    }
}

/// Writes texts into the folder of the context, all of them or none; existing identical files stay.
fn write<'a>(
    texts: impl Iterator<Item = (&'a str, &'a str)>,
    context: &Context,
    out: &mut Printout,
) -> Result<(), Failure> {
    let places: Vec<(PathBuf, Vec<u8>)> =
        texts.map(|(path, text)| (context.folder.join(path), bytes_of(Path::new(path), text))).collect();
    let is_same = |path: &Path, bytes: &[u8]| match std::str::from_utf8(bytes) {
        Ok(text) => Disk.read_up_to(path, "", u64::MAX / 2).is_ok_and(|found| found.text == text),
        Err(_) => Disk.bytes_up_to(path, "", u64::MAX / 2).is_ok_and(|found| found == bytes),
    };
    let (there, new): (Vec<_>, Vec<_>) =
        places.into_iter().partition(|(path, _)| std::fs::symlink_metadata(path).is_ok());
    if let Some((path, _)) = there.iter().find(|(path, text)| !is_same(path, text)) {
        let error = Diagnostic::new(message!("`{}` already exists, and is different", path_name(path)));
        return Err(Failure::wrong(error.help("nothing was written; `--dir FOLDER` names another folder")));
    }
    if let Some(error) = new.iter().find_map(|(path, _)| outside(&context.folder, path)) {
        return Err(Failure::wrong(error));
    }
    write_new_together(&new).map_err(Failure::wrong)?;
    for (path, _) in &new {
        out.line(&say!("wrote {}", visible(&path_name(path))));
    }
    if new.is_empty() {
        out.line(said("everything is there already"));
    }
    Ok(())
}

/// An error that a symbolic link on the way may lead out of the target folder; `None` if there is none.
fn outside(folder: &Path, path: &Path) -> Option<Diagnostic> {
    let mut place = folder.to_owned();
    let inside = path.strip_prefix(folder).ok()?;
    for part in inside.parent()?.components() {
        place.push(part);
        if place.is_symlink() {
            let error = Diagnostic::new(message!("`{}` is a link, which may lead elsewhere", path_name(&place)));
            return Some(error.help("nothing was written; `--dir FOLDER` names another folder"));
        }
    }
    None
}

//! The command `houserule fmt`: formatting scripts and TOML files.

use super::{Context, EXIT_NEGATIVE, EXIT_SUCCESS, EXIT_USAGE, Failure, Outcome, Printout};
use crate::catalogue::{message, said, say};
use crate::definition::toml_text::has_key;
use crate::diagnostic::{Diagnostic, Diagnostics, visible};
use crate::files::{Files, OverwritePolicy, path_name};
use crate::host::disk::{Disk, standard_input_as_written};
use crate::host::file::write_whole;
use crate::playthrough::replay::MAX_BYTES;
use crate::ruleset::shell_quoted;
use crate::scenario;
use crate::script::format::{format_rhai, format_toml, written_by_houserule};
use clap::Args;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The extensions of files that are formatted.
const ENDINGS: [&str; 2] = ["rhai", "toml"];

/// Most lines searched for the next common line of two texts.
const MAX_LINES_APART: usize = 200;

/// Lay out scripts and TOML files in one style: blanks, line ends and indentation, with all comments
#[derive(Debug, Args)]
pub(super) struct Fmt {
    /// Files, or folders with files of rules; `-` is standard input, which is written to standard output; default: the games,
    /// variants, libraries and scenarios of this project
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Only show what would change; the exit code is 1 if anything would
    #[arg(long)]
    check: bool,
}

/// A text before and after formatting.
struct FormattedText {
    /// The name of the source in messages.
    name: String,
    before: String,
    after: String,
}

impl Fmt {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        if let Some(path) = self.paths.iter().find(|path| path.as_os_str() == "-") {
            if self.paths.len() > 1 {
                let error = Diagnostic::new("`-` is standard input, and goes with no other path");
                return Err(Failure::wrong(
                    error.help(message!("write `houserule fmt {}` alone", shell_quoted(&path_name(path)))),
                ));
            }
            return self.standard_input(out);
        }
        let files = self.files(context).map_err(Failure::wrong)?;
        let (mut changed, mut broken) = (0, 0);
        for path in &files {
            if context.work.is_stopped() {
                break;
            }
            match self.file(path, context, out) {
                Ok(is_changed) => changed += usize::from(is_changed),
                Err(errors) => {
                    broken += 1;
                    out.tell(&errors);
                }
            }
        }
        context.work.check_stopped().map_err(Failure::no)?;
        if changed == 0 && broken == 0 {
            out.line(&say!("everything is laid out already (files: {})", files.len()));
        } else if self.check && changed > 0 {
            out.line(&say!("files that would change: {changed} of {}; `houserule fmt` writes them", files.len()));
        }
        Ok(match (broken, changed) {
            (1.., _) => EXIT_USAGE,
            (_, 1..) if self.check => EXIT_NEGATIVE,
            _ => EXIT_SUCCESS,
        })
    }

    fn standard_input(&self, out: &mut Printout) -> Outcome {
        let before = standard_input_as_written().map_err(Failure::wrong)?;
        let name = "standard input".to_owned();
        let format = if begins_as_script(&before) { format_rhai } else { format_toml };
        let after = format(&name, &before).map_err(Failure::wrong)?;
        if !self.check {
            out.text(&after);
            return Ok(EXIT_SUCCESS);
        }
        let laid = FormattedText { name, before, after };
        laid.tell(out);
        Ok(if laid.is_changed() { EXIT_NEGATIVE } else { EXIT_SUCCESS })
    }

    /// Formats a file, and gives whether that changes it.
    fn file(&self, path: &Path, context: &Context, out: &mut Printout) -> Result<bool, Diagnostics> {
        let name = Disk.name_of(path);
        let before = Disk.as_written(path, &name)?;
        let format = if path.extension() == Some(OsStr::new("rhai")) { format_rhai } else { format_toml };
        let after = format(&name, &before)?;
        let laid = FormattedText { name, before, after };
        if !laid.is_changed() {
            return Ok(false);
        }
        if self.check {
            laid.tell(out);
        } else {
            refuse_read_only(path, &laid.name)?;
            write_whole(path, &laid.after, OverwritePolicy::Anything, context.work.flag())
                .map_err(Diagnostics::from)?;
            out.line(&say!("wrote {}", visible(&laid.name)));
        }
        Ok(true)
    }

    /// The files to format, each once.
    fn files(&self, context: &Context) -> Result<Vec<PathBuf>, Diagnostics> {
        let mut found = Vec::new();
        for path in &self.paths {
            match Disk.is_folder(path) {
                true if is_of_a_project(path) => found.extend(files_of_rules_below(path)),
                true => {
                    let message = message!("there are no games, variants or libraries around `{}`", path_name(path));
                    let help = "name a folder of a project, or the files themselves: what lies elsewhere is not looked through";
                    return Err(Diagnostic::new(message).help(help).into());
                }
                false => found.push(laid_out_file(path)?),
            }
        }
        if self.paths.is_empty() {
            found.extend(files_of_project(&context.folder));
        }
        found.sort();
        found.dedup();
        if found.is_empty() {
            let error = Diagnostic::new("there is no file of rules to lay out");
            return Err(error.help("name a `.rhai` or `.toml` file, or a folder with such files").into());
        }
        Ok(found)
    }
}

/// Refuses to replace a file that is read-only: its author wants it to stay.
pub(super) fn refuse_read_only(path: &Path, name: &str) -> Result<(), Diagnostics> {
    if std::fs::metadata(path).is_ok_and(|about| about.permissions().readonly()) {
        let error = Diagnostic::new(message!("`{name}` is read-only"));
        return Err(error.help("allow it to be written, or leave it out").into());
    }
    Ok(())
}

/// The folders of a project that contain rules.
const FOLDERS: [&str; 3] = ["games", "variants", "scripts"];

/// Whether a folder is a project, is in one, or contains parts of one.
fn is_of_a_project(folder: &Path) -> bool {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    whole.ancestors().any(is_project)
}

fn is_project(folder: &Path) -> bool {
    FOLDERS.iter().any(|part| Disk.is_folder(&folder.join(part)))
}

/// The games, variants, libraries and scenarios of a project, without any other files in it.
fn files_of_project(folder: &Path) -> impl Iterator<Item = PathBuf> {
    FOLDERS.into_iter().chain([scenario::FOLDER]).flat_map(move |part| files_below(&folder.join(part)))
}

/// The files to format below a folder; of a whole project, only its rules and scenarios.
fn files_of_rules_below(folder: &Path) -> Vec<PathBuf> {
    if is_project(folder) { files_of_project(folder).collect() } else { files_below(folder) }
}

/// The scripts and TOML files of rules below a folder. TOML files of other programs are left alone, and so are saved
/// games and packs, whose checksums depend on every byte. A file that cannot be read is among them, so that formatting
/// it reports the error.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let is_other = |text: &str| written_by_houserule(text).is_some() || !is_rules(text);
    let is_of_rules = |path: &PathBuf| {
        // A saved game or a pack may be larger than a file of rules.
        path.extension() != Some(OsStr::new("toml"))
            || !Disk.read_up_to(path, "", MAX_BYTES).is_ok_and(|source| is_other(&source.text))
    };
    Disk.files_below(folder, &ENDINGS).into_iter().filter(is_of_rules).collect()
}

/// Whether a TOML file belongs to rules: all of these have an `id`.
fn is_rules(text: &str) -> bool {
    has_key(text, "id")
}

/// Checks that a file named by the person can be formatted.
fn laid_out_file(path: &Path) -> Result<PathBuf, Diagnostics> {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let name = path_name(path);
    if !ENDINGS.contains(&ending) {
        let error = Diagnostic::new(message!("`{name}` is neither a script nor a file of TOML"));
        return Err(error.help("`houserule fmt` lays out files that end with `.rhai` or `.toml`").into());
    }
    Ok(path.to_owned())
}

/// Whether a text is a script and not TOML, judged by its beginning.
fn begins_as_script(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    ["//", "/*", "fn ", "private "].iter().any(|begin| text.starts_with(begin))
}

impl FormattedText {
    fn is_changed(&self) -> bool {
        self.before != self.after
    }

    /// Shows the changed lines.
    fn tell(&self, out: &mut Printout) {
        if !self.is_changed() {
            return;
        }
        out.line(&visible(&self.name));
        for Hunk { at, before, after } in hunks(&self.before, &self.after) {
            out.line(&format!("@@ {} @@", at + 1));
            for (sign, lines) in [('-', before), ('+', after)] {
                for line in lines {
                    out.line(&format!("{sign}{}", visible(line.trim_end_matches(['\n', '\r']))));
                    if !line.ends_with('\n') {
                        out.line(said("\\ no line end at the end of the file"));
                    }
                }
            }
        }
    }
}

/// A group of changed lines.
struct Hunk<'t> {
    /// The number of lines before the group in the old text.
    at: usize,
    before: Vec<&'t str>,
    after: Vec<&'t str>,
}

/// The line differences between two texts.
fn hunks<'t>(before: &'t str, after: &'t str) -> Vec<Hunk<'t>> {
    let before: Vec<&str> = before.split_inclusive('\n').collect();
    let after: Vec<&str> = after.split_inclusive('\n').collect();
    let (mut old, mut new) = (0, 0);
    let mut hunks = Vec::new();
    while old < before.len() || new < after.len() {
        let (rest, new_rest) = (&before[old..], &after[new..]);
        if rest.first() == new_rest.first() {
            (old, new) = (old + 1, new + 1);
            continue;
        }
        // The next line common to both texts; blank lines do not count, because they match by chance.
        let ways = (1..MAX_LINES_APART).flat_map(|apart| (0..=apart).map(move |old| (old, apart - old)));
        let mut meeting = ways.filter(|(old, new)| match (rest.get(*old), new_rest.get(*new)) {
            (Some(old), Some(new)) => old == new && !old.trim().is_empty(),
            (None, None) => *old == rest.len() && *new == new_rest.len(),
            _ => false,
        });
        let (gone, come) = meeting.next().unwrap_or((rest.len(), new_rest.len()));
        hunks.push(Hunk { at: old, before: rest[..gone].to_vec(), after: new_rest[..come].to_vec() });
        (old, new) = (old + gone, new + come);
    }
    hunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_told_line_by_line() {
        let told = |before: &str, after: &str| {
            let hunks = hunks(before, after);
            let told = hunks.iter().map(|hunk| format!("{} -{:?} +{:?}", hunk.at, hunk.before, hunk.after));
            told.collect::<Vec<_>>().join("; ")
        };
        assert_eq!(told("a\nb\n", "a\nb\n"), "");
        assert_eq!(told("a\n\n\nb\nc", "a\n\nB\nc\n"), "2 -[\"\\n\", \"b\\n\", \"c\"] +[\"B\\n\", \"c\\n\"]");
        assert_eq!(told("a\nb\nc\n", "a\nx\ny\nc\n"), "1 -[\"b\\n\"] +[\"x\\n\", \"y\\n\"]");
        assert_eq!(told("a\n", "\na\n"), "0 -[] +[\"\\n\"]");
        assert_eq!(told(&"a\n".repeat(1000), ""), format!("0 -{:?} +[]", vec!["a\n"; 1000]));
    }
}

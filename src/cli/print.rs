//! The command `houserule print`: sheets for the printer, and decks for a virtual table.

use super::numbers::{COUNTS, whole};
use super::out_file::{OutFile, default_path};
use super::packs::{self, PackArguments};
use super::{Context, EXIT_SUCCESS, Failure, LayerArgs, Outcome, Printout, Rules, language_in_file_name, web_place};
use crate::catalogue::{counted, message, said, say};
use crate::definition::Library;
use crate::diagnostic::{Diagnostic, visible};
use crate::files::path_name;
use crate::host::file::is_standard_output;
use crate::json;
use crate::playthrough::Playable;
use crate::ruleset::shell_quoted;
use crate::screen::print::layout::{Backs, Marks};
use crate::screen::print::measure::{Length, MM, Paper, Size, card_size, length};
use crate::screen::print::tabletop::{CARD_SHEET, CardSheet, DECKS, tabletop};
use crate::screen::print::{Ink, Part, PrintOptions, PrintedSheets, SHEETS, printed};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// The widest gutter and bleed.
const MAX_GUTTER_AND_BLEED: Length = 50 * MM;

/// Print cards, tokens, dice and boards on sheets to cut out
#[derive(Debug, Args)]
pub(super) struct Print {
    #[command(flatten)]
    rules: Rules,

    /// Number of players who get an aid, a mat and a column of the score sheet, and that the booklet is for; default: the
    /// most that the game allows, and a booklet for every number
    #[arg(short, long, value_name = "N", value_parser = whole::<usize>(COUNTS))]
    players: Option<usize>,

    /// Write the page to this file; default: GAME.print.html in this folder, with `--lang ja` GAME.print.ja.html; `-` is
    /// standard output
    #[arg(short = 'o', long, value_name = "OUT")]
    out: Option<PathBuf>,

    /// Print only these, with commas between them; default: everything but the rulebook, which is a booklet to fold
    #[arg(long, value_name = "PARTS", value_enum, value_delimiter = ',')]
    only: Vec<OnlyArg>,

    /// Size of the paper
    #[arg(long, value_enum, default_value_t = PaperArg::A4)]
    paper: PaperArg,

    /// Size of cards: poker, bridge, mini, tarot, square, or WIDTHxHEIGHT in mm
    #[arg(long, value_name = "SIZE", default_value = "poker")]
    card: String,

    /// Where the backs are: on the back of the sheet, beside the front to fold, or nowhere
    #[arg(long, value_enum, default_value_t = BacksArg::Duplex)]
    backs: BacksArg,

    /// Distance between cards in mm; default: 0, or twice the bleed
    #[arg(long, value_name = "MM", allow_negative_numbers = true)]
    gutter: Option<String>,

    /// How far cards are printed over their edges, in mm
    #[arg(long, value_name = "MM", allow_negative_numbers = true, default_value = "0")]
    bleed: String,

    /// What shows where to cut; default: lines, with a bleed ticks
    #[arg(long, value_enum)]
    marks: Option<MarksArg>,

    /// Outline areas instead of filling them
    #[arg(long)]
    low_ink: bool,

    /// Print without colours; signs tell them apart
    #[arg(long)]
    grey: bool,

    /// Print only what is new or different since this pack, and name what to throw away
    #[arg(long, value_name = "OLD.pack.toml")]
    changed_since: Option<String>,

    /// Make decks for a virtual table instead of sheets of paper: pictures of all cards, and the file that it opens
    #[arg(
        long = "for",
        value_name = "TABLE",
        value_enum,
        conflicts_with_all = ["players", "only", "paper", "backs", "gutter", "bleed", "marks", "changed_since"]
    )]
    table: Option<TableArg>,

    /// With --for: where the pictures will lie on the web; default: in the folder of OUT
    #[arg(long, value_name = "URL", requires = "table", value_parser = folder_address)]
    address: Option<String>,

    /// Overwrite OUT even if something else is there
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TableArg {
    TabletopSimulator,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PaperArg {
    A4,
    Letter,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BacksArg {
    Duplex,
    Fold,
    None,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum MarksArg {
    Lines,
    Ticks,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OnlyArg {
    Cards,
    Dice,
    Tokens,
    Boards,
    Aids,
    Score,
    Rulebook,
}

impl OnlyArg {
    fn part(self) -> Part {
        match self {
            Self::Cards => Part::Cards,
            Self::Dice => Part::Dice,
            Self::Tokens => Part::Tokens,
            Self::Boards => Part::Boards,
            Self::Aids => Part::Aids,
            Self::Score => Part::Score,
            Self::Rulebook => Part::Rulebook,
        }
    }
}

fn folder_address(typed: &str) -> Result<String, &'static str> {
    let is_place = web_place(typed).is_some();
    is_place.then(|| typed.to_owned()).ok_or("write it as https://example.org/pictures")
}

impl Print {
    /// The arguments that may name packs.
    pub(super) fn pack_arguments(&mut self) -> PackArguments<'_> {
        PackArguments { players: Some(&mut self.players), ..self.rules.pack_arguments() }
    }

    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let mut options = self.options(context)?;
        let (loaded, _) = self.rules.load(context, self.players, out)?;
        options.library = loaded.ruleset.library_with_kept_layers(&context.library);
        options.players = self.players.unwrap_or(loaded.layout.definition.players.1);
        if let Some(TableArg::TabletopSimulator) = self.table {
            return self.decks(&loaded, &PrintOptions { parts: vec![Part::Cards], ..options }, context, out);
        }
        let before = self.changed_since.as_ref().map(|old| self.before(old, &loaded, context)).transpose()?;
        let target = self.out.clone().unwrap_or_else(|| default_path(file_of(&loaded, "print", "html", context)));
        let file = OutFile::begin(&target, SHEETS, self.force, context)?;
        let files = context.library.files();
        let (before, old_files) = match &before {
            Some((before, library)) => (Some(before), library.files()),
            None => (None, files),
        };
        let PrintedSheets { html, sheets, counts, thrown_away, warnings } =
            printed((&loaded, files), before.map(|before| (before, old_files)), &options).map_err(Failure::no)?;
        out.tell(&warnings);
        if counts.is_empty() && before.is_none() {
            let error = Diagnostic::new(message!("`{}` has nothing of this to print", loaded.ruleset.game.id));
            return Err(Failure::no(error.help("leave `--only` out to print everything that it has")));
        }
        if counts.is_empty() {
            out.line(said("nothing is to be printed anew: no file is written"));
        } else {
            let name = file.target().name();
            file.write(context, &html)?;
            if let Some(name) = name {
                out.line(&match sheets {
                    1 => say!("wrote {}: 1 side of paper", visible(&name)),
                    _ => say!("wrote {}: {sheets} sides of paper", visible(&name)),
                });
            }
        }
        if before.is_some() {
            match &thrown_away[..] {
                [] => out.line(said("nothing is thrown away")),
                names => out.line(&say!("throw away: {}", visible(&names.join(", ")))),
            }
        }
        Ok(EXIT_SUCCESS)
    }

    /// Writes decks for Tabletop Simulator: their file, and beside it the sheets, which a browser turns into pictures.
    fn decks(&self, loaded: &Playable, options: &PrintOptions, context: &Context, out: &mut Printout) -> Outcome {
        // If standard output is redirected to a file, that gets the commands below, and not the decks.
        let target = self.out.clone().unwrap_or_else(|| file_of(loaded, "decks", "json", context));
        if is_standard_output(&target) {
            let error = Diagnostic::new("the sheets of cards lie beside the file of the decks");
            return Err(Failure::wrong(error.help("name that file: `-o decks.json`")));
        }
        let stem = target.with_extension("");
        let beside = |name: &str, ending: &str| {
            let file = stem.file_name().unwrap_or_default().to_string_lossy();
            target.with_file_name(format!("{file}.{name}.{ending}"))
        };
        let address = |name: &str| {
            let picture = beside(name, "png");
            let name = picture.file_name().unwrap_or_default().to_string_lossy();
            match &self.address {
                Some(base) => format!("{}/{name}", base.trim_end_matches('/')),
                None => {
                    let path = path_name(&std::path::absolute(&picture).unwrap_or_else(|_| picture.clone()));
                    format!("file:///{}", path.trim_start_matches('/'))
                }
            }
        };
        let made = tabletop((loaded, context.library.files()), options, &address).map_err(Failure::no)?;
        let mut file = OutFile::begin(&target, DECKS, self.force, context)?;
        let mut sheets = Vec::new();
        for sheet in &made.sheets {
            let path = beside(&sheet.name, "svg");
            sheets.push((OutFile::begin(&path, CARD_SHEET, self.force, context)?, path, sheet));
        }
        // Decks are useless without their sheets.
        file.fill(context, &(json::text(&made.saved) + "\n"))?;
        sheets.iter_mut().try_for_each(|(file, _, sheet)| file.fill(context, &sheet.svg))?;
        file.finish(context)?;
        let (name, cards) = (path_name(&target), counted(made.cards, "card"));
        out.line(&say!("wrote {}: {}, {cards}", visible(&name), counted(made.decks, "deck")));
        for (file, path, CardSheet { name, dots: [wide, high], .. }) in sheets {
            file.finish(context)?;
            let [svg, png] = [path, beside(name, "png")].map(|path| path_name(&path));
            out.line(&say!(
                "now: `chromium --headless --hide-scrollbars --force-device-scale-factor=1 --window-size={wide},{high} --screenshot={} {}`",
                shell_quoted(&png),
                shell_quoted(&svg)
            ));
        }
        Ok(EXIT_SUCCESS)
    }

    /// The game as it was in an old pack, and the library that contains it.
    fn before(&self, old: &str, now: &Playable, context: &Context) -> Result<(Playable, Library), Failure> {
        if context.library.files().kind(Path::new(old)).is_none() {
            let error = Diagnostic::new(message!("there is no file `{}`", visible(old)));
            return Err(Failure::wrong(error.help("name the pack that you made of the game when you printed it last")));
        }
        if !packs::is_pack(old, context.library.files()) {
            let error = Diagnostic::new(message!("`{}` is not a pack", visible(old)));
            return Err(Failure::wrong(
                error.help("`houserule pack GAME` makes one of the game as it is now, to compare with later"),
            ));
        }
        let mut rules = Rules { game: old.to_owned(), over: LayerArgs::default() };
        let mut context = context.clone();
        packs::open(rules.pack_arguments(), &mut context)?;
        let (loaded, _) = rules.load(&context, None, &mut Printout::default())?;
        let [before, now] = [&loaded, now].map(|loaded| &loaded.ruleset.game.id);
        if before != now {
            let error = Diagnostic::new(message!("`{}` is a pack of `{before}`, not of `{now}`", visible(old)));
            return Err(Failure::wrong(error.help("name a pack of the game that you print")));
        }
        Ok((loaded, context.library))
    }

    fn options(&self, context: &Context) -> Result<PrintOptions, Failure> {
        let bleed = in_mm("--bleed", &self.bleed)?;
        let gutter = match &self.gutter {
            Some(gutter) => in_mm("--gutter", gutter)?,
            None => 2 * bleed,
        };
        if gutter < 2 * bleed {
            let error = Diagnostic::new("the bleed of a card would lie on the next card");
            return Err(Failure::wrong(error.help("make `--gutter` at least twice `--bleed`, or leave it out")));
        }
        let marks = match self.marks {
            Some(MarksArg::Lines) => Marks::Lines,
            Some(MarksArg::Ticks) => Marks::Ticks,
            Some(MarksArg::None) => Marks::None,
            None if bleed > 0 => Marks::Ticks,
            None => Marks::Lines,
        };
        let card: Size = card_size(&self.card).map_err(Failure::wrong)?;
        let parts = |arg: &OnlyArg| match self.only.is_empty() {
            true => *arg != OnlyArg::Rulebook,
            false => self.only.contains(arg),
        };
        Ok(PrintOptions {
            paper: match self.paper {
                PaperArg::A4 => Paper::A4,
                PaperArg::Letter => Paper::Letter,
            },
            card,
            backs: match self.backs {
                BacksArg::Duplex => Backs::Duplex,
                BacksArg::Fold => Backs::Fold,
                BacksArg::None => Backs::None,
            },
            gutter,
            bleed,
            marks,
            ink: Ink { is_low: self.low_ink, is_grey: self.grey },
            parts: OnlyArg::value_variants().iter().filter(|arg| parts(arg)).map(|arg| arg.part()).collect(),
            players: 0,
            told_for: self.players,
            language: context.language,
            library: context.library.clone(),
        })
    }
}

/// The default file for a game, in the current folder.
fn file_of(loaded: &Playable, what: &str, ending: &str, context: &Context) -> PathBuf {
    let language = language_in_file_name(context.language);
    PathBuf::from(format!("{}.{what}.{language}{ending}", loaded.ruleset.game.id))
}

/// The length given to an option.
fn in_mm(option: &str, typed: &str) -> Result<Length, Failure> {
    match length(typed) {
        Some(length) if length <= MAX_GUTTER_AND_BLEED => Ok(length),
        _ => {
            let error = Diagnostic::new(message!("`{option} {}` is not a distance in mm", visible(typed)));
            Err(Failure::wrong(
                error.help(message!("write a number from 0 to {}, such as `2.5`", MAX_GUTTER_AND_BLEED / MM)),
            ))
        }
    }
}

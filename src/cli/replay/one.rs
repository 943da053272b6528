//! Replaying a single saved game, with all details.

use super::{Replay, read_saved};
use crate::catalogue::{Message, said, say};
use crate::cli::{Context, EXIT_NEGATIVE, EXIT_SUCCESS, Failure, Outcome, Printout};
use crate::diagnostic::{Diagnostics, Place, visible};
use crate::files::path_name;
use crate::playthrough::replay::ReplayFile;
use crate::playthrough::rerun::{Rerun, RerunOutcome, Rule};
use serde_json::{Value, json};
use std::path::Path;

/// A replayed file.
pub(super) struct RerunFile {
    pub(super) read: ReplayFile,
    pub(super) rerun: Rerun,
    /// A note on how the rules on disk differ from those in the file; `None` if they do not.
    pub(super) on_disk: Option<Message>,
    /// The result of saving it again under the rules on disk; `None` where that was not wanted.
    pub(super) update: Option<Result<(), Diagnostics>>,
}

impl Replay {
    pub(super) fn run_one(&self, context: &Context, path: &Path, out: &mut Printout) -> Outcome {
        let read = read_saved(context.library.files(), path).map_err(Failure::wrong)?;
        let saved = &read.replay;
        let (loaded, on_disk) = self.load(context, path, &read).map_err(Failure::wrong)?;
        let rerun = Rerun::on(saved, loaded).map_err(Failure::no)?;
        let code = if matches!(rerun.outcome, RerunOutcome::Equal) { EXIT_SUCCESS } else { EXIT_NEGATIVE };
        let ran = RerunFile { read, rerun, on_disk, update: None };
        if self.json {
            out.json(&in_json(path, &ran));
            return Ok(code);
        }
        let RerunFile { read, rerun, on_disk, .. } = &ran;
        let saved = &read.replay;
        out.tell(&read.warnings);
        if !rerun.same_rules {
            out.line(said("the rules have changed since this game was saved"));
        } else if code == EXIT_NEGATIVE {
            out.line(said("the rules are those that this game was saved under"));
        }
        if let Some(difference) = on_disk {
            let difference = difference.told();
            let difference = visible(&difference);
            let line =
                say!("it was run under the rules in the file; {difference} (`--under-disk` runs it under those)");
            out.line(&line);
        }
        if let RerunOutcome::Failed { reason, .. } = &rerun.outcome {
            out.tell(reason);
        }
        let (played, entries) = (rerun.played, saved.log.len());
        for (number, entry) in &rerun.left_out {
            let entry = entry.to_string();
            out.line(&say!("move {number}, {}, is left out: the rules do not ask for it", visible(&entry)));
        }
        match &rerun.outcome {
            RerunOutcome::NoLongerFits { misfit, asked } => {
                out.line(&say!(
                    "{played} of {entries} moves still fit; move {}, {}, does not: {}",
                    misfit.number,
                    visible(&misfit.entry.to_string()),
                    visible(&Message::from(&misfit.reason).told())
                ));
                if let Some(place) = read.entry(misfit.number) {
                    out.line(&say!("saved at {}", file_line(&place)));
                }
                if let Some(rule) = asked {
                    out.line(&say!("asked at {rule}"));
                }
            }
            _ => out.line(&say!("{played} of {entries} moves fit")),
        }
        out.line(&scores_in_words(read, rerun));
        if let RerunOutcome::OtherScores { first: Some(first) } = &rerun.outcome {
            out.line(&say!("first {}", first));
        }
        Ok(code)
    }
}

/// The replay of a file as JSON.
pub(super) fn in_json(path: &Path, RerunFile { read, rerun, on_disk, update }: &RerunFile) -> Value {
    let saved = &read.replay;
    let (mut misfit, mut asked, mut failed, mut first) = (None, None, None, None);
    match &rerun.outcome {
        RerunOutcome::Equal => {}
        RerunOutcome::OtherScores { first: found } => first = found.as_ref(),
        RerunOutcome::NoLongerFits { misfit: found, asked: rule } => {
            misfit = Some(found);
            asked = rule.as_ref();
        }
        RerunOutcome::Failed { reason, .. } => failed = Some(reason),
    }
    let rule = |rule: &Rule| json!({ "line": rule.line, "layer": rule.layer.as_str() });
    json!({
        "file": path_name(path),
        "entries": saved.log.len(),
        "played": rerun.played,
        "same_rules": rerun.same_rules,
        "same_result": matches!(rerun.outcome, RerunOutcome::Equal),
        "scores": rerun.scores,
        "saved_scores": saved.result.as_ref().map(|result| &result.scores),
        "left_out": rerun.left_out.iter().map(|(number, entry)| {
            json!({ "entry": number, "what": entry.to_string() })
        }).collect::<Vec<_>>(),
        "misfit": misfit.map(|misfit| json!({
            "entry": misfit.number, "what": misfit.entry.to_string(), "reason": misfit.reason.to_string(),
            "line": read.entry(misfit.number).map(|place| place.position().0),
            "asked": asked.map(rule),
        })),
        "first_difference": first.map(|first| json!({
            "move": first.moves, "seat": format!("p{}", first.seat), "was": first.was, "is": first.is,
            "rule": first.rule.as_ref().map(rule),
        })),
        "rules_inside": saved.rules.iter().map(|rule| &rule.path).collect::<Vec<_>>(),
        "rules_on_disk": on_disk.as_deref(),
        "warnings": read.warnings.iter().map(|warning| warning.to_json()).collect::<Vec<_>>(),
        "failed": failed.map(|failed| failed.first().to_json()),
        "updated": update.as_ref().is_some_and(Result::is_ok),
    })
}

/// The scores, and the expected ones where these differ.
pub(super) fn scores_in_words(read: &ReplayFile, rerun: &Rerun) -> String {
    let list = |scores: &[i64]| scores.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let mut words = say!("scores {}", list(&rerun.scores));
    let Some(result) = &read.replay.result else { return words };
    if !matches!(rerun.outcome, RerunOutcome::Equal | RerunOutcome::OtherScores { .. }) {
        return words;
    }
    if result.scores != rerun.scores {
        words.push_str(&say!(" instead of {}", list(&result.scores)));
    } else if matches!(rerun.outcome, RerunOutcome::OtherScores { .. }) {
        words.push_str(said(" in another way"));
    }
    match (result.over, rerun.over) {
        (true, false) => words.push_str(said(", and the game is not over")),
        (false, true) => words.push_str(said(", and the game is over")),
        _ => {}
    }
    words
}

pub(super) fn file_line(place: &Place) -> String {
    format!("{}:{}", visible(&place.source.name), place.position().0)
}

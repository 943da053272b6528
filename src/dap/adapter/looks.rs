//! Requests that look at, change or evaluate something where the rules have stopped.

use super::{Adapter, AfterAnswer, Outcome, number, text};
use crate::catalogue::said;
use crate::diagnostic::Diagnostic;
use crate::inspect::debugger::{Call, Reason};
use crate::screen;
use serde_json::{Value, json};

impl Adapter<'_> {
    pub(super) fn stack(&mut self, arguments: &Value) -> Outcome {
        let client = self.client;
        let game = self.game()?;
        let Some(debugger) = &game.session.debugger else { return Ok(json!({ "stackFrames": [] }).into()) };
        let places = debugger.places();
        let calls = &debugger.stop().calls;
        let frame = |(number, call): (usize, &Call)| {
            let (name, layer) = (screen::function(places, call), screen::layer(places, call.site.at));
            let script =
                places.ruleset().scripts.iter().position(|script| Some(&*script.id) == places.layer_of(call.site.at));
            let place = places.ruleset().place(call.site.at, "");
            let (line, column) = place.as_ref().map_or((0, 0), |place| {
                let (line, column) = place.position();
                let text = place.source.line(line).chars().take(column - 1);
                (line, text.map(char::len_utf16).sum::<usize>() + 1)
            });
            json!({
                "id": number + 1,
                "name": format!("{name}  {layer}").trim_end(),
                "source": script.map(|script| game.sources.in_json(script)),
                "line": (line + client.first_line).saturating_sub(1),
                "column": (column + client.first_column).saturating_sub(1),
                "canRestart": true,
                "moduleId": script,
            })
        };
        let mut frames: Vec<Value> = calls.iter().enumerate().rev().map(frame).collect();
        if frames.is_empty() {
            // When no rule is running any more, the table can still be looked at.
            let name =
                if game.reason == Reason::Over { said("the game is over") } else { said("the game stands here") };
            frames.push(json!({ "id": 0, "name": name, "line": 0, "column": 0 }));
        }
        let all = frames.len();
        let from = number(arguments, "startFrame").unwrap_or_default().min(all);
        let count = number(arguments, "levels").filter(|count| *count > 0).unwrap_or(all);
        let frames: Vec<Value> = frames.into_iter().skip(from).take(count).collect();
        Ok(json!({ "stackFrames": frames, "totalFrames": all }).into())
    }

    pub(super) fn modules(&mut self) -> Outcome {
        let game = self.game()?;
        let scripts = game.session.playthrough.loaded().ruleset.scripts.iter().enumerate();
        let module = |(number, script): (usize, &crate::ruleset::ScriptLayer)| json!({ "id": number, "name": script.id, "path": script.script.source.name });
        let modules: Vec<Value> = scripts.map(module).collect();
        Ok(json!({ "totalModules": modules.len(), "modules": modules }).into())
    }

    pub(super) fn set(&mut self, name: &str, value: &str) -> Outcome {
        let Self { game: Some(game), points, .. } = self else {
            return Err(Diagnostic::new("no game was begun").into());
        };
        game.set(name, value.trim(), points)?;
        Ok(AfterAnswer::Stopped("goto").after(json!({ "value": value.trim() })))
    }

    pub(super) fn evaluate(&mut self, arguments: &Value) -> Outcome {
        let typed = text(arguments, "expression").to_owned();
        let call = number(arguments, "frameId").and_then(|frame| frame.checked_sub(1));
        let Self { game: Some(game), points, .. } = self else {
            return Err(Diagnostic::new("no game was begun").into());
        };
        if text(arguments, "context") != "repl" {
            let innermost = || game.stop().and_then(|stop| stop.calls.len().checked_sub(1));
            let call = if arguments.get("frameId").is_some() { call } else { innermost() };
            let value = game.see(call, typed.trim().trim_end_matches(';'))?;
            return Ok(json!({ "result": value, "variablesReference": 0 }).into());
        }
        // The console evaluates in the call selected in the editor.
        let outermost = game.stop().map_or(0, |stop| stop.calls.len());
        if let Some(debugger) = game.session.debugger.as_mut()
            && let Some(up) = call.and_then(|call| outermost.checked_sub(call + 1))
        {
            let in_and_out = [(usize::MAX, false), (up, true)].into_iter().filter(|(count, _)| *count > 0);
            in_and_out.for_each(|(count, is_out)| drop(debugger.look(count, is_out)));
        }
        let rules = game.session.playthrough.loaded().ruleset.hash.clone();
        let (shown, is_elsewhere, leaves) = game.line(&typed, points)?;
        if game.session.playthrough.loaded().ruleset.hash != rules {
            self.resolve_points();
        }
        let body = json!({ "result": shown, "variablesReference": 0 });
        Ok(match (is_elsewhere, leaves) {
            (_, true) => AfterAnswer::End.after(body),
            (true, _) => AfterAnswer::StoppedAndTold.after(body),
            _ => body.into(),
        })
    }

    pub(super) fn completions(&mut self, arguments: &Value) -> Outcome {
        let typed = text(arguments, "text").to_owned();
        let column = number(arguments, "column").unwrap_or_default().saturating_sub(self.client.first_column);
        let mut units = 0;
        let before: String = typed
            .chars()
            .take_while(|letter| {
                units += letter.len_utf16();
                units <= column
            })
            .collect();
        let game = self.game()?;
        // When an answer is awaited, its options are completed as at the prompt.
        let kept = if game.is_asked() { game.session.debugger.take() } else { None };
        let (start, found) = game.session.candidates(&before);
        game.session.debugger = kept.or(game.session.debugger.take());
        let in_units = |text: &str| text.chars().map(char::len_utf16).sum::<usize>();
        let from = in_units(before.get(..start).unwrap_or_default());
        let length = in_units(before.get(start..).unwrap_or_default());
        let told = |candidate: crate::session::analysis::Candidate| json!({ "label": candidate.text, "detail": candidate.about, "start": from, "length": length });
        Ok(json!({ "targets": found.into_iter().map(told).collect::<Vec<_>>() }).into())
    }

    pub(super) fn exception(&mut self) -> Outcome {
        let game = self.game()?;
        let failed = game.stop().and_then(|stop| stop.position.failed.as_ref());
        let Some(failed) = failed else {
            return Err(Diagnostic::new("the rules have not failed here").into());
        };
        let id = failed.first().code.map_or("failed", |code| code.name);
        Ok(json!({
            "exceptionId": id,
            "description": failed.render(false),
            "breakMode": "always",
            "details": { "message": failed.first().message.told(), "typeName": id },
        })
        .into())
    }
}

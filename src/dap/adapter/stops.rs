//! Requests about breakpoints and `goto` targets.

use super::{Adapter, AfterAnswer, Answer, Group, Outcome, Point, number, text};
use crate::catalogue::say;
use crate::diagnostic::Diagnostic;
use crate::inspect::debugger::Target;
use serde_json::{Value, json};

impl Adapter<'_> {
    /// Replaces the breakpoints of a group.
    pub(super) fn set_points(&mut self, group: Group, sent: Vec<Value>) -> Answer {
        let first_line = self.client.first_line;
        self.points.retain(|point| !point.group.is_same(&group));
        let of_console = self.game.iter().flat_map(|game| game.session.breakpoints.iter().map(|point| point.number));
        self.numbered = of_console.fold(self.numbered, usize::max);
        let places = self.places();
        let mut told = Vec::new();
        for sent in sent {
            self.numbered += 1;
            let mut point = Point::of(self.numbered, group.clone(), &sent, first_line);
            if let (Some(places), Some(game)) = (&places, &self.game) {
                point.resolve(places, &game.sources);
            }
            told.push(point.in_json(first_line));
            self.points.push(point);
        }
        json!({ "breakpoints": told }).into()
    }

    /// Resolves all breakpoints anew in the rules in play, and reports the results to the client.
    pub(super) fn resolve_points(&mut self) {
        let (Some(places), Some(game)) = (self.places(), &self.game) else { return };
        for point in &mut self.points {
            point.resolve(&places, &game.sources);
        }
        let told: Vec<Value> = self.points.iter().map(|point| point.in_json(self.client.first_line)).collect();
        for breakpoint in told {
            self.out.event("breakpoint", json!({ "reason": "changed", "breakpoint": breakpoint }));
        }
    }

    pub(super) fn locations(&mut self, arguments: &Value) -> Outcome {
        let first_line = self.client.first_line;
        let own = |line: usize| line.saturating_add(1 - first_line);
        let line = own(number(arguments, "line").unwrap_or_default());
        let last = number(arguments, "endLine").map_or(line, own);
        let places = self.game()?.session.places();
        let source = arguments.get("source").cloned().unwrap_or_default();
        let layers = self.game()?.sources.layers(&source).unwrap_or_default();
        let mut found: Vec<usize> = Vec::new();
        for layer in layers {
            let mut next = line;
            while let Some(line) = places.line_from(layer, next).filter(|line| *line <= last) {
                found.push(line);
                next = line + 1;
            }
        }
        found.sort_unstable();
        found.dedup();
        let told: Vec<Value> = found.iter().map(|line| json!({ "line": (line + first_line) - 1 })).collect();
        Ok(json!({ "breakpoints": told }).into())
    }

    pub(super) fn data_breakpoint(&mut self, arguments: &Value) -> Outcome {
        let name = text(arguments, "name").to_owned();
        let reference = number(arguments, "variablesReference").filter(|reference| *reference > 0);
        let game = self.game()?;
        let expression = match reference {
            Some(reference) => game.shown().and_then(|(shown, _)| shown.name_to_watch(reference, &name)),
            None => Some(name.clone()),
        };
        let usable = expression.filter(|expression| game.session.playthrough.parse(expression).is_ok());
        Ok(match usable {
            Some(expression) => json!({
                "dataId": expression, "description": expression, "accessTypes": ["write"], "canPersist": true,
            }),
            None => json!({ "dataId": null, "description": say!("the rules cannot be stopped where {name} changes") }),
        }
        .into())
    }

    /// Offers two targets for a line: its next execution, and its last one before here.
    pub(super) fn goto_targets(&mut self, arguments: &Value) -> Outcome {
        let line = number(arguments, "line").unwrap_or_default().saturating_add(1 - self.client.first_line);
        let places = self.game()?.session.places();
        let source = arguments.get("source").cloned().unwrap_or_default();
        let layers = self.game()?.sources.layers(&source).unwrap_or_default();
        let found = layers.iter().filter_map(|layer| Some((places.line_from(layer, line)?, (*layer).to_owned()))).min();
        let mut told = Vec::new();
        self.targets.clear();
        if let Some((line, layer)) = found {
            let target = Target::Line(layer, line);
            for (is_back, label) in
                [(false, say!("line {line}, when it comes next")), (true, say!("back to line {line}"))]
            {
                self.targets.push((target.clone(), is_back));
                let line = line + self.client.first_line - 1;
                told.push(json!({ "id": self.targets.len(), "label": label, "line": line }));
            }
        }
        Ok(json!({ "targets": told }).into())
    }

    pub(super) fn goto(&mut self, arguments: &Value) -> Outcome {
        let target = number(arguments, "targetId").and_then(|id| self.targets.get(id.checked_sub(1)?)).cloned();
        let (target, is_back) = target.ok_or_else(|| Diagnostic::new("this place is not known any more"))?;
        self.game()?.go_to(target, is_back)?;
        Ok(AfterAnswer::Stopped("goto").after(Value::Null))
    }
}
